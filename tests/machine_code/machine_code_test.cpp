// What is known of the recorded fixture.
#include "tracker/machine_code/machine_code.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/machine_code/support.hpp"
#include "tracker/machine_code/elf.hpp"

namespace tracker {
namespace {

using testing::Contains;
using testing::IsEmpty;
using testing::Pair;

struct Known {
  const char* kernel;
  int architecture;
  const char* hash;
  std::int64_t bytes;
};

// A hash that changes with tracker would look like changed code in every stored run.
constexpr Known kKnown[] = {
    {"scale_kernel<4>", 75, "dca611657469ee70", 384}, {"tile_kernel", 75, "54f79d9409bcd5a4", 256},
    {"weigh_kernel", 75, "d74aadb4de85c14f", 896},    {"scale_kernel<4>", 90, "d8dd24482e19d256", 640},
    {"tile_kernel", 90, "33b898a96fc87c9f", 512},     {"weigh_kernel", 90, "ba5b92e44e92429f", 1024}};

TEST(MachineCode, HashesStayWhatTheyWere) {
  const MachineCode code(fixture());
  EXPECT_EQ(code.functions().size(), std::size(kKnown));
  for (const auto& [kernel, architecture, hash, bytes] : kKnown) {
    const Code found = code.code_of({kernel_in(code, kernel, architecture)});
    EXPECT_EQ(found.hash, hash) << kernel << " " << architecture;
    EXPECT_EQ(found.bytes, bytes);
    EXPECT_EQ(found.why_no_hash, "");
    EXPECT_EQ(found.instructions.count("other"), 0u);
  }
}

// As cuobjdump lists them.
TEST(MachineCode, InstructionsAreCounted) {
  const MachineCode code(fixture());
  const std::map<std::string, std::int64_t> tile{{"IMAD", 4}, {"LEA", 4},  {"LDC", 3}, {"S2R", 3}, {"BAR", 1},
                                                 {"BRA", 1},  {"EXIT", 1}, {"LDG", 1}, {"LDS", 1}, {"MOV", 1},
                                                 {"STG", 1},  {"STS", 1},  {"ULDC", 1}};
  EXPECT_EQ(code.code_of({kernel_in(code, "tile_kernel", 90)}).instructions, tile);
  // Its device function is called, and its frames lie in local memory.
  const auto weigh = code.code_of({kernel_in(code, "weigh_kernel", 90)}).instructions;
  EXPECT_THAT(weigh, Contains(Pair("RET", 1)));
  EXPECT_THAT(weigh, Contains(Pair("STL", 3)));
}

TEST(MachineCode, SeveralKernelsAreOne) {
  const MachineCode code(fixture());
  const KernelId tile = kernel_in(code, "tile_kernel", 90);
  const KernelId scale = kernel_in(code, "scale_kernel<4>", 90);
  const Code both = code.code_of({tile, scale});
  EXPECT_EQ(both.bytes, 512 + 640);
  EXPECT_THAT(both.instructions, Contains(Pair("EXIT", 2)));
  EXPECT_THAT(both.instructions, Contains(Pair("STG", 5)));
  EXPECT_NE(both.hash, code.code_of({scale, tile}).hash);
  EXPECT_EQ(code.code_of({tile, scale, tile}), both);
  EXPECT_EQ(code.code_of({tile, tile}), code.code_of({tile}));
  EXPECT_EQ(code.code_of({}), Code{});
}

TEST(MachineCode, SaysWhyThereIsNone) {
  const MachineCode code(fixture());
  KernelId tile = kernel_in(code, "tile_kernel", 90);
  const auto why = [](const MachineCode& in, const KernelId& kernel) {
    const Code none = in.code_of({kernel});
    EXPECT_EQ(none.hash, "");
    EXPECT_EQ(none.bytes, 0);
    EXPECT_THAT(none.instructions, IsEmpty());
    return none.why_no_hash;
  };
  EXPECT_EQ(why(code, {tile.name, 86}), "compiled by the driver from PTX");
  EXPECT_EQ(why(code, {"cublas_kernel", 90}), "not in the executable");
  EXPECT_EQ(why(MachineCode(""), tile), "the executable is no ELF file");
  EXPECT_EQ(why(MachineCode("#!/bin/sh\n"), tile), "the executable is no ELF file");
  // This very test is an executable without device code.
  EXPECT_EQ(why(MachineCode(read_file("/proc/self/exe", 256 << 20)), tile), "not in the executable");

  const Code both = code.code_of({tile, {"cublas_kernel", 90}});
  EXPECT_EQ(both.hash, "");
  EXPECT_EQ(both.bytes, 0);
}

// The entry of a cubin in the fixture's fatbin, as the header before the cubin's own.
std::size_t entry_of_cubin(const std::string& file, int which) {
  const std::string elf = "\177ELF";
  std::size_t at = 0;  // the host's own header
  for (int i = 0; i <= which; ++i) at = file.find(elf, at + 1);
  std::uint32_t header_bytes = 0;
  for (std::size_t bytes : {64u, 72u, 80u}) {
    std::memcpy(&header_bytes, file.data() + at - bytes + 4, sizeof(header_bytes));
    if (header_bytes == bytes) return at - bytes;
  }
  ADD_FAILURE() << "no entry before the cubin";
  return 0;
}

constexpr std::size_t kFlagsOffset = 40;
constexpr std::size_t kArchitectureOffset = 28;

TEST(MachineCode, WhatIsCompressedIsNotRead) {
  std::string file = fixture();
  const KernelId tile = kernel_in(MachineCode(file), "tile_kernel", 75);
  file[entry_of_cubin(file, 0) + kFlagsOffset + 1] |= static_cast<char>(0x80);
  file[entry_of_cubin(file, 1) + kFlagsOffset + 1] |= static_cast<char>(0x80);
  EXPECT_EQ(MachineCode(file).code_of({tile}).why_no_hash, "compressed in the executable");
}

TEST(MachineCode, CodeForOneArchitectureAloneGoesFirst) {
  std::string file = fixture();
  const MachineCode before(file);
  const KernelId tile = kernel_in(before, "tile_kernel", 90);
  // Both units say that they are for sm_90 now: one for it alone (sm_90a), the other is what was for sm_75.
  file[entry_of_cubin(file, 0) + kArchitectureOffset] = 90;
  file[entry_of_cubin(file, 1) + kArchitectureOffset] = 90;
  EXPECT_EQ(MachineCode(file).code_of({tile}).hash, before.code_of({tile}).hash);
  // Without that mark nobody knows which of them runs.
  for (const int which : {0, 1}) file[entry_of_cubin(file, which) + kFlagsOffset + 2] = 0;
  EXPECT_EQ(MachineCode(file).code_of({tile}).why_no_hash, "two kernels of one name differ");
}

TEST(MachineCode, StaysWhereItIsMovedTo) {
  MachineCode first(fixture());
  const KernelId tile = kernel_in(first, "tile_kernel", 90);
  const MachineCode second = std::move(first);
  EXPECT_EQ(second.code_of({tile}).hash, "33b898a96fc87c9f");
}

// As GCC of Debian and of Red Hat, clang and mold write it.
TEST(Elf, NamesItsCompiler) {
  const auto compiler = [](std::string_view comment) {
    ElfFile file;
    file.sections.emplace_back().name = ".comment";
    file.sections.back().content = ByteView(comment);
    return compiler_of(file);
  };
  using std::string_view_literals::operator""sv;
  EXPECT_EQ(compiler("GCC: (Debian 12.2.0-14) 12.2.0\0"sv), "GCC 12.2.0");
  EXPECT_EQ(compiler("GCC: (Debian 12.2.0-14) 12.2.0\0GCC: (GNU) 8.5.0 20210514 (Red Hat 8.5.0-20)\0"sv),
            "GCC 12.2.0, GCC 8.5.0");
  EXPECT_EQ(compiler("GCC: 9.4.0\0"sv), "GCC 9.4.0");
  EXPECT_EQ(compiler("GCC: (Debian 12.2.0-14) 12.2.0\0mold 1.10.1 (compatible with GNU ld)\0"sv),
            "GCC 12.2.0");
  EXPECT_EQ(compiler("GCC: (Debian 12.2.0-14) 12.2.0\0Debian clang version 14.0.6\0"sv),
            "Debian clang version 14.0.6");
}

}  // namespace
}  // namespace tracker

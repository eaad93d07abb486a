// What is known of the recorded fixture.

#include "tracker/machine_code/machine_code.hpp"

#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/machine_code/support.hpp"
#include "tests/source_tree.hpp"
#include "tracker/machine_code/elf.hpp"

namespace tracker::machine_code {
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

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

// One instruction: guarded by a predicate, with operands, of which the opcode must be told apart.
std::string instruction(unsigned opcode) {
  const std::uint64_t word = 0x123456789abc0000 | 0x7000 | opcode;
  std::string bytes;
  for (int shift = 0; shift < 64; shift += 8) bytes += static_cast<char>(word >> shift & 0xff);
  return bytes + std::string(8, '\xff');
}

constexpr unsigned kNop = 0x918;
constexpr unsigned kExit = 0x94d;
constexpr unsigned kLoad = 0x981;
constexpr unsigned kUnknown = 0x000;

std::map<std::string, std::int64_t> mix_of(const std::vector<unsigned>& opcodes, int architecture) {
  std::string text;
  for (const unsigned opcode : opcodes) text += instruction(opcode);
  return instruction_mix(ByteView(text), architecture);
}

struct Seen {
  int architecture = 0;
  unsigned opcode = 0;
  std::string mnemonic;
  std::int64_t count = 0;
};

// What the disassembler of CUDA 13.0 said of five architectures' code.
std::vector<Seen> recorded() {
  std::ifstream file(std::string(TRACKER_TEST_DATA) + "/sass_opcodes.txt");
  std::vector<Seen> all;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream words(line);
    Seen seen;
    words >> seen.architecture >> std::hex >> seen.opcode >> std::dec >> seen.mnemonic >> seen.count;
    EXPECT_TRUE(words) << line;
    all.push_back(seen);
  }
  return all;
}

TEST(Instructions, AreNamedAsTheDisassemblerNamesThem) {
  const auto all = recorded();
  ASSERT_GT(all.size(), 1000u);
  std::map<int, std::int64_t> known;
  std::map<int, std::int64_t> total;
  for (const auto& [architecture, opcode, mnemonic, count] : all) {
    total[architecture] += count;
    if (opcode == kNop) {  // alone it would be padding
      known[architecture] += count;
      continue;
    }
    const auto mix = mix_of({opcode}, architecture);
    ASSERT_EQ(mix.size(), 1u);
    const auto& name = mix.begin()->first;
    if (name == kOtherInstruction) continue;
    EXPECT_EQ(name, mnemonic) << std::hex << opcode << " of sm_" << std::dec << architecture;
    known[architecture] += count;
  }
  for (const int architecture : {75, 80, 86, 89, 90}) {
    EXPECT_GT(total[architecture], 800'000) << architecture;
    EXPECT_EQ(known[architecture], total[architecture]) << architecture;
  }
}

TEST(Instructions, AreCounted) {
  EXPECT_THAT(mix_of({kLoad, kLoad, kExit}, 90), ElementsAre(Pair("EXIT", 1), Pair("LDG", 2)));
  EXPECT_THAT(mix_of({kUnknown, kExit, kUnknown}, 75), ElementsAre(Pair("EXIT", 1), Pair("other", 2)));
}

TEST(Instructions, ThePaddingAtTheEndIsNoneOfThem) {
  EXPECT_THAT(mix_of({kExit, kNop, kNop}, 90), ElementsAre(Pair("EXIT", 1)));
  EXPECT_THAT(mix_of({kNop, kExit, kNop, kNop}, 90), ElementsAre(Pair("EXIT", 1), Pair("NOP", 1)));
  EXPECT_THAT(mix_of({kNop, kNop}, 90), IsEmpty());
}

TEST(Instructions, OfWhatIsNotKnownThereAreNone) {
  EXPECT_THAT(mix_of({}, 90), IsEmpty());
  for (const int architecture : {0, 61, 70, 100, 120})
    EXPECT_THAT(mix_of({kLoad}, architecture), IsEmpty()) << architecture;
  const std::string text = instruction(kLoad);
  EXPECT_THAT(instruction_mix(ByteView(std::string_view(text).substr(0, 15)), 90), IsEmpty());
}

struct Row {
  const char* mangled;
  const char* name;
};

class KernelName : public ::testing::TestWithParam<Row> {};

TEST_P(KernelName, IsTheFunctionsAlone) {
  EXPECT_EQ(kernel_name(GetParam().mangled), GetParam().name);
}

INSTANTIATE_TEST_SUITE_P(
    Names, KernelName,
    ::testing::Values(Row{"_ZN7kernels9transpose18smem_padded_kernelENS0_5PanelE", "smem_padded_kernel"},
                      Row{"_Z3pubPfi", "pub"}, Row{"wait_at_gate", "wait_at_gate"},
                      Row{"_ZN36_GLOBAL__N__00000000_4_t_cu_000000004anonILi3EEEvPf", "anon<3>"},
                      Row{"f", "f"}, Row{"_ZN12_GLOBAL__N_112scale_kernelILi4EEEvPf", "scale_kernel<4>"},
                      Row{"_ZN7cutlass7Kernel2I43cutlass_80_simt_sgemm_256x128_8x4_nn_align1EEvNT_6ParamsE",
                          "Kernel2<cutlass_80_simt_sgemm_256x128_8x4_nn_align1>"},
                      Row{"_ZN2ns4kernINS_6ConfigILi128ELb1EfEELNS_4KindE2EEEvPT_",
                          "kern<Config<128,true,float>,(Kind)2>"},
                      Row{"", "_"}, Row{"a b:c\xc3\xa9\n", "b_c___"}));

TEST(KernelNames, LongArgumentsAreLeftOut) {
  const std::string mangled = "_ZN2ns4kernI200" + std::string(200, 'x') + "EEvPT_";
  EXPECT_EQ(kernel_name(mangled), "kern...");
  EXPECT_EQ(kernel_name(std::string(200, 'k')), std::string(160, 'k') + "...");
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

}  // namespace tracker::machine_code

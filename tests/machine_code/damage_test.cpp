// Damaged and hostile files: nothing is read outside of them (the sanitizers watch), and no wrong hash comes
// out.
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/machine_code/support.hpp"
#include "tracker/machine_code/elf.hpp"

namespace tracker::machine_code {
namespace {

std::vector<Code> read_all(const std::string& file) {
  const MachineCode code(file);
  std::vector<Code> all;
  const auto functions = code.functions();
  for (const KernelId& kernel : functions) all.push_back(code.code_of({kernel}));
  return all;
}

// Where the section's bytes lie in the file.
std::pair<std::size_t, std::size_t> place_of(const std::string& file, const std::string& section) {
  const auto elf = read_elf(ByteView(file));
  EXPECT_TRUE(elf);
  const auto sections = elf->sections;
  for (const auto& found : sections)
    if (found.name == section)
      return {static_cast<std::size_t>(found.content.bytes().data() - file.data()),
              static_cast<std::size_t>(found.size)};
  ADD_FAILURE() << "no " << section;
  return {};
}

TEST(Damage, ATruncatedFileHasNoCode) {
  const std::string file = fixture();
  const std::size_t whole = read_all(file).size();
  for (std::size_t size = 0; size < file.size(); size += size < 200 ? 1 : 37)
    EXPECT_LT(read_all(file.substr(0, size)).size(), whole) << size;
}

TEST(Damage, ATruncatedFatbinIsRefusedUnlessItEndsBetweenTwo) {
  const std::string file = fixture();
  const auto [begin, size] = place_of(file, ".nv_fatbin");
  const ByteView section(std::string_view(file).substr(begin, size));
  const auto whole = read_fatbins(section);
  ASSERT_TRUE(whole);
  ASSERT_EQ(whole->size(), 2u);
  for (std::uint64_t part = 1; part < section.size(); ++part)
    ASSERT_FALSE(read_fatbins(section.part(0, part).value())) << part;
}

TEST(Damage, ATruncatedCubinIsReadWithinItsBounds) {
  const std::string file = fixture();
  const auto [begin, size] = place_of(file, ".nv_fatbin");
  const auto entries = read_fatbins(ByteView(std::string_view(file).substr(begin, size)));
  ASSERT_TRUE(entries);
  for (const FatbinEntry& entry : *entries)
    for (std::uint64_t part = 0; part < entry.content.size(); part += 7) {
      // A copy of its own: reading past its end is seen.
      const MachineCode cubin(std::vector{std::string(entry.content.bytes().substr(0, part))}, 90);
      for (const KernelId& kernel : cubin.functions()) static_cast<void>(cubin.code_of({kernel}));
    }
}

TEST(Damage, FlippedBytesAreSurvived) {
  const std::string file = fixture();
  std::mt19937 engine(7);
  std::size_t read = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string damaged = file;
    for (int n = 0; n < 1 + i % 8; ++n)
      damaged[std::uniform_int_distribution<std::size_t>(0, file.size() - 1)(engine)] =
          static_cast<char>(std::uniform_int_distribution<int>(0, 255)(engine));
    read += read_all(damaged).size();
  }
  EXPECT_GT(read, 3000u);  // most damage leaves something to read
}

// Offsets and sizes near the end of 64 bits, whose sums are small again.
TEST(Damage, HugeNumbersAreSurvived) {
  const std::string file = fixture();
  const auto [begin, size] = place_of(file, ".nv_fatbin");
  const std::string huge = std::string("\xf0") + std::string(7, '\xff');
  for (std::size_t at = begin; at + 8 <= begin + size; at += 8) {
    std::string damaged = file;
    damaged.replace(at, 8, huge);
    read_all(damaged);
  }
}

TEST(Damage, EveryByteOfAnInstructionCounts) {
  const std::string file = fixture();
  const MachineCode before(file);
  const KernelId tile = kernel_in(before, "tile_kernel", 90);
  const std::string hash = before.code_of({tile}).hash;
  const auto [begin, size] = place_of(file, ".nv_fatbin");
  const auto entries = read_fatbins(ByteView(std::string_view(file).substr(begin, size)));
  ASSERT_TRUE(entries);
  const std::string cubin(entries->back().content.bytes());
  const auto [text, length] = place_of(cubin, ".text." + tile.name);
  const std::size_t offset = file.find(cubin) + text;
  for (std::size_t i = 0; i < length; ++i) {
    std::string changed = file;
    changed[offset + i] = static_cast<char>(changed[offset + i] ^ 1);
    EXPECT_NE(MachineCode(changed).code_of({tile}).hash, hash) << i;
  }
}

}  // namespace
}  // namespace tracker::machine_code

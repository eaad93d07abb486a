#include "tracker/machine_code/instructions.hpp"

#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/source_tree.hpp"

namespace tracker {
namespace {

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

}  // namespace
}  // namespace tracker

// Why: one row of the table of causes after the other, and what is said of several.
#include "tracker/judge/cause.hpp"

#include <functional>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tracker::judge {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// A benchmark of which everything is known.
SideFacts known_side() {
  SideFacts side;
  side.benchmark = Benchmark{};
  side.benchmark->bytes_per_iteration = 1e6;
  side.benchmark->attributes = {{"iterations", "10"}};
  side.benchmark->counters = {{"registers", 32},  {"shared_static_bytes", 4096}, {"shared_dynamic_bytes", 0},
                              {"local_bytes", 0}, {"threads_per_block", 256},    {"blocks_per_sm", 8}};
  side.benchmark->code =
      Code{"aa", 1280, {{"tile_kernel", "256x256", "32x8", "", 0}}, {{"LDG", 4}, {"STG", 4}, {"IMAD", 40}}};
  side.conditions = {5, {}, 1980, 3201, 45, 0, {}, 0, 0.5};
  side.facts = {{"driver", "580"},
                {"CUDA runtime", "13.0"},
                {"cuBLAS", "13.0.1"},
                {"compiler", "nvcc"},
                {"Google Benchmark", "1.8.5"},
                {"build commands", "make -j2 fast"},
                {"build files", "Makefile 1a2b3c4, make.sh 2222222"},
                {"compiler flags", "-O3"},
                {"build type", "Release"},
                {"board", "GPU-a"},
                {"power limit", "700 W"},
                {"ECC", "on"},
                {"host", "node-1"},
                {"CPU", "Some CPU"}};
  return side;
}

using Edit = std::function<void(SideFacts&)>;

void set(SideFacts& side, const std::string& counter, double value) {
  side.benchmark->counters[counter] = value;
}

struct Row {
  const char* rule;  // that says it
  Edit edit;         // of the candidate
  const char* text;
  Effect effect = Effect::kEither;

  friend void PrintTo(const Row& row, std::ostream* out) { *out << row.text; }
};

const std::vector<Row>& rows() {
  static const std::vector<Row> table{
      {"kernel", [](auto& s) { s.benchmark->code->launches[0].kernel = "other_kernel"; },
       "another kernel: tile_kernel → other_kernel"},
      {"kernel",
       [](auto& s) {
         s.benchmark->code->launches.push_back({"memset", "", "", "", 0});
       },
       "launches 1 → 2: memset more"},
      {"work", [](auto& s) { s.benchmark->bytes_per_iteration = 2e6; },
       "work of an iteration 1.000 MB → 2.000 MB"},
      {"build type", [](auto& s) { s.facts["build type"] = "Debug"; }, "build type Release → Debug"},
      {"spills", [](auto& s) { set(s, "local_bytes", 96); }, "spills 0 → 96 bytes", Effect::kSlower},
      {"spills",
       [](auto& s) {
         set(s, "local_bytes", 96);
         set(s, "registers", 24);
       },
       "spills 0 → 96 bytes: registers 32 → 24", Effect::kSlower},
      {"occupancy", [](auto& s) { set(s, "blocks_per_sm", 4); }, "blocks per SM 8 → 4", Effect::kSlower},
      {"occupancy",
       [](auto& s) {
         set(s, "blocks_per_sm", 4);
         set(s, "registers", 64);
       },
       "blocks per SM 8 → 4: registers 32 → 64", Effect::kSlower},
      {"occupancy",
       [](auto& s) {
         set(s, "blocks_per_sm", 6);
         set(s, "shared_dynamic_bytes", 33 * 1024);
         set(s, "registers", 24);  // takes no room
       },
       "blocks per SM 8 → 6: shared memory 4 KiB → 37 KiB", Effect::kSlower},
      {"occupancy",
       [](auto& s) {
         set(s, "blocks_per_sm", 16);
         set(s, "registers", 16);
       },
       "blocks per SM 8 → 16: registers 32 → 16", Effect::kFaster},
      {"SM clock", [](auto& s) { s.conditions.core_clock_mhz = 1755; }, "SM clock 1980 → 1755 MHz",
       Effect::kSlower},
      {"SM clock",
       [](auto& s) {
         s.conditions.core_clock_mhz = 1755;
         s.conditions.throttle_reasons = {{"power_cap", 5}};
       },
       "SM clock 1980 → 1755 MHz, power cap", Effect::kSlower},
      {"memory clock", [](auto& s) { s.conditions.memory_clock_mhz = 2619; }, "memory clock 3201 → 2619 MHz",
       Effect::kSlower},
      {"other processes", [](auto& s) { s.conditions.other_processes = 2; },
       "other processes on the GPU 0 → 2", Effect::kSlower},
      {"launch shape", [](auto& s) { s.benchmark->code->launches[0].block = "16x16"; }, "block 32x8 → 16x16"},
      {"launch shape",
       [](auto& s) {
         s.benchmark->code->launches[0].block = "32x32";
         s.benchmark->code->launches[0].grid = "256x64";  // follows from the block
         set(s, "threads_per_block", 1024);
         set(s, "blocks_per_sm", 2);  // as many threads
       },
       "block 32x8 → 32x32"},
      {"launch shape", [](auto& s) { s.benchmark->code->launches[0].cluster = "2x1"; }, "cluster none → 2x1"},
      {"launch shape", [](auto& s) { s.benchmark->code->launches[0].grid = "128x256"; },
       "grid 256x256 → 128x256"},
      {"shared memory", [](auto& s) { set(s, "shared_dynamic_bytes", 29696); },
       "shared memory 4 KiB → 33 KiB"},
      {"registers", [](auto& s) { set(s, "registers", 40); }, "registers 32 → 40"},
      {"cuBLAS", [](auto& s) { s.facts["cuBLAS"] = "13.1.0"; }, "cuBLAS 13.0.1 → 13.1.0"},
      {"machine code",
       [](auto& s) {
         s.benchmark->code->hash = "bb";
         s.benchmark->code->instructions["LDG"] = 5;
       },
       "machine code changed: LDG 4 → 5"},
      {"throttling",
       [](auto& s) {
         s.conditions.throttle_reasons = {{"sw_thermal", 4}};
       },
       "sw thermal in 0 of 5 → 4 of 5 invocations", Effect::kSlower},
      {"driver", [](auto& s) { s.facts["driver"] = "590"; }, "driver 580 → 590"},
      {"CUDA runtime", [](auto& s) { s.facts["CUDA runtime"] = "13.1"; }, "CUDA runtime 13.0 → 13.1"},
      {"Google Benchmark", [](auto& s) { s.facts["Google Benchmark"] = "1.9.1"; },
       "Google Benchmark 1.8.5 → 1.9.1"},
      {"compiler", [](auto& s) { s.facts["compiler"] = "clang"; }, "compiler nvcc → clang"},
      {"compiler flags", [](auto& s) { s.facts["compiler flags"] = "-O0"; }, "compiler flags -O3 → -O0"},
      {"build commands", [](auto& s) { s.facts["build commands"] = "make -j2 slow"; },
       "build commands fast → slow"},
      {"build files", [](auto& s) { s.facts["build files"] = "Makefile 1a2b3c4, make.sh 3333333"; },
       "changed build: make.sh"},
      {"power limit", [](auto& s) { s.facts["power limit"] = "500 W"; }, "power limit 700 W → 500 W"},
      {"method", [](auto& s) { s.benchmark->attributes["iterations"] = "20"; },
       "measured with iterations 10 → 20"},
      {"board", [](auto& s) { s.facts["board"] = "GPU-b"; }, "another board of the model"},
      {"temperature", [](auto& s) { s.conditions.temperature_c = 78; }, "temperature 45 → 78 °C",
       Effect::kSlower},
      {"load", [](auto& s) { s.conditions.load_average = 12; }, "load of the host 0.5 → 12", Effect::kSlower},
      {"ECC", [](auto& s) { s.facts["ECC"] = "off"; }, "ECC on → off"},
      {"CPU", [](auto& s) { s.facts["CPU"] = "Other CPU"; }, "CPU Some CPU → Other CPU"},
      {"host", [](auto& s) { s.facts["host"] = "node-2"; }, "host node-1 → node-2"},
  };
  return table;
}

std::vector<Cause> causes_of(const SideFacts& base, const SideFacts& candidate) {
  return find_causes(base, candidate, {});
}

class CauseRow : public testing::TestWithParam<Row> {};

TEST_P(CauseRow, IsTheOneThatSpeaks) {
  SideFacts candidate = known_side();
  GetParam().edit(candidate);
  const auto causes = causes_of(known_side(), candidate);
  ASSERT_EQ(causes.size(), 1u);
  EXPECT_EQ(causes[0].rule, GetParam().rule);
  EXPECT_EQ(causes[0].finding.text, GetParam().text);
  EXPECT_EQ(causes[0].finding.effect, GetParam().effect);
  EXPECT_EQ(cause_in_words(causes, Effect::kSlower).empty(), GetParam().effect == Effect::kFaster);
}

TEST_P(CauseRow, PointsTheOtherWayTheOtherWayRound) {
  SideFacts base = known_side();
  GetParam().edit(base);
  const auto causes = causes_of(base, known_side());
  ASSERT_EQ(causes.size(), 1u);
  EXPECT_EQ(causes[0].rule, GetParam().rule);
  const Effect effect = GetParam().effect;
  EXPECT_EQ(causes[0].finding.effect, effect == Effect::kSlower   ? Effect::kFaster
                                      : effect == Effect::kFaster ? Effect::kSlower
                                                                  : Effect::kEither);
}

INSTANTIATE_TEST_SUITE_P(Causes, CauseRow, testing::ValuesIn(rows()));

TEST(Causes, EveryRuleHasARowHere) {
  std::set<std::string> tested;
  for (const auto& row : rows()) tested.insert(row.rule);
  std::set<std::string> known;
  for (const auto& rule : cause_rules()) EXPECT_TRUE(known.insert(rule.name).second) << rule.name;
  EXPECT_EQ(tested, known);
}

TEST(Causes, OfNothingIsNothing) {
  EXPECT_THAT(causes_of(known_side(), known_side()), IsEmpty());
  EXPECT_THAT(causes_of({}, {}), IsEmpty());
  // What only one side tells differs in nothing.
  EXPECT_THAT(causes_of({}, known_side()), IsEmpty());
  EXPECT_THAT(causes_of(known_side(), {}), IsEmpty());
}

TEST(Causes, WhatHardlyDiffersExplainsNothing) {
  SideFacts candidate = known_side();
  candidate.conditions.core_clock_mhz = 1970;
  candidate.conditions.temperature_c = 52;
  candidate.conditions.load_average = 1.2;
  candidate.conditions.throttle_reasons = {{"power_cap", 1}};
  EXPECT_THAT(causes_of(known_side(), candidate), IsEmpty());
}

TEST(Causes, TheLikeliestStandsFirstAndThreeAreEnough) {
  SideFacts candidate = known_side();
  set(candidate, "local_bytes", 96);
  set(candidate, "registers", 24);
  candidate.benchmark->code->hash = "bb";
  candidate.benchmark->code->instructions["LDL"] = 12;
  candidate.conditions.core_clock_mhz = 1755;
  candidate.facts["driver"] = "590";
  EXPECT_EQ(cause_in_words(causes_of(known_side(), candidate), Effect::kSlower),
            "spills 0 → 96 bytes: registers 32 → 24; SM clock 1980 → 1755 MHz; machine code changed: LDL 0 → "
            "12");
  EXPECT_EQ(cause_in_words(causes_of(known_side(), candidate), Effect::kFaster),
            "machine code changed: LDL 0 → 12; driver 580 → 590")
      << "spills make nothing faster";
}

TEST(Causes, WithTheSameCodeWhatMadeItDoesNotCount) {
  SideFacts candidate = known_side();
  candidate.facts["compiler flags"] = "-O3 -lineinfo";
  candidate.facts["driver"] = "590";
  EXPECT_EQ(cause_in_words(find_causes(known_side(), candidate, true), Effect::kSlower), "driver 580 → 590");
  EXPECT_EQ(cause_in_words(find_causes(known_side(), candidate, false), Effect::kSlower),
            "compiler flags -O3 → -O3 -lineinfo; driver 580 → 590");
}

TEST(CodeDiff, WhatGoesToMemoryIsNamedFirst) {
  const Code base{"aa", 100, {}, {{"IMAD", 10}, {"LDG.E", 4}, {"LDGSTS", 2}, {"MOV", 3}, {"STL", 0}}};
  const Code candidate{"bb", 100, {}, {{"IMAD", 90}, {"LDG.E", 5}, {"LDGSTS", 2}, {"FADD", 1}, {"STL", 8}}};
  std::vector<std::string> names;
  for (const auto& change : instruction_changes(base, candidate)) names.push_back(change.name);
  EXPECT_THAT(names, ElementsAre("STL", "LDG.E", "IMAD", "MOV", "FADD"));
  EXPECT_EQ(code_in_words(base, candidate),
            "machine code changed: STL 0 → 8, LDG.E 4 → 5, IMAD 10 → 90 and 2 more");
}

TEST(CodeDiff, SaysAsMuchAsIsKnown) {
  const Code plain{"aa", 0, {}, {}};
  EXPECT_EQ(code_in_words(plain, plain), "");
  EXPECT_EQ(code_in_words(plain, {"bb", 0, {}, {}}), "machine code changed");
  EXPECT_EQ(code_in_words({"aa", 1024, {}, {}}, {"bb", 1536, {}, {}}),
            "machine code changed: 1 KiB → 1.5 KiB");
  EXPECT_EQ(code_in_words({"aa", 1024, {}, {{"LDG", 4}}}, {"bb", 1024, {}, {{"LDG", 4}}}),
            "machine code changed: as many of each instruction, in another order or with other operands");
  EXPECT_EQ(code_in_words({}, {}), "");
  EXPECT_EQ(code_in_words(plain, {}), "");
  EXPECT_EQ(code_in_words({"", 0, {}, {{"LDG", 4}}}, {"", 0, {}, {{"LDG", 5}}}),
            "machine code changed: LDG 4 → 5");
}

TEST(CodeDiff, NamesKernelsAndShapes) {
  const std::vector<KernelLaunch> one{{"a", "1", "32x8", "", 0}};
  const std::vector<KernelLaunch> two{{"a", "1", "32x8", "", 0}, {"b", "1", "64", "", 0}};
  EXPECT_EQ(kernels_in_words(two, one), "launches 2 → 1: b less");
  EXPECT_EQ(kernels_in_words(one, {}), "") << "not known";
  EXPECT_EQ(kernels_in_words(one, {{"a"}, {"a"}, {"a"}}), "launches 1 → 3: 2 × a more");
  EXPECT_EQ(shapes_in_words(two, {{"a", "1", "32x8", "", 0}, {"b", "1", "128", "", 0}}),
            "block 64 → 128 in b");
  EXPECT_EQ(shapes_in_words(one, {{"b", "1", "64", "", 0}}), "") << "another kernel";
  EXPECT_EQ(shapes_in_words(one, two), "");
}

TEST(CodeDiff, NamesTheGridWhereTheNumberOfThreadsChanges) {
  const std::vector<KernelLaunch> base{{"a", "1056", "256", "", 0}};
  EXPECT_EQ(shapes_in_words(base, {{"a", "264", "64", "", 0}}), "block 256 → 64, grid 1056 → 264");
  EXPECT_EQ(shapes_in_words(base, {{"a", "4224", "64", "", 0}}), "block 256 → 64") << "as many threads";
  EXPECT_EQ(shapes_in_words({{"a", "1000", "96", "", 0}}, {{"a", "374", "257", "", 0}}), "block 96 → 257")
      << "as many but for the last block";
}

TEST(CodeDiff, NamesCopiesAndWaitsOfAnIteration) {
  const std::vector<KernelLaunch> launches{{"a"}, {"copy of 4 bytes to the host"}, {"b"},
                                           {"a"}, {"wait for a stream"},           {"wait for a stream"}};
  EXPECT_TRUE(has_other_calls(launches));
  EXPECT_EQ(calls_in_words(launches), "3 launches, 1 copy of 4 bytes to the host and 2 × wait for a stream");
  EXPECT_EQ(calls_in_words({{"a"}, {"memset"}}), "1 launch and 1 memset");
  EXPECT_FALSE(has_other_calls({{"a"}, {"memset"}})) << "as our own benchmarks state it";
  EXPECT_EQ(kernels_in_words({{"copy of 4 bytes"}}, {{"copy of 8 bytes"}}),
            "another call: copy of 4 bytes → copy of 8 bytes");
}

}  // namespace
}  // namespace tracker::judge

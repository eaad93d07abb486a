// Whole jobs, with tests/e2e/fake_bench.cpp as the binary.
#include <cstdlib>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tracker/base/error.hpp"
#include "tracker/base/file.hpp"
#include "tracker/base/text.hpp"
#include "tracker/measure/measure.hpp"

namespace tracker::measure {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

using Names = std::vector<std::string>;

constexpr char kSteady[] = "a 1000 0\nb 2000 0\nc 3000 0\nd 4000 0\n";

class JobTest : public ::testing::Test {
 protected:
  JobTest() {
    options_.invocations = 4;
    options_.repetitions = 2;
    options_.timeout_s = 20;
    options_.spool = folder_.path() / "spool";
    std::filesystem::create_directories(options_.spool);
    ::setenv("FAKE_BENCH_LOG", (folder_.path() / "log").c_str(), 1);
  }
  ~JobTest() override { ::unsetenv("FAKE_BENCH_LOG"); }

  // A target whose fake_bench does this.
  void add(const std::string& label, const std::string& speeds) {
    const auto root = folder_.path() / ("at" + std::to_string(targets_.size()));
    write_file(root / "speeds.txt", speeds);
    targets_.push_back({label, root, {{FAKE_BENCH, {}}}});
  }
  Measured measure() {
    std::ostringstream progress;
    return measure::measure(targets_, options_, LocalEnvironment(), *make_line_progress(progress));
  }
  // "FOLDER FILTER" for each start so far.
  Names starts() const {
    auto lines = split(read_file(folder_.path() / "log", 1 << 20), '\n');
    lines.pop_back();
    return lines;
  }
  std::size_t spooled() const {
    const std::filesystem::directory_iterator files(options_.spool);
    return static_cast<std::size_t>(std::distance(begin(files), end(files)));
  }

  TemporaryDirectory folder_;
  std::vector<Target> targets_;
  Options options_;
};

// "1 2 3-warm-up 4": the rounds in the order they ran, with why one is left out.
std::string rounds(const std::vector<formats::BenchmarkFile>& files) {
  Names words;
  for (const auto& file : files)
    words.push_back(std::to_string(file.invocation.round) +
                    (file.invocation.excluded ? "-" + exclusion_in_words(file.invocation.excluded) : ""));
  return join(words, " ");
}

Names names_in(const formats::BenchmarkFile& file) {
  Names names;
  for (const auto& benchmark : file.benchmarks) names.push_back(benchmark.name);
  return names;
}

TEST_F(JobTest, CountsItsRounds) {
  add("", kSteady);
  const auto measured = measure();
  EXPECT_EQ(rounds(measured.files[0]), "1 2 3 4");
  EXPECT_EQ(measured.next_round, 5);
  EXPECT_EQ(measured.excluded, 0);
  EXPECT_EQ(measured.retakes, 0);
  EXPECT_THAT(measured.notes, IsEmpty());
  EXPECT_THAT(measured.failures, IsEmpty());
  EXPECT_THAT(names_in(measured.files[0][0]), ElementsAre("a", "b", "c", "d"));
}

// Starting fake_bench takes far longer than what it says that it measured.
TEST_F(JobTest, FewerRoundsWhereWallTimeIsAMultipleOfTheMeasured) {
  add("HEAD~1", kSteady);
  add("HEAD", kSteady);
  options_.invocations = 6;
  options_.shorten_above_s = 0;
  const auto measured = measure();
  EXPECT_EQ(rounds(measured.files[0]), "1 2 3");
  EXPECT_EQ(rounds(measured.files[1]), "1 2 3");
  EXPECT_THAT(measured.notes, ElementsAre(HasSubstr("measured 3 rounds instead of 6")));
  EXPECT_EQ(measured.retakes, 0);
  options_.shorten_above_s = 3600;
  EXPECT_EQ(rounds(measure().files[0]), "1 2 3 4 5 6");
}

TEST_F(JobTest, ShortenedRoundsAreTakenAgainWhereTheyWereDisturbed) {
  add("", std::string(kSteady) + "on 2 2 condition_throttle_sw_thermal 1\n");
  options_.invocations = 6;
  options_.shorten_above_s = 0;
  const auto measured = measure();
  EXPECT_EQ(rounds(measured.files[0]), "1 2-throttled: sw_thermal 3 7");
}

TEST_F(JobTest, TheSeedSettlesTheOrder) {
  add("HEAD~1", kSteady);
  add("HEAD", kSteady);
  options_.invocations = 8;
  std::set<Names> orders;
  for (const std::uint64_t seed : {1, 1, 2, 3}) {
    options_.seed = seed;
    std::filesystem::remove(folder_.path() / "log");
    const auto measured = measure();
    EXPECT_EQ(rounds(measured.files[0]), "1 2 3 4 5 6 7 8");
    EXPECT_EQ(rounds(measured.files[1]), "1 2 3 4 5 6 7 8");
    orders.insert(starts());
  }
  EXPECT_EQ(orders.size(), 3u);
}

TEST_F(JobTest, ADisturbedRoundIsTakenAgainWithItsPair) {
  const std::string disturbed = std::string(kSteady) + "on 3 3 condition_throttle_sw_thermal 1\n";
  add("HEAD~1", disturbed);
  add("HEAD", disturbed);
  const auto measured = measure();
  const std::set<std::string> both{rounds(measured.files[0]), rounds(measured.files[1])};
  EXPECT_THAT(both, ElementsAre("1 2-its pair was disturbed 3 4 5", "1 2-throttled: sw_thermal 3 4 5"));
  EXPECT_EQ(measured.excluded, 2);
  EXPECT_EQ(measured.retakes, 2);
  EXPECT_EQ(measured.excluded_for, "throttled: sw_thermal");
  EXPECT_EQ(measured.next_round, 6);
}

TEST_F(JobTest, LowClocksDisturb) {
  add("", std::string(kSteady) +
              "on 1 1 condition_core_clock_mhz 1980\non 2 2 condition_core_clock_mhz 1200\n"
              "on 3 9 condition_core_clock_mhz 1965\n");
  const auto measured = measure();
  EXPECT_EQ(rounds(measured.files[0]), "1 2-the clocks were low: 1200 MHz, usually 1965 3 4 5");
}

TEST_F(JobTest, ADisturbedRetakeIsTakenAgainUntilThereAreAsManyAsRounds) {
  add("", std::string(kSteady) + "on 2 100 condition_other_processes 1\n");
  const auto measured = measure();
  EXPECT_EQ(starts().size(), 8u) << "four rounds, and as many retakes at most";
  EXPECT_EQ(rounds(measured.files[0]), "1 2 3 4 5 6 7 8") << "one clean round is too few: the others count";
  EXPECT_EQ(measured.excluded, 0);
  EXPECT_EQ(measured.retakes, 4);
  ASSERT_THAT(measured.notes, SizeIs(1));
  EXPECT_THAT(measured.notes[0], HasSubstr("'fake_bench' was disturbed too often to leave that out (another "
                                           "process was on the GPU): 7 disturbed invocations count"));
}

TEST_F(JobTest, AMachineThatIsAlwaysDisturbedIsAskedOnce) {
  add("", std::string(kSteady) + "on 1 100 condition_throttle_hw_slowdown 1\n");
  const auto measured = measure();
  EXPECT_EQ(rounds(measured.files[0]), "1 2 3 4 5");
  EXPECT_THAT(measured.notes, SizeIs(1));
}

TEST_F(JobTest, AWarmUpIsLeftOutOnBothSidesAndTakenAgain) {
  const std::string warm =
      "a 1000 0.001\nb 2000 0.001\nc 3000 0.001\nd 4000 0.001\ne 4000 0.001\non 1 2 slower 1.2\n";
  add("HEAD~1", warm);
  add("HEAD", warm);
  options_.invocations = 10;
  const auto measured = measure();
  for (const auto& files : measured.files) EXPECT_EQ(rounds(files), "1-warm-up 2 3 4 5 6 7 8 9 10 11");
  EXPECT_EQ(measured.excluded, 2);
  EXPECT_EQ(measured.retakes, 2);
  EXPECT_EQ(measured.excluded_for, "warm-up");
}

TEST_F(JobTest, AJobThatGoesOnIsWarmAndOverwritesNothing) {
  add("", std::string(kSteady) + "on 1 1 slower 1.2\non 5 5 slower 1.2\n");
  auto first = measure();
  EXPECT_EQ(rounds(first.files[0]), "1-warm-up 2 3 4 5");
  options_.first_round = first.next_round;
  options_.only = {"b", "d"};
  std::filesystem::remove(folder_.path() / "log");
  const auto more = measure();
  EXPECT_EQ(rounds(more.files[0]), "6 7 8 9") << "slow as its first round is, it was no warm-up";
  EXPECT_THAT(names_in(more.files[0][0]), ElementsAre("b", "d"));
  options_.first_round = 1;
  const auto again = measure();
  EXPECT_EQ(spooled(), starts().size() + 5 + 2)
      << "with the help and the list, every invocation has kept its file";
}

TEST_F(JobTest, WhatOneSideHasAloneIsMeasuredApart) {
  add("HEAD~1", std::string(kSteady) + "gone 500 0\n");
  add("HEAD", "new 500 0\n" + std::string(kSteady));
  const auto measured = measure();
  ASSERT_THAT(measured.notes, SizeIs(1));
  EXPECT_THAT(measured.notes[0], HasSubstr("(1 only at HEAD~1, 1 only at HEAD)"));
  for (std::size_t target = 0; target < 2; ++target) {
    std::map<Names, int> sets;
    for (const auto& file : measured.files[target]) ++sets[names_in(file)];
    const std::map<Names, int> expected{{{"a", "b", "c", "d"}, 4}, {{target == 0 ? "gone" : "new"}, 4}};
    EXPECT_EQ(sets, expected);
  }
}

TEST_F(JobTest, ABinaryThatCannotListIsMeasuredAsItIs) {
  add("HEAD~1", kSteady);
  add("HEAD", std::string(kSteady) + "new 500 0\nnolist\n");
  const auto measured = measure();
  EXPECT_THAT(names_in(measured.files[1][0]), ElementsAre("a", "b", "c", "d", "new"));
  EXPECT_THAT(measured.notes, ElementsAre(HasSubstr("'fake_bench' at HEAD cannot list its benchmarks")));
}

TEST_F(JobTest, IsolatedACrashCostsItsOwnBenchmarkAlone) {
  add("", std::string(kSteady) + "crash c\n");
  options_.isolate = true;
  options_.invocations = 2;
  const auto measured = measure();
  Names order;
  for (const auto& file : measured.files[0]) {
    EXPECT_THAT(file.benchmarks, SizeIs(1));
    order.push_back(file.benchmarks.front().name);
  }
  EXPECT_EQ(rounds(measured.files[0]), "1 1 1 2 2 2");
  order.resize(3);
  EXPECT_THAT(order, ElementsAre("a", "b", "d"));
  ASSERT_THAT(measured.failures, SizeIs(1)) << "it was not started again";
  EXPECT_THAT(measured.failures[0].what, HasSubstr(" with c"));
  EXPECT_EQ(measured.failures[0].invocation, 1);
}

TEST_F(JobTest, IsolatedABinaryThatNeverDeliversIsGivenUp) {
  add("", std::string(kSteady) + "e 1 0\nf 1 0\nrefuse\n");
  options_.isolate = true;
  const auto measured = measure();
  EXPECT_THAT(measured.failures, SizeIs(3));
  EXPECT_THAT(measured.files[0], IsEmpty());
  EXPECT_EQ(starts().size(), 3u);
}

TEST_F(JobTest, ARetakeThatFailsIsTheLast) {
  add("", std::string(kSteady) + "on 1 2 condition_other_processes 1\non 5 5 crash 1\n");
  const auto measured = measure();
  EXPECT_EQ(rounds(measured.files[0]),
            "1-another process was on the GPU 2-another process was on the GPU 3 4");
  EXPECT_THAT(measured.failures, SizeIs(1));
  EXPECT_EQ(measured.excluded, 2);
  EXPECT_EQ(measured.retakes, 0);
}

TEST_F(JobTest, WhatWasDisturbedBeforeAFailureIsLeftOutToo) {
  add("", std::string(kSteady) + "on 2 2 condition_other_processes 1\non 4 4 crash 1\n");
  EXPECT_EQ(rounds(measure().files[0]), "1 2-another process was on the GPU 3");
}

TEST_F(JobTest, NothingToMeasureIsSaid) {
  add("", kSteady);
  options_.filter = "nonesuch";
  EXPECT_THROW(measure(), Error);
  options_.only = {"nonesuch"};
  const auto measured = measure();
  EXPECT_THAT(measured.files[0], IsEmpty());
  EXPECT_THAT(measured.notes, ElementsAre(HasSubstr("none of the benchmarks asked for")));
}

TEST_F(JobTest, ABinaryWithoutAMatchIsLeftAlone) {
  add("", kSteady);
  targets_[0].binaries.push_back({CPU_BENCH, {}});
  options_.filter = "^[bd]$";
  const auto measured = measure();
  EXPECT_THAT(measured.failures, IsEmpty());
  ASSERT_THAT(measured.files[0], SizeIs(4));
  EXPECT_THAT(names_in(measured.files[0][0]), ElementsAre("b", "d"));
}

}  // namespace
}  // namespace tracker::measure

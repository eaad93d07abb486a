// Which runs may become a baseline: the conditions, the device's limits, and what was measured before.
#include "tracker/judge/fitness.hpp"

#include <functional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/make_run.hpp"
#include "tests/support/recorded.hpp"
#include "tracker/judge/confirm.hpp"
#include "tracker/report/cells.hpp"

namespace tracker::judge {
namespace {

using test::around;
using test::make_run;
using test::RunNumbers;
using test::Timed;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using RunList = std::vector<Run>;  // within a test, Run is gtest's

Run plain_run() {
  return make_run({}, {{"a", around(1e4), 1e6, {}}, {"b", around(2e4), {}, {}}});
}

SideRuns side_of(const RunList& runs, const std::string& label = "") {
  SideRuns side;
  side.side.label = label;
  side.runs = runs;
  return side;
}

std::string words_of(const Doubt& doubt) {
  return doubt.change ? report::change_against_in_words(*doubt.change, doubt.against) : doubt.what;
}

std::vector<std::string> names_of(const std::vector<Doubt>& doubts) {
  std::vector<std::string> names;
  for (const auto& doubt : doubts) names.push_back(doubt.benchmark);
  return names;
}

PolicyRule rule_for(const std::string& match) {
  PolicyRule rule;
  rule.match = match;
  return rule;
}

TEST(Fitness, SaysWhatIsWrongWithARun) {
  struct FitnessRow {
    std::function<void(tracker::Run&)> edit;
    std::string why;
  };
  const FitnessRow rows[] = {
      {[](auto&) {}, ""},
      {[](auto& run) { run.dirty = true; }, "uncommitted changes"},
      {[](auto& run) { run.selection.expression = "a"; }, "only what matches 'a'"},
      {[](auto& run) { run.selection.expression = std::string(5000, 'a'); },
       "it measured only some of the benchmarks"},
      {[](auto& run) {
         run.failures.push_back({"bench", "was killed"});
       },
       "bench was killed"},
      {[](auto& run) { run.benchmarks[1].error = "no memory"; }, "benchmark 'b' reported an error"},
      {[](auto& run) { run.invocations[2].conditions.other_processes = 1; }, "another process"},
      {[](auto& run) { run.invocations[2].conditions.throttle_reasons = {"sw_thermal"}; }, "(sw_thermal)"},
      {[](auto& run) { run.invocations[2].conditions.throttle_reasons = {"power_cap"}; }, ""},
      {[](auto& run) {
         run.invocations[2].conditions.other_processes = 1;
         run.invocations[2].excluded = exclusion_of("disturbed");
       },
       ""},
      {[](auto& run) {
         for (int i = 0; i < 3; ++i)
           run.invocations[static_cast<std::size_t>(i)].excluded = exclusion_of("warm-up");
       },
       "benchmark 'a' has 2 invocations that count, and 3 are the least"},
      {[](auto& run) {
         for (std::size_t i = 1; i < 5; ++i) run.invocations[i].samples.erase("b");
       },
       "benchmark 'b' has 1 invocation that counts"},
  };
  for (const auto& row : rows) {
    auto run = plain_run();
    row.edit(run);
    const std::string why = why_unfit(run);
    EXPECT_THAT(why, HasSubstr(row.why));
    EXPECT_EQ(why.empty(), row.why.empty()) << why;
  }
}

TEST(Fitness, DoubtsWhatIsPastTheLimitOfTheDevice) {
  auto run = plain_run();  // a: 100 GB/s
  Policy policy;
  struct FitnessRow {
    double peak;
    bool doubted;
  };
  for (const auto& [peak, doubted] : {FitnessRow{200e9, false}, FitnessRow{99.5e9, false},
                                      FitnessRow{98.5e9, true}, FitnessRow{1e9, true}}) {
    run.device.peak_bytes_per_second = peak;
    EXPECT_EQ(names_of(doubts_about_limits({run}, policy)),
              doubted ? std::vector<std::string>{"a"} : std::vector<std::string>{})
        << peak;
  }
  EXPECT_FALSE(doubts_about_limits({run}, policy).front().acceptable);
  EXPECT_THAT(doubts_about_limits({run}, policy).front().what,
              HasSubstr("100.0 GB/s is past the 1.000 GB/s that the device can do"));
  policy.rules.push_back(rule_for("a"));
  policy.rules.back().may_exceed_peak = true;
  EXPECT_THAT(doubts_about_limits({run}, policy), IsEmpty());
}

// The one that is too fast must not hide behind the others' mean.
TEST(Fitness, DoubtsARunPastTheLimitAmongOthers) {
  auto good = plain_run();
  auto bad = make_run({}, {{"a", around(1e3), 1e6, {}}});
  good.device.peak_bytes_per_second = bad.device.peak_bytes_per_second = 500e9;
  EXPECT_THAT(names_of(doubts_about_limits({good, bad, good}, {})), ElementsAre("a"));
}

// Six benchmarks, of which the first takes so many times as long.
tracker::Run job(int number, double factor = 1, const std::string& board = "A", int benchmarks = 6) {
  std::vector<Timed> timed;
  for (int i = 0; i < benchmarks; ++i)
    timed.push_back({"x" + std::to_string(i), around(1e4 * (i == 0 ? factor : 1)), {}, {}});
  return make_run(
      {.id = std::to_string(100 + number), .job = "job " + std::to_string(number), .board = board}, timed);
}

TEST(Fitness, DoubtsChangesAgainstTheCommitBefore) {
  const Past past{{side_of({job(1)}, "1a2b3c4 Pad")}, {}, {}};
  EXPECT_THAT(doubts_about_changes(side_of({job(2)}), past, {}), IsEmpty());
  EXPECT_THAT(doubts_about_changes(side_of({job(2, 1.03)}), past, {}), IsEmpty()) << "within the threshold";
  const auto slower = doubts_about_changes(side_of({job(2, 1.2)}), past, {});
  ASSERT_THAT(names_of(slower), ElementsAre("x0"));
  EXPECT_TRUE(slower.front().worse);
  EXPECT_TRUE(slower.front().acceptable);
  EXPECT_THAT(words_of(slower.front()), HasSubstr("against 1a2b3c4 Pad, 20 % slower"));
  EXPECT_THAT(words_of(slower.front()), HasSubstr("10.00 µs → 12.00 µs"));
  const auto faster = doubts_about_changes(side_of({job(2, 0.8)}), past, {});
  ASSERT_THAT(names_of(faster), ElementsAre("x0"));
  EXPECT_FALSE(faster.front().worse);
}

// What jobs on two boards differ by is no reason to refuse: 7 % are explained, 30 % are not.
TEST(Fitness, LeavesJobsTheirSpread) {
  const Past past{{side_of({job(1)})}, {}, {}};
  EXPECT_THAT(names_of(doubts_about_changes(side_of({job(2, 1.07)}), past, {})), ElementsAre("x0"));
  EXPECT_THAT(doubts_about_changes(side_of({job(2, 1.07, "B")}), past, {}), IsEmpty());
  EXPECT_THAT(names_of(doubts_about_changes(side_of({job(2, 1.3, "B")}), past, {})), ElementsAre("x0"));
}

// The last value counts, which may be some commits ago where the newest run lacks the benchmark.
TEST(Fitness, TakesTheNewestCommitThatHasTheBenchmark) {
  auto without = job(3);
  without.benchmarks.erase(without.benchmarks.begin());
  for (auto& invocation : without.invocations) invocation.samples.erase("x0");
  const Past past{
      {side_of({without}, "new"), side_of({job(2, 1.2)}, "old"), side_of({job(1)}, "older")}, {}, {}};
  EXPECT_THAT(doubts_about_changes(side_of({job(4, 1.2)}), past, {}), IsEmpty());
  const auto doubts = doubts_about_changes(side_of({job(4)}), past, {});
  ASSERT_THAT(names_of(doubts), ElementsAre("x0"));
  EXPECT_THAT(words_of(doubts.front()), HasSubstr("against old"));
}

TEST(Fitness, DoubtsWhatTheBaselineHadAndIsGone) {
  Past past;
  past.baseline = side_of({job(1)}, "the baseline");
  const auto doubts = doubts_about_changes(side_of({job(2, 1, "A", 5)}), past, {});
  ASSERT_THAT(names_of(doubts), ElementsAre("x5"));
  EXPECT_TRUE(doubts.front().worse);
  Policy policy;
  policy.rules.push_back(rule_for("x5"));
  policy.rules.back().may_be_missing = true;
  EXPECT_THAT(doubts_about_changes(side_of({job(2, 1, "A", 5)}), past, policy), IsEmpty());
  EXPECT_THAT(doubts_about_changes(side_of({job(2, 1, "A", 7)}), past, {}), IsEmpty()) << "a new one is fine";
}

// A floor or a waiver is about candidates: neither hides a change, nor makes one.
TEST(Fitness, AsksForChangesAlone) {
  Policy policy;
  policy.rules.push_back(rule_for("*"));
  policy.rules.back().floor = Floor{1e-9, "s", {}, "1 ns"};
  policy.waivers.push_back({"*", "known", "2026-01-01", 9, "2099-01-01"});
  Past past;
  past.baseline = side_of({job(1)}, "the baseline");
  EXPECT_THAT(doubts_about_changes(side_of({job(2)}), past, policy), IsEmpty());
  EXPECT_THAT(names_of(doubts_about_changes(side_of({job(2, 0.8)}), past, policy)), ElementsAre("x0"));
  EXPECT_THAT(names_of(doubts_about_changes(side_of({job(2, 1.2)}), past, policy)), ElementsAre("x0"));
}

// A job that stopped after its first analysis: five pairs fail no build, and so they refuse no baseline
// either.
TEST(Fitness, SaysOfAJobInTurnWhatCompareSays) {
  RunList sides;
  for (const double factor : {1.0, 1.225}) {
    sides.push_back(job(1, factor));
    sides.back().id += factor > 1 ? "-b" : "-a";
    sides.back().interim_analyses = {5};
    for (std::size_t i = 0; i < sides.back().invocations.size(); ++i)
      sides.back().invocations[i].round = static_cast<int>(i) + 1;
  }
  const SideRuns base = side_of({sides[0]}, "old");
  const SideRuns candidate = side_of({sides[1]});
  for (const auto& row : judge_stored(base, candidate, {}, {}, {}).comparisons)
    EXPECT_NE(row.verdict, Verdict::kRegressed);
  EXPECT_THAT(doubts_about_changes(candidate, {{base}, {}, {}}, {}), IsEmpty());
  EXPECT_THAT(doubts_about_changes(candidate, {{}, base, {}}, {}), IsEmpty());
}

// Of a hundred rows that are compared with a hundred commits, each has the error of one in a hundred; a
// single one has that of one in eight.
TEST(Fitness, AllowsForTheNumberOfRows) {
  const auto times = [](double time_ns, int seed) {
    std::vector<double> all;
    for (int i = 0; i < 20; ++i) all.push_back(time_ns * (1 + 0.08 * ((i * seed) % 21 - 10) / 10));
    return all;
  };
  for (const int rows : {1, 100}) {
    std::vector<Timed> timed;
    Past past;
    for (int i = 0; i < rows; ++i) {
      const std::string name = "x" + std::to_string(i);
      timed.push_back({name, times(i == 0 ? 1.075e4 : 1e4, 5), {}, {}});
      past.commits.push_back(side_of({make_run({.id = "1"}, {{name, times(1e4, 8), {}, {}}})}));
    }
    SideRuns promoted = side_of({make_run({.id = "2"}, timed)});
    promoted.runs[0].isolated = true;  // what else was measured is no matter
    for (auto& commit : past.commits) commit.runs[0].isolated = true;
    EXPECT_EQ(doubts_about_changes(promoted, past, {}).size(), rows == 1 ? 1u : 0u) << rows << " rows";
  }
}

// Promoting a commit from before the rename: all of its benchmarks have the old name.
TEST(Fitness, FindsChangesUnderANewName) {
  Policy policy;
  policy.renames = {{"x*", "y*"}};
  const Past past{{side_of({job(1)}, "old")}, {}, {}};
  EXPECT_THAT(doubts_about_changes(side_of({job(2)}), past, policy), IsEmpty());
  EXPECT_THAT(names_of(doubts_about_changes(side_of({job(2, 1.2)}), past, policy)), ElementsAre("y0"));
}

// Four jobs of identical code on real H200s, on boards that differ by up to 3 %: each may follow any other.
TEST(Fitness, TakesRecordedJobsOfIdenticalCode) {
  const std::vector<std::string> jobs{"job1", "job2", "job3", "job4"};
  int number = 0;
  for (const auto& before : jobs)
    for (const auto& after : jobs) {
      if (before == after) continue;
      const auto recorded = [&](const std::string& name) {
        return test::recorded_run({.id = std::to_string(100 + ++number), .job = name, .board = name},
                                  test::recorded_times(name));
      };
      const Past past{{side_of({recorded(before)})}, {}, {}};
      EXPECT_THAT(doubts_about_changes(side_of({recorded(after)}), past, {}), IsEmpty()) << before << after;
    }
}

}  // namespace
}  // namespace tracker::judge

#include "tracker/report/bisect_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/golden.hpp"
#include "tracker/base/text.hpp"

namespace tracker::report {
namespace {

using test::matches_golden;
using testing::HasSubstr;
using testing::Not;

Commit made_commit(char digit, const std::string& subject) {
  return {std::string(40, digit), subject, "Ada", "2026-11-20T12:00:00Z"};
}

BisectRow measured(const Commit& commit, int pairs, double change, bool is_guilty = false) {
  BisectRow row{.commit = commit, .pairs = pairs, .change = change};
  row.interval = Interval{change - 0.004, change + 0.004};
  row.is_guilty = is_guilty;
  return row;
}

BisectResult made_result() {
  BisectResult result;
  result.outcome = BisectOutcome::kFound;
  result.good = made_commit('1', "Release 1.0");
  result.bad = made_commit('9', "Release 1.1");
  result.commits = 32;
  result.benchmark = "transpose/smem_padded/f32/8192x8192";
  result.metric = "bytes_per_second";
  result.device = "nvidia-h200-140gib-700w";
  result.benchmarks = 3;
  result.threshold = 0.01;
  result.confidence = 0.95;
  result.probability = 0.973;
  result.guilty = {
      made_commit('5', "Load one more value in each thread, and a subject that does not end soon")};
  result.change = -0.021;
  result.interval = Interval{-0.024, -0.018};
  result.rows = {
      {.commit = result.good, .note = "the good end"},
      measured(made_commit('4', "Rename a variable"), 4, 0.001),
      measured(result.guilty.front(), 6, -0.021, true),
      {.commit = made_commit('6', "Break the build"), .note = "skipped: the build of 6666666 exited with 2"},
      measured(result.bad, 6, -0.022)};
  result.rows.back().note = "the bad end";
  result.others = {{"transpose/smem/f32/8192x8192", -0.03, 0.99}, {"gemm/naive/f32/1024", -0.05, 0.01}};
  result.measurements = 7;
  result.pairs = 30;
  result.reused = 6;
  result.builds = 8;
  result.seconds = 754;
  return result;
}

std::size_t widest(const std::string& text) {
  std::size_t most = 0;
  for (const auto& line : split(text, '\n')) most = std::max(most, display_width(line));
  return most;
}

TEST(BisectReport, IsAsReviewed) {
  EXPECT_TRUE(matches_golden(bisect_in_text({made_result()}, 80), "tests/report/golden/bisect_80.txt"));
  EXPECT_TRUE(matches_golden(bisect_in_json({made_result()}), "tests/report/golden/bisect.json"));
}

TEST(BisectReport, FitsTheTerminal) {
  for (const int columns : {60, 80, 120})
    EXPECT_LE(widest(bisect_in_text({made_result()}, columns)), static_cast<std::size_t>(columns));
}

TEST(BisectReport, ARangeSaysWhyItIsOne) {
  BisectResult result = made_result();
  result.guilty.push_back(made_commit('6', "Break the build"));
  const auto text = bisect_in_text({result}, 0);
  EXPECT_THAT(text, HasSubstr("found: one of 2 commits"));
  EXPECT_THAT(text, Not(HasSubstr("git show"))) << "of which?";
}

TEST(BisectReport, TheSideOfAMergeFollowsIt) {
  BisectResult side = made_result();
  side.inside = std::string(40, '5');
  EXPECT_THAT(bisect_in_text({made_result(), side}, 0), HasSubstr("That is a merge. Its side, from 1111111"));
}

TEST(BisectReport, NothingAndNotYetAreNotFound) {
  BisectResult result = made_result();
  result.outcome = BisectOutcome::kNothing;
  result.guilty.clear();
  EXPECT_THAT(bisect_in_text({result}, 0), HasSubstr("nothing to find: no commit makes"));
  result.benchmark.clear();
  EXPECT_THAT(bisect_in_text({result}, 0), HasSubstr("none of 3 benchmarks is slower"));
  result.outcome = BisectOutcome::kOutOfTime;
  result.why = "the time budget of 1m is used";
  EXPECT_THAT(bisect_in_text({result}, 0), HasSubstr("not found yet: the time budget of 1m is used"));
}

TEST(BisectReport, StrangersTextIsHarmless) {
  BisectResult result = made_result();
  result.guilty.front().subject = "\x1b[31mred\nsecond line";
  result.rows[2].commit = result.guilty.front();
  result.benchmark = "a\x1b[0m";
  result.notes = {"\x1b[2J"};
  EXPECT_THAT(bisect_in_text({result}, 80), Not(HasSubstr("\x1b")));
}

using testing::ElementsAre;
using testing::Pair;

// A word and what is to be said of it: a terminal breaks the second where it is too long.
TEST(BackfillReport, AStepIsAFactForEachDevice) {
  BackfillStep step;
  step.what = BackfillStep::What::kMeasured;
  step.commit = {.id = "1a2b3c4d5e6f", .subject = "Merge what many people wrote"};
  step.measured = {{.benchmarks = 12}, {.benchmarks = 11, .missing = {"x/8"}, .compared_with = "9f8e7d6c5b"}};
  step.length_s = 3;
  EXPECT_THAT(backfill_step_in_words(step),
              ElementsAre(Pair("measured", "1a2b3c4 Merge what many people wrote: 12 benchmarks, 3 s"),
                          Pair("measured",
                               "1a2b3c4 Merge what many people wrote: 11 benchmarks, 3 s; 1 benchmark "
                               "of 9f8e7d6 not there: 'x/8'")));
  step.what = BackfillStep::What::kSameProgram;
  step.same_as = "9f8e7d6c5b";
  EXPECT_THAT(backfill_step_in_words(step),
              ElementsAre(Pair("same", "1a2b3c4 Merge what many people wrote: the same program as 9f8e7d6")));
  step.what = BackfillStep::What::kFailed;
  step.why = "c++ -c a.cpp\na.cpp:1: error: no x\nmake: *** [a.o] stopped\n";
  EXPECT_THAT(backfill_step_in_words(step),
              ElementsAre(Pair("failed",
                               "1a2b3c4 Merge what many people wrote: does not build: a.cpp:1: "
                               "error: no x")));
}

}  // namespace

}  // namespace tracker::report

// tracker backfill: commits of the past that have no run are measured.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/commit_line.hpp"
#include "tracker/base/text.hpp"

namespace tracker::e2e {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

constexpr char kFillFast[] = "copy/a 10000 0.002\nadd/b 20000 0.002\n";
constexpr char kFillSlow[] = "copy/a 15000 0.002\nadd/b 20000 0.002\n";

class BackfillCommand : public CommitLine {
 protected:
  BackfillCommand() : CommitLine(kFillFast) {}

  void commits(int count, int slow_from) {
    for (int i = 1; i <= count; ++i)
      commit("Commit " + std::to_string(i), i < slow_from ? kFillFast : kFillSlow);
  }
  ProcessResult backfill(const std::vector<std::string>& more = {}) const {
    // fake_bench states a device of its own.
    std::vector<std::string> words{"backfill", first_ + "..HEAD", "--device", "test-gpu"};
    words.insert(words.end(), more.begin(), more.end());
    return scratch_.tracker_with({{"FAKE_BENCH_LOG", log()}}, words);
  }
  // The subjects of the rows that begin with this word, in order.
  static std::vector<std::string> rows(const ProcessResult& result, const std::string& what) {
    std::vector<std::string> subjects;
    for (const auto& line : split(result.output, '\n'))
      if (line.starts_with(what + " ")) {
        const auto id_end = line.find(' ', 10);
        subjects.push_back(line.substr(id_end + 1, line.find(':', id_end) - id_end - 1));
      }
    return subjects;
  }
};

TEST_F(BackfillCommand, MeasuresWhatHasNoRunFromCoarseToFine) {
  commits(5, 99);
  const auto result = backfill({"-n", "2"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(rows(result, "measured"),
              testing::ElementsAre("Commit 5", "Commit 1", "Commit 3", "Commit 4", "Commit 2"));
  EXPECT_THAT(result.output, AllOf(HasSubstr("2 benchmarks, "), HasSubstr("5 of 5 commits have a run")));
  EXPECT_THAT(result.errors, HasSubstr(" repetition"));
  EXPECT_EQ(result.errors.find(" repetition"), result.errors.rfind(" repetition")) << "said once";
  const auto log = scratch_.tracker({"log"});
  for (int i = 1; i <= 5; ++i) EXPECT_THAT(log.output, HasSubstr("Commit " + std::to_string(i)));
  EXPECT_THAT(log.output, Not(HasSubstr("Begin"))) << "the range is without its first commit";
}

TEST_F(BackfillCommand, SaysOnceWhatAnEndedJobLeft) {
  commits(3, 99);
  scratch_.write(".git/tracker/spool/20260101T000000Z-00000000/1.json", "{}");
  const auto result = backfill({"-n", "1"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  const std::string left = "results of 1 job that ended before they were recorded";
  EXPECT_THAT(result.errors, HasSubstr(left));
  EXPECT_EQ(result.errors.find(left), result.errors.rfind(left));
}

TEST_F(BackfillCommand, GoesOnWithWhatIsMissing) {
  commits(5, 99);
  ASSERT_EQ(backfill({"-n", "1", "--count", "2"}).exit_code, 0);
  const auto before = starts();
  const auto rest = backfill({"-n", "1"});
  EXPECT_THAT(rows(rest, "measured"), testing::ElementsAre("Commit 3", "Commit 4", "Commit 2"));
  const auto after = starts();
  EXPECT_GT(after, before);
  const auto again = backfill({"-n", "1"});
  EXPECT_EQ(again.exit_code, 0);
  EXPECT_THAT(again.errors, HasSubstr("there is nothing to measure: every commit has a run"));
  EXPECT_EQ(starts(), after);
}

TEST_F(BackfillCommand, ARunOfSomeBenchmarksIsNotOneOfAll) {
  commits(1, 99);
  ASSERT_EQ(scratch_.tracker({"run", "--build", "--filter", "copy"}).exit_code, 0);
  EXPECT_THAT(backfill({"--dry-run"}).output, HasSubstr("recorded  0 of them"));
  EXPECT_THAT(backfill({"--dry-run", "--filter", "copy"}).output, HasSubstr("recorded  1 of them"));
}

TEST_F(BackfillCommand, RunsOfOtherMachinesDoNotCount) {
  commits(1, 99);
  ASSERT_EQ(backfill({"-n", "1"}).exit_code, 0);
  const auto elsewhere = scratch_.tracker({"backfill", first_ + "..HEAD", "-n", "1"});
  EXPECT_THAT(rows(elsewhere, "measured"), testing::ElementsAre("Commit 1"));
  EXPECT_THAT(elsewhere.errors,
              HasSubstr("next time name it, so that these runs count: --device 'test-gpu'"));
}

TEST_F(BackfillCommand, EveryNthAlone) {
  commits(7, 99);
  const auto result = backfill({"-n", "1", "--every", "3"});
  EXPECT_THAT(rows(result, "measured"), testing::ElementsAre("Commit 7", "Commit 1", "Commit 4"));
  EXPECT_THAT(result.output, HasSubstr("3 of 7 commits have a run"));
}

TEST_F(BackfillCommand, WhatDoesNotBuildOrLacksABenchmarkIsSaid) {
  scratch_.write("build.sh", "test ! -e broken && mkdir -p out && cp " FAKE_BENCH " out/bench\n");
  std::string config = building_config();
  config.replace(config.find("build = "), config.find("\n\n[[binary]]") - config.find("build = "),
                 "build = [[\"sh\", \"build.sh\"]]");
  scratch_.write("tracker.toml", config);
  commit("Build by a script", "copy/a 10000 0.002\n");
  scratch_.write("broken", "");
  commit("Break the build", kFillFast);
  scratch_.git({"rm", "-q", "-f", "broken"});
  commit("Mend the build", kFillFast);
  const auto result = backfill({"-n", "1"});
  EXPECT_EQ(result.exit_code, 0) << "one that does not build is no failure: " << result.errors;
  EXPECT_THAT(rows(result, "failed"), testing::ElementsAre("Break the build"));
  EXPECT_THAT(result.output, ContainsRegex("Build by a script: 1 benchmark, .*; 1 benchmark of [0-9a-f]+ not "
                                           "there: 'add/b'"));
  EXPECT_THAT(result.output, HasSubstr("2 measured, 0 the same program as another, 1 could not be measured"));
}

// By then the build of "Commit 1" has made room for others, and its hash is kept.
TEST_F(BackfillCommand, TheProgramOfABuildThatIsGoneIsNotMeasuredAgain) {
  commit("Commit 1", kFillFast);
  document("one");
  for (int i = 3; i <= 9; ++i) commit("Commit " + std::to_string(i), kFillFast);
  const auto result = backfill({"-n", "1"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("8 measured, 1 the same program as another")) << result.output;
  EXPECT_THAT(rows(result, "same"), testing::ElementsAre("Document one"));
}

TEST_F(BackfillCommand, ACommitWithoutTheBenchmarksAskedForIsSaidAndPassedOver) {
  commit("Only add", "add/b 20000 0.002\n");
  commit("Begin to copy", kFillFast);
  const auto result = backfill({"-n", "1", "--filter", "copy"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(rows(result, "measured"), testing::ElementsAre("Begin to copy"));
  EXPECT_THAT(result.output, ContainsRegex("failed +[0-9a-f]+ Only add: no benchmark matches 'copy'"));
}

TEST_F(BackfillCommand, WhereNothingBuildsItFails) {
  commits(2, 99);
  std::string broken = building_config();
  broken.replace(broken.find("\"mkdir\""), 7, "\"false\"");
  scratch_.write("tracker.toml", broken);
  const auto result = backfill({"--config", "tracker.toml"});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.output, HasSubstr("0 measured, 0 the same program as another, 2 could not be measured"));
}

TEST_F(BackfillCommand, TheSameProgramIsNotedAndNotMeasured) {
  scratch_.write("README.md", "more\n");
  scratch_.git({"add", "-A"});
  scratch_.git({"commit", "-q", "-m", "Document"});
  scratch_.write("README.md", "still more\n");
  scratch_.git({"add", "-A"});
  scratch_.git({"commit", "-q", "-m", "Document more"});
  const auto result = backfill({"-n", "1"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(rows(result, "measured"), testing::ElementsAre("Document more"));
  EXPECT_THAT(rows(result, "same"), testing::ElementsAre("Document"));
  EXPECT_THAT(backfill({"-n", "1"}).errors, HasSubstr("every commit has a run")) << "the note is stored";
}

TEST_F(BackfillCommand, NarrowsTheChangesThatAreSeen) {
  commits(40, 23);
  ASSERT_EQ(backfill({"-n", "2", "--every", "4"}).exit_code, 0);
  const auto result = backfill({"-n", "2", "--narrow"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  const auto measured = rows(result, "measured");
  EXPECT_LE(measured.size(), 3U) << result.output;
  EXPECT_THAT(measured, testing::Contains("Commit 22"));
  EXPECT_THAT(measured, testing::Contains("Commit 23"));
  EXPECT_THAT(scratch_.tracker({"top", "--since", "all"}).output, HasSubstr("Commit 23"));
}

TEST_F(BackfillCommand, ATimeBudgetEndsItAndThePlanSaysWhatItWillDo) {
  commits(12, 99);
  const auto plan = backfill({"--dry-run"});
  EXPECT_EQ(plan.exit_code, 0) << plan.errors;
  EXPECT_THAT(plan.output, AllOf(HasSubstr("12 commits after"), HasSubstr("recorded  0 of them"),
                                 HasSubstr("planned   12 commits"), HasSubstr("… and 4 more"),
                                 HasSubstr("time      not known")));
  EXPECT_EQ(starts(), 0U);
  const auto result = backfill({"-n", "1", "--time-budget", "0.001s"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_EQ(rows(result, "measured").size(), 1U) << "the first one always: nothing is known of its length";
  EXPECT_THAT(result.errors, HasSubstr("the time budget of 0.001s has no room for the next commit"));
  EXPECT_THAT(backfill({"--dry-run"}).output, HasSubstr("of measuring, by stored runs"));
}

TEST_F(BackfillCommand, BadInputIsToldWithTheNextStep) {
  const auto refused = [&](const std::vector<std::string>& words, int code, const std::string& what) {
    const auto result = scratch_.tracker(words);
    EXPECT_EQ(result.exit_code, code) << result.errors;
    EXPECT_THAT(result.errors, AllOf(HasSubstr(what), HasSubstr("next: "))) << words.back();
  };
  commits(2, 99);
  refused({"backfill", "HEAD"}, 2, "'HEAD' is no range of commits");
  refused({"backfill", "HEAD~1...HEAD"}, 2, "is no range of commits");
  refused({"backfill", "HEAD..HEAD~1"}, 2, "there is no commit in 'HEAD..HEAD~1'");
  refused({"backfill", "nowhere..HEAD"}, 2, "nowhere");
  refused({"backfill", "HEAD~1..", "--time-budget", "soon"}, 2, "is no length of time");
  refused({"backfill", "HEAD~1..", "--filter", "("}, 2, "is no regular expression");
  refused({"backfill", "HEAD~1..", "--narrow"}, 3, "no run is stored");
  scratch_.write("tracker.toml", plain_config());
  refused({"backfill", "HEAD~1.."}, 2, "backfill");
}

}  // namespace
}  // namespace tracker::e2e

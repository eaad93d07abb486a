// tracker bisect: the commit that made a benchmark slower, found by building and measuring.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/e2e/commit_line.hpp"
#include "tracker/base/text.hpp"

namespace tracker::e2e {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

constexpr char kBisectFast[] = "copy/a 10000 0.002\nadd/b 20000 0.002\n";
constexpr char kBisectSlow[] = "copy/a 11000 0.002\nadd/b 20000 0.002\n";

class BisectCommand : public CommitLine {
 protected:
  BisectCommand() : CommitLine(kBisectFast), good_(first_) {}

  // So many commits, of which this one makes copy/a slower by 10 %.
  void commits(int count, int guilty) {
    for (int i = 1; i <= count; ++i)
      commit(i == guilty ? "Make it slow" : "Commit " + std::to_string(i),
             i < guilty ? kBisectFast : kBisectSlow);
  }
  ProcessResult bisect(std::vector<std::string> more = {},
                       std::map<std::string, std::string> environment = {}) {
    std::vector<std::string> words{"bisect", good_, "HEAD"};
    words.insert(words.end(), more.begin(), more.end());
    environment["FAKE_BENCH_LOG"] = log();
    return scratch_.tracker_with(environment, words);
  }
  static nlohmann::json last_search(const ProcessResult& result) {
    return nlohmann::json::parse(result.output).at("searches").back();
  }

  std::string good_;
};

TEST_F(BisectCommand, NamesTheCommitAndShowsTheEvidence) {
  commits(9, 6);
  const auto result = bisect();
  EXPECT_EQ(result.exit_code, 1) << result.output << result.errors;
  EXPECT_THAT(result.output, ContainsRegex("found: [0-9a-f]+ Make it slow"));
  EXPECT_THAT(result.output, ContainsRegex("'copy/a' is slower from there on: \\+(9|10)\\."));
  EXPECT_THAT(result.output, ContainsRegex("▶ [0-9a-f]+ +[0-9]+ +\\+(9|10)\\."));
  EXPECT_THAT(result.output, HasSubstr("all runs are recorded"));
  EXPECT_THAT(scratch_.tracker({"log"}).output, HasSubstr("Make it slow"));
}

TEST_F(BisectCommand, WhatWasMeasuredIsNotMeasuredAgain) {
  commits(9, 6);
  ASSERT_EQ(bisect().exit_code, 1);
  const auto before = starts();
  const auto again = bisect({"--format", "json"});
  EXPECT_EQ(again.exit_code, 1) << again.errors;
  EXPECT_EQ(starts(), before) << "the store has it all";
  const auto search = last_search(again);
  EXPECT_EQ(search.at("outcome"), "found");
  EXPECT_EQ(search.at("guilty").at(0).at("subject"), "Make it slow");
  EXPECT_EQ(search.at("builds"), 0);
  EXPECT_GT(search.at("reused_pairs"), 0);
}

TEST_F(BisectCommand, ATimeBudgetStopsBeforeWhatDoesNotFit) {
  commits(9, 6);
  const auto result = bisect({"--time-budget", "0.001s"});
  EXPECT_EQ(result.exit_code, 3) << result.output << result.errors;
  EXPECT_THAT(result.output,
              AllOf(HasSubstr("not found yet: the time budget of 0.001s"), HasSubstr("0 measurements")));
  EXPECT_EQ(starts(), 0U);
}

TEST_F(BisectCommand, AnInterruptKeepsWhatIsMeasured) {
  const std::string hangs = "on 15 15 hang 1\n";
  commit("Begin again", hangs + kBisectFast);
  good_ = scratch_.git({"rev-parse", "HEAD"});
  for (int i = 1; i <= 9; ++i)
    commit(i == 6 ? "Make it slow" : "Commit", hangs + (i < 6 ? kBisectFast : kBisectSlow));
  ProcessSpec spec;
  spec.argv = {
      "sh",
      "-c",
      "\"$@\" & child=$!; until [ -e \"$LOG\" ] && [ $(wc -l < \"$LOG\") -ge 15 ]; do sleep 0.05; done; "
      "kill -INT $child; wait $child; echo code $?",
      "sh",
      "env",
      "FAKE_BENCH_LOG=" + log(),
      TRACKER_BINARY,
      "bisect",
      good_,
      "HEAD"};
  spec.directory = scratch_.root();
  spec.environment = {{"HOME", scratch_.folder().string()}, {"GIT_CONFIG_NOSYSTEM", "1"}, {"LOG", log()}};
  spec.without_environment = {"CI", "GITHUB_ACTIONS"};
  spec.timeout = std::chrono::minutes(1);
  const auto result = run_process(spec);
  EXPECT_THAT(result.output, HasSubstr("code 130")) << result.errors;
  EXPECT_THAT(result.errors, HasSubstr("interrupted; "));
  const auto again = bisect();
  EXPECT_EQ(again.exit_code, 1) << again.errors;
  EXPECT_THAT(again.errors, HasSubstr("that are recorded already"));
  EXPECT_THAT(again.output, ContainsRegex("found: [0-9a-f]+ Make it slow"));
}

TEST_F(BisectCommand, OnlyNoiseIsNothingToFind) {
  for (int i = 1; i <= 6; ++i) commit("Commit " + std::to_string(i), kBisectFast);
  const auto one = bisect({"copy/*"});
  EXPECT_EQ(one.exit_code, 0) << one.output << one.errors;
  EXPECT_THAT(one.output, HasSubstr("nothing to find: no commit makes 'copy/a' slower by 3 % or more"));
  const auto all = bisect();
  EXPECT_EQ(all.exit_code, 0) << all.output << all.errors;
  EXPECT_THAT(all.output, HasSubstr("nothing to find: none of 2 benchmarks is slower"));
}

TEST_F(BisectCommand, WhatDoesNotBuildIsSkippedAndWhatCannotBeToldApartIsARange) {
  commit("Commit 1", kBisectFast);
  commit("Commit 2", kBisectFast);
  std::string broken = building_config();
  scratch_.write("build.sh", "test ! -e broken && mkdir -p out && cp " FAKE_BENCH " out/bench\n");
  broken.replace(broken.find("build = "), broken.find("\n\n[[binary]]") - broken.find("build = "),
                 "build = [[\"sh\", \"build.sh\"]]");
  scratch_.write("tracker.toml", broken);
  scratch_.git({"add", "-A"});
  scratch_.git({"commit", "-q", "-m", "Build by a script"});
  good_ = scratch_.git({"rev-parse", "HEAD"});
  commit("Commit 3", kBisectFast);
  scratch_.write("broken", "");
  commit("Break the build", kBisectSlow);
  scratch_.git({"rm", "-q", "-f", "broken"});
  commit("Mend the build", kBisectSlow);
  commit("Commit 6", kBisectSlow);
  const auto result = bisect({"--format", "json"});
  EXPECT_EQ(result.exit_code, 1) << result.output << result.errors;
  EXPECT_THAT(result.errors, HasSubstr("skipped"));
  const auto guilty = last_search(result).at("guilty");
  ASSERT_EQ(guilty.size(), 2U) << result.output;
  EXPECT_EQ(guilty.at(0).at("subject"), "Break the build");
  EXPECT_EQ(guilty.at(1).at("subject"), "Mend the build");
}

TEST_F(BisectCommand, AMergeThatIsGuiltyIsFollowedIntoItsSide) {
  commits(2, 99);
  scratch_.git({"checkout", "-q", "-b", "side"});
  const auto side_commit = [&](const std::string& subject, const std::string& more) {
    scratch_.write("side.txt", std::to_string(++number_));
    if (!more.empty()) scratch_.write("speeds.txt", more);
    scratch_.git({"add", "-A"});
    scratch_.git({"commit", "-q", "-m", subject});
  };
  side_commit("Side 1", "");
  side_commit("Slow on the side", kBisectSlow);
  side_commit("Side 3", "");
  scratch_.git({"checkout", "-q", "main"});
  scratch_.git({"commit", "-q", "--allow-empty", "-m", "Meanwhile"});
  scratch_.git({"merge", "-q", "--no-ff", "-m", "Merge the side", "side"});
  scratch_.git({"commit", "-q", "--allow-empty", "-m", "After"});
  const auto result = bisect();
  EXPECT_EQ(result.exit_code, 1) << result.output << result.errors;
  EXPECT_THAT(result.output,
              AllOf(ContainsRegex("found: [0-9a-f]+ Merge the side"), HasSubstr("That is a merge."),
                    ContainsRegex("found: [0-9a-f]+ Slow on the side")));
}

TEST_F(BisectCommand, TheSameProgramIsNotMeasured) {
  document("one");
  document("two");
  commit("Make it slow", kBisectSlow);
  document("three");
  document("four");
  const auto result = bisect({"--format", "json"});
  EXPECT_EQ(result.exit_code, 1) << result.output << result.errors;
  EXPECT_THAT(result.errors, HasSubstr("is not measured: the same program as"));
  EXPECT_EQ(last_search(result).at("guilty").at(0).at("subject"), "Make it slow");
  EXPECT_EQ(last_search(result).at("measurements"), 1) << "the bad end alone";
}

// Nothing was measured of the commit that it found, which explain would refuse.
TEST_F(BisectCommand, WhatItSaysToDoNextCanBeDone) {
  document("one");
  commit("Make it slow", kBisectSlow);
  document("two");
  const std::string said = bisect().output;
  const auto explain = said.find("tracker explain 'copy/a' ");
  ASSERT_NE(explain, std::string::npos) << said;
  const auto words = split(said.substr(explain, said.find('\n', explain) - explain), ' ');
  ASSERT_EQ(words.size(), 5U) << said;
  const auto explained = scratch_.tracker({"explain", "copy/a", words[3], words[4]});
  EXPECT_EQ(explained.exit_code, 0) << explained.errors;
  EXPECT_EQ(words[4], scratch_.git({"rev-parse", "--short=7", "HEAD"}));
}

TEST_F(BisectCommand, WhatMadeItFasterIsFoundToo) {
  commit("Commit 1", kBisectSlow);
  const std::string slow = scratch_.git({"rev-parse", "HEAD"});
  commit("Commit 2", kBisectSlow);
  commit("Make it fast", kBisectFast);
  commit("Commit 4", kBisectFast);
  good_ = slow;
  const auto result = bisect({"--faster"});
  EXPECT_EQ(result.exit_code, 0) << result.output << result.errors;
  EXPECT_THAT(result.output, ContainsRegex("found: [0-9a-f]+ Make it fast"));
  EXPECT_THAT(result.output, ContainsRegex("'copy/a' is faster from there on: −(8|9)\\."));
}

TEST_F(BisectCommand, GitBisectRunUsesIt) {
  commits(7, 4);
  const auto tracker = [&](const std::string& revision) {
    scratch_.git({"checkout", "-q", revision});
    return scratch_.tracker({"bisect", "--run", good_, "copy/*"});
  };
  EXPECT_EQ(tracker("main").exit_code, 1);
  EXPECT_EQ(tracker("main~5").exit_code, 0);
  EXPECT_EQ(tracker(good_).exit_code, 0) << "the good end itself";
  scratch_.git({"checkout", "-q", "main"});
  EXPECT_EQ(scratch_.tracker({"bisect", "--run", good_, "none/*"}).exit_code, 128) << "git stops there";
  scratch_.git({"bisect", "start", "main", good_});
  const std::string said =
      scratch_.git({"bisect", "run", TRACKER_BINARY, "bisect", "--run", good_, "copy/*"});
  EXPECT_THAT(said, HasSubstr("is the first bad commit"));
  EXPECT_THAT(said, HasSubstr("Make it slow"));
}

TEST_F(BisectCommand, BadInputIsToldWithTheNextStep) {
  commits(2, 1);
  const auto refused = [&](const std::vector<std::string>& words, const std::string& what) {
    const auto result = scratch_.tracker(words);
    EXPECT_EQ(result.exit_code, 2) << words.back();
    EXPECT_THAT(result.errors, AllOf(HasSubstr(what), HasSubstr("next: ")));
  };
  refused({"bisect", "HEAD"}, "bisect needs two commits");
  refused({"bisect", "HEAD", "HEAD"}, "both ends are");
  refused({"bisect", "HEAD", "HEAD~1"}, "the older commit has to be first");
  refused({"bisect", "nowhere", "HEAD"}, "nowhere");
  refused({"bisect", "HEAD~1", "HEAD", "none/*"}, "no benchmark matches 'none/*'");
  refused({"bisect", "HEAD~1", "HEAD", "--confidence", "20%"}, "is not between 50 % and 99.99 %");
  refused({"bisect", "HEAD~1", "HEAD", "--threshold", "x"}, "must be above 0 %");
  refused({"bisect", "HEAD~1", "HEAD", "--time-budget", "soon"}, "is no length of time");
}

TEST_F(BisectCommand, AnEndThatDoesNotBuildIsAnError) {
  commits(2, 1);
  std::string broken = building_config();
  broken.replace(broken.find("\"mkdir\""), 7, "\"false\"");
  scratch_.write("tracker.toml", broken);
  const auto result = bisect({"--config", "tracker.toml"});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.errors, HasSubstr("the good end cannot be measured"));
}

TEST_F(BisectCommand, APlanTellsWhatItWillTake) {
  commits(9, 6);
  const auto plan = bisect({"--dry-run"});
  EXPECT_EQ(plan.exit_code, 0) << plan.errors;
  EXPECT_THAT(plan.output,
              AllOf(HasSubstr("9 commits on the first-parent line, 0 merges"),
                    HasSubstr("assumed: nothing is recorded yet"), HasSubstr("time      not known")));
  EXPECT_EQ(starts(), 0U);
  ASSERT_EQ(bisect().exit_code, 1);
  EXPECT_THAT(bisect({"--dry-run"}).output,
              AllOf(HasSubstr("as recorded"), HasSubstr("of measuring, by stored runs")));
}

}  // namespace
}  // namespace tracker::e2e

// tracker top, check and accept, over the commits of a scratch repository.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/e2e/scratch.hpp"

namespace tracker::e2e {
namespace {

using testing::HasSubstr;
using testing::Not;

// A commit that sets these times, and its run.
std::string measured(const Scratch& scratch, int a_ns, int b_ns) {
  scratch.commit_speeds("copy/a/8 " + std::to_string(a_ns) + " 0.001 1000000\ncopy/b/8 " +
                        std::to_string(b_ns) + " 0.001 1000000\n");
  EXPECT_EQ(scratch.tracker({"run", "-n", "2"}).exit_code, 0);
  return scratch.git({"rev-parse", "HEAD"});
}

// Five commits, a slow one for both benchmarks, four more like it.
struct SlowLine {
  Scratch scratch;
  std::string culprit;

  SlowLine() {
    for (int i = 0; i < 5; ++i) measured(scratch, 10000 + i, 9000 - i);
    culprit = measured(scratch, 12000, 11000);
    for (int i = 0; i < 4; ++i) measured(scratch, 12000 + i, 11000 - i);
  }
};

TEST(Top, NamesTheCommitOfBothBenchmarksAndWhatMendedIt) {
  const SlowLine line;
  const auto result = line.scratch.tracker({"top", "--since", "all"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("1 lasting change: 1 slower"));
  EXPECT_THAT(result.output, HasSubstr("▼ −17."));
  EXPECT_THAT(result.output, HasSubstr(line.culprit.substr(0, 7) + "  Set speeds  copy/* (2)"));
  EXPECT_THAT(result.output, HasSubstr("still there"));
  const auto events =
      nlohmann::json::parse(line.scratch.tracker({"top", "--since=all", "--format=json"}).output);
  EXPECT_EQ(events.at("events").at(0).at("first_seen").at("id"), line.culprit);
  EXPECT_EQ(events.at("events").at(0).at("changes").size(), 2u);
  EXPECT_THAT(line.scratch.tracker({"top", "--since", "all", "--format", "markdown"}).output,
              HasSubstr("| still there |"));
  EXPECT_THAT(line.scratch.tracker({"top"}).output, HasSubstr("no lasting change since "))
      << "the commits are of January";
  EXPECT_THAT(line.scratch.tracker({"top", "copy/a/*", "--since", "2026-01-01"}).output,
              HasSubstr("Set speeds  copy/a/8 "));

  const std::string mender = measured(line.scratch, 10000, 9000);
  for (int i = 1; i < 4; ++i) measured(line.scratch, 10000 + i, 9000 - i);
  EXPECT_THAT(line.scratch.tracker({"top", "--since", "all"}).output,
              HasSubstr("mended by " + mender.substr(0, 7)));
}

TEST(Top, SaysWhatIsWrong) {
  const Scratch scratch;
  scratch.commit_speeds("copy/a/8 100 0.001\n");
  const auto nothing = scratch.tracker({"top"});
  EXPECT_EQ(nothing.exit_code, 3);
  EXPECT_THAT(nothing.errors, HasSubstr("tracker run"));
  const auto bad = scratch.tracker({"top", "--since", "soon"});
  EXPECT_EQ(bad.exit_code, 2);
  EXPECT_THAT(bad.errors, HasSubstr("'soon' is no length of time and no day"));
  ASSERT_EQ(scratch.tracker({"run", "-n", "1"}).exit_code, 0);
  const auto none = scratch.tracker({"top", "nothing/*"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.errors, HasSubstr("no benchmark matches 'nothing/*'"));
}

TEST(Check, NamesTheRegressionUntilItIsAccepted) {
  const SlowLine line;
  const std::string id = line.culprit.substr(0, 7);
  const auto failed = line.scratch.tracker({"check"});
  EXPECT_EQ(failed.exit_code, 1) << failed.output << failed.errors;
  EXPECT_THAT(failed.output,
              HasSubstr("1 new regression in the newest 20 commits with a run (2 benchmarks judged)"));
  EXPECT_THAT(failed.output, HasSubstr(id + "  Set speeds  copy/* (2)"));
  EXPECT_THAT(failed.errors, HasSubstr("since " + id + " Set speeds: copy/* (2)"));
  EXPECT_EQ(line.scratch.tracker({"check", "--newest", "4"}).exit_code, 0) << "it is no longer new";

  const auto unknown = line.scratch.tracker({"accept", "copy/a/*", "HEAD~2", "--reason", "x"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.errors, HasSubstr("nothing that matches 'copy/a/*' is known to have got slower at"));
  const auto dry = line.scratch.tracker({"accept", "copy/*", id, "--reason", "safety", "--dry-run"});
  EXPECT_EQ(dry.exit_code, 0) << dry.errors;
  EXPECT_THAT(dry.output, HasSubstr("[[accepted]]\nmatch = \"copy/*\"\ncommit = \"" + line.culprit));
  EXPECT_EQ(line.scratch.tracker({"check"}).exit_code, 1) << "nothing was written";

  const std::string config = read_file(line.scratch.root() / "tracker.toml", 1 << 20);
  EXPECT_EQ(line.scratch.tracker({"accept", "copy/*", id, "--reason", "safety"}).exit_code, 0);
  EXPECT_TRUE(read_file(line.scratch.root() / "tracker.toml", 1 << 20).starts_with(config));
  const auto passed = line.scratch.tracker({"check"});
  EXPECT_EQ(passed.exit_code, 0) << passed.output;
  EXPECT_THAT(passed.output, HasSubstr("no new regressions in"));
  EXPECT_THAT(line.scratch.tracker({"top", "--since", "all"}).output, HasSubstr("accepted"));
  EXPECT_EQ(line.scratch.tracker({"accept", "copy/*", id, "--reason", "again"}).exit_code, 2);

  // Across the accepted commit the loss is excused. Side by side, as two jobs of so short a history leave it
  // open.
  std::string building = read_file(line.scratch.root() / "tracker.toml", 1 << 20);
  building.insert(building.find("timeout_s"), "build = [[\"true\"]]\n");
  line.scratch.write("tracker.toml", building);
  const auto across = line.scratch.tracker(
      {"compare", id + "~1", id, "--measure", "-n", "5", "--identical-code", "measure", "--all"});
  EXPECT_EQ(across.exit_code, 0) << across.output << across.errors;
  EXPECT_THAT(across.output, HasSubstr("accepted: safety"));
}

TEST(Check, SaysWhatItCannotJudge) {
  const Scratch scratch;
  scratch.commit_speeds("copy/a/8 100 0.001\n");
  EXPECT_EQ(scratch.tracker({"check"}).exit_code, 3);
  ASSERT_EQ(scratch.tracker({"run", "-n", "1"}).exit_code, 0);
  const auto short_line = scratch.tracker({"check"});
  EXPECT_EQ(short_line.exit_code, 3);
  EXPECT_THAT(short_line.errors, HasSubstr("no benchmark has 10 values yet on test-gpu"));
}

// main goes on after the branch has left it, and its newest commit has no run.
TEST(CompareRange, TakesTheMergeBaseAndTheNewestCommitOfABranchWithARun) {
  const Scratch scratch;
  const std::string fork = measured(scratch, 10000, 9000);
  scratch.git({"checkout", "-q", "-b", "topic"});
  const std::string topic = measured(scratch, 10010, 9010);
  scratch.git({"checkout", "-q", "main"});
  measured(scratch, 20000, 18000);
  scratch.commit_speeds("copy/a/8 20000 0.001 1000000\n");
  scratch.git({"checkout", "-q", "topic"});

  const auto range = scratch.tracker({"compare", "main...topic"});
  EXPECT_EQ(range.exit_code, 0) << range.errors;
  EXPECT_THAT(range.errors,
              HasSubstr("the base is " + fork.substr(0, 7) + " Set speeds, where topic left main"));
  EXPECT_THAT(scratch.tracker({"compare", "main..."}).errors, HasSubstr("where HEAD left main"));
  EXPECT_EQ(scratch.tracker({"compare", "main...topic", "HEAD"}).exit_code, 2);
  EXPECT_EQ(scratch.tracker({"compare", "nothing...topic"}).exit_code, 2);

  const auto branch = scratch.tracker({"compare", "main"});
  EXPECT_EQ(branch.exit_code, 0) << "twice as fast as that: " << branch.errors;
  EXPECT_THAT(branch.errors, HasSubstr("no run is stored for the newest commit of main: the base is"));
  const auto named = scratch.tracker({"compare", scratch.git({"rev-parse", "main"}), "topic"});
  EXPECT_EQ(named.exit_code, 3) << "a commit that is named is meant";
  EXPECT_THAT(named.errors, HasSubstr("; the newest commit before it that has one is "));
}

}  // namespace
}  // namespace tracker::e2e

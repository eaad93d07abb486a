// tracker top, check and accept, over the commits of a scratch repository.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/e2e/scratch.hpp"
#include "tests/support/fake_github.hpp"
#include "tracker/base/text.hpp"

namespace tracker::e2e {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

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
  EXPECT_THAT(result.output, ContainsRegex("\n17\\.[0-9] % less bandwidth  "));
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

  for (const auto& asked : {std::vector<std::string>{"top", "--since", "all"}, {"log", "*"}}) {
    auto above = asked;
    above.insert(above.end(), {"--threshold", "30%"});
    EXPECT_THAT(
        line.scratch.tracker(above).output,
        ContainsRegex("[12] certain changes? below 30 % (is|are) not shown: --threshold [12]0% shows"));
  }
  EXPECT_THAT(line.scratch.tracker({"top", "--threshold", "0%"}).errors, HasSubstr("'0%' must be above 0 %"));

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

TEST(Check, PostsWhatFailsToAChat) {
  const SlowLine line;
  testing_support::FakeGitHub server;
  server.handle("POST /hook/s3cr3ts3cr3t", [](const auto&) {
    return testing_support::FakeAnswer{200, "ok"};
  });
  const std::map<std::string, std::string> chat{{"TRACKER_NOTIFY_URL", server.url() + "/hook/s3cr3ts3cr3t"},
                                                {"GITHUB_EVENT_NAME", ""},
                                                {"BUILDKITE", "true"},
                                                {"BUILDKITE_BUILD_URL", "https://ci.example/7"}};
  EXPECT_EQ(line.scratch.tracker_with(chat, {"check"}).exit_code, 1);
  EXPECT_THAT(server.calls(), testing::IsEmpty()) << "nobody asked for it";
  line.scratch.write("tracker.toml",
                     read_file(line.scratch.root() / "tracker.toml", 1 << 20) + "\n[notify]\n");
  EXPECT_EQ(line.scratch.tracker_with(chat, {"check"}).exit_code, 1);
  ASSERT_THAT(server.requests(), testing::SizeIs(1));
  const std::string text = nlohmann::json::parse(server.requests()[0].body).at("text");
  EXPECT_THAT(
      text, AllOf(StartsWith("*repository: 1 new regression*\n• "),
                  HasSubstr("less bandwidth since " + line.culprit.substr(0, 7) + " Set speeds: copy/∗ (2)"),
                  HasSubstr("\nhttps://ci.example/7")));
  EXPECT_EQ(line.scratch.tracker_with(chat, {"check", "--newest", "4"}).exit_code, 0);
  EXPECT_THAT(server.requests(), testing::SizeIs(1)) << "nothing failed";
  line.scratch.write("tracker.toml",
                     read_file(line.scratch.root() / "tracker.toml", 1 << 20) + "when = \"always\"\n");
  EXPECT_EQ(line.scratch.tracker_with(chat, {"check", "--newest", "4"}).exit_code, 0);
  EXPECT_THAT(server.requests().back().body, HasSubstr("no new regression"));
  server.answer("POST /hook/s3cr3ts3cr3t", {500, "no s3cr3ts3cr3t"});
  const auto failed = line.scratch.tracker_with(chat, {"check", "--newest", "4"});
  EXPECT_EQ(failed.exit_code, 4);
  EXPECT_THAT(failed.errors, AllOf(HasSubstr("the server answers 500"), Not(HasSubstr("s3cr3t"))));
  const auto plain =
      line.scratch.tracker_with({{"TRACKER_NOTIFY_URL", "http://chat.example/s3cr3t"}}, {"check"});
  EXPECT_EQ(plain.exit_code, 1) << "the verdict stays";
  EXPECT_THAT(plain.errors, AllOf(HasSubstr("not one of https"), Not(HasSubstr("s3cr3t"))));
  EXPECT_THAT(line.scratch.tracker({"check"}).errors, HasSubstr("TRACKER_NOTIFY_URL is not set"));
}

// A step that only two runs have shown.
TEST(Check, JsonListsWhatTheTextLists) {
  Scratch scratch;
  for (int i = 0; i < 9; ++i) measured(scratch, 10000 + i, 9000 - i);
  const std::string culprit = measured(scratch, 12000, 9000);
  measured(scratch, 12001, 8999);
  const auto text = scratch.tracker({"check"});
  EXPECT_EQ(text.exit_code, 0) << text.errors;
  ASSERT_THAT(text.output, AllOf(HasSubstr("not certain yet"), HasSubstr(culprit.substr(0, 7))));
  const auto written = scratch.tracker({"check", "--format", "json"});
  EXPECT_EQ(written.exit_code, 0) << written.errors;
  const auto document = nlohmann::json::parse(written.output);
  EXPECT_TRUE(document.at("events").empty());
  EXPECT_EQ(document.at("uncertain").at(0).at("first_seen").at("id"), culprit);
  for (const char* none : {"same_code", "drifts", "machine", "together"})
    EXPECT_TRUE(document.at(none).empty()) << none;
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

// Fifteen commits, slow from the fifth on; and what of them a clone or its store may lack.
class HalfALine : public testing::Test {
 protected:
  HalfALine() {
    for (int i = 0; i < 7; ++i) measured(line_.scratch, 12000 + i, 11000 - i);
  }
  std::string clone(const std::string& depth) const {
    auto path = (line_.scratch.folder() / ("depth-" + depth)).string();
    line_.scratch.git({"clone", "-q", "--depth", depth, "file://" + line_.scratch.root().string(), path});
    EXPECT_EQ(in(path, {"sync", "--fetch"}).exit_code, 0);
    return path;
  }
  ProcessResult in(const std::string& where, std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"-C", where});
    return line_.scratch.tracker_with({{"GITHUB_REPOSITORY", "o/r"},
                                       {"GITHUB_TOKEN", "t0ken"},
                                       {"GITHUB_API_URL", "http://127.0.0.1:9"},
                                       {"GITHUB_SERVER_URL", "https://github.com"}},
                                      arguments);
  }
  // The runs of the slow commits become this text.
  void replace_slow_runs(const std::string& where, const std::string& text) const {
    const auto slow = split(line_.scratch.git({"rev-list", line_.culprit + "~1..HEAD"}), '\n');
    write_file(line_.scratch.folder() / "text", text);
    const auto git = [&](const std::vector<std::string>& arguments) {
      ProcessSpec spec{.argv = {"git", "-C", where, "-c", "user.name=a", "-c", "user.email=a@b"}};
      spec.argv.insert(spec.argv.end(), arguments.begin(), arguments.end());
      spec.environment = {{"GIT_INDEX_FILE", (line_.scratch.folder() / "index").string()}};
      auto result = run_process(spec);
      EXPECT_TRUE(result.ok()) << result.errors;
      result.output.erase(result.output.find_last_not_of('\n') + 1);
      return result.output;
    };
    const auto blob = git({"hash-object", "-w", (line_.scratch.folder() / "text").string()});
    git({"read-tree", "refs/tracker/v1"});
    for (const auto& path : split(git({"ls-files"}), '\n'))
      for (const auto& commit : slow)
        if (path.find(commit) != std::string::npos)
          git({"update-index", "--cacheinfo", "100644," + blob + "," + path});
    git({"update-ref", "refs/tracker/v1", git({"commit-tree", git({"write-tree"}), "-m", "replaced"})});
  }

  SlowLine line_;
};

TEST_F(HalfALine, IsNoAllClearInAShallowClone) {
  EXPECT_EQ(line_.scratch.tracker({"check"}).exit_code, 1);
  const auto shallow = clone("11");  // all of them slow, and enough to judge
  for (const std::vector<std::string>& command : {std::vector<std::string>{"check"},
                                                  {"check", "--newest", "3"},
                                                  {"check", "copy/a/*"},
                                                  {"github", "issue"}}) {
    const auto result = in(shallow, command);
    EXPECT_EQ(result.exit_code, 4) << result.output << result.errors;
    EXPECT_THAT(result.errors, HasSubstr("this clone is shallow: it has only the newest 11 commits of HEAD"));
    EXPECT_THAT(result.errors, HasSubstr("git fetch --unshallow"));
    EXPECT_EQ(result.output, "");
  }
  const std::string said =
      "incomplete: this clone is shallow: it has only the newest 11 commits of HEAD; next: git ";
  for (const std::vector<std::string>& command : {std::vector<std::string>{"top"},
                                                  {"top", "--since", "all"},
                                                  {"log"},
                                                  {"log", "copy/a/8"},
                                                  {"list"},
                                                  {"site", shallow + "-site"},
                                                  {"plot", "--terminal"},
                                                  {"plot", "--format", "svg", "--out", shallow + "-plot"}}) {
    const auto result = in(shallow, command);
    EXPECT_EQ(result.exit_code, 0) << result.errors;
    EXPECT_THAT(result.output, StartsWith(said)) << command.front();
  }
  EXPECT_THAT(in(shallow, {"list", "commits"}).errors, StartsWith(said));
  EXPECT_THAT(in(shallow, {"top", "--format", "markdown"}).output,
              StartsWith("**Incomplete**: this clone is"));
  const auto events = nlohmann::json::parse(in(shallow, {"top", "--format", "json"}).output);
  EXPECT_THAT(events.at("incomplete").at(0).get<std::string>(), HasSubstr("shallow"));

  // Deepened, or with all commits from the beginning, nothing is missing.
  line_.scratch.git({"-C", shallow, "fetch", "-q", "--unshallow"});
  EXPECT_EQ(in(shallow, {"check"}).exit_code, 1);
  EXPECT_THAT(in(shallow, {"log"}).output, StartsWith("test-gpu"));
  EXPECT_EQ(in(clone("17"), {"check"}).exit_code, 1) << "its end is the first commit";
}

// What actions/checkout makes, with no run at its only commit.
TEST_F(HalfALine, SaysWhyNoRunIsOnIt) {
  line_.scratch.commit_speeds("copy/a/8 1 0.001\n");
  const auto shallow = clone("1");
  for (const std::vector<std::string>& command : {std::vector<std::string>{"check"},
                                                  {"top"},
                                                  {"log"},
                                                  {"github", "issue"},
                                                  {"plot"},
                                                  {"site", shallow + "-site"}}) {
    const auto result = in(shallow, command);
    EXPECT_EQ(result.exit_code, 4) << result.output << result.errors;
    EXPECT_THAT(result.errors, HasSubstr("17 commits have runs, and this clone is shallow"))
        << command.front();
  }
  line_.scratch.git({"checkout", "-q", "--orphan", "other"});
  line_.scratch.commit_speeds("copy/a/8 1 0.001\n");
  const auto elsewhere = line_.scratch.tracker({"top"});
  EXPECT_EQ(elsewhere.exit_code, 3);
  EXPECT_THAT(elsewhere.errors, HasSubstr("17 commits have runs, none of them on its first-parent line"));
}

TEST_F(HalfALine, IsNoAllClearWhereRunsCannotBeRead) {
  const auto other = (line_.scratch.folder() / "other").string();
  line_.scratch.git({"clone", "-q", line_.scratch.root().string(), other});
  const struct {
    const char* text;
    const char* why;
    const char* remedy;
  } rows[] = {{"", "it is empty", "tracker store drop"},
              {"{\"id\": \"x\", \"schema\": \"tracker.run/12\"}", "tracker.run/12", "update tracker"},
              {"{", "cannot be read", "tracker store drop"}};
  for (const auto& row : rows) {
    replace_slow_runs(line_.scratch.root().string(), row.text);
    for (const std::vector<std::string>& command : {std::vector<std::string>{"check"}, {"github", "issue"}}) {
      const auto result = line_.scratch.tracker_with(
          {{"GITHUB_REPOSITORY", "o/r"}, {"GITHUB_TOKEN", "t0ken"}, {"GITHUB_API_URL", "http://127.0.0.1:9"}},
          command);
      EXPECT_EQ(result.exit_code, 3) << result.output << result.errors;
      EXPECT_THAT(result.errors, HasSubstr("12 runs of HEAD's line, such as 'test-gpu/"));
      EXPECT_THAT(result.errors, AllOf(HasSubstr(row.why), HasSubstr(row.remedy)));
    }
    EXPECT_THAT(line_.scratch.tracker({"top"}).output, StartsWith("incomplete: 12 runs of HEAD's line"));
  }
  // The remote's broken ones are not taken: they are missing all the same.
  EXPECT_EQ(in(other, {"sync", "--fetch"}).exit_code, 0);
  const auto missing = in(other, {"check"});
  EXPECT_EQ(missing.exit_code, 3) << missing.output;
  EXPECT_THAT(missing.errors, HasSubstr("'origin' has 12 runs of HEAD's line, such as 'test-gpu/"));
  EXPECT_THAT(missing.errors, HasSubstr("tracker sync --fetch origin"));
}

TEST(LongLine, SaysWhatAListLeavesOut) {
  const Scratch scratch;
  for (int i = 0; i < 3; ++i) measured(scratch, 10000 + i, 9000);
  const std::string said =
      "incomplete: only the newest 2 commits of HEAD are looked at; next: --commits N for more\n";
  EXPECT_THAT(scratch.tracker({"log", "--commits", "2"}).output, StartsWith(said));
  EXPECT_THAT(scratch.tracker({"list", "--commits", "2"}).output, StartsWith(said));
  EXPECT_THAT(scratch.tracker({"list", "commits", "--commits", "2"}).errors, StartsWith(said));
  EXPECT_THAT(scratch.tracker({"log", "--commits", "3"}).output, Not(HasSubstr("incomplete")));
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

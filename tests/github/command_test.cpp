// The real `tracker github`, in a clone of a bare origin, with the fake server as GITHUB_API_URL: what a
// workflow's step sees of it. (That requests are right is the business of the tests beside this one.)
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/github/origin.hpp"
#include "tests/github/support.hpp"
#include "tracker/base/text.hpp"

namespace tracker::github {
namespace {

using namespace testing_support;
using nlohmann::json;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

struct Step : ClonedOrigin, FakeApi {
  std::string head = commit("topic", "1");
  std::string group = "github";

  std::map<std::string, std::string> environment = {{"GITHUB_API_URL", server.url()},
                                                    {"GITHUB_SERVER_URL", "https://github.com"},
                                                    {"GITHUB_REPOSITORY", "o/r"},
                                                    {"GITHUB_EVENT_NAME", "pull_request"},
                                                    {"GITHUB_EVENT_PATH", (folder() / "event.json").string()},
                                                    {"GITHUB_OUTPUT", (folder() / "output").string()},
                                                    {"GITHUB_RUN_ID", "77"},
                                                    {"GITHUB_ACTIONS", "true"},
                                                    {"GITHUB_TOKEN", kToken}};

  Step() {
    event({{"number", 12},
           {"pull_request",
            {{"number", 12},
             {"head", {{"sha", head}, {"repo", {{"full_name", "o/r"}}}}},
             {"base", {{"ref", "main"}}}}}});
    write_file(folder() / "comment.md", "**1 regressed**\n");
  }
  void event(const json& document) const { write_file(folder() / "event.json", document.dump()); }
  std::string output() const { return read_file(folder() / "output"); }
  ProcessResult tracker(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {TRACKER_BINARY, group});
    ProcessSpec spec{.argv = arguments, .directory = root(), .environment = environment};
    spec.without_environment = {"CI",         "GITHUB_ACTOR", "GITHUB_EVENT_NAME",  "GITHUB_REPOSITORY",
                                "http_proxy", "HTTP_PROXY",   "GITHUB_STEP_SUMMARY"};
    spec.timeout = std::chrono::minutes(1);
    auto result = run_process(spec);
    EXPECT_THAT(result.output + result.errors, Not(HasSubstr(kToken)));
    return result;
  }
  ProcessResult comment() const {
    return tracker({"comment", (folder() / "comment.md").string(), "--patience", "0"});
  }
};

TEST(GitHubCommand, EventSaysAndOutputs) {
  Step step;
  const auto result = step.tracker({"event"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.output, StartsWith("pull request 12: its last commit '" + step.head.substr(0, 10)));
  EXPECT_EQ(step.output(), "kind=pull-request\nbase=" + step.tip("main") + "\ncandidate=" + step.head +
                               "\npull-request=12\nhead=" + step.head +
                               "\nrecord=false\nmay-write=true\nfork=false\nskip=false\n");
}

// In GitLab's variables: what its jobs have, and no GITHUB_… at all.
TEST(GitHubCommand, CiSaysAndCommentsInGitLab) {
  Step step;
  FakeComments notes(step.server, "42", 7, "bot", FakeComments::Of::kGitLab);
  step.server.handle("GET /user", [](const FakeRequest&) {
    return FakeAnswer{200, R"({"username": "bot"})"};
  });
  step.environment = {{"GITLAB_CI", "true"},
                      {"CI_API_V4_URL", step.server.url()},
                      {"CI_PROJECT_ID", "42"},
                      {"CI_MERGE_REQUEST_IID", "7"},
                      {"CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "main"},
                      {"CI_JOB_URL", "https://gitlab.example/o/r/-/jobs/1"},
                      {"GITLAB_TOKEN", kToken}};
  step.group = "ci";
  step.git({"update-ref", "refs/remotes/origin/main", step.tip("main")});
  const auto base = step.tracker({"event", "--print", "base"});
  EXPECT_EQ(base.output, step.tip("main") + "\n") << base.errors;
  const auto result = step.comment();
  EXPECT_EQ(result.output, "created the comment on merge request 7\n") << result.errors;
  EXPECT_EQ(step.comment().output, "the comment on merge request 7 says this already\n");
  EXPECT_EQ(notes.all().at(0).body, "<!-- tracker-report -->\n**1 regressed**\n");
  step.environment.erase("GITLAB_TOKEN");
  EXPECT_THAT(step.comment().errors, AllOf(HasSubstr("GITLAB_TOKEN is not set"), HasSubstr("scope api")));
  step.environment = {};
  EXPECT_THAT(step.tracker({"event"}).errors, HasSubstr("TRACKER_CI=1"));
}

TEST(GitHubCommand, EventOfARunThatEnded) {
  Step step;
  step.git({"push", "--quiet", "origin", step.head + ":refs/pull/12/head"});
  step.environment["GITHUB_EVENT_NAME"] = "workflow_run";
  step.event({{"workflow_run",
               {{"event", "pull_request"},
                {"head_sha", step.head},
                {"head_branch", "topic"},
                {"head_repository", {{"full_name", "friend/r"}}},
                {"pull_requests", json::array()}}}});
  step.server.handle("GET /repos/o/r/pulls", [&](const FakeRequest&) {
    const json item = {{"number", 12},
                       {"state", "open"},
                       {"head", {{"sha", step.head}, {"repo", {{"full_name", "friend/r"}}}}},
                       {"base", {{"ref", "main"}}}};
    return FakeAnswer{200, json::array({item}).dump()};
  });
  EXPECT_EQ(step.tracker({"event", "--candidate", step.head}).exit_code, 0);
  EXPECT_THAT(step.output(), AllOf(HasSubstr("candidate=" + step.head), HasSubstr("fork=true\nskip=false")));
  const auto other = step.tip("main");
  const auto refused = step.tracker({"event", "--candidate", other});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.errors, HasSubstr("commit '" + other + "' is not part of pull request 12"));
  EXPECT_EQ(step.tracker({"event", "--candidate="}).exit_code, 2) << "an empty claim is none";
}

TEST(GitHubCommand, CommentIsWrittenOnceAndUpdated) {
  Step step;
  FakeComments comments(step.server, "o/r", 12);
  EXPECT_EQ(step.comment().output, "created the comment on pull request 12\n");
  EXPECT_EQ(step.comment().output, "the comment on pull request 12 says this already\n");
  write_file(step.folder() / "comment.md", "**Nothing regressed**\n");
  EXPECT_EQ(step.comment().output, "updated the comment on pull request 12\n");
  ASSERT_THAT(comments.all(), SizeIs(1));
  EXPECT_EQ(comments.all()[0].body, "<!-- tracker-report -->\n**Nothing regressed**\n");
  EXPECT_EQ(step.server.requests().at(0).headers.at("authorization"), std::string("Bearer ") + kToken);
}

TEST(GitHubCommand, CommentOfAForkIsAWarning) {
  Step step;
  FakeComments comments(step.server, "o/r", 12);
  step.server.answer("POST /repos/o/r/issues/12/comments",
                     {403, R"({"message": "Resource not accessible by integration"})"});
  const auto result = step.comment();
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.output,
              StartsWith("::warning title=tracker github comment::the comment on pull request 12 is "
                         "not written: the token may only read"));
  EXPECT_THAT(result.errors, HasSubstr("Resource not accessible by integration"));
  step.environment["GITHUB_ACTIONS"] = "";
  step.server.answer("POST /repos/o/r/issues/12/comments", {403, R"({"message": "x"})"});
  EXPECT_EQ(step.comment().output, "");
}

TEST(GitHubCommand, CommentThatFailsSaysWhy) {
  Step step;
  step.server.answer("GET /repos/o/r/issues/12/comments", {500, ""});
  const auto failed = step.comment();
  EXPECT_EQ(failed.exit_code, 4);
  EXPECT_THAT(failed.output, StartsWith("::warning title=tracker github comment::GitHub answers 500"));
  step.server.answer("GET /repos/o/r/issues/12/comments", {401, R"({"message": "Bad credentials"})"});
  EXPECT_THAT(step.comment().errors, AllOf(HasSubstr("Bad credentials"), HasSubstr("wrong or has expired")));
  step.environment["GITHUB_TOKEN"] = "";
  EXPECT_THAT(step.comment().errors, HasSubstr("GITHUB_TOKEN is not set"));
  EXPECT_EQ(step.comment().exit_code, 2);
}

TEST(GitHubCommand, CommentNeedsAPullRequest) {
  Step step;
  step.environment["GITHUB_EVENT_NAME"] = "schedule";
  EXPECT_THAT(step.comment().errors,
              HasSubstr("the event 'schedule' is about no pull request\n  next: --pull-request"));
  FakeComments comments(step.server, "o/r", 5);
  const auto named = step.tracker(
      {"comment", (step.folder() / "comment.md").string(), "--pull-request", "5", "--key", "a100"});
  EXPECT_EQ(named.exit_code, 0) << named.errors;
  EXPECT_THAT(comments.all().at(0).body, StartsWith("<!-- tracker-a100 -->\n"));
  EXPECT_EQ(step.tracker({"comment", "none.md"}).exit_code, 2);
}

TEST(GitHubCommand, PublishOutputsWhereThePicturesAreSeen) {
  Step step;
  write_file(step.folder() / "charts/trend.png", png());
  const auto result = step.tracker({"publish", (step.folder() / "charts").string()});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  const std::string url = "https://github.com/o/r/blob/" + step.tip("tracker-charts") + "/pull/12/" +
                          step.head.substr(0, 10) + "/{file}?raw=true";
  EXPECT_EQ(result.output, "1 picture published on 'tracker-charts'\n" + url + "\n");
  EXPECT_EQ(step.output(), "charts-url=" + url + "\ncharts-commit=" + step.tip("tracker-charts") + "\n");
  fs::remove(step.folder() / "charts/trend.png");
  const auto nothing = step.tracker({"publish", (step.folder() / "charts").string()});
  EXPECT_EQ(nothing.exit_code, 0);
  EXPECT_THAT(nothing.output, HasSubstr("nothing to publish"));
}

TEST(GitHubCommand, PruneTakesOffWhatIsOldAndOfNoOpenPullRequest) {
  Step step;
  write_file(step.folder() / "charts/trend.png", png());
  step.environment["GIT_COMMITTER_DATE"] = "2020-01-01T00:00:00Z";
  for (const char* path : {"pull/12/aaaaaaaaaa", "pull/13/bbbbbbbbbb"})
    step.tracker({"publish", (step.folder() / "charts").string(), "--path", path});
  step.environment.erase("GIT_COMMITTER_DATE");
  step.server.handle("GET /repos/o/r/pulls", [](const FakeRequest&) {
    return FakeAnswer{200, R"([{"number": 12}])"};
  });
  const auto asked = step.tracker({"prune", "--dry-run"});
  EXPECT_EQ(asked.output, "pull/13/bbbbbbbbbb\nwould remove 1 folder (" +
                              format_bytes(static_cast<double>(png().size())) +
                              ") from 'tracker-charts', kept 1\n");
  const auto result = step.tracker({"prune"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("removed 1 folder"));
  EXPECT_EQ(step.at_origin({"ls-tree", "-r", "--name-only", "tracker-charts"}),
            "pull/12/aaaaaaaaaa/trend.png");
}

TEST(GitHubCommand, PruneRemovesNothingWhereThePullRequestsAreNotKnown) {
  Step step;
  write_file(step.folder() / "charts/trend.png", png());
  step.environment["GIT_COMMITTER_DATE"] = "2020-01-01T00:00:00Z";
  step.tracker({"publish", (step.folder() / "charts").string()});
  const auto tip = step.tip("tracker-charts");
  step.server.answer("GET /repos/o/r/pulls", {403, R"({"message": "Resource not accessible"})"});
  const auto result = step.tracker({"prune", "--patience", "0"});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.errors, HasSubstr("Resource not accessible"));
  EXPECT_EQ(step.tip("tracker-charts"), tip);
}

// git is called by a wrapper that writes down how.
TEST(GitHubCommand, TheTokenReachesGitByTheEnvironmentAlone) {
  Step step;
  const fs::path calls = step.folder() / "calls";
  write_file(step.folder() / "bin/git", "#!/bin/sh\nprintf '%s\\n' \"$*\" >>'" + calls.string() +
                                            "'\nPATH=${PATH#*:} exec git \"$@\"\n");
  fs::permissions(step.folder() / "bin/git", fs::perms(0755));
  step.environment["PATH"] = (step.folder() / "bin").string() + ":" + std::getenv("PATH");
  step.environment["GITHUB_SERVER_URL"] = step.server.url();
  step.git({"remote", "set-url", "origin", step.server.url() + "/o/r.git"});
  write_file(step.folder() / "charts/trend.png", png());
  const auto result = step.tracker({"publish", (step.folder() / "charts").string()});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.errors, HasSubstr("cannot fetch 'refs/heads/tracker-charts' from 'origin'"));
  const auto request = step.server.requests().at(0);
  EXPECT_EQ(request.path, "/o/r.git/info/refs");
  EXPECT_THAT(request.headers.at("authorization"), StartsWith("Basic "));
  EXPECT_THAT(read_file(calls), AllOf(HasSubstr("fetch"), Not(HasSubstr(kToken)),
                                      Not(HasSubstr(request.headers.at("authorization").substr(6)))));
}

TEST(GitHubCommand, ProposeOpensAPullRequest) {
  Step step;
  step.server.handle("GET /repos/o/r", [](const FakeRequest&) {
    return FakeAnswer{200, R"({"default_branch": "main"})"};
  });
  step.server.handle("GET /repos/o/r/pulls", [](const FakeRequest&) { return FakeAnswer{200, "[]"}; });
  step.server.handle("POST /repos/o/r/pulls", [](const FakeRequest&) {
    return FakeAnswer{201, R"({"number": 7, "html_url": "https://github.com/o/r/pull/7"})"};
  });
  const std::vector<std::string> call = {"propose", "--branch", "tracker/baselines",
                                         "--title", "Promote",  "baselines"};
  const auto nothing = step.tracker(call);
  EXPECT_EQ(nothing.output, "nothing to propose: 'main' has these files as they are\n") << nothing.errors;
  write_file(step.root() / "baselines/h200.json", "{}\n");
  const auto opened = step.tracker(call);
  EXPECT_EQ(opened.exit_code, 0) << opened.errors;
  EXPECT_EQ(opened.output,
            "opened pull request 7 from 'tracker/baselines' to 'main' https://github.com/o/r/pull/7\n");
  EXPECT_THAT(step.output(), HasSubstr("pull-request=7\nurl=https://github.com/o/r/pull/7\n"));
}

TEST(GitHubCommand, IssueNeedsARecordedLine) {
  Step step;
  const auto result = step.tracker({"issue"});
  EXPECT_EQ(result.exit_code, 3) << result.errors;
  EXPECT_THAT(result.errors, HasSubstr("no run is stored for any commit of HEAD"));
  EXPECT_THAT(step.server.calls(), IsEmpty());
}

// libcurl is loaded when it is first used. A broken one stands for a missing one.
TEST(GitHubCommand, SaysWhichLibraryIsMissing) {
  Step step;
  write_file(step.folder() / "libraries/libcurl.so.4", "");
  step.environment["LD_LIBRARY_PATH"] = (step.folder() / "libraries").string();
  EXPECT_EQ(step.tracker({"--help"}).exit_code, 0);
  const auto refused = step.comment();
  EXPECT_EQ(refused.exit_code, 4);
  EXPECT_THAT(refused.errors, AllOf(HasSubstr("cannot load what GitHub needs: "), HasSubstr("libcurl.so.4"),
                                    HasSubstr("next: apt-get install libcurl4")));
}

}  // namespace
}  // namespace tracker::github

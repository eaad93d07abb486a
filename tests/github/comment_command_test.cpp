// Comments that ask for something, from anybody: what is done, in a clone of a bare origin, with a server in
// place of GitHub's API.
#include "tracker/github/comment_command.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/github/origin.hpp"
#include "tests/github/support.hpp"
#include "tracker/formats/config_file.hpp"

namespace tracker {
namespace {

using namespace testing_support;
using nlohmann::json;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

const std::string kRuns = "/repos/o/r/actions/workflows/perf.yml/runs";

struct Commented : ClonedOrigin, FakeApi {
  std::string head = commit("kernel.cu", "slow\n");
  Repository repository = Repository::open(root());
  FakeComments comments{server, "o/r", 12};
  std::string from = "o/r";
  std::string permission = "write";
  json run = {{"id", 77}, {"status", "completed"}, {"conclusion", "failure"}};

  Commented() {
    git({"push", "--quiet", "origin", head + ":refs/heads/topic"});
    server.handle("GET /repos/o/r/pulls/12", [this](const FakeRequest&) {
      return FakeAnswer{200,
                        json{{"state", "open"},
                             {"head", {{"sha", head}, {"ref", "topic"}, {"repo", {{"full_name", from}}}}}}
                            .dump()};
    });
    server.handle("GET /repos/o/r/collaborators/ada/permission", [this](const FakeRequest&) {
      return FakeAnswer{200, json{{"permission", permission}}.dump()};
    });
    server.handle("GET " + kRuns, [this](const FakeRequest&) {
      return FakeAnswer{200,
                        json{{"workflow_runs", run.is_null() ? json::array() : json::array({run})}}.dump()};
    });
    for (const char* what : {"rerun", "approve"})
      server.handle("POST /repos/o/r/actions/runs/77/" + std::string(what), [](const FakeRequest&) {
        return FakeAnswer{201, ""};
      });
  }
  std::string ask(const std::string& body, const std::string& author = "ada") {
    ServiceApi api(options());
    return answer_command(api, repository, GitRemote(repository, "origin"),
                          {.repository = "o/r", .comment = {12, author, body}});
  }
  std::vector<std::string> writes() const {
    std::vector<std::string> all;
    for (const auto& call : server.calls())
      if (!call.starts_with("GET")) all.push_back(call);
    return all;
  }
  std::string config() const { return at_origin({"show", "topic:tracker.toml"}) + "\n"; }
};

const std::string kAnswered = "POST /repos/o/r/issues/12/comments";

TEST(CommentCommand, IsTheFirstLine) {
  EXPECT_EQ(parse_comment_command("/tracker measure\r\nplease").asked, Asked::kMeasure);
  EXPECT_EQ(parse_comment_command("/tracker measure 1a2b3c4 ").commit, "1a2b3c4");
  const auto accept = parse_comment_command("/tracker accept `gemm/*` 8% it is  safer");
  EXPECT_EQ(accept.asked, Asked::kAccept);
  EXPECT_EQ(accept.glob, "gemm/*");
  EXPECT_DOUBLE_EQ(accept.ceiling.value_or(0), 0.08);
  EXPECT_EQ(accept.reason, "it is  safer");
  EXPECT_EQ(parse_comment_command("/tracker accept 'a b' 100 threads").reason, "100 threads");
  for (const char* nothing : {"", "thanks", "please /tracker measure", "\n/tracker measure",
                              "/trackers measure", "> /tracker measure", " /tracker measure", "/"})
    EXPECT_EQ(parse_comment_command(nothing).asked, Asked::kNothing) << nothing;
  for (const char* wrong :
       {"/tracker", "/tracker run", "/tracker measure HEAD", "/tracker measure 1a2b3c4 x",
        "/tracker measure --upload", "/tracker accept", "/tracker accept gemm", "/tracker accept 'gemm x",
        "/tracker accept gemm 8%", "/tracker accept gemm \x1b[2Jx", "/tracker accept gemm \xe2\x80\xaex"})
    EXPECT_EQ(parse_comment_command(wrong).asked, Asked::kUnclear) << wrong;
  EXPECT_EQ(parse_comment_command("/tracker accept x " + std::string(501, 'r')).asked, Asked::kUnclear);
}

TEST(CommentCommand, OfWhoMayNotWriteDoesNothingAndIsNotAnswered) {
  Commented asking;
  for (const char* permission : {"read", "none", ""}) {
    asking.permission = permission;
    EXPECT_THAT(asking.ask("/tracker measure"), HasSubstr("may not write"));
    EXPECT_THAT(asking.ask("/tracker accept * 90% mine"), HasSubstr("may not write"));
    EXPECT_THAT(asking.ask("/tracker nonsense"), HasSubstr("may not write"));
  }
  EXPECT_THAT(asking.ask("/tracker measure", "stranger"), HasSubstr("may not write"))
      << "GitHub knows nobody: 404";
  EXPECT_THAT(asking.ask("/tracker measure", "../../x?y"), HasSubstr("may not write"));
  EXPECT_THAT(asking.server.calls().back(), HasSubstr("..%2F..%2Fx%3Fy/permission"));
  EXPECT_THAT(asking.writes(), ElementsAre());
  EXPECT_EQ(asking.tip("topic"), asking.head);
  asking.ask("thanks");
  EXPECT_THAT(asking.server.calls().back(), HasSubstr("permission"))
      << "nothing is asked of GitHub for a word of thanks";
}

TEST(CommentCommand, MeasureStartsTheRunAgain) {
  Commented asking;
  EXPECT_THAT(asking.ask("/tracker measure"), StartsWith("Measuring '" + asking.head.substr(0, 7)));
  EXPECT_THAT(asking.writes(), ElementsAre("POST /repos/o/r/actions/runs/77/rerun", kAnswered));
  EXPECT_THAT(asking.comments.all().back().body, HasSubstr("will be updated"));
  asking.run["status"] = "in_progress";
  EXPECT_THAT(asking.ask("/tracker measure"), HasSubstr("already"));
  asking.run = nullptr;
  EXPECT_THAT(asking.ask("/tracker measure"), HasSubstr("has no run"));
  EXPECT_THAT(asking.ask("/tracker measure 0000000"), HasSubstr("the last commit is"));
  EXPECT_THAT(asking.ask("/tracker fly"), HasSubstr("`/tracker measure [COMMIT]`"));
}

TEST(CommentCommand, OfAForkOnlyTheCommitThatIsNamedIsMeasured) {
  Commented asking;
  asking.from = "stranger/r";
  asking.run["conclusion"] = "action_required";
  EXPECT_THAT(asking.ask("/tracker measure"), HasSubstr("/tracker measure " + asking.head.substr(0, 10)));
  EXPECT_THAT(asking.writes(), ElementsAre(kAnswered));
  asking.ask("/tracker measure " + asking.head.substr(0, 10));
  EXPECT_THAT(asking.writes(), Contains("POST /repos/o/r/actions/runs/77/approve"));
}

TEST(CommentCommand, AcceptIsACommitOnTheBranch) {
  Commented asking;
  asking.comments.put("github-actions[bot]",
                      "<!-- tracker-report -->" +
                          loss_lines({{"gemm/a--b", 0.05}, {"gemm/b", 0.081}, {"copy", 0.5}}) +
                          "\n### ❌ slower\n");
  const std::string state = asking.state();
  const std::string hostile = "it's \"safer\"; $(touch /tmp/x) `id` ]] \\ # 'x' & {}";
  EXPECT_THAT(asking.ask("/tracker accept gemm/* " + hostile), StartsWith("Accepted up to 9 %"));
  EXPECT_EQ(asking.state(), state) << "the checkout stays as it is";
  EXPECT_EQ(asking.at_origin({"rev-parse", "topic~1"}), asking.head);
  const auto accepted = parse_config(asking.config(), "tracker.toml").policy.accepted;
  ASSERT_EQ(accepted.size(), 1u);
  EXPECT_EQ(accepted[0].match, "gemm/*");
  EXPECT_EQ(accepted[0].reason, hostile);
  EXPECT_EQ(accepted[0].granted, asking.head);
  EXPECT_NEAR(accepted[0].ceiling, 0.0891, 1e-6);
  EXPECT_THAT(asking.at_origin({"log", "-1", "--format=%B", "topic"}),
              AllOf(HasSubstr("ada"), Not(HasSubstr("safer"))));
  EXPECT_THAT(asking.comments.all().back().body, Not(HasSubstr("safer")))
      << "nothing of the comment is written back";

  asking.head = asking.tip("topic");
  EXPECT_THAT(asking.ask("/tracker accept other/* because"), HasSubstr("shows nothing slower that matches"));
  EXPECT_THAT(asking.ask("/tracker accept other/* 3% because"), StartsWith("Accepted up to 3 %"));
  EXPECT_EQ(parse_config(asking.config(), "tracker.toml").policy.accepted.size(), 2u);
  EXPECT_THAT(asking.ask("/tracker accept other/* 3% because"), HasSubstr("moved on"))
      << "the API's head is old";
}

TEST(CommentCommand, AcceptOfAForkIsATableToPaste) {
  Commented asking;
  asking.from = "stranger/r";
  EXPECT_THAT(asking.ask("/tracker accept gemm/* 8% ````\n\n# x"),
              HasSubstr("[[accepted]]\nmatch = \"gemm/*\""));
  EXPECT_EQ(asking.tip("topic"), asking.head);
}

TEST(CommentCommand, IsReadFromTheEvent) {
  const Commented asking;
  const auto path = asking.folder() / "event.json";
  json event = {{"action", "created"},
                {"issue", {{"number", 12}, {"state", "open"}, {"pull_request", json::object()}}},
                {"comment", {{"body", "/tracker measure"}, {"user", {{"login", "ada"}}}}}};
  GitHubContext context;
  context.event_name = "issue_comment";
  context.event_path = path.string();
  const auto read = [&] {
    write_file(path, event.dump());
    return read_written_comment(context);
  };
  EXPECT_EQ(read().value().pull_request, 12);
  EXPECT_EQ(read().value().author, "ada");
  event["action"] = "edited";
  EXPECT_FALSE(read()) << "others may edit it";
  event["action"] = "created";
  event["issue"].erase("pull_request");
  EXPECT_FALSE(read());
  context.event_name = "push";
  EXPECT_THAT(error_of([&] { read(); }), StartsWith("2 | the event is 'push'"));
}

}  // namespace
}  // namespace tracker

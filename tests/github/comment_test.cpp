#include "tracker/github/comment.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/github/origin.hpp"
#include "tests/github/support.hpp"
#include "tracker/formats/config_file.hpp"

namespace tracker::github {
namespace {

using namespace testing_support;
using nlohmann::json;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;
using Way = FakeAnswer::Way;

const std::string kList = "/repos/o/r/issues/12/comments";
const std::string kMarker = "<!-- tracker-report -->\n";
constexpr const char* kBot = "github-actions[bot]";

struct CommentedPullRequest : FakeApi {
  FakeComments comments{server, "o/r", 12};

  CommentAnswer write(CommentRequest request) {
    request.repository = "o/r";
    request.pull_request = 12;
    ServiceApi api(options());
    return write_comment(api, request);
  }
  CommentAnswer write(const std::string& body) { return write(CommentRequest{.body = body}); }
  std::string sent(std::size_t request) const {
    return json::parse(server.requests().at(request).body).at("body");
  }
};

TEST(Comment, IsCreatedAndThenUpdatedInPlace) {
  CommentedPullRequest fake;
  EXPECT_EQ(fake.write("**1 regressed**\n").outcome, CommentOutcome::kCreated);
  EXPECT_EQ(fake.write("**Nothing regressed**\n").outcome, CommentOutcome::kUpdated);
  EXPECT_THAT(fake.server.calls(), ElementsAre("GET " + kList, "POST " + kList, "GET " + kList,
                                               "PATCH /repos/o/r/issues/comments/1001"));
  const auto all = fake.comments.all();
  ASSERT_THAT(all, SizeIs(1));
  EXPECT_EQ(all[0].body, kMarker + "**Nothing regressed**\n");
}

TEST(Comment, OfAMergeRequestIsANoteOfWhomTheTokenIs) {
  FakeApi fake;
  FakeComments notes(fake.server, "42", 7, "project_42_bot", FakeComments::Of::kGitLab);
  notes.put("a stranger", kMarker + "a quotation");
  fake.server.handle("GET /user", [](const FakeRequest&) {
    return FakeAnswer{200, R"({"username": "project_42_bot"})"};
  });
  auto options = fake.options();
  options.service = &gitlab_service();
  ServiceApi api(options);
  CommentRequest request{.repository = "42", .pull_request = 7, .author = token_author(api), .body = "one\n"};
  EXPECT_EQ(request.author, "project_42_bot");
  EXPECT_EQ(write_comment(api, request).outcome, CommentOutcome::kCreated);
  request.body = "two\n";
  EXPECT_EQ(write_comment(api, request).outcome, CommentOutcome::kUpdated);
  EXPECT_EQ(write_comment(api, request).outcome, CommentOutcome::kUnchanged);
  const std::string path = "/projects/42/merge_requests/7/notes";
  EXPECT_THAT(fake.server.calls(), ElementsAre("GET /user", "GET " + path, "POST " + path, "GET " + path,
                                               "PUT " + path + "/1002", "GET " + path));
  EXPECT_EQ(fake.server.requests().back().headers.at("private-token"), kToken);
  ASSERT_THAT(notes.all(), SizeIs(2));
  EXPECT_EQ(notes.all()[1].body, kMarker + "two\n");
}

TEST(Comment, GitLabRefusesInItsOwnName) {
  FakeApi fake;
  auto options = fake.options();
  options.service = &gitlab_service();
  ServiceApi api(options);
  fake.server.answer("GET /user", {401, R"({"message": "401 Unauthorized"})"});
  EXPECT_THAT(
      error_of([&] { token_author(api); }),
      AllOf(StartsWith("4 | GitLab answers 401 to 'GET /user': 401 Unauthorized"), Not(HasSubstr("GitHub"))));
}

TEST(Comment, ThatSaysTheSameIsNotSentAgain) {
  CommentedPullRequest fake;
  fake.comments.put(kBot, "<!-- tracker-report -->\r\nthe same\r\nagain");
  EXPECT_EQ(fake.write("the same\nagain\n\n").outcome, CommentOutcome::kUnchanged);
  EXPECT_THAT(fake.server.calls(), ElementsAre("GET " + kList));
}

TEST(Comment, IsFoundOnTheSecondPage) {
  CommentedPullRequest fake;
  for (int i = 0; i < 130; ++i) fake.comments.put("reader", "me too");
  fake.comments.put(kBot, kMarker + "old");
  EXPECT_EQ(fake.write("new").outcome, CommentOutcome::kUpdated);
  EXPECT_THAT(fake.server.calls(),
              ElementsAre("GET " + kList, "GET " + kList, "PATCH /repos/o/r/issues/comments/1131"));
  EXPECT_EQ(fake.server.requests().at(1).query, "per_page=100&page=2");
}

TEST(Comment, OfAStrangerWhoQuotesTheMarkerIsLeftAlone) {
  CommentedPullRequest fake;
  fake.comments.put("stranger", kMarker + "mine");
  fake.comments.put(kBot, "another tool's, that quotes:\n> <!-- tracker-report -->\n");
  fake.comments.put(kBot, "<!-- tracker-report -->x\n");
  EXPECT_EQ(fake.write("ours").outcome, CommentOutcome::kCreated);
  EXPECT_EQ(fake.comments.all().at(0).body, kMarker + "mine");
  EXPECT_EQ(fake.comments.all().size(), 4u);
}

TEST(Comment, OfAnotherKeyIsLeftAlone) {
  CommentedPullRequest fake;
  fake.write(CommentRequest{.key = "h200", .body = "one"});
  fake.write(CommentRequest{.key = "a100", .body = "two"});
  fake.write(CommentRequest{.key = "h200", .body = "three"});
  const auto all = fake.comments.all();
  ASSERT_THAT(all, SizeIs(2));
  EXPECT_EQ(all[0].body, "<!-- tracker-h200 -->\nthree\n");
  EXPECT_EQ(all[1].body, "<!-- tracker-a100 -->\ntwo\n");
  for (const char* bad : {"", "a--b", "a b", "-->", "é"})
    EXPECT_THAT(error_of([&] { comment_marker(bad); }), StartsWith("2 | --key")) << bad;
}

TEST(Comment, SaysWhereItsAuthorIsAnother) {
  CommentedPullRequest fake;
  EXPECT_EQ(fake.write(CommentRequest{.author = "Robot", .body = "x"}).author, kBot);
  EXPECT_EQ(fake.write(CommentRequest{.author = "GitHub-Actions[bot]", .body = "y"}).author, "");
  EXPECT_THAT(fake.comments.all(), SizeIs(1));
}

TEST(Comment, AForksTokenMayOnlyRead) {
  CommentedPullRequest fake;
  fake.server.answer("POST " + kList, {403, R"({"message": "Resource not accessible by integration"})"});
  const auto answer = fake.write("x");
  EXPECT_EQ(answer.outcome, CommentOutcome::kForbidden);
  EXPECT_THAT(answer.reason, HasSubstr("Resource not accessible by integration"));
  EXPECT_THAT(fake.pauses_ms, testing::IsEmpty());
}

TEST(Comment, ARateLimitIsNoFork) {
  CommentedPullRequest fake;
  fake.server.answer("POST " + kList,
                     {403, R"({"message": "API rate limit exceeded"})", {{"Retry-After", "3600"}}});
  EXPECT_THAT(error_of([&] { fake.write("x"); }),
              HasSubstr("4 | GitHub's rate limit is used up until 2026-11-20T13:00:00Z"));
}

TEST(Comment, TooLongForGitHubIsCutBeforeItIsSent) {
  CommentedPullRequest fake;
  std::string body = "headline\n<details><summary>all</summary>\n\n```\n";
  for (int i = 0; i < 5000; ++i) body += "row é " + std::to_string(i) + " of very many\n";
  body += "```\n</details>\nfooter\n";
  const auto answer =
      fake.write(CommentRequest{.body = body, .run_url = "https://github.com/o/r/actions/runs/7"});
  EXPECT_TRUE(answer.was_cut);
  const std::string sent = fake.sent(1);
  EXPECT_LE(character_count(sent), kCommentLengthMax);
  EXPECT_GT(character_count(sent), kCommentLengthMax - 1000);
  EXPECT_THAT(sent, StartsWith(kMarker + "headline\n"));
  EXPECT_THAT(sent, HasSubstr("of very many\n```\n</details>\n\n**This comment is cut: the report has "));
  EXPECT_THAT(sent, EndsWith("[summary of the run](https://github.com/o/r/actions/runs/7).\n"));
}

TEST(Comment, TooLongByGitHubsOwnCountIsCutAndSentOnceMore) {
  CommentedPullRequest fake;
  const FakeAnswer too_long{422, R"json({"message": "Validation Failed", "errors":
      [{"message": "body is too long (maximum is 65536 characters)"}]})json"};
  fake.server.answer("POST " + kList, too_long);
  std::string body;
  for (int i = 0; i < 2000; ++i) body += "a line of text " + std::to_string(i) + "\n";
  const auto answer = fake.write(body);
  EXPECT_EQ(answer.outcome, CommentOutcome::kCreated);
  EXPECT_TRUE(answer.was_cut);
  EXPECT_EQ(fake.sent(1), kMarker + body);
  EXPECT_LE(character_count(fake.sent(3)), kCommentLengthMax / 4);
  EXPECT_THAT(fake.sent(3), HasSubstr("This comment is cut"));

  CommentedPullRequest again;
  again.server.answer("POST " + kList, too_long);
  again.server.answer("POST " + kList, too_long);
  EXPECT_THAT(error_of([&] { again.write(body); }), HasSubstr("too long"));
}

TEST(Comment, OneLongLineIsCutBetweenCharacters) {
  std::string body;
  for (int i = 0; i < 70'000; ++i) body += "é";
  bool was_cut = false;
  const std::string text = comment_text({.body = body}, kCommentLengthMax, was_cut);
  EXPECT_TRUE(was_cut);
  EXPECT_EQ(text.find("\xc3\n"), std::string::npos);
  EXPECT_LE(character_count(text), kCommentLengthMax);
}

TEST(Comment, HasItsMarkerOnce) {
  bool was_cut = true;
  EXPECT_EQ(comment_text({.body = "text\r\n<!-- tracker-report -->\r\n"}, kCommentLengthMax, was_cut),
            kMarker + "text\n");
  EXPECT_FALSE(was_cut);
}

TEST(Comment, WhoseAnswerGotLostIsNotWrittenTwice) {
  CommentedPullRequest fake;
  fake.server.handle("POST " + kList, [&](const FakeRequest& request) {
    fake.comments.put(kBot, json::parse(request.body).at("body"));
    return FakeAnswer{200, "", {}, Way::kNone};
  });
  EXPECT_EQ(fake.write("x").outcome, CommentOutcome::kCreated);
  EXPECT_THAT(fake.server.calls(), ElementsAre("GET " + kList, "POST " + kList, "GET " + kList));
  EXPECT_THAT(fake.comments.all(), SizeIs(1));
}

TEST(Comment, ThatGotLostItselfIsWrittenAgain) {
  CommentedPullRequest fake;
  fake.server.answer("POST " + kList, {502, "<html>"});
  EXPECT_EQ(fake.write("x").outcome, CommentOutcome::kCreated);
  EXPECT_THAT(fake.comments.all(), SizeIs(1));
}

TEST(Comment, ANetworkThatFailsIsSaid) {
  CommentedPullRequest fake;
  fake.server.handle("GET " + kList, [](const FakeRequest&) { return FakeAnswer{200, "", {}, Way::kNone}; });
  EXPECT_THAT(error_of([&] { fake.write("x"); }), StartsWith("4 | no answer to 'GET " + kList + "'"));
  EXPECT_THAT(fake.server.calls(), SizeIs(6));
}

TEST(Comment, AListOfOddThingsIsNoList) {
  CommentedPullRequest fake;
  fake.server.answer("GET " + kList, {200, R"([null, 1, {}, {"user": null, "body": null},
      {"user": {"login": "github-actions[bot]"}, "body": "<!-- tracker-report -->\nno id"},
      {"id": "../1", "user": {"login": "github-actions[bot]"}, "body": "<!-- tracker-report -->"}])"});
  EXPECT_EQ(fake.write("x").outcome, CommentOutcome::kCreated);
}

// Comments that ask for something, from anybody: what is done, in a clone of a bare origin, with a server in
// place of GitHub's API.

const std::string kRuns = "/repos/o/r/actions/workflows/perf.yml/runs";

struct Commented : ClonedOrigin, FakeApi {
  std::string head = commit("kernel.cu", "slow\n");
  repo::Repository repository = repo::Repository::open(root());
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
    return answer_command(api, repository, repo::GitRemote(repository, "origin"),
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
  const auto accepted = formats::parse_config(asking.config(), "tracker.toml").policy.accepted;
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
  EXPECT_EQ(formats::parse_config(asking.config(), "tracker.toml").policy.accepted.size(), 2u);
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
  Context context;
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

}  // namespace tracker::github

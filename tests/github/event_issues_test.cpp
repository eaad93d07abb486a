#include "tracker/github/event_issues.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/github/support.hpp"

namespace tracker::github {
namespace {

using namespace testing_support;
using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string kIssues = "/repos/o/r/issues";
const std::string kHere = std::string(40, 'a');
const std::string kBeside = std::string(40, 'b');

json issue_json(int number, const std::string& author, const std::string& title, const std::string& body) {
  return {{"number", number}, {"user", {{"login", author}}}, {"title", title}, {"body", body}};
}

EventIssue event_issue(IssueAction action, const std::string& body = "slower\n") {
  return {{kHere, kBeside}, "12 % slower", body, action};
}

// A repository with these open issues.
struct Issues : FakeApi {
  explicit Issues(const json& open = json::array()) {
    server.handle("GET " + kIssues, [open](const FakeRequest&) { return FakeAnswer{.body = open.dump()}; });
    server.answer("POST " + kIssues, {.status = 201, .body = R"({"number": 7})"});
    server.handle("PATCH " + kIssues + "/3", [](const FakeRequest&) { return FakeAnswer{.body = "{}"}; });
  }
  EventIssuesAnswer write(std::vector<EventIssue> events) {
    ServiceApi api(options());
    return write_event_issues(api, {.repository = "o/r", .events = std::move(events)});
  }
  json sent() const { return json::parse(server.requests().back().body); }
};

const char* const kIssueBot = "github-actions[bot]";

TEST(EventIssues, OpensOneForARegression) {
  Issues fake;
  const auto answer = fake.write({event_issue(IssueAction::kOpen)});
  ASSERT_EQ(answer.issues.size(), 1u);
  EXPECT_EQ(answer.issues[0].outcome, IssueOutcome::kOpened);
  EXPECT_EQ(answer.issues[0].number, 7);
  EXPECT_EQ(fake.sent().at("body"), "<!-- tracker-event " + kHere + " -->\nslower\n");
  EXPECT_EQ(fake.sent().at("title"), "12 % slower");
  EXPECT_THAT(fake.server.requests().front().query, HasSubstr("state=open"));
}

TEST(EventIssues, OpensNoneForWhatIsOldOrOver) {
  Issues fake;
  EXPECT_TRUE(
      fake.write({event_issue(IssueAction::kUpdate), event_issue(IssueAction::kClose)}).issues.empty());
  EXPECT_THAT(fake.server.calls(), ElementsAre("GET " + kIssues));
}

// More runs may show that it was the commit beside.
TEST(EventIssues, UpdatesTheOneOfAnyOfItsCommits) {
  Issues fake(json::array({issue_json(3, kIssueBot, "10 % slower", event_marker(kBeside) + "\nold\n")}));
  const auto answer = fake.write({event_issue(IssueAction::kOpen)});
  ASSERT_EQ(answer.issues.size(), 1u);
  EXPECT_EQ(answer.issues[0].outcome, IssueOutcome::kUpdated);
  EXPECT_EQ(fake.sent().at("body"), event_marker(kBeside) + "\nslower\n") << "it stays under its commit";
  EXPECT_FALSE(fake.sent().contains("state"));
}

// A step may lie within a drift, at the very commit that names it.
TEST(EventIssues, OfADriftAreNotThoseOfAStep) {
  Issues fake(
      json::array({issue_json(3, kIssueBot, "creeps", event_marker(kHere, IssueKind::kDrift) + "\nold\n")}));
  EventIssue drift = event_issue(IssueAction::kOpen, "creeps on\n");
  drift.kind = IssueKind::kDrift;
  const auto answer = fake.write({event_issue(IssueAction::kOpen), drift});
  ASSERT_EQ(answer.issues.size(), 2u);
  EXPECT_EQ(answer.issues[0].outcome, IssueOutcome::kOpened);
  EXPECT_EQ(answer.issues[1].outcome, IssueOutcome::kUpdated);
  EXPECT_EQ(fake.sent().at("body"), "<!-- tracker-drift " + kHere + " -->\ncreeps on\n");
}

TEST(EventIssues, ThatSayTheSameAreNotSentAgain) {
  Issues fake(json::array({issue_json(3, kIssueBot, "12 % slower", event_marker(kHere) + "\r\nslower")}));
  EXPECT_EQ(fake.write({event_issue(IssueAction::kOpen)}).issues.at(0).outcome, IssueOutcome::kUnchanged);
  EXPECT_THAT(fake.server.calls(), ElementsAre("GET " + kIssues));
}

TEST(EventIssues, AreClosedOnceMendedOrAccepted) {
  Issues fake(json::array({issue_json(3, kIssueBot, "12 % slower", event_marker(kHere) + "\nslower\n")}));
  EXPECT_EQ(fake.write({event_issue(IssueAction::kClose, "mended\n")}).issues.at(0).outcome,
            IssueOutcome::kClosed);
  EXPECT_EQ(fake.sent().at("state"), "closed");
  EXPECT_THAT(fake.sent().at("body").get<std::string>(), HasSubstr("mended"));
}

TEST(EventIssues, AreClosedWhereNewerRunsShowNothing) {
  Issues fake(json::array({issue_json(3, kIssueBot, "12 % slower", event_marker(kHere) + "\nslower\n")}));
  EXPECT_EQ(fake.write({}).issues.at(0).outcome, IssueOutcome::kClosed);
  EXPECT_THAT(fake.sent().at("body").get<std::string>(), HasSubstr("do not show this change any more"));
}

TEST(EventIssues, OfOthersAreLeftAlone) {
  json request = issue_json(3, kIssueBot, "a pull request", event_marker(kHere) + "\n");
  request["pull_request"] = json::object();
  Issues fake(json::array({request, issue_json(4, "stranger", "quoted", event_marker(kHere) + "\nx"),
                           issue_json(5, kIssueBot, "no marker", "x"),
                           issue_json(6, kIssueBot, "no id", "<!-- tracker-event main -->\n"),
                           issue_json(8, kIssueBot, "later", "x\n" + event_marker(kHere))}));
  EXPECT_TRUE(fake.write({}).issues.empty());
  EXPECT_THAT(fake.server.calls(), ElementsAre("GET " + kIssues));
}

TEST(EventIssues, ATokenThatOnlyReadsIsSaid) {
  FakeApi other;
  other.server.handle("GET " + kIssues, [](const FakeRequest&) { return FakeAnswer{.body = "[]"}; });
  other.server.answer("POST " + kIssues,
                      {.status = 403, .body = R"({"message": "Resource not accessible by integration"})"});
  ServiceApi api(other.options());
  const auto answer =
      write_event_issues(api, {.repository = "o/r", .events = {event_issue(IssueAction::kOpen)}});
  EXPECT_THAT(answer.forbidden, HasSubstr("Resource not accessible"));
}

TEST(EventIssues, LongOnesAreCut) {
  Issues fake;
  fake.write({event_issue(IssueAction::kOpen, std::string(70'000, 'x') + "\n")});
  const std::string body = fake.sent().at("body");
  EXPECT_LT(body.size(), 20'000u);
  EXPECT_THAT(body, HasSubstr("(cut: longer than GitHub takes)"));
}

}  // namespace
}  // namespace tracker::github

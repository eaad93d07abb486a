#include "tracker/github/event.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/github/support.hpp"

namespace tracker {
namespace {

using namespace testing_support;
using nlohmann::json;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string kHead(40, 'a');

json pull_request_event() {
  return {
      {"action", "synchronize"},
      {"number", 12},
      {"repository", {{"full_name", "o/r"}, {"default_branch", "main"}}},
      {"pull_request",
       {{"number", 12},
        {"title", "`rm -rf`"},
        {"head", {{"ref", "topic"}, {"sha", kHead}, {"repo", {{"full_name", "friend/r"}, {"fork", true}}}}},
        {"base", {{"ref", "main"}, {"sha", std::string(40, 'b')}, {"repo", {{"full_name", "o/r"}}}}}}}};
}

json workflow_run_event() {
  return {{"action", "completed"},
          {"repository", {{"full_name", "o/r"}, {"default_branch", "main"}}},
          {"workflow_run",
           {{"id", 30433642},
            {"event", "pull_request"},
            {"head_sha", kHead},
            {"head_branch", "topic"},
            {"head_repository", {{"full_name", "friend/r"}}},
            {"pull_requests", json::array({{{"number", 12}}, {{"number", 13}}})}}}};
}

json push_event() {
  return {{"ref", "refs/heads/main"}, {"before", std::string(40, 'b')},
          {"after", kHead},           {"created", false},
          {"deleted", false},         {"repository", {{"full_name", "o/r"}, {"default_branch", "main"}}}};
}

Event parse(const std::string& name, const json& document) {
  return parse_event(name, document.dump(), "event.json");
}

TEST(Event, OfAPullRequest) {
  const auto event = parse("pull_request", pull_request_event());
  EXPECT_EQ(word_for(event.kind), "pull-request");
  ASSERT_TRUE(event.pull_request.has_value());
  EXPECT_EQ(event.pull_request->number, 12);
  EXPECT_EQ(event.pull_request->head, kHead);
  EXPECT_EQ(event.pull_request->head_repository, "friend/r");
  EXPECT_EQ(event.pull_request->base_branch, "main");
  auto deleted_fork = pull_request_event();
  deleted_fork["pull_request"]["head"]["repo"] = nullptr;
  EXPECT_EQ(parse("pull_request", deleted_fork).pull_request->head_repository, "");
}

TEST(Event, OfAPush) {
  const auto event = parse("push", push_event());
  EXPECT_EQ(event.push->ref, "refs/heads/main");
  EXPECT_EQ(event.push->before, std::string(40, 'b'));
  EXPECT_EQ(event.default_branch, "main");
  auto created = push_event();
  created["before"] = std::string(40, '0');
  EXPECT_EQ(parse("push", created).push->before, "");
}

TEST(Event, OfARunThatEnded) {
  const auto event = parse("workflow_run", workflow_run_event());
  EXPECT_EQ(event.ended_run->head, kHead);
  EXPECT_EQ(event.ended_run->head_repository, "friend/r");
  EXPECT_THAT(event.ended_run->pull_requests, ElementsAre(12, 13));
  auto gone = workflow_run_event();
  gone["workflow_run"]["head_branch"] = nullptr;
  gone["workflow_run"]["head_repository"] = nullptr;
  EXPECT_EQ(parse("workflow_run", gone).ended_run->head_branch, "");
}

TEST(Event, ThatHasNothingOfItsOwn) {
  for (const char* name : {"schedule", "workflow_dispatch", "repository_dispatch"})
    EXPECT_EQ(parse(name, {{"schedule", "0 3 * * *"}}).pull_request, std::nullopt) << name;
}

TEST(Event, OfAnotherKindIsRefused) {
  EXPECT_THAT(error_of([] { parse("issues", json::object()); }),
              AllOf(StartsWith("2 | nothing can be compared for the event 'issues'"),
                    HasSubstr("pull_request, push")));
  EXPECT_THAT(error_of([] { parse("pull_request_target", pull_request_event()); }),
              HasSubstr("a stranger's code would run with a token that writes"));
}

struct Hostile {
  const char* name;
  const char* event;
  const char* where;  // a JSON pointer
  json value;
  const char* message;
};

class HostileEventTest : public testing::TestWithParam<Hostile> {};

TEST_P(HostileEventTest, IsRefusedByName) {
  const auto& row = GetParam();
  json document = std::string(row.event) == "push"           ? push_event()
                  : std::string(row.event) == "workflow_run" ? workflow_run_event()
                                                             : pull_request_event();
  document[json::json_pointer(row.where)] = row.value;
  EXPECT_THAT(error_of([&] { parse(row.event, document); }),
              AllOf(StartsWith("2 | 'event.json'"), HasSubstr(row.message)));
}

INSTANTIATE_TEST_SUITE_P(
    Event, HostileEventTest,
    testing::Values(
        Hostile{"ShaIsAnOption", "pull_request", "/pull_request/head/sha", "--upload-pack=x",
                "head.sha: expected a commit's 40"},
        Hostile{"ShaIsANumber", "pull_request", "/pull_request/head/sha", 7, "head.sha: expected a text"},
        Hostile{"BranchIsAnOption", "pull_request", "/pull_request/base/ref", "-x",
                "base.ref: expected a branch"},
        Hostile{"BranchHasALineEnd", "pull_request", "/pull_request/base/ref", "main\nbase=evil", "base.ref"},
        Hostile{"BranchClimbs", "workflow_run", "/workflow_run/head_branch", "a/../../b",
                "head_branch: expected a branch"},
        Hostile{"RepositoryClimbs", "workflow_run", "/workflow_run/head_repository/full_name", "../x",
                "head_repository"},
        Hostile{"NumberIsNegative", "pull_request", "/pull_request/number", -1,
                "number: expected a number above zero"},
        Hostile{"NumberIsHuge", "pull_request", "/pull_request/number", 1e300, "number"},
        Hostile{"NumberIsAText", "workflow_run", "/workflow_run/pull_requests/0/number", "12", "number"},
        Hostile{"ManyPullRequests", "workflow_run", "/workflow_run/pull_requests",
                json::array_t(21, {{"number", 1}}), "at most 20"},
        Hostile{"RefIsNone", "push", "/ref", "main", "ref: expected a ref"},
        Hostile{"NothingThere", "pull_request", "/pull_request", json::object(), "pull_request: no 'head'"}),
    [](const auto& row) { return row.param.name; });

TEST(Event, FileIsReadWithCare) {
  const ScratchFolder folder;
  GitHubContext context;
  EXPECT_THAT(error_of([&] { read_event(context); }), StartsWith("2 | GITHUB_EVENT_NAME is not set"));
  context.event_name = "push";
  EXPECT_THAT(error_of([&] { read_event(context); }), StartsWith("2 | GITHUB_EVENT_PATH is not set"));
  context.event_path = (folder.path() / "event.json").string();
  EXPECT_THAT(error_of([&] { read_event(context); }), HasSubstr("event.json'"));
  for (const std::string& text :
       {std::string("{"), std::string("[]"), std::string("\xff"), std::string(5000, '[')}) {
    write_file(context.event_path, text);
    EXPECT_THAT(error_of([&] { read_event(context); }), StartsWith("2 | '" + context.event_path + "'"));
  }
  fs::resize_file(context.event_path, std::uintmax_t{1} << 30);
  EXPECT_THAT(error_of([&] { read_event(context); }), HasSubstr("is larger than 32 MiB"));
}

}  // namespace
}  // namespace tracker

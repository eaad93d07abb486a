#include "tracker/github/event.hpp"

#include <map>
#include <optional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/github/support.hpp"

namespace tracker::github {
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

TEST(Event, ThatLacksWhatItIsOfIsRefused) {
  for (const char* name : {"pull_request", "push", "merge_group", "workflow_run"})
    EXPECT_THAT(error_of([&] { parse(name, json::object()); }), StartsWith("2 | ")) << name;
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
  Context context;
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

// What an event is about, in real repositories whose history is that of the event.

namespace {

using namespace testing_support;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// main: first ─ second ─ third, topic: second ─ head, merge: third + head, as GitHub makes it.
struct History : ScratchRepository {
  std::string first = commit("a", "1");
  std::string second = commit("a", "2");
  std::string head;
  std::string third;
  std::string merge;
  Context context;

  History() {
    git({"checkout", "--quiet", "-b", "topic"});
    head = commit("b", "1");
    git({"checkout", "--quiet", "main"});
    third = commit("a", "3");
    git({"checkout", "--quiet", "--detach"});
    git({"merge", "--quiet", "--no-ff", "--message", "merge", head});
    merge = git({"rev-parse", "HEAD"});
    context.repository = "o/r";
  }
  void check_out(const std::string& commit_id) const { git({"checkout", "--quiet", "--detach", commit_id}); }
  WhatToCompare decide(const Event& event, bool has_baseline = false) const {
    return what_to_compare(repo::Repository::open(root()), context, event, has_baseline);
  }
  Event pull_request(const std::string& head_repository = "o/r") const {
    return {.kind = EventKind::kPullRequest,
            .default_branch = "main",
            .pull_request = PullRequest{12, head, head_repository, "main"}};
  }
  // A clone that holds as many commits of a commit as a checkout with that depth.
  fs::path shallow(const std::string& commit_id, const std::string& depth) const {
    const auto path = folder() / ("depth-" + depth);
    git({"branch", "--force", "to-clone", commit_id});
    git({"clone", "--quiet", "--depth", depth, "--branch", "to-clone", "file://" + root().string(),
         path.string()});
    return path;
  }
};

Event push(const std::string& ref, const std::string& before) {
  return {.kind = EventKind::kPush, .default_branch = "main", .push = Push{.ref = ref, .before = before}};
}

using Set = std::map<std::string, std::string>;

std::optional<CiJob> job_of(const Set& set) {
  return read_ci_job([&](const char* name) {
    const auto found = set.find(name);
    return found == set.end() ? "" : found->second;
  });
}

// Each row of the table, by its own variables and by ours, which go before them.
TEST(WhatToCompare, OtherServicesSayItByTheirVariables) {
  EXPECT_FALSE(job_of({{"CI", "true"}}));
  for (const auto& service : ci_services()) {
    SCOPED_TRACE(service.name);
    Set set{{service.sign, "1"}};
    EXPECT_EQ(job_of(set)->event.kind, EventKind::kManual) << "neither pushed nor a pull request";
    set[service.branch] = "refs/heads/dev";
    EXPECT_EQ(job_of(set)->event.push.value().ref, "refs/heads/dev");
    EXPECT_EQ(job_of(set)->event.push.value().before, "");
    set["TRACKER_CI_BEFORE"] = std::string(40, 'a');
    EXPECT_EQ(job_of(set)->event.push.value().before, std::string(40, 'a'));
    set[service.request] = "false";
    EXPECT_EQ(job_of(set)->event.kind, EventKind::kPush);
    set[service.request] = "https://forge.example/o/r/pull/12";
    if (*service.target_branch == '\0') {
      EXPECT_THAT(error_of([&] { job_of(set); }), HasSubstr("set TRACKER_CI_TARGET_BRANCH"));
    }
    set["TRACKER_CI_TARGET_BRANCH"] = "main";
    EXPECT_EQ(job_of(set)->event.pull_request.value().number, 12);
    EXPECT_EQ(job_of(set)->event.pull_request.value().base_branch, "main");
    set["TRACKER_CI_TARGET_BRANCH"] = "--upload-pack=x";
    EXPECT_THAT(error_of([&] { job_of(set); }), HasSubstr("is no name of a branch"));
  }
}

// A merge of the pull request and its head itself: both left the target branch at the same commit.
TEST(WhatToCompare, InOtherServicesAPullRequestIsHeldAgainstWhereItLeft) {
  History history;
  history.git({"update-ref", "refs/remotes/origin/main", history.third});
  history.context.is_github = false;
  const Event event = job_of({{"GITLAB_CI", "true"},
                              {"CI_MERGE_REQUEST_IID", "12"},
                              {"CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "main"}})
                          ->event;
  EXPECT_EQ(history.decide(event).base, history.third);
  EXPECT_FALSE(history.decide(event).may_write) << "there is no token";
  history.check_out(history.head);
  EXPECT_EQ(history.decide(event).base, history.second);
  EXPECT_EQ(history.decide(event).pull_request, 12);
}

TEST(WhatToCompare, APullRequestsMergeIsHeldAgainstItsOtherParent) {
  History history;
  const auto what = history.decide(history.pull_request());
  EXPECT_EQ(what.candidate, history.merge);
  EXPECT_EQ(what.base, history.third);
  EXPECT_EQ(what.head, history.head);
  EXPECT_EQ(what.pull_request, 12);
  EXPECT_TRUE(what.may_write);
  EXPECT_FALSE(what.record || what.fork || what.skip);
  EXPECT_EQ(output_lines(outputs_of(what)), "kind=pull-request\nbase=" + history.third + "\ncandidate=" +
                                                history.merge + "\npull-request=12\nhead=" + history.head +
                                                "\nrecord=false\nmay-write=true\nfork=false\nskip=false\n");
}

TEST(WhatToCompare, APullRequestsHeadIsHeldAgainstWhereItLeft) {
  History history;
  history.check_out(history.head);
  EXPECT_THAT(
      error_of([&] { history.decide(history.pull_request()); }),
      AllOf(StartsWith("2 | this clone does not hold the branch 'main'"), HasSubstr("fetch-depth: 0")));
  history.git({"update-ref", "refs/remotes/origin/main", history.third});
  const auto what = history.decide(history.pull_request());
  EXPECT_EQ(what.candidate, history.head);
  EXPECT_EQ(what.base, history.second);
}

TEST(WhatToCompare, AForkMayNotWrite) {
  History history;
  for (const char* from : {"friend/r", ""}) {
    const auto what = history.decide(history.pull_request(from));
    EXPECT_TRUE(what.fork) << from;
    EXPECT_FALSE(what.may_write) << from;
  }
  EXPECT_FALSE(history.decide(history.pull_request("O/R")).fork);
  history.context.actor = "dependabot[bot]";
  EXPECT_FALSE(history.decide(history.pull_request()).may_write);
}

TEST(WhatToCompare, ACheckoutOfSomethingElseIsRefused) {
  History history;
  for (const auto& other : {history.third, history.first}) {
    history.check_out(other);
    EXPECT_THAT(error_of([&] { history.decide(history.pull_request()); }),
                StartsWith("2 | the commit that is checked out, '" + other.substr(0, 10) +
                           "', is neither the merge"));
  }
}

TEST(WhatToCompare, AShallowCloneSaysWhatItNeeds) {
  History history;
  const auto at_depth = [&](const std::string& depth) {
    return repo::Repository::open(history.shallow(history.merge, depth));
  };
  EXPECT_THAT(
      error_of([&] { what_to_compare(at_depth("1"), history.context, history.pull_request(), false); }),
      AllOf(StartsWith("4 | this clone is shallow"), HasSubstr("fetch-depth: 0")));
  EXPECT_EQ(what_to_compare(at_depth("2"), history.context, history.pull_request(), false).base,
            history.third);
}

TEST(WhatToCompare, APushIsHeldAgainstWhatWasThereBefore) {
  History history;
  history.check_out(history.third);
  const auto what = history.decide(push("refs/heads/main", history.first));
  EXPECT_EQ(what.base, history.first);
  EXPECT_EQ(what.candidate, history.third);
  EXPECT_TRUE(what.record);
  EXPECT_EQ(what.pull_request, std::nullopt);
  EXPECT_FALSE(history.decide(push("refs/heads/topic", history.first)).record);
  EXPECT_FALSE(history.decide(push("refs/tags/main", history.first)).record);
}

TEST(WhatToCompare, ANewOrRewrittenBranchIsHeldAgainstItsParent) {
  History history;
  history.check_out(history.third);
  for (const auto& before : {std::string(), history.head, std::string(40, '1'), history.third}) {
    const auto what = history.decide(push("refs/heads/topic", before));
    EXPECT_EQ(what.base, history.second) << before;
    EXPECT_THAT(what.reason, HasSubstr("against its parent")) << before;
  }
}

TEST(WhatToCompare, AFirstCommitHasNothingBefore) {
  History history;
  history.check_out(history.first);
  const auto what = history.decide(push("refs/heads/main", ""));
  EXPECT_EQ(what.base, "");
  EXPECT_EQ(what.candidate, history.first);
  EXPECT_TRUE(what.record);
  EXPECT_FALSE(what.skip);
  EXPECT_THAT(what.reason, HasSubstr("is the first commit: there is nothing to compare it with"));
}

TEST(WhatToCompare, AShallowPushIsNotTakenForAFirstCommit) {
  History history;
  const auto clone = repo::Repository::open(history.shallow(history.third, "1"));
  for (const auto& before : {std::string(), history.second})
    EXPECT_THAT(
        error_of([&] { what_to_compare(clone, history.context, push("refs/heads/main", before), false); }),
        StartsWith("4 | this clone is shallow"))
        << before;
}

TEST(WhatToCompare, ADeletedBranchIsSkipped) {
  History history;
  auto event = push("refs/heads/topic", history.head);
  event.push->deleted = true;
  EXPECT_TRUE(history.decide(event).skip);
}

TEST(WhatToCompare, AScheduleIsHeldAgainstTheBaselineWhereThereIsOne) {
  History history;
  history.check_out(history.third);
  for (const auto kind : {EventKind::kSchedule, EventKind::kManual}) {
    EXPECT_EQ(history.decide({.kind = kind}, true).base, "baseline");
    EXPECT_EQ(history.decide({.kind = kind}, false).base, history.second);
  }
}

TEST(WhatToCompare, WhatIsOfTheDefaultBranchIsRecorded) {
  History history;
  history.check_out(history.third);
  const auto is_recorded = [&](EventKind kind, const std::string& ref) {
    history.context.ref = ref;
    return history.decide({.kind = kind, .default_branch = "main"}).record;
  };
  EXPECT_TRUE(is_recorded(EventKind::kSchedule, "refs/heads/main"));
  EXPECT_TRUE(is_recorded(EventKind::kManual, "refs/heads/main"));
  EXPECT_FALSE(is_recorded(EventKind::kManual, "refs/heads/topic"));
  EXPECT_FALSE(is_recorded(EventKind::kManual, "refs/tags/main"));
  EXPECT_FALSE(is_recorded(EventKind::kManual, ""));
}

TEST(WhatToCompare, AMergeGroupIsHeldAgainstItsBase) {
  History history;
  EXPECT_EQ(history.decide({.kind = EventKind::kMergeGroup, .merge_group_base = history.second}).base,
            history.second);
  EXPECT_EQ(history.decide({.kind = EventKind::kMergeGroup, .merge_group_base = std::string(40, '1')}).base,
            history.third);
}

}  // namespace

}  // namespace tracker::github

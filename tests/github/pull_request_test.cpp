// The trusted side: which pull request a run was for, and which commits belong to it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/github/support.hpp"
#include "tracker/github/event.hpp"

namespace tracker::github {
namespace {

using namespace testing_support;
using nlohmann::json;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

const std::string kPullRequestHead(40, 'a');
const std::string kOther(40, 'c');

json listed(int number, const std::string& head, const std::string& repository = "friend/r",
            const std::string& state = "open") {
  return {{"number", number},
          {"state", state},
          {"head", {{"sha", head}, {"repo", {{"full_name", repository}}}}},
          {"base", {{"ref", "main"}}}};
}

struct Asking : FakeApi {
  Event event{.kind = EventKind::kWorkflowRun,
              .ended_run = EndedRun{.event = "pull_request",
                                    .head = kPullRequestHead,
                                    .head_branch = "a&b#c",
                                    .head_repository = "friend/r"}};
  PullRequest request;

  WhatToCompare ask() {
    ServiceApi api(options());
    return what_ended_run_is_about(api, "o/r", event, request);
  }
  WhatToCompare ask_with(const json& list) {
    server.answer("GET /repos/o/r/pulls", {200, list.dump()});
    return ask();
  }
};

TEST(EndedRun, OfAForkIsFoundByItsBranchAndHead) {
  Asking asking;
  const auto what = asking.ask_with({listed(11, kOther), listed(12, kPullRequestHead)});
  EXPECT_EQ(what.pull_request, 12);
  EXPECT_EQ(what.head, kPullRequestHead);
  EXPECT_TRUE(what.fork);
  EXPECT_TRUE(what.may_write);
  EXPECT_FALSE(what.skip);
  EXPECT_EQ(asking.request.base_branch, "main");
  EXPECT_EQ(asking.server.requests().at(0).query, "state=open&head=friend%3Aa%26b%23c&per_page=100");
}

TEST(EndedRun, OfAForkThatHasMovedOnIsSkipped) {
  Asking asking;
  const auto what = asking.ask_with(json::array({listed(12, kOther)}));
  EXPECT_TRUE(what.skip);
  EXPECT_EQ(what.pull_request, std::nullopt);
  EXPECT_EQ(what.reason, "pull request 12 has moved on from 'aaaaaaaaaa' to 'cccccccccc'");
}

TEST(EndedRun, OfAClosedPullRequestIsSkipped) {
  Asking asking;
  const auto what = asking.ask_with(json::array());
  EXPECT_TRUE(what.skip);
  EXPECT_EQ(what.reason, "no open pull request comes from 'friend:a&b#c'");
}

TEST(EndedRun, OfAnotherForkOfTheSameOwnerIsNotTaken) {
  Asking asking;
  EXPECT_TRUE(asking.ask_with(json::array({listed(12, kPullRequestHead, "friend/other")})).skip);
}

TEST(EndedRun, OfABranchOfThisRepositoryIsAskedForByNumber) {
  Asking asking;
  asking.event.ended_run->pull_requests = {11, 12};
  asking.event.ended_run->head_repository = "o/r";
  asking.server.answer("GET /repos/o/r/pulls/11",
                       {200, listed(11, kPullRequestHead, "o/r", "closed").dump()});
  asking.server.answer("GET /repos/o/r/pulls/12", {200, listed(12, kPullRequestHead, "o/r").dump()});
  const auto what = asking.ask();
  EXPECT_EQ(what.pull_request, 12);
  EXPECT_FALSE(what.fork);
  asking.server.answer("GET /repos/o/r/pulls/11", {200, listed(11, kOther, "o/r").dump()});
  asking.server.answer("GET /repos/o/r/pulls/12",
                       {200, listed(12, kPullRequestHead, "o/r", "closed").dump()});
  EXPECT_TRUE(asking.ask().skip);
}

TEST(EndedRun, OfAPushIsSkippedWithoutAsking) {
  Asking asking;
  asking.event.ended_run->event = "push";
  const auto what = asking.ask();
  EXPECT_TRUE(what.skip);
  EXPECT_EQ(what.reason, "the run was for 'push' and no pull request");
  EXPECT_THAT(asking.server.calls(), IsEmpty());
}

TEST(EndedRun, WhoseBranchIsGoneIsSkipped) {
  Asking asking;
  asking.event.ended_run->head_repository = "";
  EXPECT_TRUE(asking.ask().skip);
}

TEST(EndedRun, AnAnswerOfAnotherShapeIsSaid) {
  Asking asking;
  EXPECT_THAT(error_of([&] {
                asking.ask_with(json::array({{{"number", "12"}}}));
              }),
              StartsWith("4 | GitHub's pull request.number: expected a whole number"));
  auto hostile = listed(12, kPullRequestHead);
  hostile["base"]["ref"] = "--upload-pack=x";
  EXPECT_THAT(error_of([&] { asking.ask_with(json::array({hostile})); }),
              StartsWith("4 | GitHub's pull request"));
}

// origin with main (first ─ second), and a stranger's head on first at refs/pull/12/head; the clone has main
// alone.
struct Origin : ScratchRepository {
  std::string first = commit("a", "1");
  std::string second = commit("a", "2");
  std::string head;
  std::string merge;
  fs::path bare = folder() / "origin.git";
  fs::path clone = folder() / "clone";

  Origin() {
    git({"checkout", "--quiet", "--detach", first});
    head = commit("b", "1");
    merge = merged(second, head);
    git({"clone", "--quiet", "--bare", root().string(), bare.string()});
    put("refs/pull/12/head", head);
    put("refs/pull/12/merge", merge);
    testing_support::git(folder(), {"clone", "--quiet", "file://" + bare.string(), clone.string()});
  }
  std::string merged(const std::string& base, const std::string& other) {
    git({"checkout", "--quiet", "--detach", base});
    git({"merge", "--quiet", "--no-ff", "--message", "merge", other});
    return git({"rev-parse", "HEAD"});
  }
  void put(const std::string& ref, const std::string& id) const {
    git({"push", "--quiet", "--force", bare.string(), id + ":" + ref});
  }
  WhatToCompare take(const std::string& claim,
                     const std::string& run_created_at = "2000-01-01T00:00:00Z") const {
    const auto repository = repo::Repository::open(clone);
    WhatToCompare what;
    take_candidate(repository, repo::GitRemote(repository, "origin"),
                   PullRequest{12, head, "friend/r", "main"}, run_created_at, claim, what);
    return what;
  }
};

TEST(TakeCandidate, TheMergeIsHeldAgainstItsParentOnTheBaseBranch) {
  Origin origin;
  const auto what = origin.take(origin.merge);
  EXPECT_EQ(what.candidate, origin.merge);
  EXPECT_EQ(what.base, origin.second);
  EXPECT_FALSE(what.skip);
  EXPECT_EQ(testing_support::git(origin.clone, {"for-each-ref", "refs/tracker-remotes"}), "");
}

TEST(TakeCandidate, TheHeadIsHeldAgainstWhereItLeft) {
  Origin origin;
  const auto what = origin.take(origin.head);
  EXPECT_EQ(what.candidate, origin.head);
  EXPECT_EQ(what.base, origin.first);
}

TEST(TakeCandidate, AnOlderMergeIsTakenThoughMainHasMovedOn) {
  Origin origin;
  origin.git({"checkout", "--quiet", "--detach", origin.second});
  const auto third = origin.commit("a", "3");
  origin.put("refs/heads/main", third);
  const auto older = origin.merge;
  origin.put("refs/pull/12/merge", origin.merged(third, origin.head));
  origin.put("refs/keep/older", older);
  EXPECT_EQ(origin.take(older).base, origin.second);
}

// Whoever chooses an old commit of main as the base chooses the verdict.
TEST(TakeCandidate, AMergeIntoWhatMainHadLeftBehindIsRefused) {
  Origin origin;
  const auto chosen = origin.merged(origin.first, origin.head);
  origin.put("refs/pull/13/head", chosen);
  EXPECT_THAT(error_of([&] { origin.take(chosen, "2100-01-01T00:00:00Z"); }),
              AllOf(StartsWith("2 | commit '" + chosen), HasSubstr("it is not GitHub's merge"),
                    HasSubstr("was not the last commit of 'main' when the run began")));
  EXPECT_THAT(error_of([&] { origin.take(chosen, ""); }), HasSubstr("it is not GitHub's merge"));
  EXPECT_EQ(origin.take(origin.merge, "2100-01-01T00:00:00Z").base, origin.second);
}

TEST(TakeCandidate, WhatIsNotOfThePullRequestIsRefused) {
  Origin origin;
  const auto refusal = [&](const std::string& claim) { return error_of([&] { origin.take(claim); }); };
  EXPECT_THAT(refusal(origin.second),
              AllOf(StartsWith("2 | commit '" + origin.second + "' is not part of pull request 12"),
                    HasSubstr("neither the last commit")));
  EXPECT_THAT(refusal(std::string(40, '1')), HasSubstr("there is no such commit"));

  // The head merged into a commit of the stranger's own.
  origin.git({"checkout", "--quiet", "--detach", origin.second});
  const auto own = origin.commit("a", "evil");
  const auto evil = origin.merged(own, origin.head);
  origin.put("refs/pull/13/head", evil);
  EXPECT_THAT(refusal(evil), AllOf(StartsWith("2 | commit '" + evil), HasSubstr("which is not on 'main'")));

  // Parents the other way round: main's commit merged into the head, which the stranger can do at will.
  const auto turned = origin.merged(origin.head, origin.second);
  origin.put("refs/pull/14/head", turned);
  EXPECT_THAT(refusal(turned), HasSubstr("nor a merge of it"));

  origin.git({"tag", "--annotate", "--message", "x", "tag", origin.merge});
  const auto tag = origin.git({"rev-parse", "refs/tags/tag"});
  origin.put("refs/tags/tag", "refs/tags/tag");
  EXPECT_THAT(refusal(tag), HasSubstr("it is no commit"));
}

TEST(TakeCandidate, TextThatIsNoIdIsRefusedWithoutFetching) {
  Origin origin;
  fs::remove_all(origin.bare);
  for (const std::string& claim : {std::string(), std::string("main"), std::string("--upload-pack=touch x"),
                                   "refs/heads/main:" + std::string(24, 'a'), std::string(40, 'A'),
                                   origin.merge + "\n", std::string(100'000, 'a')})
    EXPECT_THAT(error_of([&] { origin.take(claim); }),
                AllOf(StartsWith("2 | --candidate '"), HasSubstr("40 hexadecimal")));
}

TEST(TakeCandidate, APullRequestThatMovesOnMeanwhileIsSkipped) {
  Origin origin;
  origin.git({"checkout", "--quiet", "--detach", origin.head});
  origin.put("refs/pull/12/head", origin.commit("b", "2"));
  const auto what = origin.take(origin.merge);
  EXPECT_TRUE(what.skip);
  EXPECT_EQ(what.candidate, "");
  EXPECT_THAT(what.reason, HasSubstr("has moved on"));
}

TEST(TakeCandidate, AShallowCloneCannotTell) {
  Origin origin;
  fs::remove_all(origin.clone);
  testing_support::git(origin.folder(), {"clone", "--quiet", "--depth", "1", "file://" + origin.bare.string(),
                                         origin.clone.string()});
  EXPECT_THAT(error_of([&] { origin.take(origin.merge); }),
              AllOf(StartsWith("4 | this clone is shallow"), HasSubstr("fetch-depth: 0")));
}

}  // namespace
}  // namespace tracker::github

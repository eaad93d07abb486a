#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/github/origin.hpp"
#include "tests/github/support.hpp"
#include "tracker/github/publish.hpp"

namespace tracker::github {
namespace {

using namespace testing_support;
using nlohmann::json;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

const std::string kPulls = "/repos/o/r/pulls";

struct Proposal : ClonedOrigin, FakeApi {
  repo::Repository repository = repo::Repository::open(root());
  ProposeRequest request{.repository = "o/r", .branch = "baselines/new", .title = "Promote", .body = "Why."};
  json open = json::array();

  Proposal() {
    server.handle("GET /repos/o/r", [](const FakeRequest&) {
      return FakeAnswer{200, R"({"default_branch": "main"})"};
    });
    server.handle("GET " + kPulls, [this](const FakeRequest&) { return FakeAnswer{200, open.dump()}; });
    server.handle("POST " + kPulls, [this](const FakeRequest& asked) {
      json made = json::parse(asked.body);
      made["head"] = {{"ref", made["head"]}};
      made["number"] = 7;
      made["html_url"] = "https://github.com/o/r/pull/7";
      open.push_back(made);
      return FakeAnswer{201, made.dump()};
    });
    server.handle("PATCH " + kPulls + "/7", [this](const FakeRequest& asked) {
      open[0].update(json::parse(asked.body));
      return FakeAnswer{200, open[0].dump()};
    });
  }
  void edit(const std::string& text) const { write_file(root() / "baselines/h200.json", text); }
  ProposeAnswer go(const std::vector<std::string>& names = {"baselines"}) {
    std::vector<std::string> paths;
    for (const auto& name : names) paths.push_back((root() / name).string());
    ServiceApi api(options());
    return propose(api, repository, repo::GitRemote(repository, "origin"), request,
                   read_proposal(repository, paths));
  }
};

TEST(Propose, CommitsOntoTheDefaultBranchAndOpensAPullRequest) {
  Proposal proposal;
  proposal.git({"checkout", "--quiet", "-b", "nightly"});
  proposal.commit("only-nightly", "1");
  proposal.edit("{\"new\": true}\n");
  write_file(proposal.root() / "baselines/a100.json", "{}\n");
  const auto before = proposal.state();
  const auto answer = proposal.go();
  EXPECT_EQ(answer.outcome, ProposeOutcome::kCreated);
  EXPECT_EQ(answer.pull_request, 7);
  EXPECT_EQ(answer.url, "https://github.com/o/r/pull/7");
  EXPECT_EQ(proposal.state(), before);
  const auto tip = proposal.tip("baselines/new");
  EXPECT_EQ(proposal.at_origin({"rev-parse", tip + "^"}), proposal.tip("main"));
  EXPECT_EQ(proposal.at_origin({"diff", "--name-status", "main", tip}),
            "A\tbaselines/a100.json\nM\tbaselines/h200.json");
  EXPECT_EQ(proposal.at_origin({"log", "-1", "--format=%B", tip}), "Promote\n\nProposed-by: tracker\n");
  EXPECT_THAT(proposal.server.calls(), ElementsAre("GET /repos/o/r", "GET " + kPulls, "POST " + kPulls));
  EXPECT_EQ(proposal.server.requests().at(1).query,
            "state=open&head=o%3Abaselines%2Fnew&base=main&per_page=100");
  EXPECT_EQ(json::parse(proposal.server.requests().at(2).body),
            json({{"title", "Promote"}, {"body", "Why."}, {"head", "baselines/new"}, {"base", "main"}}));
}

TEST(Propose, NothingNewIsSaidAndNothingDone) {
  Proposal proposal;
  proposal.request.base = "main";
  EXPECT_EQ(proposal.go().outcome, ProposeOutcome::kNothingNew);
  EXPECT_EQ(proposal.tip("baselines/new"), "");
  EXPECT_THAT(proposal.server.calls(), IsEmpty());
}

TEST(Propose, RewritesItsBranchAndUpdatesThePullRequest) {
  Proposal proposal;
  proposal.edit("1\n");
  proposal.go();
  const auto first = proposal.tip("baselines/new");
  EXPECT_EQ(proposal.go().outcome, ProposeOutcome::kUnchanged);
  EXPECT_EQ(proposal.tip("baselines/new"), first);
  proposal.edit("2\n");
  proposal.request.body = "Another reason.";
  EXPECT_EQ(proposal.go().outcome, ProposeOutcome::kUpdated);
  EXPECT_EQ(proposal.at_origin({"show", "baselines/new:baselines/h200.json"}), "2");
  EXPECT_EQ(proposal.at_origin({"rev-list", "--count", "main..baselines/new"}), "1");
  EXPECT_EQ(proposal.open.size(), 1u);
  EXPECT_EQ(proposal.open[0]["body"], "Another reason.");
}

TEST(Propose, FollowsTheDefaultBranch) {
  Proposal proposal;
  proposal.edit("1\n");
  proposal.go();
  proposal.git({"stash", "--quiet"});
  proposal.commit("code", "2");
  proposal.git({"push", "--quiet", "origin", "main"});
  proposal.git({"stash", "pop", "--quiet"});
  proposal.go();
  EXPECT_EQ(proposal.at_origin({"rev-parse", "baselines/new^"}), proposal.tip("main"));
}

TEST(Propose, LeavesSomebodyElsesCommitsAlone) {
  Proposal proposal;
  proposal.edit("1\n");
  proposal.go();
  const fs::path other = proposal.folder() / "other";
  testing_support::git(proposal.folder(), {"clone", "--quiet", "--branch", "baselines/new",
                                           proposal.bare.string(), other.string()});
  write_file(other / "x", "1");
  testing_support::git(other, {"add", "."});
  testing_support::git(other, {"commit", "--quiet", "--message", "By hand"});
  testing_support::git(other, {"push", "--quiet"});
  const auto theirs = proposal.tip("baselines/new");
  proposal.edit("2\n");
  EXPECT_THAT(error_of([&] { proposal.go(); }),
              AllOf(StartsWith("2 | the branch 'baselines/new' ends in '" + theirs.substr(0, 10)),
                    HasSubstr("no proposal of tracker")));
  EXPECT_EQ(proposal.tip("baselines/new"), theirs);
}

TEST(Propose, NeverOntoTheBranchItGoesTo) {
  Proposal proposal;
  proposal.edit("1\n");
  const auto before = proposal.tip("main");
  proposal.request.branch = "main";
  EXPECT_THAT(error_of([&] { proposal.go(); }),
              StartsWith("2 | --branch 'main' is the branch that the proposal goes to"));
  proposal.request.branch = "-x";
  EXPECT_THAT(error_of([&] { proposal.go(); }), StartsWith("2 | --branch '-x'"));
  proposal.request.branch = "x";
  proposal.request.title = "two\nlines";
  EXPECT_THAT(error_of([&] { proposal.go(); }), StartsWith("2 | --title"));
  proposal.request.title = "x";
  proposal.request.base = "gone";
  EXPECT_THAT(error_of([&] { proposal.go(); }), StartsWith("2 | 'origin' has no branch 'gone'"));
  EXPECT_EQ(proposal.tip("main"), before);
}

TEST(Propose, SaysWhatARepositoryMustAllow) {
  Proposal proposal;
  proposal.edit("1\n");
  proposal.server.answer(
      "POST " + kPulls,
      {403, R"({"message": "GitHub Actions is not permitted to create or approve pull requests."})"});
  EXPECT_THAT(error_of([&] { proposal.go(); }),
              AllOf(HasSubstr("not permitted to create"), HasSubstr("the branch is pushed; allow Actions")));
}

TEST(Propose, WhoseAnswerGotLostIsNotOpenedTwice) {
  Proposal proposal;
  proposal.edit("1\n");
  proposal.server.handle("POST " + kPulls, [&](const FakeRequest& asked) {
    json made = json::parse(asked.body);
    made["head"] = {{"ref", made["head"]}};
    made["number"] = 7;
    proposal.open.push_back(made);
    return FakeAnswer{502, ""};
  });
  const auto answer = proposal.go();
  EXPECT_EQ(answer.outcome, ProposeOutcome::kCreated);
  EXPECT_EQ(answer.pull_request, 7);
}

TEST(Proposed, FilesAreThoseOfTheWorkingTree) {
  Proposal proposal;
  write_file(proposal.root() / "run", "#!/bin/sh\n");
  fs::permissions(proposal.root() / "run", fs::perms(0755));
  proposal.go({"run", "baselines/h200.json", "baselines"});
  EXPECT_THAT(proposal.at_origin({"ls-tree", "baselines/new", "run"}), StartsWith("100755 blob"));
  const auto refusal = [&](const std::string& name) {
    return error_of([&] { read_proposal(proposal.repository, {(proposal.root() / name).string()}); });
  };
  EXPECT_THAT(refusal("none"), HasSubstr("no file '"));
  EXPECT_THAT(refusal("../outside"), HasSubstr("is not in the working tree"));
  EXPECT_THAT(refusal(".git/config"), HasSubstr("is not in the working tree"));
  EXPECT_THAT(refusal("."), HasSubstr("is not in the working tree"));
  fs::create_symlink("run", proposal.root() / "link");
  EXPECT_THAT(refusal("link"), HasSubstr("is a link"));
  fs::create_directory_symlink(proposal.folder(), proposal.root() / "out");
  EXPECT_THAT(refusal("out/x"), HasSubstr("is not in the working tree"));
}

}  // namespace
}  // namespace tracker::github

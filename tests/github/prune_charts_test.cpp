// Which pictures stay on their branch, and that the links to them go on working.
#include "tracker/github/prune_charts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/github/origin.hpp"
#include "tests/github/support.hpp"
#include "tracker/base/text.hpp"
#include "tracker/github/publish.hpp"
#include "tracker/repo/git_command.hpp"

namespace tracker {
namespace {

using namespace testing_support;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using ::testing::UnorderedElementsAre;

constexpr std::int64_t kDay = 24 * 60 * 60;
constexpr std::int64_t kNow = 1'795'000'000;

struct OldCharts : ClonedOrigin {
  Repository repository = Repository::open(root());
  std::int64_t now_s = kNow;
  std::map<std::string, std::string> commits;  // by folder: what its link names

  // As it was published so many days ago.
  void publish_at(const std::string& path, int days_ago) {
    const std::string date = std::to_string(now_s - days_ago * kDay) + " +0000";
    ::setenv("GIT_COMMITTER_DATE", date.c_str(), 1);
    ::setenv("GIT_AUTHOR_DATE", date.c_str(), 1);
    commits[path] = publish(repository, GitRemote(repository, "origin"), {.path = path},
                            {{.path = "a.png", .bytes = png(path)}})
                        .commit;
    ::unsetenv("GIT_COMMITTER_DATE");
    ::unsetenv("GIT_AUTHOR_DATE");
  }
  PruneAnswer prune(std::set<std::int64_t> open = {}, bool dry_run = false) const {
    return prune_charts(repository, GitRemote(repository, "origin"),
                        {.open = std::move(open), .now_s = now_s, .dry_run = dry_run});
  }
  std::vector<std::string> files() const {
    return split(at_origin({"ls-tree", "-r", "--name-only", "tracker-charts"}), '\n');
  }
  // Once the server has thrown away what no ref reaches.
  bool link_works(const std::string& path) const {
    at_origin({"reflog", "expire", "--expire=now", "--all"});
    at_origin({"gc", "--quiet", "--prune=now"});
    return run_git(bare, {"cat-file", "-e", commits.at(path) + ":" + path + "/a.png"}).ok();
  }
};

TEST(PruneCharts, KeepsOpenPullRequestsAndWhatIsNew) {
  OldCharts charts;
  charts.publish_at("pull/1/aaaaaaaaaa", 300);
  charts.publish_at("pull/2/bbbbbbbbbb", 200);
  charts.publish_at("commit/cccccccccc", 100);
  charts.publish_at("pull/3/dddddddddd", 95);
  charts.publish_at("release", 94);
  charts.publish_at("pull/4/eeeeeeeeee", 80);
  charts.publish_at("commit/ffffffffff", 1);
  const auto answer = charts.prune({2});
  EXPECT_THAT(answer.removed,
              UnorderedElementsAre("pull/1/aaaaaaaaaa", "commit/cccccccccc", "pull/3/dddddddddd"));
  EXPECT_EQ(answer.kept, 4u);
  EXPECT_EQ(answer.removed_bytes, static_cast<std::int64_t>(3 * png("pull/1/aaaaaaaaaa").size()));
  EXPECT_THAT(charts.files(), ElementsAre("commit/ffffffffff/a.png", "pull/2/bbbbbbbbbb/a.png",
                                          "pull/4/eeeeeeeeee/a.png", "release/a.png"));
  for (const char* kept : {"pull/2/bbbbbbbbbb", "pull/4/eeeeeeeeee", "commit/ffffffffff", "release"})
    EXPECT_TRUE(charts.link_works(kept)) << kept;
  for (const char* gone : {"pull/1/aaaaaaaaaa", "pull/3/dddddddddd", "commit/cccccccccc"})
    EXPECT_FALSE(charts.link_works(gone)) << gone;
}

TEST(PruneCharts, CanBeRepeatedAndPublishedBehind) {
  OldCharts charts;
  charts.publish_at("pull/1/aaaaaaaaaa", 300);
  charts.publish_at("pull/2/bbbbbbbbbb", 2);
  charts.prune();
  const auto tip = charts.tip("tracker-charts");
  EXPECT_THAT(charts.prune().removed, IsEmpty());
  EXPECT_EQ(charts.tip("tracker-charts"), tip) << "nothing to remove: nothing is pushed";
  charts.publish_at("pull/5/cccccccccc", 0);
  charts.now_s += 89 * kDay;
  EXPECT_THAT(charts.prune().removed, ElementsAre("pull/2/bbbbbbbbbb"));
  EXPECT_TRUE(charts.link_works("pull/5/cccccccccc"));
  EXPECT_FALSE(charts.link_works("pull/2/bbbbbbbbbb"));
}

TEST(PruneCharts, OfAllThereIsLeavesAnEmptyBranch) {
  OldCharts charts;
  charts.publish_at("pull/1/aaaaaaaaaa", 300);
  EXPECT_EQ(charts.prune().removed.size(), 1u);
  EXPECT_EQ(charts.at_origin({"ls-tree", "-r", "tracker-charts"}), "");
  charts.publish_at("pull/2/bbbbbbbbbb", 0);
  EXPECT_THAT(charts.files(), ElementsAre("pull/2/bbbbbbbbbb/a.png"));
}

TEST(PruneCharts, UnitesMoreThanACommitHasParents) {
  OldCharts charts;
  charts.publish_at("commit/0000000000", 300);
  for (int i = 10; i < 31; ++i) charts.publish_at("pull/" + std::to_string(i) + "/aaaaaaaaaa", 1);
  EXPECT_EQ(charts.prune().kept, 21u);
  for (int i = 10; i < 31; ++i)
    EXPECT_TRUE(charts.link_works("pull/" + std::to_string(i) + "/aaaaaaaaaa")) << i;
}

// A branch as it was before publications had commits without parents: each had the one before as its parent.
TEST(PruneCharts, KeepsLinksIntoABranchThatIsALine) {
  OldCharts charts;
  std::string parent;
  for (const char* path : {"pull/1/aaaaaaaaaa", "pull/2/bbbbbbbbbb", "pull/3/cccccccccc"}) {
    std::vector<TreeFile> files{{.path = std::string(path) + "/a.png", .bytes = png(path)}};
    write_blobs(charts.repository, files, false);
    const auto parents = parent.empty() ? std::vector<std::string>{} : std::vector<std::string>{parent};
    ::setenv("GIT_COMMITTER_DATE", (std::to_string(kNow - 200 * kDay) + " +0000").c_str(), 1);
    parent = write_commit(charts.repository, tree_with(charts.repository, parent, files), parents, "x\n");
    ::unsetenv("GIT_COMMITTER_DATE");
    charts.commits[path] = parent;
  }
  charts.git({"push", "--quiet", "origin", parent + ":refs/heads/tracker-charts"});
  EXPECT_THAT(charts.prune({2}).removed, ElementsAre("pull/1/aaaaaaaaaa", "pull/3/cccccccccc"));
  EXPECT_THAT(charts.files(), ElementsAre("pull/2/bbbbbbbbbb/a.png"));
  EXPECT_TRUE(charts.link_works("pull/2/bbbbbbbbbb"));
  EXPECT_FALSE(charts.link_works("pull/3/cccccccccc"));
}

TEST(PruneCharts, OfADryRunChangesNothing) {
  OldCharts charts;
  charts.publish_at("pull/1/aaaaaaaaaa", 300);
  const auto tip = charts.tip("tracker-charts");
  EXPECT_THAT(charts.prune({}, true).removed, ElementsAre("pull/1/aaaaaaaaaa"));
  EXPECT_EQ(charts.tip("tracker-charts"), tip);
}

TEST(PruneCharts, WithoutABranchDoesNothing) {
  const OldCharts charts;
  EXPECT_FALSE(charts.prune().was_branch);
  const auto answer = [&](const std::string& branch) {
    return error_of(
        [&] { prune_charts(charts.repository, GitRemote(charts.repository, "origin"), {.branch = branch}); });
  };
  EXPECT_THAT(answer("main"),
              StartsWith("2 | the branch 'main' shares its history with what is checked out"));
  EXPECT_THAT(answer("a..b"), StartsWith("2 | --branch 'a..b'"));
}

// Somebody publishes between our fetch and our push, by a hook of the remote.
TEST(PruneCharts, LooksAgainWhereSomebodyPublishes) {
  OldCharts charts;
  charts.publish_at("pull/1/aaaaaaaaaa", 300);
  const auto before = charts.tip("tracker-charts");
  charts.publish_at("pull/2/bbbbbbbbbb", 0);
  const auto theirs = charts.tip("tracker-charts");
  charts.at_origin({"update-ref", "refs/waiting/theirs", theirs});
  charts.at_origin({"update-ref", "refs/heads/tracker-charts", before});
  write_file(charts.bare / "hooks/pre-receive",
             "#!/bin/sh\nunset GIT_QUARANTINE_PATH\ntest -e done || { touch done; "
             "git update-ref refs/heads/tracker-charts refs/waiting/theirs; }\n");
  fs::permissions(charts.bare / "hooks/pre-receive", fs::perms(0755));
  EXPECT_EQ(charts.prune().kept, 1u);
  EXPECT_THAT(charts.files(), ElementsAre("pull/2/bbbbbbbbbb/a.png"));
}

TEST(OpenPullRequests, AreReadFromAllPages) {
  FakeApi fake;
  fake.server.handle("GET /repos/o/r/pulls", [&](const FakeRequest& request) {
    const bool first = request.query.find("page=2") == std::string::npos;
    return FakeAnswer{
        200, first ? R"([{"number": 3}])" : R"([{"number": 7}])",
        first
            ? std::vector<std::pair<std::string, std::string>>{{"Link",
                                                                "<" + fake.server.url() +
                                                                    "/repos/o/r/pulls?page=2>; rel=\"next\""}}
            : std::vector<std::pair<std::string, std::string>>{}};
  });
  ServiceApi api(fake.options());
  EXPECT_THAT(open_pull_requests(api, "o/r"), ElementsAre(3, 7));
  EXPECT_THAT(fake.server.requests().front().query, HasSubstr("state=open"));
  fake.server.handle("GET /repos/o/r/pulls", [](const FakeRequest&) { return FakeAnswer{200, "[{}]"}; });
  EXPECT_THAT(error_of([&] { open_pull_requests(api, "o/r"); }), StartsWith("4 | GitHub's list"));
}

}  // namespace
}  // namespace tracker

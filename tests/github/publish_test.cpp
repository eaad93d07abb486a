#include "tracker/github/publish.hpp"

#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/github/origin.hpp"
#include "tests/github/support.hpp"
#include "tracker/base/text.hpp"
#include "tracker/repo/repository.hpp"

namespace tracker::github {
namespace {

using namespace testing_support;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StartsWith;

struct Charts : ClonedOrigin {
  repo::Repository repository = repo::Repository::open(root());

  static std::vector<TreeFile> pictures(const std::string& pixel = "x") {
    return {{.path = "a.png", .bytes = png(pixel)}, {.path = "b.png", .bytes = png(pixel + "y")}};
  }
  PublishAnswer publish_at(const std::string& path, const std::string& pixel = "x") const {
    return publish(repository, repo::GitRemote(repository, "origin"), {.path = path}, pictures(pixel));
  }
};

TEST(Publish, MakesABranchOfItsOwnAndTouchesNothingHere) {
  Charts charts;
  write_file(charts.root() / "untracked", "1");
  write_file(charts.root() / "baselines/h200.json", "edited");
  charts.git({"add", "baselines"});
  const auto before = charts.state();
  const auto answer = charts.publish_at("pull/12/1a2b3c4");
  EXPECT_FALSE(answer.was_there);
  EXPECT_EQ(charts.tip("tracker-charts"), answer.commit);
  EXPECT_EQ(charts.at_origin({"rev-list", "--parents", answer.commit}), answer.commit) << "it has no parent";
  EXPECT_EQ(charts.at_origin({"ls-tree", "-r", "--name-only", answer.commit}),
            "pull/12/1a2b3c4/a.png\npull/12/1a2b3c4/b.png");
  EXPECT_EQ(charts.at_origin({"cat-file", "blob", answer.commit + ":pull/12/1a2b3c4/a.png"}), png());
  EXPECT_EQ(charts.state(), before);
}

TEST(Publish, KeepsWhatIsThere) {
  Charts charts;
  const auto first = charts.publish_at("pull/12/1a2b3c4");
  const auto second = charts.publish_at("pull/13/5d6e7f8");
  EXPECT_EQ(charts.at_origin({"rev-list", "--parents", "-1", second.commit}), second.commit) << "no parent";
  EXPECT_EQ(charts.at_origin({"ls-tree", "-r", "--name-only", second.commit}),
            "pull/13/5d6e7f8/a.png\npull/13/5d6e7f8/b.png");
  const auto tip = charts.tip("tracker-charts");
  EXPECT_EQ(charts.at_origin({"rev-parse", tip + "^1", tip + "^2"}), first.commit + "\n" + second.commit);
  EXPECT_THAT(charts.at_origin({"ls-tree", "-r", "--name-only", tip}),
              AllOf(HasSubstr("pull/12/1a2b3c4/a.png"), HasSubstr("pull/13/5d6e7f8/a.png")));
}

TEST(Publish, OfTheSamePushesNothing) {
  Charts charts;
  const auto first = charts.publish_at("x");
  const auto again = charts.publish_at("x");
  EXPECT_TRUE(again.was_there);
  EXPECT_EQ(again.commit, first.commit);
  charts.publish_at("y");
  EXPECT_EQ(charts.publish_at("x").commit, first.commit) << "with others behind it";
  EXPECT_NE(charts.publish_at("x", "other").commit, first.commit);
}

// Another publisher is first: between our fetch and our push, by a hook of the remote.
TEST(Publish, GoesBehindWhoeverIsFirst) {
  Charts charts;
  charts.publish_at("zero");
  const fs::path other = charts.folder() / "other";
  testing_support::git(charts.folder(), {"clone", "--quiet", "--branch", "tracker-charts",
                                         charts.bare.string(), other.string()});
  write_file(other / "one.png", png());
  testing_support::git(other, {"add", "."});
  testing_support::git(other, {"commit", "--quiet", "--message", "Charts of one"});
  const auto theirs = testing_support::git(other, {"rev-parse", "HEAD"});
  testing_support::git(other, {"push", "--quiet", "origin", "HEAD:refs/waiting/one"});
  write_file(charts.bare / "hooks/pre-receive",
             "#!/bin/sh\nunset GIT_QUARANTINE_PATH\ntest -e done || { touch done; "
             "git update-ref refs/heads/tracker-charts refs/waiting/one; }\n");
  fs::permissions(charts.bare / "hooks/pre-receive", fs::perms(0755));
  const auto ours = charts.publish_at("two");
  EXPECT_EQ(charts.at_origin({"rev-parse", "tracker-charts^1", "tracker-charts^2"}),
            theirs + "\n" + ours.commit);
}

TEST(Publish, OfSeveralAtOnceLosesNone) {
  Charts charts;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&charts, i] {
      const fs::path clone = charts.folder() / ("clone" + std::to_string(i));
      testing_support::git(charts.folder(), {"clone", "--quiet", charts.bare.string(), clone.string()});
      const auto repository = repo::Repository::open(clone);
      publish(repository, repo::GitRemote(repository, "origin"), {.path = "run/" + std::to_string(i)},
              Charts::pictures());
    });
  for (auto& thread : threads) thread.join();
  EXPECT_THAT(split(charts.at_origin({"ls-tree", "-r", "--name-only", "tracker-charts"}), '\n'), SizeIs(8));
  EXPECT_THAT(split(charts.at_origin({"rev-list", "--max-parents=0", "tracker-charts"}), '\n'), SizeIs(4));
}

TEST(Publish, WorksInAShallowClone) {
  Charts charts;
  charts.commit("x", "1");
  charts.git({"push", "--quiet", "origin", "main"});
  charts.publish_at("one");
  const fs::path clone = charts.folder() / "shallow";
  testing_support::git(charts.folder(), {"clone", "--quiet", "--depth", "1", "file://" + charts.bare.string(),
                                         clone.string()});
  const auto repository = repo::Repository::open(clone);
  const auto answer =
      publish(repository, repo::GitRemote(repository, "origin"), {.path = "two"}, Charts::pictures());
  EXPECT_EQ(charts.at_origin({"rev-parse", "tracker-charts^2"}), answer.commit);
}

TEST(Publish, LeavesABranchOfCodeAlone) {
  Charts charts;
  const auto to = [&](const std::string& branch, const std::string& path) {
    return error_of([&] {
      publish(charts.repository, repo::GitRemote(charts.repository, "origin"), {branch, path},
              Charts::pictures());
    });
  };
  const auto before = charts.tip("main");
  EXPECT_THAT(to("main", "x"),
              StartsWith("2 | the branch 'main' shares its history with what is checked out"));
  EXPECT_EQ(charts.tip("main"), before);
  EXPECT_THAT(to("a..b", "x"), StartsWith("2 | --branch 'a..b'"));
  for (const char* path : {"", "/x", "x/", "../x", "x//y", ".git/x", "a b", "-x", "x\ny", "é"})
    EXPECT_THAT(to("charts", path), StartsWith("2 | --path '")) << path;
}

TEST(Publish, SaysThatTheRemoteRefuses) {
  Charts charts;
  write_file(charts.bare / "hooks/pre-receive", "#!/bin/sh\necho 'protected' >&2\nexit 1\n");
  fs::permissions(charts.bare / "hooks/pre-receive", fs::perms(0755));
  EXPECT_THAT(error_of([&] { charts.publish_at("x"); }),
              StartsWith("4 | cannot push 'refs/heads/tracker-charts' to 'origin'"));
}

TEST(Publish, HasAnAuthorWhereNobodyIsSetUp) {
  Charts charts;
  const std::string who = in_child([&] {
    for (const char* set :
         {"GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL", "EMAIL"})
      ::unsetenv(set);
    const auto commit = write_commit(charts.repository, tree_of(charts.repository, "HEAD"), {}, "x\n");
    return charts.git({"log", "-1", "--format=%an %ae %cn", commit});
  });
  EXPECT_EQ(who,
            "github-actions[bot] 41898282+github-actions[bot]@users.noreply.github.com github-actions[bot]");
}

TEST(Pictures, AreThePngFilesOfAFolder) {
  const ScratchFolder folder;
  write_file(folder.path() / "b.png", png());
  write_file(folder.path() / "a.png", png("other"));
  write_file(folder.path() / "a.svg", "<svg/>");
  const auto pictures = read_pictures(folder.path());
  ASSERT_THAT(pictures, SizeIs(2));
  EXPECT_EQ(pictures[0].path, "a.png");
  EXPECT_EQ(pictures[1].bytes, png());
  EXPECT_THAT(error_of([&] { read_pictures(folder.path() / "none"); }), StartsWith("2 | no folder '"));
}

TEST(Pictures, ThatAreNoneAreRefusedByName) {
  const auto refusal = [](const std::string& name, const std::string& bytes) {
    const ScratchFolder folder;
    write_file(folder.path() / name, bytes);
    return error_of([&] { read_pictures(folder.path()); });
  };
  EXPECT_THAT(refusal("a.png", "<html>"), AllOf(StartsWith("2 | '"), HasSubstr("a.png' is not a whole PNG")));
  EXPECT_THAT(refusal("a.png", png().substr(0, 40)), HasSubstr("is not a whole PNG"));
  EXPECT_THAT(refusal("a.png", ""), HasSubstr("is empty"));
  EXPECT_THAT(refusal("a b.png", png()), HasSubstr("has a name that is not plain"));
  EXPECT_THAT(refusal("-a.png", png()), HasSubstr("has a name that is not plain"));
  EXPECT_THAT(refusal("a.png", png(std::string(5 << 20, 'x'))), HasSubstr("is larger than 4 MiB"));
  const ScratchFolder folder;
  write_file(folder.path() / "secret", png());
  fs::create_symlink(folder.path() / "secret", folder.path() / "a.png");
  EXPECT_THAT(error_of([&] { read_pictures(folder.path()); }), HasSubstr("is not a plain file"));
}

TEST(Pictures, AreNotTooMany) {
  const ScratchFolder folder;
  for (int i = 0; i < 201; ++i) write_file(folder.path() / (std::to_string(i) + ".png"), png());
  EXPECT_THAT(error_of([&] { read_pictures(folder.path()); }), HasSubstr("more than 200 pictures"));
}

TEST(PictureUrl, NamesTheCommit) {
  EXPECT_EQ(picture_url("https://github.com", "o/r", "abc", "pull/1/x"),
            "https://github.com/o/r/blob/abc/pull/1/x/{file}?raw=true");
}

}  // namespace

// Which pictures stay on their branch, and that the links to them go on working.

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
  repo::Repository repository = repo::Repository::open(root());
  std::int64_t now_s = kNow;
  std::map<std::string, std::string> commits;  // by folder: what its link names

  // As it was published so many days ago.
  void publish_at(const std::string& path, int days_ago) {
    const std::string date = std::to_string(now_s - days_ago * kDay) + " +0000";
    ::setenv("GIT_COMMITTER_DATE", date.c_str(), 1);
    ::setenv("GIT_AUTHOR_DATE", date.c_str(), 1);
    commits[path] = publish(repository, repo::GitRemote(repository, "origin"), {.path = path},
                            {{.path = "a.png", .bytes = png(path)}})
                        .commit;
    ::unsetenv("GIT_COMMITTER_DATE");
    ::unsetenv("GIT_AUTHOR_DATE");
  }
  PruneAnswer prune(std::set<std::int64_t> open = {}, bool dry_run = false) const {
    return prune_charts(repository, repo::GitRemote(repository, "origin"),
                        {.open = std::move(open), .now_s = now_s, .dry_run = dry_run});
  }
  std::vector<std::string> files() const {
    return split(at_origin({"ls-tree", "-r", "--name-only", "tracker-charts"}), '\n');
  }
  // Once the server has thrown away what no ref reaches.
  bool link_works(const std::string& path) const {
    at_origin({"reflog", "expire", "--expire=now", "--all"});
    at_origin({"gc", "--quiet", "--prune=now"});
    return repo::run_git(bare, {"cat-file", "-e", commits.at(path) + ":" + path + "/a.png"}).ok();
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
    return error_of([&] {
      prune_charts(charts.repository, repo::GitRemote(charts.repository, "origin"), {.branch = branch});
    });
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

}  // namespace tracker::github

#include "tracker/github/publish.hpp"

#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/github/origin.hpp"
#include "tracker/base/text.hpp"

namespace tracker {
namespace {

using namespace testing_support;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StartsWith;

struct Charts : ClonedOrigin {
  Repository repository = Repository::open(root());

  static std::vector<TreeFile> pictures(const std::string& pixel = "x") {
    return {{.path = "a.png", .bytes = png(pixel)}, {.path = "b.png", .bytes = png(pixel + "y")}};
  }
  PublishAnswer publish_at(const std::string& path, const std::string& pixel = "x") const {
    return publish(repository, GitRemote(repository, "origin"), {.path = path}, pictures(pixel));
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
      const auto repository = Repository::open(clone);
      publish(repository, GitRemote(repository, "origin"), {.path = "run/" + std::to_string(i)},
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
  const auto repository = Repository::open(clone);
  const auto answer =
      publish(repository, GitRemote(repository, "origin"), {.path = "two"}, Charts::pictures());
  EXPECT_EQ(charts.at_origin({"rev-parse", "tracker-charts^2"}), answer.commit);
}

TEST(Publish, LeavesABranchOfCodeAlone) {
  Charts charts;
  const auto to = [&](const std::string& branch, const std::string& path) {
    return error_of([&] {
      publish(charts.repository, GitRemote(charts.repository, "origin"), {branch, path}, Charts::pictures());
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
}  // namespace tracker

// Which commit a revision names, and what is said where it names none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/scratch_repository.hpp"
#include "tracker/repo/repository.hpp"

namespace tracker::repo {
namespace {

using namespace testing_support;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// main: first ─ second ─ merge, whose second parent is `side`, made from first.
struct History : ScratchRepository {
  std::map<std::string, std::string> ids;

  History() {
    ids["first"] = commit("a", "1", "the first");
    git({"tag", "light"});
    git({"checkout", "--quiet", "-b", "side"});
    ids["side"] = commit("b", "1", "beside");
    git({"checkout", "--quiet", "main"});
    ids["second"] = commit("a", "2", "the second");
    git({"tag", "--annotate", "--message", "release", "v1.0"});
    git({"merge", "--quiet", "--no-ff", "--message", "the merge", "side"});
    ids["merge"] = git({"rev-parse", "HEAD"});
  }
};

TEST(Resolve, FindsTheCommit) {
  History history;
  const auto repository = Repository::open(history.root());
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"HEAD", "merge"},
      {"main", "merge"},
      {"@", "merge"},
      {"HEAD~1", "second"},
      {"HEAD^2", "side"},
      {"HEAD~2", "first"},
      {"light", "first"},
      {"v1.0", "second"},
      {"v1.0^{commit}", "second"},
      {"v1.0~1", "first"},
      {"refs/heads/side", "side"},
      {":/the first", "first"},
      {history.ids["side"].substr(0, 10), "side"},
      {history.ids["first"], "first"},
      {history.git({"rev-parse", "v1.0"}), "second"}};  // the id of the tag itself
  for (const auto& [revision, name] : rows)
    EXPECT_EQ(repository.resolve(revision).id, history.ids.at(name)) << revision;
}

TEST(Resolve, TellsWhatTheCommitSays) {
  ScratchRepository scratch;
  write_file(scratch.root() / "a", "1");
  scratch.git({"add", "a"});
  scratch.git(
      {"commit", "--quiet", "--message", "Pad the tile\n\nBecause of bank conflicts."},
      {{"GIT_COMMITTER_DATE", "2026-11-20T12:49:01+01:00"}, {"GIT_AUTHOR_DATE", "2020-01-01T00:00:00Z"}});
  const auto commit = Repository::open(scratch.root()).resolve("HEAD");
  EXPECT_EQ(commit.subject, "Pad the tile");
  EXPECT_EQ(commit.author, "Ada");
  EXPECT_EQ(commit.date, "2026-11-20T11:49:01Z");
}

// A commit object may hold any number as its time and no words at all.
TEST(Resolve, SurvivesOddCommits) {
  ScratchRepository scratch;
  scratch.commit("a", "1");
  const auto tree = scratch.git({"rev-parse", "HEAD^{tree}"});
  for (const std::string time : {"9223372036854775807", "18446744073709551617", "0", "-5", "x"}) {
    const auto id = scratch.git(
        {"hash-object", "-t", "commit", "-w", "--stdin", "--literally"}, {},
        "tree " + tree + "\nauthor A <a> " + time + " +0000\ncommitter C <c> " + time + " +0000\n\n");
    const auto repository = Repository::open(scratch.root());
    const auto answer = error_of([&] { EXPECT_EQ(repository.resolve(id).date.size(), 20u) << time; });
    EXPECT_THAT(answer, ::testing::AnyOf("no error", StartsWith("4 | "))) << time;
  }
}

TEST(Resolve, SaysWhyARevisionNamesNoCommit) {
  History history;
  history.git({"update-ref", "refs/remotes/origin/feature", "HEAD"});
  const auto repository = Repository::open(history.root());
  struct Row {
    std::string revision;
    std::string message;
    std::string hint;
  };
  const std::vector<Row> rows = {
      {"maim", "2 | revision 'maim' is unknown", "did you mean 'main'?"},
      {"maim~2", "2 | revision 'maim~2' is unknown", "did you mean 'main~2'?"},
      {"v1.O", "2 | revision 'v1.O' is unknown", "did you mean 'v1.0'?"},
      {"feature", "2 | revision 'feature' is unknown", "did you mean 'origin/feature'?"},
      {"something-else-altogether", "is unknown", "git fetch"},
      {"0123456789012345678901234567890123456789", "is unknown", "git fetch"},
      {"HEAD~9", "2 | revision 'HEAD~9' names no commit: 'HEAD' has no '~9'", "git log"},
      {"HEAD^3", "'HEAD' has no '^3'", "git log"},
      {"HEAD^{tree}", "2 | revision 'HEAD^{tree}' names a folder or a file, not a commit", "HEAD~1"},
      {"HEAD:a", "names a folder or a file", "HEAD~1"},
      {"main..side", "2 | revision 'main..side' is not one that git understands", "HEAD~1"},
      {"", "2 | revision '' is not one that git understands", "HEAD~1"},
      {std::string("HEAD\0x", 6), "2 | revision 'HEAD", "name one commit"},
      {"HEAD\n", "is not one that git understands", "HEAD~1"},
      {"--upload-pack=touch x", "2 | revision '--upload-pack=touch x' is not one that", "HEAD~1"},
      {"-f", "2 | revision '-f' is unknown", ""},
  };
  for (const auto& row : rows)
    EXPECT_THAT(error_of([&] { repository.resolve(row.revision); }),
                AllOf(HasSubstr(row.message), HasSubstr(row.hint)))
        << row.revision;
}

TEST(Resolve, AsksForMoreDigitsOfAnAmbiguousId) {
  ScratchRepository scratch;
  scratch.commit("a", "1");
  const auto tree = scratch.git({"rev-parse", "HEAD^{tree}"});
  // Commits until two share their first four digits, the fewest that git takes for an id.
  std::map<std::string, int> seen;
  for (int i = 0; i < 5000; ++i) {
    const std::string text = "tree " + tree + "\nauthor A <a@b> " + std::to_string(i) +
                             " +0000\ncommitter A <a@b> " + std::to_string(i) + " +0000\n\nx\n";
    const auto id = scratch.git({"hash-object", "-t", "commit", "-w", "--stdin"}, {}, text);
    if (++seen[id.substr(0, 4)] < 2) continue;
    EXPECT_EQ(error_of([&] { Repository::open(scratch.root()).resolve(id.substr(0, 4)); }),
              "2 | revision '" + id.substr(0, 4) + "' is ambiguous | give more digits of the commit id");
    return;
  }
  FAIL() << "no two commits share four digits";
}

TEST(Resolve, SaysThatThereAreNoCommitsYet) {
  ScratchRepository scratch;
  const auto repository = Repository::open(scratch.root());
  for (const std::string revision : {"HEAD", "HEAD~1", "main"})
    EXPECT_EQ(
        error_of([&] { repository.resolve(revision); }),
        "4 | repository '" + scratch.root().string() + "' has no commits yet | commit first, then measure");
}

TEST(FirstCommit, IsNotWhereAShallowCloneEnds) {
  History history;
  const auto first = Repository::open(history.root()).first_commit();
  EXPECT_THAT(git(history.root(), {"rev-list", "--max-parents=0", "HEAD"}), HasSubstr(first));
  const auto clone = history.folder() / "clone";
  git(history.folder(),
      {"clone", "--quiet", "--depth", "2", "file://" + history.root().string(), clone.string()});
  EXPECT_THAT(error_of([&] { Repository::open(clone).first_commit(); }),
              AllOf(StartsWith("2 | "), HasSubstr("is a shallow clone, without the first commit")));
  git(clone, {"fetch", "--quiet", "--unshallow"});
  EXPECT_EQ(Repository::open(clone).first_commit(), first);
}

TEST(Resolve, SaysHowToCompleteAShallowClone) {
  History history;
  const auto clone = history.folder() / "clone";
  git(history.folder(),
      {"clone", "--quiet", "--depth", "1", "file://" + history.root().string(), clone.string()});
  const auto repository = Repository::open(clone);
  EXPECT_TRUE(repository.is_shallow());
  EXPECT_EQ(repository.resolve("HEAD").id, history.ids["merge"]);
  EXPECT_EQ(repository.first_parents("HEAD", 10).size(), 1u);
  for (const std::string revision : {"HEAD~1", "v1.0", "side"})
    EXPECT_THAT(error_of([&] { repository.resolve(revision); }),
                AllOf(StartsWith("4 | revision '" + revision + "' is not in this shallow clone"),
                      HasSubstr("git fetch --unshallow"), HasSubstr("fetch-depth: 0")));

  // The words stay true in a worktree of the clone, and the advice works.
  git(clone, {"worktree", "add", "--quiet", "--detach", "../linked"});
  EXPECT_TRUE(Repository::open(history.folder() / "linked").is_shallow());
  git(clone, {"fetch", "--quiet", "--unshallow"});
  EXPECT_FALSE(Repository::open(clone).is_shallow());
  EXPECT_EQ(Repository::open(clone).resolve("HEAD~1").id, history.ids["second"]);
}

TEST(FirstParents, GoesPastMergesNewestFirst) {
  History history;
  const auto repository = Repository::open(history.root());
  const auto ids = [&](const std::string& from, int count_max) {
    std::vector<std::string> names;
    for (const auto& commit : repository.first_parents(from, count_max)) names.push_back(commit.subject);
    return names;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(ids("HEAD", 10), (Names{"the merge", "the second", "the first"}));
  EXPECT_EQ(ids("HEAD", 2), (Names{"the merge", "the second"}));
  EXPECT_EQ(ids("side", 10), (Names{"beside", "the first"}));
  EXPECT_EQ(ids("HEAD", 0), Names{});
}

TEST(FirstParents, TakesNoMissingObjectForTheEnd) {
  ScratchRepository scratch;
  const auto first = scratch.commit("a", "1");
  scratch.commit("a", "2");
  fs::remove(scratch.git_folder() / "objects" / first.substr(0, 2) / first.substr(2));
  const auto repository = Repository::open(scratch.root());
  EXPECT_THAT(error_of([&] { repository.resolve("HEAD~1"); }),
              AllOf(StartsWith("4 | cannot look up revision 'HEAD~1'"), HasSubstr("git fsck")));
  EXPECT_THAT(error_of([&] { repository.first_parents("HEAD", 10); }),
              AllOf(StartsWith("4 | cannot read the parent of commit"), HasSubstr("git fsck")));
}

}  // namespace
}  // namespace tracker::repo

// Opening repositories of every kind, and whether one is dirty.

#include "tracker/repo/repository.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/scratch_repository.hpp"

namespace tracker::repo {
namespace {

using namespace testing_support;
using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(Open, FindsTheRepositoryFromAFolderInside) {
  ScratchRepository scratch;
  scratch.commit("deep/er/file", "1");
  const auto repository = Repository::open(scratch.root() / "deep" / "er");
  EXPECT_EQ(repository.root(), scratch.root());
  EXPECT_EQ(repository.common_dir(), scratch.git_folder());
  EXPECT_FALSE(repository.is_bare());
  EXPECT_FALSE(repository.is_shallow());
}

TEST(Open, TakesABareRepository) {
  ScratchRepository scratch;
  const auto id = scratch.commit("a", "1");
  const auto bare = scratch.folder() / "bare.git";
  git(scratch.folder(), {"clone", "--quiet", "--bare", scratch.root().string(), bare.string()});
  const auto repository = Repository::open(bare);
  EXPECT_TRUE(repository.is_bare());
  EXPECT_FALSE(repository.is_dirty());
  EXPECT_EQ(repository.root(), bare);
  EXPECT_EQ(repository.common_dir(), bare);
  EXPECT_EQ(repository.resolve("HEAD").id, id);
}

TEST(Open, SharesTheGitFolderOfALinkedWorktree) {
  ScratchRepository scratch;
  scratch.commit("a", "1");
  const auto second = scratch.commit("a", "2");
  const auto linked = scratch.folder() / "linked";
  scratch.git({"worktree", "add", "--quiet", "--detach", linked.string(), "HEAD~1"});
  const auto repository = Repository::open(linked);
  EXPECT_EQ(repository.root(), linked);
  EXPECT_EQ(repository.common_dir(), scratch.git_folder());
  EXPECT_EQ(repository.resolve("main").id, second);
  EXPECT_NE(repository.resolve("HEAD").id, second);
}

TEST(Open, IsMovedWithoutHarm) {
  ScratchRepository one;
  ScratchRepository other;
  auto first = Repository::open(one.root());
  auto second = std::move(first);
  EXPECT_EQ(second.root(), one.root());
  second = Repository::open(other.root());
  EXPECT_EQ(second.root(), other.root());
}

TEST(Open, SaysThatThereIsNoRepository) {
  ScratchFolder scratch;
  for (const auto& path : {scratch.path(), scratch.path() / "missing"})
    EXPECT_THAT(
        error_of([&] { Repository::open(path); }),
        AllOf(StartsWith("4 | no git repository holds '" + path.string() + "'"), HasSubstr("git init")));
}

TEST(Open, RefusesSha256) {
  ScratchFolder scratch;
  git(scratch.path(), {"init", "--quiet", "--object-format=sha256"});
  EXPECT_THAT(error_of([&] { Repository::open(scratch.path()); }),
              AllOf(StartsWith("4 | repository '" + scratch.path().string() + "'"), HasSubstr("SHA-256")));
}

TEST(Open, SaysWhatIsDamaged) {
  ScratchRepository scratch;
  write_file(scratch.git_folder() / "config", "[core\n");
  EXPECT_THAT(error_of([&] { Repository::open(scratch.root()); }),
              StartsWith("4 | cannot open repository '" + scratch.root().string() + "': "));
}

// The advice is pasted into a shell as it stands, so the test does just that.
TEST(Open, SaysHowToTrustTheRepositoryOfSomeoneElse) {
  if (::geteuid() != 0) GTEST_SKIP() << "giving files to another user needs root";
  ScratchRepository scratch;
  const auto id = scratch.commit("deep/a", "1");
  const auto clone = scratch.folder() / "it's a clone";
  const auto bare = clone / "bare.git";  // in a working tree that is not to be trusted with it
  const auto linked = scratch.folder() / "linked";
  git(scratch.folder(), {"clone", "--quiet", scratch.root().string(), clone.string()});
  git(scratch.folder(), {"clone", "--quiet", "--bare", scratch.root().string(), bare.string()});
  git(clone, {"worktree", "add", "--quiet", "--detach", linked.string()});
  for (const auto& file : fs::recursive_directory_iterator(scratch.folder()))
    ASSERT_EQ(::lchown(file.path().c_str(), kNobody, kNobody), 0);

  const std::vector<std::pair<fs::path, fs::path>> rows = {// opened from, to be trusted
                                                           {scratch.root(), scratch.root()},
                                                           {clone / "deep", clone},
                                                           {bare, bare},
                                                           {linked, linked}};
  for (const auto& [from, trusted] : rows) {
    const auto answer = error_of([&, path = from] { Repository::open(path); });
    ASSERT_THAT(answer, StartsWith("4 | repository '" + trusted.string() + "' is owned by someone else | "));
    const std::string kAdvice = "git config --global --add safe.directory ";
    const auto at = answer.find(kAdvice);
    ASSERT_NE(at, std::string::npos) << answer;
    ASSERT_TRUE(run_process({.argv = {"sh", "-c", answer.substr(at)}}).ok());
    const auto repository = Repository::open(from);
    EXPECT_EQ(repository.resolve("HEAD").id, id);
    EXPECT_FALSE(repository.is_dirty());
  }
  fs::remove(ScratchHome::path() / ".gitconfig");
}

TEST(HasFile, LooksInTheCommitAlone) {
  ScratchRepository scratch;
  const auto first = scratch.commit("deep/er/file", "1");
  const auto second = scratch.commit("other", "2");
  const auto repository = Repository::open(scratch.root());
  EXPECT_TRUE(repository.has_file(first, "deep/er/file"));
  EXPECT_FALSE(repository.has_file(first, "other"));
  EXPECT_TRUE(repository.has_file(second, "other"));
  for (const std::string path : {"", "/", "deep", "deep/er", "deep/er/", "/other", "./other", "deep/../other",
                                 "../x", "deep/er/file/x"})
    EXPECT_FALSE(repository.has_file(second, path)) << path;
  EXPECT_FALSE(repository.has_file(second, std::string("other\0x", 7)));
  for (const std::string commit : {"", "HEAD", "main", "0123", "zz"})
    EXPECT_FALSE(repository.has_file(commit, "other")) << commit;
  EXPECT_FALSE(repository.has_file(std::string(40, 'a'), "other"));
}

TEST(IsDirty, LooksAtTrackedFilesAlone) {
  struct Row {
    const char* what;
    std::function<void(const ScratchRepository&)> change;
    bool dirty;
  };
  const std::vector<Row> rows = {
      {"nothing", [](const auto&) {}, false},
      {"an untracked file", [](const auto& at) { write_file(at.root() / "new", "1"); }, false},
      {"an ignored file", [](const auto& at) { write_file(at.root() / "build" / "x", "1"); }, false},
      {"a new timestamp", [](const auto& at) { write_file(at.root() / "a", "1"); }, false},
      {"a changed file", [](const auto& at) { write_file(at.root() / "a", "2"); }, true},
      {"a removed file", [](const auto& at) { fs::remove(at.root() / "a"); }, true},
      {"a mode", [](const auto& at) { fs::permissions(at.root() / "a", fs::perms(0755)); }, true},
      {"a staged new file",
       [](const auto& at) {
         write_file(at.root() / "new", "1");
         at.git({"add", "new"});
       },
       true},
      {"a staged change that the working tree takes back",
       [](const auto& at) {
         write_file(at.root() / "a", "2");
         at.git({"add", "a"});
         write_file(at.root() / "a", "1");
       },
       true},
  };
  for (const auto& row : rows) {
    ScratchRepository scratch;
    scratch.commit(".gitignore", "build/\n");
    scratch.commit("a", "1");
    row.change(scratch);
    EXPECT_EQ(Repository::open(scratch.root()).is_dirty(), row.dirty) << row.what;
  }
}

// Called from a git hook, the environment names another repository and index.
TEST(IsDirty, IsNotMisledByTheEnvironment) {
  ScratchRepository scratch;
  scratch.commit("a", "1");
  const auto repository = Repository::open(scratch.root());
  const ScopedEnvironment hook{{"GIT_DIR", "/nowhere"},
                               {"GIT_WORK_TREE", "/nowhere"},
                               {"GIT_INDEX_FILE", "/nowhere/index"},
                               {"GIT_OBJECT_DIRECTORY", "/nowhere/objects"}};
  EXPECT_FALSE(repository.is_dirty());
}

TEST(IsDirty, SeesAnotherCommitInASubmoduleButNotItsUntrackedFiles) {
  ScratchRepository library;
  library.commit("lib", "1");
  ScratchRepository scratch;
  scratch.commit("a", "1");
  scratch.git({"-c", "protocol.file.allow=always", "submodule", "--quiet", "add",
               "file://" + library.root().string(), "library"});
  scratch.git({"commit", "--quiet", "--message", "Use the library"});
  const auto repository = Repository::open(scratch.root());
  EXPECT_FALSE(repository.is_dirty());
  write_file(scratch.root() / "library" / "new", "1");
  EXPECT_FALSE(repository.is_dirty());
  git(scratch.root() / "library", {"add", "new"});
  git(scratch.root() / "library", {"commit", "--quiet", "--message", "another"});
  EXPECT_TRUE(repository.is_dirty());
}

// A clean filter (as of LFS) makes the file differ from its blob, byte for byte, but it has not changed.
TEST(IsDirty, GoesThroughFilters) {
  ScratchRepository scratch;
  scratch.git({"config", "filter.upper.clean", "tr a-z A-Z"});
  scratch.commit(".gitattributes", "*.txt filter=upper\n");
  scratch.commit("a.txt", "word");
  EXPECT_EQ(scratch.git({"show", "HEAD:a.txt"}), "WORD");
  fs::last_write_time(scratch.root() / "a.txt", fs::file_time_type::clock::now() + std::chrono::hours(1));
  EXPECT_FALSE(Repository::open(scratch.root()).is_dirty());
}

TEST(IsDirty, SaysThatGitIsMissing) {
  ScratchRepository scratch;
  const auto repository = Repository::open(scratch.root());
  const ScopedEnvironment nothing{{"PATH", "/nowhere"}};
  EXPECT_THAT(error_of([&] { repository.is_dirty(); }), AllOf(StartsWith("4 | git could not be started in '"),
                                                              EndsWith("install git, or put it on PATH")));
}

using testing::ElementsAre;
using testing_support::ScratchRepository;

std::vector<std::string> subjects(const std::vector<RangeCommit>& range) {
  std::vector<std::string> all;
  for (const auto& one : range) all.push_back(one.commit.subject);
  return all;
}

TEST(CommitRange, AMergeIsOneCommitOfTheLineWithBothParents) {
  ScratchRepository repository;
  const auto first = repository.commit("a", "1", "first");
  repository.git({"checkout", "-q", "-b", "side"});
  const auto side = repository.commit("b", "1", "side");
  repository.git({"checkout", "-q", "main"});
  const auto second = repository.commit("a", "2", "second");
  repository.git({"merge", "-q", "--no-ff", "-m", "merge", "side"});
  repository.commit("a", "3", "last");
  const auto opened = Repository::open(repository.root());
  const auto range = commit_range(opened, first, "HEAD");
  EXPECT_THAT(subjects(range), ElementsAre("second", "merge", "last"));
  EXPECT_THAT(range[1].parents, ElementsAre(second, side));
  EXPECT_THAT(subjects(commit_range(opened, second, "HEAD~1^2")), ElementsAre("side"));
  EXPECT_EQ(common_ancestor(opened, "side", second), first);
}

TEST(CommitRange, NothingLiesBetweenACommitAndItself) {
  ScratchRepository repository;
  repository.commit("a", "1", "first");
  const auto opened = Repository::open(repository.root());
  EXPECT_TRUE(commit_range(opened, "HEAD", "HEAD").empty());
}

TEST(CommitRange, UnrelatedCommitsHaveNoBase) {
  ScratchRepository repository;
  repository.commit("a", "1", "first");
  repository.git({"checkout", "-q", "--orphan", "other"});
  repository.commit("b", "1", "other");
  const auto opened = Repository::open(repository.root());
  EXPECT_FALSE(common_ancestor(opened, "main", "other"));
}

}  // namespace

}  // namespace tracker::repo

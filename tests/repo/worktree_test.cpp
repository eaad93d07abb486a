#include "tracker/repo/worktree.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/scratch_repository.hpp"
#include "tracker/base/text.hpp"

namespace tracker::repo {
namespace {

using namespace testing_support;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

struct TwoCommits : ScratchRepository {
  std::string old_id;
  std::string new_id;

  TwoCommits() {
    commit(".gitignore", "build/\n");
    commit("only_old", "x");
    old_id = commit("source", "old");
    git({"rm", "--quiet", "only_old"});
    new_id = commit("source", "new");
  }
};

TEST(Worktree, LiesInTheGitFolderAndHoldsTheCommit) {
  TwoCommits scratch;
  const auto repository = Repository::open(scratch.root());
  const Worktree worktree(repository, "base", "HEAD~1");
  EXPECT_EQ(worktree.root(), scratch.git_folder() / "tracker" / "worktrees" / "base");
  EXPECT_EQ(read_file(worktree.root() / "source"), "old");
  const auto inside = Repository::open(worktree.root());
  EXPECT_EQ(inside.resolve("HEAD").id, scratch.old_id);
  EXPECT_EQ(inside.common_dir(), scratch.git_folder());
  EXPECT_FALSE(inside.is_dirty());
  EXPECT_FALSE(repository.is_dirty());
  EXPECT_EQ(scratch.git({"branch", "--show-current"}), "main");
}

TEST(Worktree, KeepsBuildsAndNothingElse) {
  TwoCommits scratch;
  const auto repository = Repository::open(scratch.root());
  fs::path root;
  {
    const Worktree worktree(repository, "base", scratch.old_id);
    root = worktree.root();
    write_file(root / "build" / "object.o", "built");
    write_file(root / "source", "edited");
    write_file(root / "left" / "over", "1");
    git(root, {"init", "--quiet", "left/repository"});
    write_file(root / "staged", "1");
    git(root, {"add", "staged"});
  }
  const Worktree worktree(repository, "base", scratch.new_id);
  EXPECT_EQ(worktree.root(), root);
  EXPECT_EQ(read_file(root / "source"), "new");
  EXPECT_EQ(read_file(root / "build" / "object.o"), "built");
  for (const char* gone : {"left", "staged", "only_old"}) EXPECT_FALSE(fs::exists(root / gone)) << gone;
  EXPECT_FALSE(Repository::open(root).is_dirty());
}

TEST(Worktree, IsLockedWhileItLives) {
  TwoCommits scratch;
  const auto repository = Repository::open(scratch.root());
  const auto make = [&](const std::string& name) {
    return error_of([&] { Worktree(repository, name, "HEAD"); });
  };
  {
    const Worktree held(repository, "base", scratch.old_id);
    EXPECT_THAT(make("base"), StartsWith("4 | worktree 'base': is in use by another process | wait"));
    EXPECT_THAT(in_child([&] { return make("base"); }), HasSubstr("is in use by another process"));
    EXPECT_EQ(read_file(held.root() / "source"), "old");
    EXPECT_EQ(make("candidate"), "no error");
  }
  EXPECT_EQ(make("base"), "no error");
}

TEST(Worktree, StandsBesideAnother) {
  TwoCommits scratch;
  const auto repository = Repository::open(scratch.root());
  const Worktree base(repository, "base", scratch.old_id);
  const Worktree candidate(repository, "candidate", scratch.new_id);
  EXPECT_EQ(read_file(base.root() / "source"), "old");
  EXPECT_EQ(read_file(candidate.root() / "source"), "new");
}

TEST(Worktree, RunsNoHooks) {
  TwoCommits scratch;
  const auto marker = scratch.folder() / "hook ran";
  for (const auto& hook :
       {scratch.git_folder() / "hooks" / "post-checkout", scratch.folder() / "hooks" / "post-checkout"}) {
    write_file(hook, "#!/bin/sh\ntouch '" + marker.string() + "'\n");
    fs::permissions(hook, fs::perms(0755));
  }
  const auto repository = Repository::open(scratch.root());
  for (const bool configured : {false, true}) {
    if (configured) scratch.git({"config", "core.hooksPath", (scratch.folder() / "hooks").string()});
    { const Worktree fresh(repository, configured ? "second" : "first", scratch.old_id); }
    { const Worktree again(repository, configured ? "second" : "first", scratch.new_id); }
    EXPECT_FALSE(fs::exists(marker));
    scratch.git({"checkout", "--quiet", "--detach"});
    EXPECT_TRUE(fs::remove(marker)) << "the hook would not have run anyway";
  }
}

TEST(Worktree, IsNotMisledByTheEnvironment) {
  TwoCommits scratch;
  ScratchRepository other;
  other.commit("source", "other");
  const auto repository = Repository::open(scratch.root());
  const ScopedEnvironment hook{{"GIT_DIR", other.git_folder().string()},
                               {"GIT_WORK_TREE", other.root().string()},
                               {"GIT_INDEX_FILE", (other.git_folder() / "index").string()}};
  const Worktree worktree(repository, "base", scratch.old_id);
  EXPECT_EQ(read_file(worktree.root() / "source"), "old");
  EXPECT_EQ(read_file(other.root() / "source"), "other");
}

// Each way to be damaged, with a repository whose configuration would send git from the damaged folder to
// the user's own working tree.
TEST(Worktree, IsRepairedWithoutTouchingTheUsersFiles) {
  const std::vector<std::pair<const char*, std::function<void(const fs::path&, const fs::path&)>>> damages = {
      {"no folder", [](const auto& root, const auto&) { fs::remove_all(root); }},
      {"a file in its place",
       [](const auto& root, const auto&) {
         fs::remove_all(root);
         write_file(root, "x");
       }},
      {"no .git", [](const auto& root, const auto&) { fs::remove(root / ".git"); }},
      {"an empty .git", [](const auto& root, const auto&) { write_file(root / ".git", ""); }},
      {"another .git",
       [](const auto& root, const auto& git) { write_file(root / ".git", "gitdir: " + git.string()); }},
      {".git is a folder",
       [](const auto& root, const auto&) {
         fs::remove(root / ".git");
         fs::create_directory(root / ".git");
       }},
      {"not known to git", [](const auto&, const auto& git) { fs::remove_all(git / "worktrees"); }},
      {"a broken index",
       [](const auto&, const auto& git) { write_file(git / "worktrees" / "base" / "index", "x"); }},
      {"a stale lock",
       [](const auto&, const auto& git) { write_file(git / "worktrees" / "base" / "index.lock", ""); }},
      {"no HEAD", [](const auto&, const auto& git) { fs::remove(git / "worktrees" / "base" / "HEAD"); }},
      {"locked by git and gone",
       [](const auto& root, const auto& git) {
         write_file(git / "worktrees" / "base" / "locked", "");
         fs::remove_all(root);
       }},
  };
  for (const auto& [what, damage] : damages) {
    SCOPED_TRACE(what);
    TwoCommits scratch;
    scratch.git({"config", "core.worktree", scratch.root().string()});
    write_file(scratch.root() / "source", "edited by the user");
    write_file(scratch.root() / "new", "untracked");
    const auto repository = Repository::open(scratch.root());
    { const Worktree worktree(repository, "base", scratch.old_id); }
    damage(scratch.git_folder() / "tracker" / "worktrees" / "base", scratch.git_folder());

    const Worktree worktree(repository, "base", scratch.old_id);
    EXPECT_EQ(read_file(worktree.root() / "source"), "old");
    EXPECT_EQ(Repository::open(worktree.root()).resolve("HEAD").id, scratch.old_id);
    EXPECT_EQ(read_file(scratch.root() / "source"), "edited by the user");
    EXPECT_EQ(read_file(scratch.root() / "new"), "untracked");
    EXPECT_EQ(scratch.git({"rev-parse", "HEAD"}), scratch.new_id);
  }
}

// A copied repository has worktrees whose files lead back to the first one.
TEST(Worktree, LeavesTheRepositoryAloneThatItsOwnWasCopiedFrom) {
  TwoCommits scratch;
  { const Worktree worktree(Repository::open(scratch.root()), "base", scratch.old_id); }
  const auto copy = scratch.folder() / "copy";
  fs::copy(scratch.root(), copy, fs::copy_options::recursive | fs::copy_options::copy_symlinks);
  const Worktree worktree(Repository::open(copy), "base", scratch.new_id);
  EXPECT_EQ(read_file(worktree.root() / "source"), "new");
  const auto first = scratch.git_folder() / "tracker" / "worktrees" / "base";
  EXPECT_EQ(git(first, {"rev-parse", "HEAD"}), scratch.old_id);
  EXPECT_EQ(git(first, {"status", "--porcelain"}), "");
}

TEST(Worktree, KeepsThoseOfTheUserThatAreNotMountedNow) {
  TwoCommits scratch;
  const auto linked = scratch.folder() / "linked";
  scratch.git({"worktree", "add", "--quiet", "--detach", linked.string()});
  fs::rename(linked, scratch.folder() / "away");
  const auto repository = Repository::open(scratch.root());
  { const Worktree worktree(repository, "base", scratch.old_id); }
  fs::remove_all(scratch.git_folder() / "tracker" / "worktrees" / "base");
  { const Worktree worktree(repository, "base", scratch.old_id); }
  fs::rename(scratch.folder() / "away", linked);
  EXPECT_EQ(git(linked, {"rev-parse", "HEAD"}), scratch.new_id);
}

TEST(Worktree, ComesFromBareAndLinkedOnes) {
  TwoCommits scratch;
  const auto bare = scratch.folder() / "bare.git";
  git(scratch.folder(), {"clone", "--quiet", "--bare", scratch.root().string(), bare.string()});
  const Worktree of_bare(Repository::open(bare), "base", "HEAD~1");
  EXPECT_EQ(of_bare.root(), bare / "tracker" / "worktrees" / "base");
  EXPECT_EQ(read_file(of_bare.root() / "source"), "old");

  const auto linked = scratch.folder() / "linked";
  scratch.git({"worktree", "add", "--quiet", "--detach", linked.string(), scratch.old_id});
  const Worktree of_linked(Repository::open(linked), "base", scratch.new_id);
  EXPECT_EQ(of_linked.root(), scratch.git_folder() / "tracker" / "worktrees" / "base");
  EXPECT_EQ(read_file(of_linked.root() / "source"), "new");
}

TEST(Worktree, BringsSubmodulesAlong) {
  ScratchRepository library;
  const auto old_library = library.commit("lib", "old");
  library.commit("lib", "new");
  ScratchRepository scratch;
  scratch.commit("a", "1");
  git(scratch.root(), {"config", "--global", "protocol.file.allow", "always"});
  scratch.git({"submodule", "--quiet", "add", "file://" + library.root().string(), "library"});
  scratch.git({"commit", "--quiet", "--message", "Use the new library"});
  git(scratch.root() / "library", {"checkout", "--quiet", old_library});
  scratch.git({"commit", "--quiet", "--all", "--message", "Use the old library"});
  const auto repository = Repository::open(scratch.root());
  {
    const Worktree worktree(repository, "base", "HEAD");
    EXPECT_EQ(read_file(worktree.root() / "library" / "lib"), "old");
    write_file(worktree.root() / "library" / "lib", "edited");
    write_file(worktree.root() / "library" / "left over", "1");
  }
  {
    const Worktree worktree(repository, "base", "HEAD~1");
    EXPECT_EQ(read_file(worktree.root() / "library" / "lib"), "new");
    EXPECT_FALSE(fs::exists(worktree.root() / "library" / "left over"));
  }
  const Worktree before(repository, "base", "HEAD~2");
  EXPECT_FALSE(fs::exists(before.root() / "library"));
  fs::remove(ScratchHome::path() / ".gitconfig");
}

struct WithLibrary : ScratchRepository {
  ScratchRepository inner;
  ScratchRepository library;

  WithLibrary() {
    testing_support::git(root(), {"config", "--global", "protocol.file.allow", "always"});
    inner.commit("lib", "inner");
    library.commit("lib", "new");
    library.git({"submodule", "--quiet", "add", "file://" + inner.root().string(), "inner"});
    library.git({"commit", "--quiet", "--message", "Use inner"});
    commit("a", "1");
    git({"submodule", "--quiet", "add", "--name", "some name", "file://" + library.root().string(),
         "library"});
    git({"submodule", "--quiet", "add", "file://" + inner.root().string(), "inner"});
    git({"commit", "--quiet", "--message", "Use the library"});
  }
  ~WithLibrary() { fs::remove(ScratchHome::path() / ".gitconfig"); }
};

TEST(Worktree, LeavesSubmodulesEmptyThatTheCheckoutHasNotInitialised) {
  WithLibrary scratch;
  const auto clone = scratch.folder() / "clone";
  git(scratch.folder(), {"clone", "--quiet", scratch.root().string(), clone.string()});
  const auto repository = Repository::open(clone);
  {
    const Worktree worktree(repository, "base", "HEAD");
    EXPECT_TRUE(fs::is_empty(worktree.root() / "library"));
    EXPECT_THAT(worktree.empty_submodules(), ::testing::ElementsAre("library", "inner"));
  }
  git(clone, {"submodule", "--quiet", "update", "--init", "library"});
  {
    const Worktree worktree(repository, "base", "HEAD");
    EXPECT_EQ(read_file(worktree.root() / "library" / "lib"), "new");
    EXPECT_THAT(worktree.empty_submodules(), ::testing::ElementsAre("library/inner", "inner"));
  }
  git(clone, {"submodule", "--quiet", "update", "--init", "--recursive", "library"});
  const std::string before = read_file(clone / ".git" / "config");
  {
    const Worktree worktree(repository, "base", "HEAD");
    EXPECT_EQ(read_file(worktree.root() / "library" / "inner" / "lib"), "inner");
    EXPECT_THAT(worktree.empty_submodules(), ::testing::ElementsAre("inner"));
  }
  git(clone, {"submodule", "--quiet", "deinit", "--force", "library"});
  const Worktree worktree(repository, "base", "HEAD");
  EXPECT_TRUE(fs::is_empty(worktree.root() / "library")) << "what an earlier use had is no part of it";
  EXPECT_EQ(before.find("submodule.inner"), std::string::npos);
}

TEST(Worktree, SaysWhichSubmoduleFails) {
  WithLibrary scratch;
  const auto repository = Repository::open(scratch.root());
  { const Worktree worktree(repository, "base", "HEAD"); }
  write_file(scratch.git_folder() / "tracker" / "worktrees" / "base" / "kept", "");
  fs::rename(scratch.library.root(), scratch.folder() / "away");
  EXPECT_THAT(error_of([&] { Worktree(repository, "other", "HEAD"); }),
              AllOf(StartsWith("4 | submodule 'library' cannot be checked out beside yours: git exited with"),
                    HasSubstr("clone of"), HasSubstr("git submodule deinit library")));
  EXPECT_EQ(error_of([&] { Worktree(repository, "base", "HEAD"); }), "no error") << "it is here already";
}

TEST(Worktree, MendsASubmoduleThatIsDamaged) {
  WithLibrary scratch;
  const auto repository = Repository::open(scratch.root());
  { const Worktree worktree(repository, "base", "HEAD"); }
  fs::remove(scratch.git_folder() / "worktrees" / "base" / "modules" / "some name" / "HEAD");
  const Worktree worktree(repository, "base", "HEAD");
  EXPECT_EQ(read_file(worktree.root() / "library" / "lib"), "new");
  EXPECT_EQ(git(scratch.root() / "library", {"status", "--porcelain"}), "");
}

TEST(Worktree, KeepsNothingWhereNothingIsToBeKept) {
  TwoCommits scratch;
  const auto repository = Repository::open(scratch.root());
  {
    Worktree worktree(repository, "base", scratch.old_id);
    write_file(worktree.root() / "build" / "object.o", "built");
    worktree.end_build("recipe");
  }
  const Worktree worktree(repository, "base", scratch.old_id, Kept::kNo);
  EXPECT_FALSE(fs::exists(worktree.root() / "build"));
  EXPECT_FALSE(worktree.is_built("recipe"));
  EXPECT_EQ(read_file(worktree.root() / "source"), "old");
}

TEST(Worktree, KnowsWhatItsBuildIsOf) {
  TwoCommits scratch;
  const auto repository = Repository::open(scratch.root());
  {
    Worktree worktree(repository, "base", scratch.old_id);
    EXPECT_FALSE(worktree.is_built("recipe"));
    worktree.end_build("recipe");
    EXPECT_TRUE(worktree.is_built("recipe"));
    EXPECT_FALSE(worktree.is_built("another"));
  }
  { EXPECT_FALSE(Worktree(repository, "base", scratch.new_id).is_built("recipe")); }
  Worktree worktree(repository, "base", scratch.old_id);
  EXPECT_TRUE(worktree.is_built("recipe"));
  worktree.begin_build();
  EXPECT_FALSE(worktree.is_built("recipe"));
}

TEST(WorktreeNames, ACommitGetsTheOneWithItsBuild) {
  TwoCommits scratch;
  const auto repository = Repository::open(scratch.root());
  const auto names = [&](const std::vector<std::string>& commits, int count) {
    std::vector<WantedBuild> wanted;
    for (const auto& commit : commits) wanted.push_back({commit, "recipe"});
    return join(worktree_names(repository, wanted, count), " ");
  };
  EXPECT_EQ(names({scratch.old_id, scratch.new_id}, 2), "a b");
  for (const auto& [name, id] : {std::pair{"a", scratch.old_id}, std::pair{"b", scratch.new_id}})
    Worktree(repository, name, id).end_build("recipe");
  const auto home = scratch.git_folder() / "tracker" / "worktrees";
  fs::last_write_time(home / "b.built", fs::last_write_time(home / "a.built") - std::chrono::hours(1));
  EXPECT_EQ(names({scratch.old_id, scratch.new_id}, 2), "a b");
  EXPECT_EQ(names({scratch.new_id, scratch.old_id}, 2), "b a");
  EXPECT_EQ(names({scratch.new_id, scratch.new_id}, 2), "b a");
  EXPECT_EQ(names({"another"}, 2), "b") << "built longest ago";
  EXPECT_EQ(names({"another"}, 3), "c") << "not there yet";
  EXPECT_EQ(names({"another", scratch.old_id}, 2), "b a");
}

TEST(Worktree, RefusesHostileNames) {
  TwoCommits scratch;
  const auto repository = Repository::open(scratch.root());
  for (const std::string name : {"", ".", "..", "../x", "a/b", "-f", ".git", "a b", "x.lock", "a\nb"})
    EXPECT_THAT(error_of([&] { Worktree(repository, name, "HEAD"); }),
                StartsWith("2 | worktree name " + in_quotes(name) + " is not allowed"));
  EXPECT_FALSE(fs::exists(scratch.git_folder() / "tracker"));
}

TEST(Worktree, SaysWhichRevisionIsUnknown) {
  TwoCommits scratch;
  EXPECT_THAT(error_of([&] { Worktree(Repository::open(scratch.root()), "base", "--orphan"); }),
              StartsWith("2 | revision '--orphan' is unknown"));
}

TEST(Worktree, SaysThatTheGitFolderCannotBeWritten) {
  TwoCommits scratch;
  const auto repository = Repository::open(scratch.root());
  fs::permissions(scratch.git_folder(), fs::perms(0555));
  EXPECT_THAT(
      in_child_bound_by_permissions([&] { return error_of([&] { Worktree(repository, "base", "HEAD"); }); }),
      AllOf(StartsWith("4 | worktree 'base': cannot make folder '"), HasSubstr("Permission denied"),
            HasSubstr("can be written to")));
  fs::permissions(scratch.git_folder(), fs::perms(0755));
}

TEST(Worktree, PassesOnWhatGitSays) {
  TwoCommits scratch;
  const auto blob = scratch.git({"rev-parse", "HEAD:source"});
  fs::remove(scratch.git_folder() / "objects" / blob.substr(0, 2) / blob.substr(2));
  EXPECT_THAT(error_of([&] { Worktree(Repository::open(scratch.root()), "base", "HEAD"); }),
              AllOf(StartsWith("4 | worktree 'base': git exited with 1"), HasSubstr(blob)));
}

using namespace testing_support;
using ::testing::ElementsAre;

// The files that git does not track.
std::vector<std::string> left_in(const fs::path& root) {
  std::vector<std::string> left;
  for (auto at = fs::recursive_directory_iterator(root); at != fs::recursive_directory_iterator(); ++at) {
    if (at->path().filename() == ".git")
      at.disable_recursion_pending();
    else if (!at->is_directory() && at->path().filename() != ".gitignore" &&
             at->path().filename() != "source")
      left.push_back(at->path().lexically_relative(root).string());
  }
  std::sort(left.begin(), left.end());
  return left;
}

struct Built : ScratchRepository {
  Built() {
    commit(".gitignore", "*.o\nbuild/\nbench\nCMakeCache.txt\n");
    commit("source", "x");
    for (const char* file : {"a.o", "bench", "build/lib/b.o", "build/cmake/CMakeCache.txt", "build/cmake/c.o",
                             "build/cmake/Makefile", "build/cmake/build.ninja", "build/cmake/.ninja_log",
                             "build/cmake/CMakeFiles/3.25.1/CMakeCXXCompiler.cmake",
                             "build/cmake/CMakeFiles/x.dir/d.o", "build/cmake/sub/Makefile"})
      write_file(root() / file, "built");
  }
};

TEST(Leftovers, OfCMakeStayWithoutItsConfiguration) {
  const Built scratch;
  EXPECT_TRUE(remove_leftovers(scratch.root(), Leftovers::kCMakeFolders));
  EXPECT_THAT(left_in(scratch.root()),
              ElementsAre("build/cmake/.ninja_log", "build/cmake/CMakeFiles/x.dir/d.o", "build/cmake/c.o",
                          "build/cmake/sub/Makefile"));
  EXPECT_EQ(scratch.git({"status", "--porcelain"}), "");
}

TEST(Leftovers, ARootThatCMakeConfiguredIsNoFolderOfItsOwn) {
  const Built scratch;
  write_file(scratch.root() / "CMakeCache.txt", "");
  remove_leftovers(scratch.root(), Leftovers::kCMakeFolders);
  EXPECT_FALSE(fs::exists(scratch.root() / "a.o"));
}

TEST(Leftovers, AllGoOrAllStay) {
  const Built scratch;
  EXPECT_TRUE(remove_leftovers(scratch.root(), Leftovers::kAll));
  EXPECT_EQ(left_in(scratch.root()).size(), 11u);
  EXPECT_FALSE(remove_leftovers(scratch.root(), Leftovers::kRemoved));
  EXPECT_THAT(left_in(scratch.root()), ElementsAre());
  EXPECT_EQ(read_file(scratch.root() / "source"), "x");
}

TEST(Leftovers, LinksAreRemovedAndNotFollowed) {
  const Built scratch;
  const auto elsewhere = scratch.folder() / "elsewhere";
  write_file(elsewhere / "CMakeCache.txt", "mine");
  write_file(elsewhere / "Makefile", "mine");
  fs::create_directory_symlink(elsewhere, scratch.root() / "build" / "link");
  fs::create_directory_symlink(elsewhere, scratch.root() / "link.o");
  remove_leftovers(scratch.root(), Leftovers::kCMakeFolders);
  EXPECT_FALSE(fs::is_symlink(scratch.root() / "link.o"));
  EXPECT_FALSE(fs::is_symlink(scratch.root() / "build" / "link"));
  EXPECT_EQ(read_file(elsewhere / "CMakeCache.txt"), "mine");
  EXPECT_EQ(read_file(elsewhere / "Makefile"), "mine");
}

TEST(BuiltFile, IsRemovedBelowTheRoot) {
  const Built scratch;
  remove_built_file(scratch.root(), "bench");
  remove_built_file(scratch.root(), "./build/../build/lib/b.o");
  remove_built_file(scratch.root(), "build/none/there");
  EXPECT_FALSE(fs::exists(scratch.root() / "bench"));
  EXPECT_FALSE(fs::exists(scratch.root() / "build" / "lib" / "b.o"));
}

TEST(BuiltFile, IsNeitherTrackedNorElsewhereNorAFolder) {
  const Built scratch;
  const auto elsewhere = scratch.folder() / "elsewhere";
  write_file(elsewhere / "bench", "mine");
  fs::create_directory_symlink(elsewhere, scratch.root() / "build" / "link");
  fs::create_symlink(elsewhere / "bench", scratch.root() / "build" / "file");
  const auto absolute = (elsewhere / "bench").string();
  for (const std::string path :
       {"source", "../elsewhere/bench", "build/link/bench", "build/../../elsewhere/bench", "build", ".", "",
        ".git/HEAD", absolute.c_str()}) {
    remove_built_file(scratch.root(), path);
    EXPECT_TRUE(fs::exists(scratch.root() / path)) << path;
  }
  remove_built_file(scratch.root(), "build/file");
  EXPECT_FALSE(fs::is_symlink(scratch.root() / "build" / "file"));
  EXPECT_EQ(read_file(elsewhere / "bench"), "mine") << "a link goes, what it names stays";
}

}  // namespace

}  // namespace tracker::repo

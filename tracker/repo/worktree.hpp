// A second checkout of the repository to build another commit in. Kept between uses below
// <git folder>/tracker/worktrees/<name>, with a file that says what was built there; a lock keeps two
// processes out of one.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tracker/repo/repository.hpp"

namespace tracker::repo {

// Whether an earlier checkout of the same name may be used again.
enum class Kept { kYes, kNo };

class Worktree {
 public:
  // Checks out `commit`, detached; files that git ignores (build folders) stay, unless nothing is to be kept.
  // Submodules come along that the repository's checkout has initialised. kEnvironment when git fails (with
  // its words, naming the submodule), when another process holds the lock, or when the disk is full.
  Worktree(const Repository& repository, const std::string& name, const std::string& commit,
           Kept kept = Kept::kYes);
  ~Worktree();  // lets go of the lock; the files stay
  Worktree(const Worktree&) = delete;
  Worktree& operator=(const Worktree&) = delete;

  const std::filesystem::path& root() const { return root_; }
  // The paths of submodules that were left empty, as in the repository's checkout.
  const std::vector<std::string>& empty_submodules() const { return empty_submodules_; }

  // Whether the last build here was of this commit and in this way, and ended well.
  bool is_built(const std::string& recipe) const;
  // From now on no build here counts as ended well. kEnvironment where its note cannot be removed.
  void begin_build();
  void end_build(const std::string& recipe);  // which ended well

 private:
  std::filesystem::path built_file() const;

  std::filesystem::path root_;
  std::string commit_;
  std::vector<std::string> empty_submodules_;
  struct Lock;  // on the file beside it
  std::unique_ptr<Lock> lock_;
};

// A commit, and what its build depends on beside it.
struct WantedBuild {
  std::string commit;
  std::string recipe;
};

// The names of worktrees for these builds, in their order, among the first `count` that there are: the one
// that has the commit built in this way, else one that is not there yet, else the one built longest ago.
std::vector<std::string> worktree_names(const Repository& repository, const std::vector<WantedBuild>& wanted,
                                        int count);

// Where the last build of the commit in this way is, if it ended well and nothing was built over it.
std::optional<std::filesystem::path> built_worktree(const Repository& repository, const std::string& commit,
                                                    const std::string& recipe, int count);

// What a build left in a checkout: files that git ignores.

// How much of it may stay for a build of another commit.
enum class Leftovers {
  kRemoved,
  // The folders that CMake has configured, as their builds compile again where a command line changed. What
  // CMake remembers of the configuration goes, as it would keep the options of another commit.
  kCMakeFolders,
  kAll,
};

// Removes ignored files below the root of a checkout, and all that git does not track in its submodules. True
// where some may be left. kEnvironment where a file cannot be removed. Symbolic links are never followed.
bool remove_leftovers(const std::filesystem::path& root, Leftovers leftovers);

// Removes the file that a build makes at `path`, relative to the root. Left alone are files that git tracks,
// folders, and what does not lie below the root, by its name or through a symbolic link. kEnvironment where
// it cannot be removed.
void remove_built_file(const std::filesystem::path& root, const std::filesystem::path& path);

}  // namespace tracker::repo

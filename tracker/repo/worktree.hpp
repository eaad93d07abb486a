// A second checkout of the repository to build another commit in. Kept between uses, so that building is
// incremental, below <git folder>/tracker/worktrees/<name>; a lock keeps two processes out of one.
#pragma once

#include <filesystem>
#include <string>

#include "tracker/repo/repository.hpp"

namespace tracker {

class Worktree {
 public:
  // Checks out `commit`, detached; files that git ignores (build folders) stay. kEnvironment when git
  // fails (with its words), when another process holds the lock, or when the disk is full.
  Worktree(const Repository& repository, const std::string& name, const std::string& commit);
  ~Worktree();  // lets go of the lock; the files stay
  Worktree(const Worktree&) = delete;
  Worktree& operator=(const Worktree&) = delete;

  const std::filesystem::path& root() const { return root_; }

 private:
  std::filesystem::path root_;
  int lock_ = -1;
};

}  // namespace tracker

// Objects that may be in vain: written beside a repository's own, seen by one push, and kept or removed.
#pragma once

#include <filesystem>

#include "tracker/repo/git_handle.hpp"
#include "tracker/repo/repository.hpp"

namespace tracker {

// A folder among the repository's objects, where git keeps such folders of its own: `git gc` removes one that
// a killed process left behind.
class Quarantine {
 public:
  // kEnvironment where it cannot be made.
  explicit Quarantine(const Repository& repository);
  ~Quarantine();
  Quarantine(const Quarantine&) = delete;
  Quarantine& operator=(const Quarantine&) = delete;

  // The same repository: what is written by its handle lies in the folder.
  const Repository& repository() const { return inside_; }
  // For git, in place of its objects: it finds those in the repository as well.
  const std::filesystem::path& folder() const { return folder_; }
  // Makes the commit, and what belongs to it, part of the repository. kEnvironment where it cannot be
  // written.
  void keep(const git_oid& commit) const;

 private:
  const Repository& outside_;
  std::filesystem::path folder_;
  Repository inside_;
};

}  // namespace tracker

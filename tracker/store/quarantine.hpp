// New objects of a repository, until a ref names them: `git gc`, `git prune` and `git repack` may remove
// loose and packed objects that no ref reaches at any moment.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "tracker/base/lease.hpp"
#include "tracker/repo/libgit2.hpp"
#include "tracker/repo/repository.hpp"

namespace tracker::store {

// A folder among a repository's objects, which git leaves alone. That of a killed process is known by its
// lock, which nobody holds.
class ObjectFolder {
 public:
  // kEnvironment where it cannot be made.
  explicit ObjectFolder(const repo::Repository& repository);
  ~ObjectFolder();
  ObjectFolder(const ObjectFolder&) = delete;
  ObjectFolder& operator=(const ObjectFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  std::unique_ptr<AdvisoryLock> lock_;
};

// Whether all is here that the commit has and its parents do not; in a clone that leaves texts out: all
// folders.
bool is_step_whole(const repo::Repository& repository, const git_oid& commit);

// Removes the folders, and the .keep files of packs, that killed processes left behind.
void remove_left_objects(const repo::Repository& repository);

// The same repository again; what is written by its handle stays in memory. kEnvironment where it cannot be
// opened.
repo::Repository open_in_memory(const repo::Repository& repository);
// Gives that memory back: for when all of it has been written.
void forget_written(const repo::Repository& in_memory);

// Objects that may be in vain: written beside a repository's own, seen by one push, and removed with this.
class Quarantine {
 public:
  // kEnvironment where it cannot be made.
  explicit Quarantine(const repo::Repository& repository);
  Quarantine(const Quarantine&) = delete;
  Quarantine& operator=(const Quarantine&) = delete;

  // The same repository: what is written by its handle lies in the folder.
  const repo::Repository& repository() const { return inside_; }
  // For git, in place of its objects: it finds those in the repository as well.
  const std::filesystem::path& folder() const { return folder_.path(); }

 private:
  ObjectFolder folder_;
  repo::Repository inside_;
};

// A pack of what a commit has and no ref reaches, with a .keep file beside it while this lives: nobody
// removes it. It goes with this, unless the ref was moved to it, and is a pack like any other then. Its name
// is its own, not that of its contents: two writers who make the same commit would remove one another's, and
// a `git repack` that saw it without the file would remove it once it is written again.
class KeptPack {
 public:
  // `repository` finds the objects, in memory or elsewhere. Commits that `tip`, or a ref of a store, stands
  // at are held, with all they descend from; no pack is made for such a commit. kEnvironment where an object
  // is gone, or the pack cannot be written.
  KeptPack(const repo::Repository& repository, const git_oid& commit, const git_oid& tip);
  ~KeptPack();
  KeptPack(const KeptPack&) = delete;
  KeptPack& operator=(const KeptPack&) = delete;

  const git_oid& commit() const { return commit_; }
  // The ref could not be moved, but its reflog may have the commit by now: the pack stays all the same.
  void leave() { stays_ = true; }
  // The ref has it: the pack stays. kEnvironment where an object of it cannot be found in the repository.
  void release(const repo::Repository& repository);

 private:
  void remove() const;

  git_oid commit_{};
  std::unique_ptr<ObjectFolder> folder_;
  std::filesystem::path pack_;  // without its extension
  bool stays_ = false;
  std::vector<git_oid> objects_;
};

// Joins packs once there are many small ones, as each step of a store leaves one. A failure is left for
// later.
void join_small_packs(const repo::Repository& repository);

}  // namespace tracker::store

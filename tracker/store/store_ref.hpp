// The ref that holds a store: read, and moved only from what was read.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "tracker/base/error.hpp"
#include "tracker/repo/git_handle.hpp"
#include "tracker/repo/repository.hpp"

namespace tracker {

// What the ref holds at one moment; all empty while there is no ref.
struct Tip {
  git_oid id{};
  GitCommit commit;
  GitTree tree;
};

class StoreRef {
 public:
  enum class Of { kHere, kRemote };
  // kUsage where a `ref` of here is not a valid name below refs/, or is git's own. The repository must
  // outlive this.
  StoreRef(const Repository& repository, std::string ref, Of whose = Of::kHere);

  git_repository* git() const { return git_; }
  const std::string& name() const { return ref_; }

  // kEnvironment where the ref cannot be read, or holds no commits.
  Tip tip() const;
  // Calls `attempt` with what the ref holds until it answers true; false is for a ref that moved meanwhile.
  // kEnvironment where the lock on the ref was left behind.
  void update(const std::function<bool(const Tip&)>& attempt) const;
  // Moves the ref from `tip` to the commit; false where another writer was there.
  bool move(const Tip& tip, const git_oid& commit) const;
  // Removes the ref where it still is `tip`; false where another writer was there.
  bool remove(const Tip& tip) const;
  // Makes `ref` the commit, so that it is not lost. Anything but the store's own ref.
  void keep(const std::string& ref, const git_oid& commit) const;
  // Whether somebody has locked the ref, or left a lock behind.
  bool is_locked() const;
  // libgit2's last refusal to write: call it right after.
  Error write_failure() const;

 private:
  Error stuck_failure() const;

  git_repository* git_;
  std::filesystem::path folder_;
  std::string ref_;
};

}  // namespace tracker

// The ref that holds a store: read, and moved only from what was read.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tracker/base/error.hpp"
#include "tracker/repo/libgit2.hpp"
#include "tracker/repo/repository.hpp"
#include "tracker/store/quarantine.hpp"

namespace tracker::store {

// At a remote: commits of writers that others overtook, a ref each, until somebody takes them along.
inline constexpr std::string_view kQueueFolder = "refs/tracker/queue/";

// What the ref holds at one moment; all empty while there is no ref. Where objects of its newest step are
// missing: the newest state before it that is whole.
struct Tip {
  git_oid id{};
  git_oid ref_id{};  // what the ref itself holds
  repo::GitCommit commit;
  repo::GitTree tree;
};

class Ref {
 public:
  // One that is not of here is never moved: a remote's as it was fetched, or that of a Quarantine.
  enum class Of { kHere, kElsewhere };
  // kUsage where a `ref` of here is not a valid name below refs/tracker/, or is in the queue. The repository
  // must outlive this.
  Ref(const repo::Repository& repository, std::string ref, Of whose = Of::kHere);

  // Of here: what is written by it stays in memory until the ref moves.
  git_repository* git() const { return git_; }
  const std::string& name() const { return ref_; }

  // kEnvironment where the ref cannot be read, nor any state before, or holds no commits.
  Tip tip() const;
  // Makes the ref what tip() says. Of one that cannot be read at all: removes it, where `even_lost`.
  void mend(bool even_lost) const;
  // The same of one commit, whatever the ref holds. kEnvironment where it cannot be read.
  Tip at(const git_oid& commit) const;
  // kEnvironment where it cannot be read.
  repo::GitTree tree(const git_oid& id) const;
  // Calls `attempt` with what the ref holds until it answers true; false is for a ref that moved meanwhile.
  // Other writers of this clone wait until then, in the order in which they came. kEnvironment where the lock
  // on the ref was left behind.
  void update(const std::function<bool(const Tip&)>& attempt) const;
  // Moves the ref from `tip` to the commit, and writes before that what the commit has that no ref holds;
  // false where another writer was there. kEnvironment where it cannot be written, or not be read back.
  bool move(const Tip& tip, const git_oid& commit) const;
  // Takes over what was written for the next move.
  void take(std::unique_ptr<KeptPack> pack) const { kept_ = std::move(pack); }
  // Removes the ref where it still is `tip`; false where another writer was there.
  bool remove(const Tip& tip) const;
  // Makes `ref` the commit, so that it is not lost. Anything but the store's own ref.
  void keep(const std::string& ref, const git_oid& commit) const;
  // Whether somebody has locked the ref, or left a lock behind.
  bool is_locked() const;
  // libgit2's last refusal to write: call it right after.
  Error write_failure() const;

 private:
  std::optional<git_oid> whole_before(const git_oid& broken) const;
  std::string place() const;  // for messages
  Error lost_failure() const;
  Error stuck_failure() const;
  Error read_failure() const;
  Error not_a_store() const;

  const repo::Repository& outside_;
  std::optional<repo::Repository> in_memory_;
  git_repository* git_;
  std::filesystem::path folder_;
  std::string ref_;
  mutable std::mutex checking_;
  mutable git_oid checked_{};               // what the ref held when it was looked at last
  mutable git_oid whole_{};                 // what is read then
  mutable std::unique_ptr<KeptPack> kept_;  // while the ref has not moved
};

// The names of all refs below `folder`, which ends with a slash, in order. kEnvironment where they cannot be
// listed.
std::vector<std::string> refs_below(const repo::Repository& repository, const std::string& folder);

}  // namespace tracker::store

// The store of a repository and the one of a remote, made the same.
#pragma once

#include <string>
#include <vector>

#include "tracker/repo/git_remote.hpp"
#include "tracker/repo/repository.hpp"
#include "tracker/store/store.hpp"

namespace tracker::store {

enum class SyncWay {
  kBoth,
  kFetchOnly,
  kFromRemote,  // the store here becomes the remote's; what only this clone has is set aside
};

struct SyncRequest {
  SyncWay way = SyncWay::kBoth;
  // Only the newest state of the remote's store, without its past, and documents only when they are read: see
  // FetchDetails. Not for kBoth. Nothing is checked, as nothing is read.
  bool is_shallow = false;
  std::vector<std::string> commits;  // only documents of these are pushed; empty: all
  DocumentCheck check;               // what it refuses is neither taken nor pushed; none: nothing is refused
};

struct RefusedDocument {
  Key key;
  std::string why;
  bool is_here = false;  // here, and not pushed; else there, and not taken
};

// A ref in the remote's queue that cannot be taken along.
struct IgnoredRef {
  std::string name;
  std::string why;
};

struct Synced {
  KindCounts fetched;     // documents that were new here
  KindCounts pushed;      // and there
  bool is_empty = false;  // nothing is recorded, here or there
  // The remote has no store, though it had one when this clone fetched from it before. What was fetched then
  // is on this ref.
  std::string had;
  KindCounts kept_back;  // new there, and of commits that were not asked for
  std::vector<RefusedDocument> refused;
  std::vector<IgnoredRef> ignored;
  std::string aside;  // the ref that keeps what only this clone had; empty: there was nothing
  KindCounts set_aside;
};

// Fetches the remote's store, merges it with the one here (all or nothing, by compare-and-swap), and pushes
// the result without force; where others push meanwhile, again. A failure leaves the store here as it was, or
// with what was fetched. kEnvironment, naming the path, where the two have different contents at one.
Synced sync_with(const repo::Repository& repository, const std::string& ref, const repo::GitRemote& remote,
                 const SyncRequest& request);

// What a remote had when its store was fetched last.
struct NotTaken {
  std::string remote;  // its name, as tracking_ref() has it
  std::vector<Key> runs;
};
// Of each remote, the runs that the store here does not have: `sync` refused them, or did not come to its
// end. Without those that were dropped, here or there. A ref that holds no store is passed over.
std::vector<NotTaken> not_taken_from(const repo::Repository& repository, const std::string& ref);

// Where the remote's store is fetched to: "refs/tracker-remotes/origin/v1".
std::string tracking_ref(const repo::GitRemote& remote, const std::string& ref);

}  // namespace tracker::store

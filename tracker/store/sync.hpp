// The store of a repository and the one of a remote, made the same.
#pragma once

#include <string>

#include "tracker/repo/git_remote.hpp"
#include "tracker/repo/repository.hpp"
#include "tracker/store/stored_key.hpp"

namespace tracker {

enum class SyncWay { kBoth, kFetchOnly };

struct Synced {
  KindCounts fetched;     // documents that were new here
  KindCounts pushed;      // and there
  bool is_empty = false;  // nothing is recorded, here or there
};

// Fetches the remote's store, unites it with the one here (all or nothing, by compare-and-swap), and pushes
// the result without force; where others push meanwhile, again. A failure leaves the store here as it was, or
// with what was fetched. kEnvironment, naming the path, where the two have different contents at one.
Synced sync_store(const Repository& repository, const std::string& ref, const GitRemote& remote, SyncWay way);

// Where the remote's store is fetched to: "refs/tracker-remotes/origin/v1".
std::string tracking_ref(const GitRemote& remote, const std::string& ref);

}  // namespace tracker

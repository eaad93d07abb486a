// Old pictures go from their branch (publish.hpp), so that clones stay small. Comments link to pictures by
// commit: a commit stays as long as one of its folders does, and its links with it.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "tracker/github/api.hpp"
#include "tracker/repo/git_remote.hpp"

namespace tracker {

// The policy. Kept are the folders of open pull requests (pull/NUMBER/…), what was published in the last
// `keep_days` days, and folders of other names than publish gives.
struct PruneRequest {
  std::string branch = "tracker-charts";
  int keep_days = 90;
  std::set<std::int64_t> open;  // pull requests
  std::int64_t now_s = 0;       // since 1970
  bool dry_run = false;
};

struct PruneAnswer {
  std::vector<std::string> removed;  // folders: "pull/12/1a2b3c4d5e"; those that would be, of a dry run
  std::size_t kept = 0;              // folders
  std::int64_t removed_bytes = 0;    // of their pictures
  bool was_branch = true;            // false: there is no such branch
};

// Replaces the branch by one commit that unites what is kept, unless somebody else publishes meanwhile: then
// it looks again. kUsage for a branch that shares its history with HEAD; kEnvironment where git fails.
PruneAnswer prune_charts(const Repository& repository, const GitRemote& remote, const PruneRequest& request);

// The numbers of all open pull requests. Throws ApiError.
std::set<std::int64_t> open_pull_requests(ServiceApi& api, const std::string& repository);

}  // namespace tracker

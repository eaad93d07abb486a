// The commits between two others, and how they hang together.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tracker/repo/repository.hpp"

namespace tracker {

struct RangeCommit {
  Commit commit;
  std::vector<std::string> parents;  // ids; more than one: a merge
};

// The first-parent line of `last`, without what `first` has already (git's first..last), oldest first. Both
// are revisions. kUsage where one names no commit; kEnvironment where git does not tell.
std::vector<RangeCommit> commit_range(const Repository& repository, const std::string& first,
                                      const std::string& last);

// The id of the best common ancestor; none where there is none, or the clone is too shallow to tell.
std::optional<std::string> common_ancestor(const Repository& repository, const std::string& a,
                                           const std::string& b);

}  // namespace tracker

// What the store of a repository holds, and what it takes.
#pragma once

#include <cstddef>

#include "tracker/app/workspace.hpp"
#include "tracker/model/store_stats.hpp"

namespace tracker {

// No more documents are read than this, however many there are.
inline constexpr std::size_t kSampledRunsMax = 20;

// Reads the newest runs' documents for what their samples come to; sizes of all others come from the store,
// unread. Nothing is fetched: what a partial clone has left out is counted. kEnvironment where the store
// cannot be read.
StoreStats store_stats(const Workspace& workspace);

}  // namespace tracker

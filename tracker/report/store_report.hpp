// What a store holds, for people and for programs.
#pragma once

#include <cstddef>
#include <string>

#include "tracker/model/run.hpp"

namespace tracker::report {

// What store_stats_json() names as its schema.
inline constexpr const char* kStoreSchema = "tracker.store/1";

// Lines of at most `columns` (40 at least); of 80, and with all of each device's key, where it is 0.
std::string store_stats_text(const StoreStats& stats, std::size_t columns);

// docs/outputs.md says what its keys mean.
std::string store_stats_json(const StoreStats& stats);

}  // namespace tracker::report

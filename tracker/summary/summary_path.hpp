// Where the summaries of a store lie.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "tracker/store/store.hpp"

namespace tracker {

// `folder`: of the clone, for all stores.
std::filesystem::path summary_path(const Store& store, const std::filesystem::path& folder);

// What the file takes on disk, with what is being written to it; none where there is no file.
std::optional<std::uint64_t> summary_bytes(const std::filesystem::path& file);

}  // namespace tracker

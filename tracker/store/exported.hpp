// Folders of exported documents: the layout of the store, as files.
#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

#include "tracker/store/stored_key.hpp"

namespace tracker {

struct ExportedFile {
  std::filesystem::path path;
  StoredKey key;  // as its path claims: what it holds may say otherwise
};

// The files of one folder that strangers made, by their paths. kUsage, naming what is in the way, where
// anything lies in it that the layout does not have: other names, links, devices, more files than allowed,
// none at all.
std::vector<ExportedFile> find_exported(const std::filesystem::path& folder, std::size_t files_max);

}  // namespace tracker

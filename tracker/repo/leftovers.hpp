// What a build left in a checkout: files that git ignores.
#pragma once

#include <filesystem>

namespace tracker {

// How much of it may stay for a build of another commit.
enum class Leftovers {
  kRemoved,
  // The folders that CMake has configured, as their builds compile again where a command line changed. What
  // CMake remembers of the configuration goes, as it would keep the options of another commit.
  kCMakeFolders,
  kAll,
};

// Removes ignored files below the root of a checkout, and all that git does not track in its submodules. True
// where some may be left. kEnvironment where a file cannot be removed. Symbolic links are never followed.
bool remove_leftovers(const std::filesystem::path& root, Leftovers leftovers);

// Removes the file that a build makes at `path`, relative to the root. Left alone are files that git tracks,
// folders, and what does not lie below the root, by its name or through a symbolic link.
void remove_built_file(const std::filesystem::path& root, const std::filesystem::path& path);

}  // namespace tracker

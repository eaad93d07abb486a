// Which files a commit has, and which differ between two commits.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tracker/repo/repository.hpp"

namespace tracker {

// Their paths from the root, of both commits, with those that are in one of them alone; a submodule by its
// path. Empty where git does not tell.
std::optional<std::vector<std::string>> changed_files(const Repository& repository, const std::string& base,
                                                      const std::string& candidate);

struct CommittedFile {
  std::string path;     // from the root; a submodule by its path
  std::string content;  // its kind and git's id of what it holds
};

// All files of a commit. Empty where git does not tell.
std::optional<std::vector<CommittedFile>> committed_files(const Repository& repository,
                                                          const std::string& commit);

}  // namespace tracker

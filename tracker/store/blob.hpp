// Contents of the store's objects, read and written without its ref.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tracker/repo/git_handle.hpp"
#include "tracker/store/store.hpp"

namespace tracker {

// kEnvironment, naming `where`, for what is missing, damaged, or larger than any document.
std::string read_blob(git_repository* repository, const git_oid& id, const std::string& where);

// A commit of `tree` (null: an empty one) with these files, by their paths, on top of `parent` (null: none).
// None where git cannot write it: libgit2's last error says why.
std::optional<git_oid> commit_files(git_repository* repository, git_tree* tree, const git_commit* parent,
                                    const std::vector<std::pair<std::string, git_oid>>& files,
                                    const std::string& message);

}  // namespace tracker

// Submodules of a worktree, as the user's own checkout has them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tracker/repo/repository.hpp"

namespace tracker {

// Brings those submodules of the worktree at `root` along that the repository's checkout has initialised, and
// within them likewise; files that a build left in them stay, if git ignores them. The paths of the others,
// which stay empty. kEnvironment, naming the submodule, where git fails. No configuration of the repository
// is changed.
std::vector<std::string> bring_submodules(const Repository& repository, const std::filesystem::path& root);

}  // namespace tracker

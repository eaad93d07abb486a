// The git executable, for what libgit2 does not do as git does (worktrees, submodules, filters).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tracker/base/process.hpp"

namespace tracker {

// Runs `git <arguments>` in `directory`, as if called by hand there: a repository named by the
// environment (as inside a git hook) is not looked at, nor one above `directory`'s parent when
// `only_here`. No hook runs, nothing asks for a password. kEnvironment where git cannot be started.
ProcessResult run_git(const std::filesystem::path& directory, const std::vector<std::string>& arguments,
                      bool only_here = false);

}  // namespace tracker

// The git executable, for what libgit2 does not do as git does (worktrees, submodules, filters, remotes).
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tracker/base/process.hpp"

namespace tracker::repo {

struct GitCall {
  std::filesystem::path directory;
  std::vector<std::string> arguments;
  bool only_here = false;                          // no repository above `directory`'s parent is looked at
  std::map<std::string, std::string> environment;  // set in addition
  std::string input;                               // its standard input
  std::function<bool()> keep_going;                // as in ProcessSpec
  bool with_tokens = false;                        // likewise: for credential helpers that read them
};

// Runs git as if called by hand in a directory: a repository named by the environment (as inside a git hook)
// is not looked at. No hook runs, nothing asks for a password. kEnvironment where git cannot be started.
ProcessResult run_git(const GitCall& call);
ProcessResult run_git(const std::filesystem::path& directory, const std::vector<std::string>& arguments,
                      bool only_here = false);

}  // namespace tracker::repo

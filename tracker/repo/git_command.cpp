#include "tracker/repo/git_command.hpp"

#include <chrono>

#include "tracker/base/error.hpp"

namespace tracker {
namespace {

// What would point git to another repository, index or object folder. (Configuration that comes in by
// GIT_CONFIG_* stays: it may carry trust and credentials.)
const std::vector<std::string> kRepositoryVariables = {"GIT_DIR",
                                                       "GIT_WORK_TREE",
                                                       "GIT_INDEX_FILE",
                                                       "GIT_COMMON_DIR",
                                                       "GIT_OBJECT_DIRECTORY",
                                                       "GIT_ALTERNATE_OBJECT_DIRECTORIES",
                                                       "GIT_QUARANTINE_PATH",
                                                       "GIT_NAMESPACE",
                                                       "GIT_PREFIX",
                                                       "GIT_IMPLICIT_WORK_TREE",
                                                       "GIT_INTERNAL_SUPER_PREFIX",
                                                       "GIT_SHALLOW_FILE",
                                                       "GIT_GRAFT_FILE",
                                                       "GIT_REPLACE_REF_BASE",
                                                       "GIT_CEILING_DIRECTORIES"};

// A submodule that does not arrive in this time never will.
constexpr std::chrono::minutes kGitTimeout{60};

}  // namespace

ProcessResult run_git(const GitCall& call) {
  ProcessSpec spec{.argv = {"git", "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c",
                            "submodule.recurse=false"},
                   .directory = call.directory,
                   .environment = call.environment,
                   .without_environment = kRepositoryVariables,
                   .with_tokens = call.with_tokens,
                   .input = call.input,
                   .timeout = kGitTimeout,
                   .keep_going = call.keep_going};
  spec.environment["GIT_TERMINAL_PROMPT"] = "0";
  if (call.only_here) spec.environment["GIT_CEILING_DIRECTORIES"] = call.directory.parent_path().string();
  spec.argv.insert(spec.argv.end(), call.arguments.begin(), call.arguments.end());
  auto result = run_process(spec);
  if (!result.start_error.empty())
    throw Error(ExitCode::kEnvironment,
                "git could not be started in '" + call.directory.string() + "': " + result.start_error,
                "install git, or put it on PATH");
  return result;
}

ProcessResult run_git(const std::filesystem::path& directory, const std::vector<std::string>& arguments,
                      bool only_here) {
  return run_git({.directory = directory, .arguments = arguments, .only_here = only_here});
}

}  // namespace tracker

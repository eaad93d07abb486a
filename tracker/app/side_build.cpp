#include "tracker/app/side_build.hpp"

#include <algorithm>

#include "tracker/base/text.hpp"
#include "tracker/measure/build.hpp"
#include "tracker/repo/leftovers.hpp"

namespace tracker {
namespace {

constexpr char kLogFolder[] = "build-logs";  // below <git folder>/tracker

Leftovers leftovers_for(const MeasureSettings& measure) {
  if (!measure.clean) return Leftovers::kCMakeFolders;
  return *measure.clean ? Leftovers::kRemoved : Leftovers::kAll;
}

// Those that this machine measures and that are not there.
std::vector<Binary> not_made(const Worktree& worktree, const Config& config,
                             const LocalEnvironment& environment) {
  auto missing = missing_binaries(config.binaries, worktree.root());
  std::erase_if(missing, [&](const Binary& binary) { return !environment.wants(binary.when); });
  return missing;
}

std::string names_of(const std::vector<Binary>& binaries) {
  std::vector<std::string> names;
  for (const auto& binary : binaries) names.push_back("'" + printable(binary.path) + "'");
  return join(names, ", ");
}

// What was not brought along may be what the build lacks.
Error with_submodules(const Error& error, const Worktree& worktree) {
  if (error.code() != ExitCode::kEnvironment || worktree.empty_submodules().empty()) return error;
  std::vector<std::string> paths;
  for (const auto& path : worktree.empty_submodules()) paths.push_back(printable(path));
  return {error.code(), error.what(),
          error.hint() + "; submodules that your checkout has not initialised were left out: " +
              join(paths, ", ") + " (git submodule update --init)"};
}

void build(const Worktree& worktree, const MeasureSettings& measure, const std::string& label) {
  const auto log = worktree.root().parent_path().parent_path() / kLogFolder /
                   (worktree.root().filename().string() + ".log");
  try {
    build_at(worktree.root(), measure, label, log);
  } catch (const Error& error) {
    throw with_submodules(error, worktree);
  }
}

void report_missing(const std::vector<Binary>& missing, const Workspace& workspace,
                    const LocalEnvironment& environment, const std::string& label) {
  const Config& config = workspace.config();
  const auto wanted = std::count_if(config.binaries.begin(), config.binaries.end(),
                                    [&](const Binary& binary) { return environment.wants(binary.when); });
  if (!missing.empty() && missing.size() == static_cast<std::size_t>(wanted))
    throw Error(ExitCode::kEnvironment,
                "the build of " + label + " did not make what is to be measured: " + names_of(missing),
                "see that [measure] build in tracker.toml makes the [[binary]] files at that commit too");
  for (const auto& binary : missing)
    workspace.note("'" + printable(binary.path) + "' was not made by the build of " + label +
                   ": its benchmarks are missing there");
}

}  // namespace

void build_in(const Workspace& workspace, Worktree& worktree, const LocalEnvironment& environment,
              const std::string& label, int build_seed) {
  Config config = workspace.config();
  config.measure.build_seed = build_seed;
  const auto& measure = config.measure;
  const std::string recipe = build_recipe(measure);
  const bool is_same = !measure.clean && worktree.is_built(recipe);
  worktree.begin_build();
  bool stays = false;
  if (!is_same) {
    stays = remove_leftovers(worktree.root(), leftovers_for(measure));
    for (const auto& binary : config.binaries) remove_built_file(worktree.root(), binary.path);
  }
  build(worktree, measure, label);
  auto missing = not_made(worktree, config, environment);
  if (!missing.empty() && stays && !measure.clean) {
    workspace.note(names_of(missing) + " was not made in the build folder that was kept: building " + label +
                   " from scratch");
    remove_leftovers(worktree.root(), Leftovers::kRemoved);
    build(worktree, measure, label);
    missing = not_made(worktree, config, environment);
  }
  worktree.end_build(recipe);
  report_missing(missing, workspace, environment, label);
}

void build_in_place(const Workspace& workspace, const std::string& option) {
  require_build(workspace.config().measure, option);
  build_at(workspace.root(), workspace.config().measure, "the working tree",
           workspace.repository().common_dir() / "tracker" / kLogFolder / "working-tree.log");
}

}  // namespace tracker

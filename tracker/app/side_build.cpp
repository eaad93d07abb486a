#include "tracker/app/side_build.hpp"

#include <algorithm>
#include <fstream>
#include <set>

#include "tracker/base/text.hpp"
#include "tracker/formats/config_file.hpp"
#include "tracker/measure/build.hpp"
#include "tracker/measure/invoke.hpp"
#include "tracker/repo/worktree.hpp"

namespace tracker {
namespace {

// The files at a root that say how it is built, beside those that the build commands name.
constexpr const char* kBuildFiles[] = {"CMakeLists.txt", "CMakePresets.json", "Makefile",     "GNUmakefile",
                                       "makefile",       "meson.build",       "BUILD.bazel",  "MODULE.bazel",
                                       ".bazelrc",       "conanfile.txt",     "conanfile.py", "vcpkg.json",
                                       "Cargo.toml",     "Cargo.lock",        "flake.lock"};

constexpr char kLogFolder[] = "build-logs";  // below <git folder>/tracker

Leftovers leftovers_for(const MeasureSettings& measure) {
  if (!measure.clean) return Leftovers::kCMakeFolders;
  return *measure.clean ? Leftovers::kRemoved : Leftovers::kAll;
}

// Those that this machine measures and that are not there.
std::vector<Binary> not_made(const Worktree& worktree, const SideRecipe& recipe,
                             const LocalEnvironment& environment) {
  auto missing = missing_binaries(recipe.binaries, worktree.root());
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

// The tracker.toml of a commit; empty where it has none, or one that names no build.
std::optional<Config> config_at(const Workspace& workspace, const std::string& commit) {
  const auto text = workspace.repository().file_at(commit, "tracker.toml");
  if (!text) return {};
  try {
    Config config = parse_config(*text, "tracker.toml");
    if (config.measure.build.empty()) return {};
    return config;
  } catch (const Error& error) {
    workspace.note("tracker.toml of " + short_id(commit) +
                   " is not used, and it is built as today's says: " + error.what());
    return {};
  }
}

// Where a commit's own tracker.toml has the binary: under its path, or else the one of its file name.
std::string place_in(const std::vector<Binary>& own, const Binary& binary) {
  const auto name = std::filesystem::path(binary.path).filename();
  std::set<std::string> places;
  for (const auto& one : own) {
    if (one.path == binary.path) return "";
    if (std::filesystem::path(one.path).filename() == name) places.insert(one.path);
  }
  return places.size() == 1 ? *places.begin() : "";
}

// What is compiled is the code, and says nothing of how.
bool is_source(const std::filesystem::path& path) {
  static const std::set<std::string> kEndings{".c",   ".cc", ".cpp", ".cxx", ".cu",
                                              ".f90", ".rs", ".go",  ".s",   ".S"};
  return kEndings.count(path.extension().string()) > 0;
}

}  // namespace

SideRecipe recipe_at(const Workspace& workspace, const std::string& commit, int build_seed) {
  SideRecipe recipe{commit, workspace.config().measure, workspace.config().binaries, {}};
  if (const auto own = config_at(workspace, commit)) {
    recipe.own = own->measure.build;
    if (!workspace.has_named_config()) {
      recipe.measure.build = own->measure.build;
      for (auto& binary : recipe.binaries) binary.built_as = place_in(own->binaries, binary);
    }
  }
  recipe.measure.build_seed = build_seed;
  return recipe;
}

std::string hidden_difference(const SideRecipe& base, const SideRecipe& candidate) {
  if (base.measure.build != candidate.measure.build) return "";
  return commands_difference(base.own.empty() ? base.measure.build : base.own,
                             candidate.own.empty() ? candidate.measure.build : candidate.own);
}

std::string describe_build(const Workspace& workspace, const SideRecipe& recipe) {
  std::set<std::string> names{std::begin(kBuildFiles), std::end(kBuildFiles)};
  for (const auto& command : recipe.measure.build)
    for (const auto& word : command)
      if (!word.empty() && word.front() != '-' && word.front() != '/' && !is_source(word))
        names.insert(std::filesystem::path(word).lexically_normal().string());
  std::vector<std::string> files;
  if (!recipe.commit.empty())
    for (const auto& [path, id] :
         workspace.repository().blobs_at(recipe.commit, {names.begin(), names.end()}))
      files.push_back(path + " " + short_id(id));
  return describe(recipe.measure.build) +
         (files.empty() ? "" : std::string(kBuildFilesMark) + join(files, ", "));
}

void build_in(const Workspace& workspace, Worktree& worktree, const SideRecipe& recipe,
              const LocalEnvironment& environment, const std::string& label) {
  const auto& measure = recipe.measure;
  const std::string text = build_recipe(measure);
  const bool is_same = !measure.clean && worktree.is_built(text);
  worktree.begin_build();
  bool stays = false;
  if (!is_same) {
    stays = remove_leftovers(worktree.root(), leftovers_for(measure));
    for (const auto& binary : recipe.binaries)
      remove_built_file(worktree.root(), binary_path(worktree.root(), binary));
  }
  build(worktree, measure, label);
  auto missing = not_made(worktree, recipe, environment);
  if (!missing.empty() && stays && !measure.clean) {
    workspace.note(names_of(missing) + " was not made in the build folder that was kept: building " + label +
                   " from scratch");
    remove_leftovers(worktree.root(), Leftovers::kRemoved);
    build(worktree, measure, label);
    missing = not_made(worktree, recipe, environment);
  }
  worktree.end_build(text);
  report_missing(missing, workspace, environment, label);
}

void build_in_place(const Workspace& workspace, const std::string& option) {
  require_build(workspace.config().measure, workspace.config().binaries, option);
  build_at(workspace.root(), workspace.config().measure, "the working tree",
           workspace.repository().common_dir() / "tracker" / kLogFolder / "working-tree.log");
}

// Those of the repository: the one in use, the first one, and what `git worktree add` made of it.
SharedPlaces shared_places(const Workspace& workspace) {
  const auto git_folder = workspace.repository().common_dir();
  SharedPlaces places{{workspace.root()}, git_folder, git_folder / "tracker" / "worktrees"};
  if (git_folder.filename() == ".git") places.checkouts.push_back(git_folder.parent_path());
  std::error_code missing;
  for (const auto& entry : std::filesystem::directory_iterator(git_folder / "worktrees", missing)) {
    std::string path;
    std::getline(std::ifstream(entry.path() / "gitdir"), path);
    if (!path.empty() && !path.starts_with(places.worktrees.string()))
      places.checkouts.push_back((entry.path() / path).parent_path());
  }
  places.began = std::chrono::system_clock::now();
  return places;
}

void require_own_files(const std::vector<Target>& targets) {
  for (const auto& target : targets)
    for (const auto& binary : target.binaries) {
      const auto shared = shared_file_of({target.root, binary}, target.shared);
      if (!shared || shared->is_folder) continue;
      throw Error(
          ExitCode::kEnvironment,
          "'" + printable(describe(binary)) + "' at " + target.label + " " + describe(*shared) +
              ": both sides would measure that file",
          "let each build find its own files: an rpath of $ORIGIN, paths relative to the binary, and "
          "no LD_LIBRARY_PATH or installed copy; what no commit changes may lie outside of the checkout");
    }
}

}  // namespace tracker

#include "tracker/app/side_build.hpp"

#include <algorithm>
#include <chrono>
#include <fstream>

#include "tracker/app/both_commits.hpp"
#include "tracker/base/process.hpp"
#include "tracker/base/text.hpp"
#include "tracker/formats/config_file.hpp"
#include "tracker/machine_code/digest.hpp"
#include "tracker/measure/build.hpp"
#include "tracker/measure/invoke.hpp"
#include "tracker/measure/listing.hpp"
#include "tracker/measure/same_program.hpp"
#include "tracker/measure/selection.hpp"

namespace tracker::app {
namespace {

// The files at a root that say how it is built, beside those that the build commands name.
constexpr const char* kBuildFiles[] = {"CMakeLists.txt", "CMakePresets.json", "Makefile",     "GNUmakefile",
                                       "makefile",       "meson.build",       "BUILD.bazel",  "MODULE.bazel",
                                       ".bazelrc",       "conanfile.txt",     "conanfile.py", "vcpkg.json",
                                       "Cargo.toml",     "Cargo.lock",        "flake.lock"};

constexpr char kLogFolder[] = "build-logs";  // below <git folder>/tracker

repo::Leftovers leftovers_for(const MeasureSettings& measure) {
  if (!measure.clean) return repo::Leftovers::kCMakeFolders;
  return *measure.clean ? repo::Leftovers::kRemoved : repo::Leftovers::kAll;
}

// Those that this machine measures and that are not there.
std::vector<Binary> not_made(const repo::Worktree& worktree, const SideRecipe& recipe,
                             const measure::LocalEnvironment& environment) {
  auto missing = measure::missing_binaries(recipe.binaries, worktree.root());
  std::erase_if(missing, [&](const Binary& binary) { return !environment.wants(binary.when); });
  return missing;
}

std::string names_of(const std::vector<Binary>& binaries) {
  std::vector<std::string> names;
  for (const auto& binary : binaries) names.push_back(in_quotes(binary.path));
  return join(names, ", ");
}

// What was not brought along may be what the build lacks.
Error with_submodules(const Error& error, const repo::Worktree& worktree) {
  if (error.code() != ExitCode::kEnvironment || worktree.empty_submodules().empty()) return error;
  return error.with_hint(error.hint() +
                         "; submodules that your checkout has not initialised were left out: " +
                         join(worktree.empty_submodules(), ", ") + " (git submodule update --init)");
}

void build(const repo::Worktree& worktree, const MeasureSettings& measure, const std::string& label) {
  const auto log = worktree.root().parent_path().parent_path() / kLogFolder /
                   (worktree.root().filename().string() + ".log");
  try {
    measure::build_at(worktree.root(), measure, label, log);
  } catch (const Error& error) {
    throw with_submodules(error, worktree);
  }
}

void report_missing(const std::vector<Binary>& missing, const Workspace& workspace,
                    const std::string& label) {
  const Config& config = workspace.config();
  const auto wanted = std::ranges::count_if(
      config.binaries, [&](const Binary& binary) { return workspace.machine().wants(binary.when); });
  if (!missing.empty() && missing.size() == static_cast<std::size_t>(wanted))
    throw Error(ExitCode::kEnvironment,
                "the build of " + label + " did not make what is to be measured: " + names_of(missing),
                "see that [measure] build in tracker.toml makes the [[binary]] files at that commit too");
  for (const auto& binary : missing)
    workspace.note(in_quotes(binary.path) + " was not made by the build of " + label +
                   ": its benchmarks are missing there");
}

// The tracker.toml of a commit; empty where it has none, or one that names no build.
std::optional<Config> config_at(const Workspace& workspace, const std::string& commit) {
  const auto text = workspace.repository().file_at(commit, "tracker.toml");
  if (!text) return {};
  try {
    Config config = formats::parse_config(*text, "tracker.toml");
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
  static const std::set<std::string> endings{".c",   ".cc", ".cpp", ".cxx", ".cu",
                                             ".f90", ".rs", ".go",  ".s",   ".S"};
  return endings.count(path.extension().string()) > 0;
}

// For the runs: the commands, and with a hash each the files at the commit that say how it is built.
std::string describe_build(const Workspace& workspace, const SideRecipe& recipe) {
  std::set<std::string> names{std::begin(kBuildFiles), std::end(kBuildFiles)};
  for (const auto& command : recipe.measure.build)
    for (const auto& word : command)
      if (!word.empty() && word.front() != '-' && word.front() != '/' && !is_source(word))
        names.insert(std::filesystem::path(word).lexically_normal().string());
  std::vector<std::string> files;
  if (!recipe.commit.empty())
    for (const auto& [path, kind_and_id] :
         repo::committed_files(workspace.repository(), recipe.commit, {names.begin(), names.end()})
             .value_or(std::vector<repo::CommittedFile>{}))
      if (names.contains(path) && kind_and_id.find(" blob ") != std::string::npos)
        files.push_back(path + " " + short_id(kind_and_id.substr(kind_and_id.rfind(' ') + 1)));
  return measure::describe(recipe.measure.build) +
         (files.empty() ? "" : std::string(kBuildFilesMark) + join(files, ", "));
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
  return measure::commands_difference(base.own.empty() ? base.measure.build : base.own,
                                      candidate.own.empty() ? candidate.measure.build : candidate.own);
}

void build_in(const Workspace& workspace, repo::Worktree& worktree, const SideRecipe& recipe,
              const std::string& label) {
  const auto& measure = recipe.measure;
  const std::string text = measure::build_recipe(measure);
  const bool is_same = !measure.clean && worktree.is_built(text);
  worktree.begin_build();
  bool stays = false;
  if (!is_same) {
    stays = repo::remove_leftovers(worktree.root(), leftovers_for(measure));
    for (const auto& binary : recipe.binaries)
      repo::remove_built_file(worktree.root(), measure::binary_path(worktree.root(), binary));
  }
  build(worktree, measure, label);
  auto missing = not_made(worktree, recipe, workspace.machine());
  if (!missing.empty() && stays && !measure.clean) {
    workspace.note(names_of(missing) + " was not made in the build folder that was kept: building " + label +
                   " from scratch");
    repo::remove_leftovers(worktree.root(), repo::Leftovers::kRemoved);
    build(worktree, measure, label);
    missing = not_made(worktree, recipe, workspace.machine());
  }
  worktree.end_build(text);
  report_missing(missing, workspace, label);
}

void build_in_place(const Workspace& workspace, const std::string& option) {
  measure::require_build(workspace.config().measure, workspace.config().binaries, option);
  measure::build_at(workspace.root(), workspace.config().measure, "the working tree",
                    workspace.repository().common_dir() / "tracker" / kLogFolder / "working-tree.log");
}

// Those of the repository: the one in use, the first one, and what `git worktree add` made of it.
measure::SharedPlaces shared_places(const Workspace& workspace) {
  const auto git_folder = workspace.repository().common_dir();
  measure::SharedPlaces places{{workspace.root()}, git_folder, git_folder / "tracker" / "worktrees"};
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

void require_own_files(const std::vector<measure::Target>& targets) {
  for (const auto& target : targets)
    for (const auto& binary : target.binaries) {
      const auto shared = measure::shared_file_of({target.root, binary}, target.shared);
      if (!shared || shared->is_folder) continue;
      throw Error(
          ExitCode::kEnvironment,
          in_quotes(describe(binary)) + " at " + target.label + " " + measure::describe(*shared) +
              ": both sides would measure that file",
          "let each build find its own files: an rpath of $ORIGIN, paths relative to the binary, and "
          "no LD_LIBRARY_PATH or installed copy; what no commit changes may lie outside of the checkout");
    }
}

measure::Target target_at(const Workspace& workspace, const SideRecipe& recipe, const std::string& label,
                          const std::filesystem::path& root, const measure::SharedPlaces& shared) {
  std::vector<Binary> built = recipe.binaries;
  for (const auto& missing : measure::missing_binaries(built, root))
    std::erase_if(built, [&](const Binary& binary) { return binary.path == missing.path; });
  measure::SharedPlaces places = shared;
  if (recipe.measure.build.empty()) places.began = std::chrono::system_clock::time_point::max();
  return {label, root,
          measure::binaries_here(built.empty() ? recipe.binaries : built, root, workspace.machine()), places,
          describe_build(workspace, recipe)};
}

namespace {

// What a program reads in a folder of the checkout is not known.
bool names_shared_folder(const measure::Target& target, const Binary& binary) {
  return measure::shared_file_of({target.root, binary}, target.shared).has_value();
}

}  // namespace

BuildPool::BuildPool(const Workspace& workspace, int count, const std::string& option)
    : workspace_(workspace),
      count_(static_cast<std::size_t>(std::max(count, workspace.config().measure.worktrees))) {
  measure::require_build(workspace.config().measure, workspace.config().binaries, option);
  measure::require_wanted_here(workspace.config().binaries, workspace.machine());
  catch_interrupts();
}

bool BuildPool::is_kept(const std::string& commit) const {
  return std::ranges::any_of(kept_, [&](const auto& one) { return one->commit == commit; });
}

void BuildPool::make_room() {
  while (kept_.size() >= count_) {
    const auto oldest = std::ranges::find_if(
        kept_, [&](const auto& one) { return std::ranges::find(pinned_, one->commit) == pinned_.end(); });
    if (oldest == kept_.end()) return;
    std::erase_if(dropped_, [&](const DroppedBuild& one) { return one.commit == (*oldest)->commit; });
    dropped_.push_back(hashes_of(**oldest));
    kept_.erase(oldest);
  }
}

const BuiltCommit* BuildPool::get(const Commit& commit) {
  const auto known = std::ranges::find_if(kept_, [&](const auto& one) { return one->commit == commit.id; });
  if (known != kept_.end()) {
    std::rotate(known, known + 1, kept_.end());
    return kept_.back().get();
  }
  make_room();
  std::vector<repo::WantedBuild> wanted;
  for (const auto& one : kept_) wanted.push_back({one->commit, measure::build_recipe(one->recipe.measure)});
  auto built = std::make_unique<BuiltCommit>();
  built->commit = commit.id;
  built->recipe = recipe_at(workspace_, commit.id);
  wanted.push_back({commit.id, measure::build_recipe(built->recipe.measure)});
  tell_other_commands(built->recipe);
  const auto names = repo::worktree_names(workspace_.repository(), wanted, static_cast<int>(count_));
  const std::string label = short_id(commit.id);
  built->tree = std::make_unique<repo::Worktree>(workspace_.repository(), names.back(), commit.id,
                                                 workspace_.in_ci() ? repo::Kept::kNo : repo::Kept::kYes);
  workspace_.note("building " + describe(commit));
  const auto start = std::chrono::steady_clock::now();
  try {
    const auto shared = shared_places(workspace_);
    build_in(workspace_, *built->tree, built->recipe, label);
    built->target = target_at(workspace_, built->recipe, label, built->tree->root(), shared);
    require_own_files({built->target});
    measure::require_startable(built->target, workspace_.note_function());
  } catch (const Error& error) {
    if (error.code() == ExitCode::kInterrupted) throw;
    why_not_ = error.what();
    return nullptr;
  }
  ++builds_;
  seconds_ += seconds_since(start);
  kept_.push_back(std::move(built));
  return kept_.back().get();
}

// Once: that today's commands are not those that commits are built with.
void BuildPool::tell_other_commands(const SideRecipe& recipe) {
  const auto& today = workspace_.config().measure.build;
  if (told_ || recipe.measure.build == today) return;
  told_ = true;
  workspace_.note("each commit is built as its own tracker.toml says; today's names other commands: " +
                  measure::commands_difference(recipe.measure.build, today) +
                  " (--config tracker.toml builds all commits by today's)");
}

DroppedBuild BuildPool::hashes_of(const BuiltCommit& built) const {
  DroppedBuild known{built.commit, built.recipe, {}};
  const auto architecture = architecture_here(workspace_);
  for (const auto& binary : built.target.binaries)
    known.programs.emplace_back(binary,
                                names_shared_folder(built.target, binary)
                                    ? ""
                                    : measure::hash_of_program({built.target.root, binary}, architecture));
  return known;
}

// What changed between two commits is not known of a shallow clone: then all of it may have.
bool BuildPool::reads_what_changed(const std::string& a, const std::string& b, const Binary& binary) const {
  const auto changed = repo::changed_files(workspace_.repository(), a, b);
  return !changed ||
         !measure::possible_inputs(*changed, binary, workspace_.config().baselines_directory).empty();
}

bool BuildPool::is_same(const BuiltCommit& a, const BuiltCommit& b) const {
  if (a.target.binaries.size() != b.target.binaries.size() || !hidden_difference(a.recipe, b.recipe).empty())
    return false;
  const auto architecture = architecture_here(workspace_);
  for (std::size_t i = 0; i < a.target.binaries.size(); ++i) {
    const Binary& binary_a = a.target.binaries[i];
    const Binary& binary_b = b.target.binaries[i];
    if (!is_same_binary(binary_a, binary_b) ||
        !measure::why_not_same_program({a.target.root, binary_a}, {b.target.root, binary_b}, architecture)
             .empty() ||
        reads_what_changed(a.commit, b.commit, binary_b) || names_shared_folder(b.target, binary_b))
      return false;
  }
  return true;
}

bool BuildPool::is_same(const DroppedBuild& a, const DroppedBuild& b) const {
  return hidden_difference(a.recipe, b.recipe).empty() &&
         std::equal(a.programs.begin(), a.programs.end(), b.programs.begin(), b.programs.end(),
                    [&](const auto& program_a, const auto& program_b) {
                      return !program_b.second.empty() && program_b.second == program_a.second &&
                             is_same_binary(program_a.first, program_b.first) &&
                             !reads_what_changed(a.commit, b.commit, program_b.first);
                    });
}

std::string BuildPool::same_program_as(const BuiltCommit& built,
                                       const std::function<bool(const std::string& commit)>& counts) const {
  for (const auto& other : kept_)
    if (other.get() != &built && counts(other->commit) && is_same(*other, built)) return other->commit;
  std::optional<DroppedBuild> hashes;
  for (const auto& other : dropped_) {
    if (other.commit == built.commit || is_kept(other.commit) || !counts(other.commit)) continue;
    if (!hashes) hashes = hashes_of(built);
    if (is_same(other, *hashes)) return other.commit;
  }
  return "";
}

RunMaker::RunMaker(const Workspace& workspace, measure::Target target, std::string commit, bool dirty)
    : workspace_(workspace),
      target_(std::move(target)),
      commit_(std::move(commit)),
      dirty_(dirty),
      architecture_(architecture_here(workspace)) {}

std::vector<Run> RunMaker::runs_of(const measure::Measured& measured, std::size_t n, const std::string& job,
                                   const MeasureRequest& measuring) const {
  if (measured.files[n].empty())
    throw Error(ExitCode::kEnvironment, "no benchmark binary delivered results" +
                                            (target_.label.empty() ? "" : " at " + target_.label) +
                                            "; nothing was recorded");
  formats::RunFacts facts{.id = job + (measured.files.size() == 1 ? ""
                                       : n == 0                   ? "-a"
                                                                  : "-b"),
                          .job = job,
                          .commit = commit_,
                          .dirty = dirty_,
                          .selection = selection_of(measured, n, measuring),
                          .isolated = measuring.isolate};
  for (const auto& failure : measured.failures)
    if (failure.target == target_.label)
      facts.failures.push_back(
          {label_of(failure.binary), failure.what + " in invocation " + std::to_string(failure.invocation)});
  auto runs = formats::assemble_runs(measured.files[n], facts);
  add_build(runs);
  if (!dirty_) add_programs(runs);
  return runs;
}

RunSelection RunMaker::selection_of(const measure::Measured& measured, std::size_t n,
                                    const MeasureRequest& measuring) const {
  const bool is_part =
      (!measured.incomplete.empty() && measured.incomplete[n]) ||
      std::ranges::any_of(target_.binaries, [](const Binary& binary) { return binary.is_part; });
  if (!is_part && measuring.only.empty()) return {measuring.filter};
  std::vector<std::string> names = measuring.only;
  if (is_part) {
    std::set<std::string> there;
    for (const auto& file : measured.files[n])
      for (const auto& benchmark : file.benchmarks) there.insert(benchmark.name);
    names.assign(there.begin(), there.end());
  }
  return {measure::exact_filter(names).value_or(""), static_cast<int>(names.size())};
}

void RunMaker::add_build(std::vector<Run>& runs) const {
  std::map<std::string, std::string> compilers;  // by the binary's label
  for (const auto& binary : target_.binaries)
    compilers[label_of(binary)] = measure::compiler_of({target_.root, binary});
  for (auto& run : runs) {
    if (!target_.build.empty()) run.software.build = target_.build;
    for (auto& [label, software] : run.binary_software)
      if (!software.compiler && !compilers[label].empty()) software.compiler = compilers[label];
    for (const auto& benchmark : run.benchmarks) {
      const std::string& compiler = compilers[benchmark.binary];
      if (!run.software.compiler && !compiler.empty() && !run.binary_software.contains(benchmark.binary))
        run.software.compiler = compiler;
    }
  }
}

void RunMaker::add_programs(std::vector<Run>& runs) const {
  for (auto& run : runs)
    for (const auto& binary : target_.binaries) {
      const std::string label = label_of(binary);
      if (std::ranges::none_of(run.benchmarks, [&](const Benchmark& one) { return one.binary == label; }))
        continue;
      if (const std::string& hash = hash_of(binary); !hash.empty()) run.programs[label].whole = hash;
    }
}

// Of the program, what it loads, and the files of the repository that it may read.
const std::string& RunMaker::hash_of(const Binary& binary) const {
  auto [known, is_new] = known_.try_emplace(label_of(binary));
  if (!is_new) return known->second;
  const auto inputs = inputs_of(binary);
  const std::string program = inputs ? measure::hash_of_program({target_.root, binary}, architecture_) : "";
  if (program.empty()) return known->second;
  machine_code::Digest digest;
  digest.add_counted(program);
  digest.add_counted(*inputs);
  return known->second = digest.text();
}

std::optional<std::string> RunMaker::inputs_of(const Binary& binary) const {
  const auto files = repo::committed_files(workspace_.repository(), commit_);
  if (!files) return {};
  std::vector<std::string> paths;
  std::map<std::string, std::string> contents;
  for (const auto& file : *files) {
    paths.push_back(file.path);
    contents[file.path] = file.content;
  }
  machine_code::Digest digest;
  for (const auto& path : measure::possible_inputs(paths, binary, workspace_.config().baselines_directory)) {
    digest.add_counted(path);
    digest.add_counted(contents[path]);
  }
  return digest.text();
}

}  // namespace tracker::app

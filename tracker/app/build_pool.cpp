#include "tracker/app/build_pool.hpp"

#include <algorithm>
#include <chrono>
#include <optional>

#include "tracker/app/measuring_plan.hpp"
#include "tracker/app/side_build.hpp"
#include "tracker/base/process.hpp"
#include "tracker/base/text.hpp"
#include "tracker/measure/benchmark_inputs.hpp"
#include "tracker/measure/build.hpp"
#include "tracker/measure/listing.hpp"
#include "tracker/measure/same_program.hpp"
#include "tracker/repo/repository.hpp"

namespace tracker {

Target target_at(const Workspace& workspace, const SideRecipe& recipe, const std::string& label,
                 const std::filesystem::path& root, const SharedPlaces& shared,
                 const LocalEnvironment& environment) {
  std::vector<Binary> built = recipe.binaries;
  for (const auto& missing : missing_binaries(built, root))
    std::erase_if(built, [&](const Binary& binary) { return binary.path == missing.path; });
  SharedPlaces places = shared;
  if (recipe.measure.build.empty()) places.began = std::chrono::system_clock::time_point::max();
  return {label, root, binaries_here(built.empty() ? recipe.binaries : built, root, environment), places,
          describe_build(workspace, recipe)};
}

namespace {

// What a program reads in a folder of the checkout is not known.
bool names_shared_folder(const Target& target, const Binary& binary) {
  return shared_file_of({target.root, binary}, target.shared).has_value();
}

}  // namespace

BuildPool::BuildPool(const Workspace& workspace, const LocalEnvironment& environment, int count,
                     const std::string& option)
    : workspace_(workspace),
      environment_(environment),
      count_(static_cast<std::size_t>(std::max(count, workspace.config().measure.worktrees))) {
  require_build(workspace.config().measure, workspace.config().binaries, option);
  require_wanted_here(workspace.config().binaries, environment);
  catch_interrupts();
}

bool BuildPool::is_kept(const std::string& commit) const {
  return std::any_of(kept_.begin(), kept_.end(), [&](const auto& one) { return one->commit == commit; });
}

void BuildPool::make_room() {
  while (kept_.size() >= count_) {
    const auto oldest = std::find_if(kept_.begin(), kept_.end(), [&](const auto& one) {
      return std::find(pinned_.begin(), pinned_.end(), one->commit) == pinned_.end();
    });
    if (oldest == kept_.end()) return;
    std::erase_if(dropped_, [&](const DroppedBuild& one) { return one.commit == (*oldest)->commit; });
    dropped_.push_back(hashes_of(**oldest));
    kept_.erase(oldest);
  }
}

const BuiltCommit* BuildPool::get(const Commit& commit) {
  const auto known =
      std::find_if(kept_.begin(), kept_.end(), [&](const auto& one) { return one->commit == commit.id; });
  if (known != kept_.end()) {
    std::rotate(known, known + 1, kept_.end());
    return kept_.back().get();
  }
  make_room();
  std::vector<WantedBuild> wanted;
  for (const auto& one : kept_) wanted.push_back({one->commit, build_recipe(one->recipe.measure)});
  auto built = std::make_unique<BuiltCommit>();
  built->commit = commit.id;
  built->recipe = recipe_at(workspace_, commit.id);
  wanted.push_back({commit.id, build_recipe(built->recipe.measure)});
  tell_other_commands(built->recipe);
  const auto names = worktree_names(workspace_.repository(), wanted, static_cast<int>(count_));
  const std::string label = short_id(commit.id);
  built->tree = std::make_unique<Worktree>(workspace_.repository(), names.back(), commit.id,
                                           workspace_.in_ci() ? Kept::kNo : Kept::kYes);
  workspace_.note("building " + describe(commit));
  const auto start = std::chrono::steady_clock::now();
  try {
    const auto shared = shared_places(workspace_);
    build_in(workspace_, *built->tree, built->recipe, environment_, label);
    built->target = target_at(workspace_, built->recipe, label, built->tree->root(), shared, environment_);
    require_own_files({built->target});
    require_startable(built->target, workspace_.note_function());
  } catch (const Error& error) {
    if (error.code() == ExitCode::kInterrupted) throw;
    why_not_ = error.what();
    return nullptr;
  }
  ++builds_;
  seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  kept_.push_back(std::move(built));
  return kept_.back().get();
}

// Once: that today's commands are not those that commits are built with.
void BuildPool::tell_other_commands(const SideRecipe& recipe) {
  const auto& today = workspace_.config().measure.build;
  if (told_ || recipe.measure.build == today) return;
  told_ = true;
  workspace_.note("each commit is built as its own tracker.toml says; today's names other commands: " +
                  printable(commands_difference(recipe.measure.build, today)) +
                  " (--config tracker.toml builds all commits by today's)");
}

DroppedBuild BuildPool::hashes_of(const BuiltCommit& built) const {
  DroppedBuild known{built.commit, built.recipe, {}};
  const auto architecture = architecture_here(environment_);
  for (const auto& binary : built.target.binaries)
    known.programs.emplace_back(binary, names_shared_folder(built.target, binary)
                                            ? ""
                                            : hash_of_program({built.target.root, binary}, architecture));
  return known;
}

// What changed between two commits is not known of a shallow clone: then all of it may have.
bool BuildPool::reads_what_changed(const std::string& a, const std::string& b, const Binary& binary) const {
  const auto changed = changed_files(workspace_.repository(), a, b);
  return !changed || !possible_inputs(*changed, binary, workspace_.config().baselines_directory).empty();
}

bool BuildPool::is_same(const BuiltCommit& a, const BuiltCommit& b) const {
  if (a.target.binaries.size() != b.target.binaries.size() || !hidden_difference(a.recipe, b.recipe).empty())
    return false;
  const auto architecture = architecture_here(environment_);
  for (std::size_t i = 0; i < a.target.binaries.size(); ++i) {
    const Binary& binary_a = a.target.binaries[i];
    const Binary& binary_b = b.target.binaries[i];
    if (!is_same_binary(binary_a, binary_b) ||
        !why_not_same_program({a.target.root, binary_a}, {b.target.root, binary_b}, architecture).empty() ||
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

}  // namespace tracker

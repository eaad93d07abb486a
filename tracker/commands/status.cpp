// What plain `tracker` prints: where things stand, and what to do next.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <optional>
#include <set>

#include "tracker/app/line_events.hpp"
#include "tracker/app/remap.hpp"
#include "tracker/app/workspace.hpp"
#include "tracker/base/terminal.hpp"
#include "tracker/base/text.hpp"
#include "tracker/commands/command.hpp"
#include "tracker/commands/terminal.hpp"
#include "tracker/history/history.hpp"
#include "tracker/measure/measure.hpp"

namespace tracker::commands {
namespace {

// A call and what it does, which goes on below its own beginning where the terminal is narrow.
void print_step(const std::string& call, const std::string& what, std::size_t call_width) {
  constexpr std::size_t kWordsLeast = 20;
  const std::size_t indent = 2 + call_width + 2;
  const auto columns = static_cast<std::size_t>(terminal_columns());
  std::cout << wrapped(what, columns == 0 ? 0 : std::max(columns, indent + kWordsLeast),
                       "  " + left_aligned(call, call_width) + "  ");
}

constexpr std::size_t kNameColumns = 12;

void print_row(const std::string& name, const std::string& text) {
  print_line(left_aligned(name, kNameColumns) + text);
}

// What is done next, the most urgent first: the call, and what it does.
struct NextStep {
  std::string call;
  std::string what;
};

std::vector<NextStep> next_steps(const app::Workspace& workspace, bool has_config, bool has_commits,
                                 bool head_recorded, std::size_t runs) {
  const bool may_fetch =
      runs == 0 && has_commits && workspace.store_place().is_git() && app::has_origin(workspace);
  const NextStep fetch{"tracker sync --fetch", "fetches what others have recorded"};
  const NextStep init{"tracker init", "finds the benchmark binaries and writes tracker.toml"};
  if (!has_config) return may_fetch ? std::vector{fetch, init} : std::vector{init};
  if (!has_commits) return {{"git commit", "a run belongs to a commit"}};
  std::vector<NextStep> steps;
  if (may_fetch) steps.push_back(fetch);
  const bool builds = !workspace.config().measure.build.empty();
  if (workspace.repository().is_dirty() && builds)
    steps.push_back({"tracker compare HEAD --worktree", "compares what you changed with HEAD"});
  if (!head_recorded)
    steps.push_back({builds ? "tracker run --build" : "tracker run", "measures HEAD and records it"});
  if (builds && workspace.repository().first_parents("HEAD", 2).size() > 1)
    steps.push_back(
        {"tracker compare HEAD~1 --confirm", "measures two commits until each benchmark is decided"});
  if (runs > 1) {
    steps.push_back({"tracker top", "lists what changed for good in the last 90 days"});
    steps.push_back({"tracker log", "lists what is recorded"});
  }
  return steps;
}

std::string binaries_in_words(const Config& config) {
  constexpr std::size_t kShown = 3;
  std::vector<std::string> names;
  for (const auto& binary : config.binaries) names.push_back(binary.path);
  return join_some(names, kShown);
}

}  // namespace

std::optional<ExitCode> print_status(const Globals& globals) {
  const app::Workspace workspace(globals, app::Without::kAllowed);
  if (!workspace.has_repository()) return {};
  const auto& repository = workspace.repository();
  std::optional<Commit> head;
  try {
    head = repository.resolve("HEAD");
  } catch (const Error&) {
    head.reset();  // no commits yet
  }
  const auto config_path = globals.config.empty() ? workspace.root() / "tracker.toml" : globals.config;
  const bool has_config = std::filesystem::exists(config_path);
  const auto keys = history::recorded_keys(workspace.history());
  const std::size_t runs = keys.size();
  std::set<std::string_view> devices;
  bool head_recorded = false;
  for (const auto& key : keys) {
    devices.insert(key.device);
    head_recorded = head_recorded || (head && key.commit == head->id);
  }
  print_row("repository", workspace.root().string());
  const std::string dirty = repository.is_dirty() ? ", with uncommitted changes" : "";
  print_row("HEAD", !head ? "no commits yet" : fit_row(describe(*head), kNameColumns + dirty.size()) + dirty);
  print_row("measures", has_config && !workspace.config().binaries.empty()
                            ? binaries_in_words(workspace.config())
                        : has_config ? "nothing yet: tracker.toml has no [[binary]]"
                                     : "nothing yet: there is no tracker.toml");
  print_row("recorded", runs == 0 ? "nothing yet"
                                  : count_of(runs, "run") + " on " + count_of(devices.size(), "device") +
                                        (head_recorded ? ", HEAD among them" : ", none of HEAD"));
  if (const app::LostRuns lost =
          head && !repository.is_shallow() ? app::lost_runs(workspace) : app::LostRuns{};
      lost.runs > 0)
    print_row("", app::in_words(lost) + ": tracker remap --dry-run");
  std::cout << "\nnext:\n";
  auto steps = next_steps(workspace, has_config, head.has_value(), head_recorded, runs);
  steps.push_back({"tracker --help", "all commands"});
  std::size_t call_width = 0;
  for (const auto& step : steps) call_width = std::max(call_width, display_width(step.call));
  for (const auto& step : steps) print_step(step.call, step.what, call_width);
  return ExitCode::kOk;
}

}  // namespace tracker::commands

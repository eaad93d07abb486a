// init, and what plain `tracker` prints: where things stand, and what to do next.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <set>

#include <CLI/CLI.hpp>

#include "tracker/app/remap.hpp"
#include "tracker/base/file.hpp"
#include "tracker/base/terminal.hpp"
#include "tracker/base/text.hpp"
#include "tracker/commands/command.hpp"
#include "tracker/commands/terminal.hpp"
#include "tracker/formats/config_file.hpp"
#include "tracker/history/history.hpp"
#include "tracker/project/project.hpp"
#include "tracker/repo/repository.hpp"

namespace tracker::commands {
namespace {

namespace fs = std::filesystem;

constexpr char kWorkflowPath[] = ".github/workflows/perf.yml";

struct InitOptions {
  std::vector<std::string> binaries;
  std::string threshold = "5%";
  bool workflow = false;
  bool dry_run = false;
};

// The file in whose place init writes, and which status looks for.
fs::path config_path_of(const Globals& globals, const fs::path& root) {
  return globals.config.empty() ? root / "tracker.toml" : globals.config;
}

constexpr std::size_t kNamesShown = 3;

// What looks like a benchmark binary, and did not name its benchmarks.
std::string silent_ones(const std::vector<project::DetectedBinary>& binaries) {
  std::vector<std::string> names;
  for (const auto& binary : binaries)
    if (binary.is_silent) names.push_back(in_quotes(binary.path));
  return join_some(names, kNamesShown);
}

std::vector<project::DetectedBinary> binaries_at(const fs::path& root, const InitOptions& options) {
  if (!options.binaries.empty()) return project::detect_named_binaries(root, options.binaries);
  print_note("looking for Google Benchmark and nvbench binaries below " + root.string());
  auto found = project::detect_binaries(root);
  const std::string silent = silent_ones(found);
  std::erase_if(found, [](const project::DetectedBinary& binary) { return binary.is_silent; });
  if (!found.empty()) {
    if (!silent.empty())
      print_note(
          "left out, as --benchmark_list_tests gave no names: " + silent +
          "; one that needs arguments can be added to tracker.toml by hand, as [[binary]] with arguments");
    return found;
  }
  if (!silent.empty())
    throw Error(
        ExitCode::kUsage,
        "what looks like a benchmark binary gave no names for --benchmark_list_tests: " + silent,
        "where it needs arguments, name it: tracker init PATH; then add arguments = [\"…\"] below its "
        "path in tracker.toml");
  auto sources = project::benchmark_sources(root);
  const bool has_more = sources.size() > kNamesShown;
  sources.resize(std::min(sources.size(), kNamesShown));
  throw Error(
      ExitCode::kUsage,
      "no benchmark binary is built below " + root.string() +
          (sources.empty() ? ", and no source includes benchmark/benchmark.h or nvbench.cuh"
                           : "; benchmarks are in " + join(sources, ", ") + (has_more ? " and others" : "")),
      "build the benchmarks as you do by hand, and run tracker init again; or name the binary: tracker "
      "init PATH" +
          std::string(sources.empty() ? "; what another tool measured is recorded from its files: tracker "
                                        "record FILE, whose --help names these tools"
                                      : ""));
}

// What is there already stays as it is.
void refuse_existing(const fs::path& path) {
  std::error_code ignored;
  if (fs::exists(path, ignored))
    throw Error(ExitCode::kUsage, in_quotes(path.string()) + " is there, and is not overwritten",
                "tracker init --dry-run prints what it would write");
}

ExitCode init(const Globals& globals, const InitOptions& options) {
  const fs::path root = repo::Repository::open(globals.directory).root();
  const fs::path config_path = config_path_of(globals, root);
  const fs::path workflow_path = root / kWorkflowPath;
  if (!options.dry_run) {
    refuse_existing(config_path);
    if (options.workflow) refuse_existing(workflow_path);
  }
  if (!formats::parse_share(options.threshold))
    throw Error(ExitCode::kUsage, in_quotes(options.threshold) + " is no threshold", "write it like 5%");
  const auto binaries = binaries_at(root, options);
  const auto build = project::detect_build(root, binaries);
  const std::string text = project::first_config_text(binaries, build, options.threshold);
  formats::parse_config(text, config_path.string());
  if (options.dry_run) {
    std::cout << text;
    if (options.workflow) std::cout << "\n# " << kWorkflowPath << "\n" << project::first_workflow_text();
    return ExitCode::kOk;
  }
  write_file(config_path, text);
  if (options.workflow) write_file(workflow_path, project::first_workflow_text());
  print_line("wrote " + config_path.string() + ": " +
             (binaries.size() == 1 ? "1 binary" : std::to_string(binaries.size()) + " binaries"));
  for (const auto& binary : binaries)
    print_line("  " + binary.path +
               (binary.names.empty() ? "" : ": " + count_of(binary.names.size(), "benchmark")) +
               (binary.is_cuda ? ", measured where there is a GPU" : ""));
  if (const auto silent = silent_ones(binaries); !silent.empty())
    std::cout << "  note  --benchmark_list_tests gave no names: " << silent
              << "; where it needs arguments, add arguments = [\"…\"] below its path\n";
  if (options.workflow)
    print_line("wrote " + workflow_path.string() + ": put OWNER and COMMIT in, and see docs/security.md");
  if (build.commands.empty())
    std::cout << "  note  how it is built is not known: fill in `build`, which comparing two commits needs\n";
  std::cout << "next: read it, then\n"
            << "  tracker run                       measures HEAD and records it\n"
            << "  tracker compare HEAD --worktree   builds HEAD and your working tree, and compares them\n";
  return ExitCode::kOk;
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

}  // namespace

Action declare_init(CLI::App& app, const Globals& globals) {
  auto options = std::make_shared<InitOptions>();
  app.add_option("binaries", options->binaries,
                 "benchmark binaries, relative to the root (default: those found below it)")
      ->type_name("FILE");
  app.add_option("--threshold", options->threshold, "the slowdown that fails the build (default 5%)")
      ->type_name("PERCENT");
  app.add_flag("--workflow", options->workflow, "write .github/workflows/perf.yml as well");
  app.add_flag("--dry-run", options->dry_run, "print the files instead of writing them");
  app.footer(
      "Looks for executables that are built with Google Benchmark or nvbench, asks each for its benchmarks, "
      "and\n"
      "reads from the build folder how they are built. Writes tracker.toml at the repository's root; a file "
      "that\n"
      "is there is never overwritten.\n"
      "Exit codes: 0 written, 2 usage, or nothing to measure was found, 4 the disk failed.");
  return [options, &globals] { return init(globals, *options); };
}

std::optional<ExitCode> print_status(const Globals& globals) {
  const app::Workspace workspace(globals, app::Without::kAllowed);
  if (!workspace.has_repository()) return {};
  const auto& repository = workspace.repository();
  std::optional<Commit> head;
  try {
    head = repository.resolve("HEAD");
  } catch (const Error&) {  // no commits yet
  }
  const bool has_config = fs::exists(config_path_of(globals, workspace.root()));
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
  std::vector<std::string> binaries;
  for (const auto& binary : workspace.config().binaries) binaries.push_back(binary.path);
  print_row("measures", !has_config        ? "nothing yet: there is no tracker.toml"
                        : binaries.empty() ? "nothing yet: tracker.toml has no [[binary]]"
                                           : join_some(binaries, kNamesShown));
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
  constexpr std::size_t kWordsLeast = 20;
  for (const auto& step : steps)
    print_wrapped(step.what, "  " + left_aligned(step.call, call_width) + "  ", call_width + 4 + kWordsLeast);
  return ExitCode::kOk;
}

}  // namespace tracker::commands

#include <CLI/CLI.hpp>

#include "tracker/commands/command.hpp"
#include "tracker/version.hpp"

namespace tracker {

const std::vector<Command>& commands() {
  static const std::vector<Command> table{
      {"run", "measure the benchmark binaries and record a run for HEAD", declare_run},
      {"record", "record Google Benchmark JSON made elsewhere, for a commit", declare_record},
      {"compare", "judge a commit against another one, or against the baseline", declare_compare},
      {"explain", "what differs in a benchmark between two commits, and what of it is likely why",
       declare_explain},
      {"baseline", "write or print the promoted baselines", declare_baseline},
      {"plot", "draw trends over the commits, and all variants of a family", declare_plot},
      {"log", "list the recorded runs, or the values of benchmarks over the commits", declare_log},
      {"changepoints", "find where a series of plain numbers changed its level, in a CSV or JSON file",
       declare_changepoints},
      {"profile", "count what the hardware did in each kernel, with ncu, or show what was counted",
       declare_profile},
      {"sync", "fetch and push the recorded runs", declare_sync},
      {"export", "write the documents recorded for commits as files", declare_export},
      {"import", "record exported files, after checking them as untrusted data", declare_import},
      {"store", "check every recorded document, or drop one that is broken", declare_store},
      {"github", "in a workflow: what to compare, the comment, charts on a branch, proposals",
       declare_github},
      {"doctor", "check whether this machine is fit to measure, and say what to fix", declare_doctor},
  };
  return table;
}

std::map<const CLI::App*, std::function<ExitCode()>> declare_commands(CLI::App& app, Globals& globals) {
  app.name("tracker");
  app.description(
      "Performance CI for CUDA kernels: records Google Benchmark results for each commit and GPU,\n"
      "compares commits with the noise understood, and fails the build when a kernel got slower.");
  app.set_version_flag("--version", version_text());
  app.add_option("-C", globals.directory, "run as if started in this folder");
  app.add_option("--config", globals.config, "this file instead of tracker.toml at the repository's root");
  app.require_subcommand(1);
  std::map<const CLI::App*, std::function<ExitCode()>> actions;
  for (const auto& command : commands()) {
    CLI::App* below = app.add_subcommand(command.name, command.summary);
    actions[below] = command.declare(*below, globals);
  }
  return actions;
}

std::string version_text() {
  return std::string("tracker ") + kVersion + " (commit " + kCommit + ", " + kBuildType + ", " + kCompiler +
         ")";
}

}  // namespace tracker

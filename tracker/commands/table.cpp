#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include <CLI/CLI.hpp>

#include "tracker/commands/command.hpp"
#include "tracker/version.hpp"

namespace tracker::commands {
namespace {

// What the help shows as the value of options and of positional arguments, wherever one of these names
// stands.
struct Placeholder {
  const char* value;
  std::string_view options;
};

constexpr Placeholder kPlaceholders[] = {
    {"DIR", "-C --charts dir folder folders"},
    {"FILE", "--config files file binaries --binary --input --body --workflow --map"},
    {"GLOB", "--device --accept globs glob benchmarks"},
    {"DAYS", "--keep-days"},
    {"AGE", "--older-than"},
    {"WORD", "--drift"},
    {"REV", "--against --commit --from commit --base --candidate commits revision --release release"},
    {"N",
     "--rebuild --measure --count --newest --every --invocations --repetitions --commits --launches "
     "--skip-launches --pull-request"},
    {"WHAT", "what --identical-code"},
    {"NAME", "benchmark --print --job"},
    {"TIME|DATE", "--since"},
    {"PERCENT", "--ceiling --confidence --threshold"},
    {"REV|FILE|DIR", "base candidate"},
    {"REGEX", "--filter --kernel"},
    {"PATH", "--out path --path"},
    {"URL", "--commit-url --charts-url"},
    {"PATH|ID", "document"},
    {"REF|URL", "--store from to"},
    {"REMOTE", "--remote remote"},
    {"BRANCH", "--branch"},
    {"MODEL", "--gpu --cpu"},
    {"all|N|UUID", "--gpus"},
    {"COMMIT", "good bad --run"},
    {"OLD..NEW", "range"},
    {"TIME", "--time-budget --patience --wait"},
    {"COMMAND", "command"},
    {"WORDS", "--reason --title"},
    {"PREFIX", "--prefix"},
    {"COLUMN", "--column"},
    {"SEGMENTS", "--columns --rows"},
    {"LOGIN", "--author"},
    {"KEY", "--key"},
    {"PROGRAM", "--ncu"},
    {"FORMAT", "--format"},
    {"THEME", "--theme"},
    {"PAIRING", "--pairing"},
    {"DIRECTION", "--better"},
    {"RULE", "--detector"},
};

// A type that a command states itself stays; flags have none.
void put_placeholders(CLI::App& app) {
  constexpr std::array kPlainTypes{"TEXT", "INT", "UINT", "FLOAT"};
  for (CLI::Option* option : app.get_options()) {
    const std::string type = option->get_type_name();
    if (std::ranges::none_of(kPlainTypes, [&](const char* plain) { return type.starts_with(plain); }))
      continue;
    const auto row = std::ranges::find_if(kPlaceholders, [&](const Placeholder& one) {
      return (" " + std::string(one.options) + " ").find(" " + option->get_name() + " ") != std::string::npos;
    });
    if (row != std::end(kPlaceholders)) option->type_name(row->value);
  }
  for (CLI::App* below : app.get_subcommands([](const CLI::App*) { return true; })) put_placeholders(*below);
}

std::map<const CLI::App*, Action> declare_each(CLI::App& app, const Globals& globals,
                                               const std::vector<Command>& table) {
  std::map<const CLI::App*, Action> actions;
  std::string group;
  for (const auto& command : table) {
    if (!command.group.empty()) group = command.group;
    CLI::App* below = app.add_subcommand(command.name, command.summary);
    if (!group.empty()) below->group(group);
    actions[below] = command.declare(*below, globals);
  }
  return actions;
}

}  // namespace

const std::vector<Command>& commands() {
  static const std::vector<Command> table{
      {"init", "write a first tracker.toml: what is measured here, and how it is built", declare_init,
       "Begin"},
      {"doctor", "check whether this machine is fit to measure, and say what to fix", declare_doctor},
      {"calibrate", "say what changes this machine can resolve, and propose thresholds", declare_calibrate},
      {"run", "measure the benchmark binaries and record a run for HEAD", declare_run, "Measure"},
      {"lease", "start any program while nothing else measures on its GPUs", declare_lease},
      {"record", "record Google Benchmark JSON made elsewhere, for a commit", declare_record},
      {"backfill", "measure commits of the past that have no run", declare_backfill},
      {"profile", "count what the hardware did in each kernel, with ncu, or show what was counted",
       declare_profile},
      {"compare", "judge a commit against another one, or against the baseline", declare_compare,
       "Did it get slower"},
      {"baseline", "write or print the promoted baselines", declare_baseline},
      {"accept", "write into tracker.toml that a commit's change is accepted", declare_accept},
      {"check", "say whether the newest commits hold a regression that is neither mended nor accepted",
       declare_check},
      {"nightly", "measure HEAD, and say what it and the commits since the last release cost",
       declare_nightly},
      {"release-check", "measure HEAD side by side with the last release, and say what changed since",
       declare_release_check},
      {"explain", "show what differs in a benchmark between two commits, and what likely explains its change",
       declare_explain, "Which commit, and why"},
      {"bisect", "find the commit that made a benchmark slower, by building and measuring", declare_bisect},
      {"top", "list the largest lasting changes over the commits, one line for all that changed together",
       declare_top},
      {"log", "list the recorded runs, or the values of benchmarks over the commits", declare_log},
      {"changepoints", "find where a series of plain numbers changed its level, in a CSV or JSON file",
       declare_changepoints},
      {"plot", "draw trends over the commits, and all variants of a family", declare_plot, "Show it"},
      {"site", "write the history as web pages: what changed, trends, any two commits", declare_site},
      {"list", "what is recorded: devices, benchmarks, commits", declare_list},
      {"sync", "fetch and push the recorded runs", declare_sync, "Share and keep"},
      {"export", "write the documents recorded for commits as files", declare_export},
      {"import", "record exported files, after checking them as untrusted data", declare_import},
      {"remap", "after a rebase or filter-repo: record the runs of old commits for the new ones",
       declare_remap},
      {"store", "check what is recorded, drop what is broken, copy all of it to another store",
       declare_store},
      {"github", "in a workflow: what to compare, the comment, charts on a branch, proposals",
       declare_github},
      {"ci", "in GitLab and any other CI service: what to compare, and the comment", declare_ci},
      {"mcp", "answer a coding agent: compare, explain, log, top and check as its tools", declare_mcp},
  };
  return table;
}

std::map<const CLI::App*, Action> declare_commands(CLI::App& app, Globals& globals) {
  app.name("tracker");
  app.description(
      "Performance CI for CUDA kernels: records Google Benchmark results for each commit and GPU,\n"
      "compares commits by careful statistics, and fails the build when a kernel got slower.");
  app.set_version_flag("--version", version_text());
  app.add_option("-C", globals.directory, "run as if started in this folder");
  app.add_option("--config", globals.config, "this file instead of tracker.toml at the repository's root");
  app.add_option("--store", globals.store,
                 "a ref, or postgresql://HOST/DATABASE, instead of tracker.toml's store");
  app.require_subcommand(0, 1);
  app.fallthrough();  // its options may stand after the command as well
  auto actions = declare_each(app, globals, commands());
  put_placeholders(app);
  return actions;
}

Action declare_below(CLI::App& app, const Globals& globals, const std::vector<Command>& table) {
  app.require_subcommand(1);
  return [actions = declare_each(app, globals, table), &app] {
    return actions.at(app.get_subcommands().front())();
  };
}

std::string version_text() {
  return std::string("tracker ") + kVersion + " (commit " + kCommit + ", " + kBuildType + ", " + kCompiler +
         ", " + kLibraries + ")";
}

}  // namespace tracker::commands

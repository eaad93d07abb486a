// The table of commands: help, "did you mean" and dispatch all come from its rows.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tracker/app/workspace.hpp"
#include "tracker/base/error.hpp"

namespace CLI {
class App;
}

namespace tracker::commands {

// Options that stand before the command, and what the environment says.
using Globals = app::WorkspaceRequest;

struct Command {
  std::string name;
  std::string summary;
  // Declares the command's options, and returns what runs it once they are parsed.
  std::function<ExitCode()> (*declare)(CLI::App& app, const Globals& globals);
  std::string group = {};  // of the help: what a person wants to do
};

const std::vector<Command>& commands();

// Declares the options and the commands of `tracker`, and returns what runs each command once it was named.
std::map<const CLI::App*, std::function<ExitCode()>> declare_commands(CLI::App& app, Globals& globals);

// The same for a command that has commands below it, of which one has to be named: what it runs.
std::function<ExitCode()> declare_below(CLI::App& app, const Globals& globals,
                                        const std::vector<Command>& table);

// What is printed where no command is named: where things stand, and what to do next. Nothing where no git
// repository holds the folder.
std::optional<ExitCode> print_status(const Globals& globals);

// What --version prints: "tracker 0.1.0 (commit 1a2b3c4d, Release, GNU 12.2.0)".
std::string version_text();

std::function<ExitCode()> declare_init(CLI::App& app, const Globals& globals);
std::function<ExitCode()> declare_run(CLI::App& app, const Globals& globals);
std::function<ExitCode()> declare_lease(CLI::App& app, const Globals& globals);
std::function<ExitCode()> declare_nightly(CLI::App& app, const Globals& globals);
std::function<ExitCode()> declare_release_check(CLI::App& app, const Globals& globals);
std::function<ExitCode()> declare_record(CLI::App& app, const Globals& globals);
std::function<ExitCode()> declare_remap(CLI::App& app, const Globals& globals);
std::function<ExitCode()> declare_compare(CLI::App& app, const Globals& globals);
std::function<ExitCode()> declare_backfill(CLI::App& app, const Globals& globals);
std::function<ExitCode()> declare_bisect(CLI::App& app, const Globals& globals);
std::function<ExitCode()> declare_calibrate(CLI::App& app, const Globals& globals);
std::function<ExitCode()> declare_explain(CLI::App& app, const Globals& globals);
std::function<ExitCode()> declare_baseline(CLI::App& app, const Globals& globals);
std::function<ExitCode()> declare_plot(CLI::App& app, const Globals& globals);
std::function<ExitCode()> declare_site(CLI::App& app, const Globals& globals);
std::function<ExitCode()> declare_list(CLI::App& app, const Globals& globals);
std::function<ExitCode()> declare_log(CLI::App& app, const Globals& globals);
std::function<ExitCode()> declare_check(CLI::App& app, const Globals& globals);
std::function<ExitCode()> declare_accept(CLI::App& app, const Globals& globals);
std::function<ExitCode()> declare_top(CLI::App& app, const Globals& globals);
std::function<ExitCode()> declare_changepoints(CLI::App& app, const Globals& globals);
std::function<ExitCode()> declare_profile(CLI::App& app, const Globals& globals);
std::function<ExitCode()> declare_sync(CLI::App& app, const Globals& globals);
std::function<ExitCode()> declare_export(CLI::App& app, const Globals& globals);
std::function<ExitCode()> declare_import(CLI::App& app, const Globals& globals);
std::function<ExitCode()> declare_store(CLI::App& app, const Globals& globals);
std::function<ExitCode()> declare_github(CLI::App& app, const Globals& globals);
std::function<ExitCode()> declare_mcp(CLI::App& app, const Globals& globals);
std::function<ExitCode()> declare_ci(CLI::App& app, const Globals& globals);
std::function<ExitCode()> declare_doctor(CLI::App& app, const Globals& globals);

}  // namespace tracker::commands

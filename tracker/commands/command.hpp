// The table of commands: help, "did you mean" and dispatch all come from its rows; and the whole command line
// as data, which completions and manual pages are made from (docs/contributing.md).
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

// What runs a command once its options are parsed.
using Action = std::function<ExitCode()>;
// Declares a command's options.
using Declare = Action(CLI::App& app, const Globals& globals);

struct Command {
  std::string name;
  std::string summary;
  Declare* declare;
  std::string group = {};  // of the help: what a person wants to do; empty: as the row above
};

const std::vector<Command>& commands();

// Declares the options and the commands of `tracker`, and returns what runs each command once it was named.
std::map<const CLI::App*, Action> declare_commands(CLI::App& app, Globals& globals);

// The same for a command that has commands below it, of which one has to be named: what it runs.
Action declare_below(CLI::App& app, const Globals& globals, const std::vector<Command>& table);

// What is printed where no command is named: where things stand, and what to do next. Nothing where no git
// repository holds the folder.
std::optional<ExitCode> print_status(const Globals& globals);

// What --version prints: "tracker 0.1.0 (commit 1a2b3c4d, Release, GNU 12.2.0)".
std::string version_text();

Declare declare_init, declare_run, declare_lease, declare_nightly, declare_release_check, declare_record,
    declare_remap, declare_compare, declare_backfill, declare_bisect, declare_calibrate, declare_explain,
    declare_baseline, declare_plot, declare_site, declare_list, declare_log, declare_check, declare_accept,
    declare_top, declare_changepoints, declare_profile, declare_sync, declare_export, declare_import,
    declare_store, declare_github, declare_mcp, declare_ci, declare_doctor;

// One option, or one positional argument.
struct Option {
  std::vector<std::string> names;    // "-n", "--invocations"; of a positional argument its one name
  std::string value;                 // what it takes, as help names it: "INT"; empty: a flag
  std::vector<std::string> choices;  // where only these values are taken
  std::string summary;
  bool positional = false;
};

// A command, and the commands below it.
struct CommandLine {
  std::string path;  // "tracker github event"
  std::string name;  // "event"
  std::string summary;
  std::string footer;  // what help says at its end
  std::vector<Option> options;
  std::vector<CommandLine> commands;
};

// Reads what was declared. `path` is what stands before the command's own name.
CommandLine read_command_line(const CLI::App& app, const std::string& path = "");

// A manual page in roff (man(7)) with every command; `version` as `tracker --version` says it.
std::string manual_page(const CommandLine& root, const std::string& version);

// One row a shell.
struct Completion {
  std::string shell;
  std::string file;  // its name where the shell looks for it
  std::string (*write)(const CommandLine& root);
};
const std::vector<Completion>& completions();

}  // namespace tracker::commands

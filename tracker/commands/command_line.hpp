// The whole command line as data: what completions and manual pages are made from. docs/contributing.md
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace tracker::commands {

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

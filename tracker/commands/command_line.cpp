#include "tracker/commands/command_line.hpp"

#include <CLI/CLI.hpp>

#include "tracker/base/text.hpp"

namespace tracker {
namespace {

// "TEXT:{a,b}" → a, b.
std::vector<std::string> choices_of(const std::string& type) {
  const auto open = type.find('{');
  const auto close = type.find('}', open == std::string::npos ? 0 : open);
  if (open == std::string::npos || close == std::string::npos) return {};
  std::vector<std::string> choices;
  std::size_t at = open + 1;
  while (at <= close) {
    const std::size_t end = std::min(type.find(',', at), close);
    choices.push_back(type.substr(at, end - at));
    at = end + 1;
  }
  return choices;
}

CommandOption read_option(const CLI::Option& option) {
  CommandOption read;
  read.positional = option.get_positional();
  if (read.positional) {
    read.names = {option.get_name(true)};
  } else {
    for (const auto& name : option.get_snames()) read.names.push_back("-" + name);
    for (const auto& name : option.get_lnames()) read.names.push_back("--" + name);
  }
  if (option.get_items_expected_max() > 0) read.value = option.get_type_name();
  read.choices = choices_of(read.value);
  read.value = read.value.substr(0, read.value.find(':'));
  read.summary = option.get_description();
  return read;
}

}  // namespace

CommandLine read_command_line(const CLI::App& app, const std::string& path) {
  CommandLine line;
  line.name = app.get_name();
  line.path = path.empty() ? line.name : path + " " + line.name;
  line.summary = app.get_description();
  line.footer = app.get_footer();
  for (const CLI::Option* option : app.get_options([](const CLI::Option*) { return true; }))
    line.options.push_back(read_option(*option));
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    line.commands.push_back(read_command_line(*command, line.path));
  return line;
}

}  // namespace tracker

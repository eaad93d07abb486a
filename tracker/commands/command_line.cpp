#include <CLI/CLI.hpp>

#include "tracker/base/text.hpp"
#include "tracker/commands/command.hpp"

namespace tracker::commands {
namespace {

// "TEXT:{a,b}" → a, b.
std::vector<std::string> choices_of(const std::string& type) {
  const auto open = type.find('{');
  if (open == std::string::npos) return {};
  return split(type.substr(open + 1, type.find('}', open) - open - 1), ',');
}

Option read_option(const CLI::Option& option) {
  Option read;
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

// Completion scripts. Each offers the commands, their options, and the values of options that take only some;
// everything else is left to the shell's completion of files.

// In single quotes, as all three shells read them; summaries lose their own.
std::string quoted(const std::string& text) {
  std::string out = text;
  replace_every(out, "'", "’");
  replace_every(out, "\n", " ");
  return "'" + out + "'";
}

void each_command(const CommandLine& root, const std::function<void(const CommandLine&)>& visit) {
  visit(root);
  for (const auto& command : root.commands) each_command(command, visit);
}

// The shell code that both bash and zsh read: sets `command` to the innermost command of the words before the
// cursor.
std::string find_command(const CommandLine& root, const std::string& words) {
  std::vector<std::string> paths;
  each_command(root, [&](const CommandLine& command) {
    if (command.path != root.path) paths.push_back(quoted(command.path));
  });
  return "  local command=" + root.path + " word\n  for word in " + words +
         "; do\n    case \"$command $word\" in\n      " + join(paths, "|") +
         ") command=\"$command $word\" ;;\n    esac\n  done\n";
}

// `case` branches for options that take only some values: "tracker compare --format") words='text json' ;;
std::string choice_branches(const CommandLine& root, const std::function<std::string(const Option&)>& offer) {
  std::string out;
  each_command(root, [&](const CommandLine& command) {
    for (const auto& option : command.options) {
      if (option.choices.empty()) continue;
      std::vector<std::string> names;
      for (const auto& name : option.names) names.push_back(quoted(command.path + " " + name));
      out += "    " + join(names, "|") + ") " + offer(option) + " ;;\n";
    }
  });
  return out;
}

std::string bash_completion(const CommandLine& root) {
  std::string out = "# bash completion for tracker\n_tracker() {\n";
  out += "  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words=\n";
  out += find_command(root, "\"${COMP_WORDS[@]:1:COMP_CWORD-1}\"");
  out += "  case \"$command $before\" in\n" +
         choice_branches(root,
                         [](const Option& option) { return "words=" + quoted(join(option.choices, " ")); }) +
         "    *)\n      case $command in\n";
  each_command(root, [&](const CommandLine& command) {
    std::vector<std::string> words;
    for (const auto& below : command.commands) words.push_back(below.name);
    for (const auto& option : command.options)
      if (!option.positional) words.insert(words.end(), option.names.begin(), option.names.end());
    out += "        " + quoted(command.path) + ") words=" + quoted(join(words, " ")) + " ;;\n";
  });
  out += "      esac\n      ;;\n  esac\n";
  out += "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n}\n";
  return out + "complete -o default -F _tracker tracker\n";
}

// "name:summary", the form that zsh's _describe takes.
std::string described(const std::string& name, const std::string& summary) {
  std::string plain = name;
  replace_every(plain, ":", "\\:");
  return quoted(plain + ":" + summary);
}

std::string zsh_completion(const CommandLine& root) {
  std::string out = "#compdef tracker\n_tracker() {\n  local -a found\n";
  out += find_command(root, "${words[2,CURRENT-1]}");
  out += "  case \"$command ${words[CURRENT-1]}\" in\n" +
         choice_branches(root,
                         [](const Option& option) { return "found=(" + join(option.choices, " ") + ")"; }) +
         "    *)\n      case $command in\n";
  each_command(root, [&](const CommandLine& command) {
    out += "        " + quoted(command.path) + ") found=(\n";
    for (const auto& below : command.commands)
      out += "          " + described(below.name, below.summary) + "\n";
    for (const auto& option : command.options)
      for (const auto& name : option.names)
        if (!option.positional) out += "          " + described(name, option.summary) + "\n";
    out += "        ) ;;\n";
  });
  return out + "      esac\n      ;;\n  esac\n  _describe 'tracker' found\n  _files\n}\n_tracker \"$@\"\n";
}

// fish asks of each row whether it fits: all commands above it stand on the line, and none of those beside
// it.
std::string fish_condition(const CommandLine& root, const CommandLine& command) {
  std::vector<std::string> parts;
  for (const auto& name : split(command.path, ' '))
    if (name != root.name) parts.push_back("__fish_seen_subcommand_from " + name);
  std::vector<std::string> inner;
  for (const auto& each : command.commands) inner.push_back(each.name);
  if (!inner.empty()) parts.push_back("not __fish_seen_subcommand_from " + join(inner, " "));
  return quoted(join(parts, "; and "));
}

std::string fish_completion(const CommandLine& root) {
  std::string out = "# fish completion for tracker\n";
  each_command(root, [&](const CommandLine& command) {
    const std::string start = "complete -c tracker -n " + fish_condition(root, command);
    for (const auto& below : command.commands)
      out += start + " -f -a " + below.name + " -d " + quoted(below.summary) + "\n";
    for (const auto& option : command.options) {
      if (option.positional) continue;
      out += start;
      for (const auto& name : option.names)
        out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      if (!option.value.empty()) out += " -r";
      if (!option.choices.empty()) out += " -f -a " + quoted(join(option.choices, " "));
      out += " -d " + quoted(option.summary) + "\n";
    }
  });
  return out;
}

// Text that roff takes as it is: no request at the start of a line, no escape, and hyphens that can be
// copied.
std::string roff(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if ((c == '.' || c == '\'') && (i == 0 || text[i - 1] == '\n')) out += "\\&";
    out += c == '\\' ? "\\e" : c == '-' ? "\\-" : std::string(1, c);
  }
  return out;
}

std::string option_entry(const Option& option) {
  std::string names;
  for (const auto& name : option.names) names += (names.empty() ? "\\fB" : ", \\fB") + roff(name) + "\\fR";
  if (!option.value.empty() && !option.positional) names += " \\fI" + roff(option.value) + "\\fR";
  std::string summary = roff(option.summary);
  if (!option.choices.empty() && option.summary.find(option.choices.front()) == std::string::npos)
    summary += ": " + roff(join(option.choices, ", "));
  return ".TP\n" + names + "\n" + summary + "\n";
}

void add_command(const CommandLine& command, std::string& page) {
  page += ".SS " + roff(command.path) + "\n" + roff(command.summary) + "\n";
  for (const auto& option : command.options) page += option_entry(option);
  if (!command.footer.empty()) page += ".PP\n.nf\n" + roff(command.footer) + "\n.fi\n";
  for (const auto& below : command.commands) add_command(below, page);
}

}  // namespace

CommandLine read_command_line(const CLI::App& app, const std::string& path) {
  CommandLine line;
  line.name = app.get_name();
  line.path = path.empty() ? line.name : path + " " + line.name;
  line.summary = app.get_description();
  line.footer = app.get_footer();
  for (const CLI::Option* option : app.get_options()) line.options.push_back(read_option(*option));
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    line.commands.push_back(read_command_line(*command, line.path));
  return line;
}

const std::vector<Completion>& completions() {
  static const std::vector<Completion> table{
      {"bash", "share/bash-completion/completions/tracker", bash_completion},
      {"zsh", "share/zsh/site-functions/_tracker", zsh_completion},
      {"fish", "share/fish/vendor_completions.d/tracker.fish", fish_completion},
  };
  return table;
}

std::string manual_page(const CommandLine& root, const std::string& version) {
  std::string page = ".TH TRACKER 1 \"\" \"" + roff(version) + "\" \"User Commands\"\n";
  page += ".SH NAME\ntracker \\- performance CI for Google Benchmark binaries and CUDA kernels\n";
  page += ".SH SYNOPSIS\n\\fBtracker\\fR [\\fIoptions\\fR] \\fIcommand\\fR [\\fIarguments\\fR]\n";
  page += ".SH DESCRIPTION\n" + roff(root.summary) + "\n.SH OPTIONS\n";
  for (const auto& option : root.options) page += option_entry(option);
  page += ".SH COMMANDS\n";
  for (const auto& command : root.commands) add_command(command, page);
  page += ".SH EXIT STATUS\n";
  for (const auto& [code, meaning] : std::vector<std::pair<std::string, std::string>>{
           {"0", "Done; nothing regressed."},
           {"1", "A benchmark regressed, is below its floor, failed or is missing."},
           {"2", "The command line, tracker.toml or an input file is wrong."},
           {"3", "Nothing could be judged."},
           {"4", "git, the store, a build, a benchmark binary or gnuplot failed."}})
    page += ".TP\n" + code + "\n" + meaning + "\n";
  page +=
      ".SH FILES\n.TP\ntracker.toml\nWhat is measured, and what is accepted; at the root of the "
      "repository.\n";
  page += ".TP\nbaselines/\nPromoted baselines, one file a device.\n";
  return page;
}

}  // namespace tracker::commands

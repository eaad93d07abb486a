// Completion scripts. Each offers the commands, their options, and the values of options that take only some;
// everything else is left to the shell's completion of files.
#include <functional>

#include "tracker/base/text.hpp"
#include "tracker/commands/command_line.hpp"

namespace tracker {
namespace {

// In single quotes, as all three shells read them; summaries lose their own.
std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text)
    if (c == '\'')
      out += "’";
    else
      out += c == '\n' ? ' ' : c;
  return out + "'";
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
std::string choice_branches(const CommandLine& root,
                            const std::function<std::string(const CommandOption&)>& offer) {
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
         choice_branches(
             root, [](const CommandOption& option) { return "words=" + quoted(join(option.choices, " ")); }) +
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
  std::string plain;
  for (const char c : name) plain += c == ':' ? std::string("\\:") : std::string(1, c);
  return quoted(plain + ":" + summary);
}

std::string zsh_completion(const CommandLine& root) {
  std::string out = "#compdef tracker\n_tracker() {\n  local -a found\n";
  out += find_command(root, "${words[2,CURRENT-1]}");
  out += "  case \"$command ${words[CURRENT-1]}\" in\n" +
         choice_branches(
             root, [](const CommandOption& option) { return "found=(" + join(option.choices, " ") + ")"; }) +
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
  const std::string below = command.path.substr(std::min(command.path.size(), root.path.size() + 1));
  std::string name;
  for (const char c : below + " ") {
    if (c != ' ') {
      name += c;
    } else if (!name.empty()) {
      parts.push_back("__fish_seen_subcommand_from " + name);
      name.clear();
    }
  }
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

}  // namespace

const std::vector<Completion>& completions() {
  static const std::vector<Completion> table{
      {"bash", "share/bash-completion/completions/tracker", bash_completion},
      {"zsh", "share/zsh/site-functions/_tracker", zsh_completion},
      {"fish", "share/fish/vendor_completions.d/tracker.fish", fish_completion},
  };
  return table;
}

}  // namespace tracker

#include "tracker/base/text.hpp"
#include "tracker/commands/command_line.hpp"

namespace tracker {
namespace {

// Text that roff takes as it is: no request at the start of a line, no escape, and hyphens that can be
// copied.
std::string roff(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if ((c == '.' || c == '\'') && (i == 0 || text[i - 1] == '\n')) out += "\\&";
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
  }
  return out;
}

std::string option_entry(const CommandOption& option) {
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

}  // namespace tracker

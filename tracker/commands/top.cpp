#include <chrono>
#include <iostream>

#include <CLI/CLI.hpp>

#include "tracker/base/time.hpp"
#include "tracker/commands/command.hpp"
#include "tracker/commands/line_options.hpp"
#include "tracker/commands/terminal.hpp"
#include "tracker/events/event_choice.hpp"
#include "tracker/report/event_report.hpp"

namespace tracker {
namespace {

struct TopOptions {
  LineRequest line;
  std::string since = "90d";
  std::size_t count = 10;
  std::string format = "text";
};

ExitCode top(const Globals& globals, const TopOptions& options) {
  const std::string since = since_day(options.since, utc_date(std::chrono::system_clock::now()));
  const Workspace workspace(globals);
  WaitingLine waiting("looking for what changed");
  LineEvents line = load_line_events(workspace, options.line);
  EventReport report{since, line.devices, lasting_events(line.events, since), std::move(line.series),
                     "",    true};
  for (const auto& gap : line.gaps) report.gaps.push_back(in_words(gap));
  waiting.clear();
  const CommitLinks links(workspace, options.format == "text");
  std::cout << write_events(options.format, report,
                            {.color = wants_color(),
                             .columns = terminal_columns(),
                             .rows_max = options.count,
                             .commit_url = commit_url(workspace.repository())});
  return ExitCode::kOk;
}

}  // namespace

std::function<ExitCode()> declare_top(CLI::App& app, const Globals& globals) {
  auto options = std::make_shared<TopOptions>();
  std::vector<std::string> formats;
  for (const auto& format : event_formats()) formats.push_back(format.name);
  add_line_options(app, options->line);
  app.add_option("--since", options->since, "how far back: 90d, 12w, a day or all (default 90d)");
  app.add_option("-n,--count", options->count, "so many of the largest (default 10; 0: all)");
  app.add_option("--format", options->format, "how to print")
      ->check(CLI::IsMember(formats))
      ->capture_default_str();
  app.footer(
      "Lists what changed for good on the line of commits, largest first: all benchmarks that changed at "
      "the\n"
      "same commits are one line (docs/changepoints.md#events).\n"
      "Exit codes: 0 listed, 2 usage, 3 nothing is recorded, 4 git or the store failed.");
  return [options, &globals] { return top(globals, *options); };
}

}  // namespace tracker

#include <algorithm>
#include <cmath>
#include <iostream>

#include <CLI/CLI.hpp>

#include "tracker/base/text.hpp"
#include "tracker/commands/command.hpp"
#include "tracker/commands/workspace.hpp"
#include "tracker/history/series.hpp"
#include "tracker/history/series_changes.hpp"
#include "tracker/history/whole_line.hpp"
#include "tracker/report/layout.hpp"

namespace tracker {
namespace {

struct LogOptions {
  std::vector<std::string> globs;
  std::string device;
  std::string from = "HEAD";
  int commits = 100;
};

std::string marks_of(const Run& run) {
  std::vector<std::string> marks;
  if (run.dirty) marks.push_back("dirty");
  constexpr std::size_t kFilterColumns = 40;  // confirming names every benchmark in doubt
  if (!run.filter.empty()) marks.push_back("only " + shorten_end(printable(run.filter), kFilterColumns));
  for (const auto& failure : run.failures) marks.push_back(printable(failure.binary) + " failed");
  const bool disturbed = std::any_of(run.invocations.begin(), run.invocations.end(), [](const Invocation& i) {
    return i.left_out.empty() && i.conditions.disturbed();
  });
  if (disturbed) marks.push_back("disturbed");
  return marks.empty() ? "" : "  [" + join(marks, ", ") + "]";
}

void print_runs(const std::vector<CommitRuns>& history) {
  for (auto commit = history.rbegin(); commit != history.rend(); ++commit)
    for (const auto& run : commit->runs)
      std::cout << "  " << short_id(commit->commit.id) << "  " << run.started_at << "  "
                << right_aligned(std::to_string(run.benchmarks.size()), 4) << " benchmarks × "
                << right_aligned(std::to_string(invocation_count(run)), 2) << " invocations  "
                << printable(commit->commit.subject) << marks_of(run) << "\n";
}

// "  [▼ regressed, −4.43 %]" where the level changed; "  [▽ +93.5 %, measured under other conditions: …]".
std::string step_mark(const Series& series, std::size_t point) {
  for (const auto& step : series.steps)
    if (step.point == point) {
      const std::string size = format_percent(step.after / step.before - 1);
      if (!step.other_conditions.empty())
        return std::string(step.worse ? "  [▽ " : "  [△ ") + size +
               ", measured under other conditions: " + step.other_conditions + "]";
      return std::string(step.worse ? "  [▼ regressed, " : "  [▲ improved, ") + size +
             (step.settled ? "]" : ", not settled yet]");
    }
  return "";
}

// "  ▼ drifts by −4.87 % (−5.2 % … −4.55 %) from 1a2b3c4 to 5d6e7f8: 400 commits, none of them a step".
std::string drift_line(const Series& series, const SeriesDrift& drift) {
  const bool is_of_code = drift.other_conditions.empty();
  const char* mark = drift.worse ? (is_of_code ? "▼" : "▽") : (is_of_code ? "▲" : "△");
  const double middle = std::sqrt((1 + drift.change.low) * (1 + drift.change.high)) - 1;
  return std::string("  ") + mark + " drifts by " + format_percent(middle) + " (" +
         format_percent(drift.change.low) + " … " + format_percent(drift.change.high) + ") from " +
         short_id(drift.since) + " to " + short_id(series.points[drift.to - 1].commit) + ": " +
         count_of(static_cast<std::size_t>(drift.commits), "commit") + ", and no single one" +
         (is_of_code ? "" : "; measured under other conditions: " + drift.other_conditions) + "\n";
}

void print_series(const Series& series) {
  const auto quantity = [&](double value) { return format_quantity(value, series.metric.unit); };
  std::cout << printable(series.benchmark) << ", " << printable(series.metric.name) << "\n";
  for (const auto& drift : series.drifts) std::cout << drift_line(series, drift);
  for (std::size_t i = series.points.size(); i-- > 0;) {
    const auto& point = series.points[i];
    const std::string change = i == 0 ? "" : format_percent(point.median / series.points[i - 1].median - 1);
    std::cout << "  " << short_id(point.commit) << "  " << point.date.substr(0, 10) << "  "
              << right_aligned(quantity(point.median), 14) << "  " << right_aligned(change, 9) << "  "
              << left_aligned("[" + quantity(point.spread.low) + ", " + quantity(point.spread.high) + "]", 32)
              << "  " << printable(point.subject) << (point.disturbed ? "  [disturbed]" : "")
              << step_mark(series, i) << "\n";
  }
}

ExitCode log(const Globals& globals, const LogOptions& options) {
  const Workspace workspace(globals);
  const auto& repository = workspace.repository();
  const auto devices = matching_devices(
      devices_on_line(repository, workspace.store(), options.from, options.commits), options.device);
  if (devices.empty())
    throw Error(ExitCode::kCannotJudge,
                "no run is stored for any of the newest " + std::to_string(options.commits) + " commits of " +
                    printable(options.from),
                "measure this one: tracker run; or fetch what is recorded elsewhere: tracker sync --fetch");
  std::size_t shown = 0;
  for (const auto& device : devices) {
    if (options.globs.empty()) {
      std::cout << device << "\n";
      print_runs(load_history(repository, workspace.store(), device, options.from, options.commits));
      continue;
    }
    const auto history = load_history(repository, workspace.store(), device, options.from, kWholeLine);
    const int oldest = position_of_oldest(repository, options.from, options.commits);
    std::vector<Series> all;
    for (auto& series : make_series(history, device, options.globs, workspace.config().policy, ""))
      all.push_back(points_from(std::move(series), oldest));
    std::erase_if(all, [](const Series& series) { return series.points.empty(); });
    if (!all.empty()) std::cout << device << "\n";
    for (const auto& series : all) print_series(series);
    shown += all.size();
  }
  if (!options.globs.empty() && shown == 0)
    throw Error(ExitCode::kUsage, "no benchmark matches '" + printable(join(options.globs, "' or '")) + "'",
                "tracker log '*' lists what is recorded");
  return ExitCode::kOk;
}

}  // namespace

std::function<ExitCode()> declare_log(CLI::App& app, const Globals& globals) {
  auto options = std::make_shared<LogOptions>();
  app.add_option("globs", options->globs, "benchmarks to list over the commits (default: the runs)");
  app.add_option("--from", options->from, "the newest commit to list (default HEAD)");
  app.add_option("--device", options->device, "only devices that match this pattern");
  app.add_option("--commits", options->commits, "how far back (default 100)")->check(CLI::Range(1, 100000));
  return [options, &globals] { return log(globals, *options); };
}

}  // namespace tracker

#include <algorithm>
#include <iostream>
#include <iterator>

#include <CLI/CLI.hpp>

#include "tracker/app/logged_trends.hpp"
#include "tracker/app/workspace.hpp"
#include "tracker/base/text.hpp"
#include "tracker/commands/command.hpp"
#include "tracker/commands/line_options.hpp"
#include "tracker/commands/terminal.hpp"
#include "tracker/history/history.hpp"
#include "tracker/report/data_table.hpp"
#include "tracker/report/layout.hpp"
#include "tracker/report/series_report.hpp"

namespace tracker {
namespace {

struct LogOptions : LogRequest {
  bool values = false;
  std::string format = "text";
};

std::string marks_of(const Run& run) {
  std::vector<std::string> marks;
  if (run.dirty) marks.push_back("dirty");
  constexpr std::size_t kSelectionColumns = 40;  // older runs name every benchmark in an expression
  if (!run.selection.is_all())
    marks.push_back("only " + shorten_end(printable(selection_in_words(run.selection)), kSelectionColumns));
  for (const auto& failure : run.failures) marks.push_back(printable(failure.binary) + " failed");
  const bool disturbed = std::any_of(run.invocations.begin(), run.invocations.end(), [](const Invocation& i) {
    return !i.excluded && i.conditions.disturbed();
  });
  if (disturbed) marks.push_back("disturbed");
  return marks.empty() ? "" : "  [" + join(marks, ", ") + "]";
}

// "2026-10-15 09:07" of an ISO 8601 time.
std::string minute_of(const std::string& time) {
  return printable(time.substr(0, 10)) + " " +
         printable(time.substr(std::min<std::size_t>(time.size(), 11), 5));
}

void print_runs(const std::vector<CommitRuns>& history) {
  constexpr std::size_t kRoomy = 110;  // columns: below, units stand over their columns
  constexpr std::size_t kSubjectLeast = 12;
  const auto columns = static_cast<std::size_t>(terminal_columns());
  const bool narrow = columns > 0 && columns < kRoomy;
  if (narrow) std::cout << "  commit   started (UTC)     benchmarks × invocations\n";
  for (auto commit = history.rbegin(); commit != history.rend(); ++commit)
    for (const auto& run : commit->runs) {
      const std::string head =
          "  " + short_id(commit->commit.id) + "  " + (narrow ? minute_of(run.started_at) : run.started_at) +
          "  " + right_aligned(std::to_string(run.benchmarks.size()), 4) +
          (narrow ? " × " : " benchmarks × ") + right_aligned(std::to_string(invocation_count(run)), 2) +
          (narrow ? "  " : " invocations  ");
      std::string marks = marks_of(run);
      std::string subject = printable(commit->commit.subject);
      if (columns > 0) {
        const std::size_t fixed = display_width(head) + kSubjectLeast;
        marks = shorten_end(marks, std::max(columns, fixed + 3) - fixed);
        const std::size_t used = display_width(head) + display_width(marks);
        subject = shorten_end(subject, std::max(columns - std::min(columns, used), kSubjectLeast));
      }
      std::cout << head << subject << marks << "\n";
    }
}

void add_runs(const std::string& device, const std::vector<CommitRuns>& history, DataTable& table) {
  for (const auto& commit : history)
    for (const auto& run : commit.runs)
      table.rows.push_back({device, run.id, commit.commit.id, commit.commit.date, commit.commit.subject,
                            run.started_at, static_cast<std::int64_t>(run.benchmarks.size()),
                            static_cast<std::int64_t>(invocation_count(run)), run.dirty});
}

// The same for programs: the runs, or every value and change of the benchmarks that are asked for.
ExitCode log_tables(const Workspace& workspace, const LogOptions& options,
                    const std::vector<std::string>& devices) {
  DataTable runs{
      "runs",
      {"device", "run", "commit", "date", "subject", "started", "benchmarks", "invocations", "dirty"},
      {}};
  std::vector<Series> all;
  for (const auto& device : devices) {
    if (options.globs.empty()) {
      add_runs(
          device,
          load_history(workspace.repository(), workspace.history(), device, options.from, options.commits),
          runs);
      continue;
    }
    auto trends = trends_on(workspace, device, options);
    std::move(trends.series.begin(), trends.series.end(), std::back_inserter(all));
  }
  if (!options.globs.empty() && all.empty())
    throw no_benchmark_matches(workspace, options.globs, devices, options.from);
  const bool is_csv = options.format == "csv";
  if (options.globs.empty())
    std::cout << (is_csv ? write_csv(runs) : write_json("tracker.log/1", {runs}));
  else
    std::cout << (is_csv ? write_csv(values_table(all))
                         : write_json("tracker.log/1", {values_table(all), changes_table(all)}));
  return ExitCode::kOk;
}

ExitCode log(const Globals& globals, const LogOptions& options) {
  const Workspace workspace(globals);
  WaitingLine waiting("reading what is recorded");
  const bool is_text = options.format == "text";
  const CommitLinks links(workspace, is_text);
  const auto devices = logged_devices(workspace, options);
  waiting.clear();
  auto& notes = is_text ? std::cout : std::cerr;  // programs read the rest
  print_gaps(notes, line_gaps(workspace, options.from));
  print_gaps(notes, older_commits(workspace, options.from, options.commits));
  if (!is_text) return log_tables(workspace, options, devices);
  std::size_t shown = 0;
  for (const auto& device : devices) {
    waiting.say("reading what is recorded on " + device);
    if (options.globs.empty()) {
      const auto history =
          load_history(workspace.repository(), workspace.history(), device, options.from, options.commits);
      waiting.clear();
      std::cout << device << "\n";
      print_runs(history);
      continue;
    }
    const LoggedTrends trends = trends_on(workspace, device, options);
    waiting.clear();
    if (shown > 0 && !trends.series.empty()) std::cout << "\n";
    std::cout << write_series(trends.series, {wants_color(), terminal_columns(), options.values},
                              trends.together);
    shown += trends.series.size();
  }
  if (!options.globs.empty() && shown == 0)
    throw no_benchmark_matches(workspace, options.globs, devices, options.from);
  return ExitCode::kOk;
}

}  // namespace

std::function<ExitCode()> declare_log(CLI::App& app, const Globals& globals) {
  auto options = std::make_shared<LogOptions>();
  app.add_option("globs", options->globs, "benchmarks to list over the commits (default: the runs)");
  app.add_option("--from", options->from, "the newest commit to list (default HEAD)");
  app.add_option("--device", options->device, "only devices that match this pattern");
  app.add_option("--threshold", options->threshold, "the smallest change to show, for every benchmark: 1%");
  app.add_option("--commits", options->commits, "how far back (default 100)")->check(CLI::Range(1, 100000));
  app.add_flag("--values", options->values, "every value, also where several benchmarks match");
  add_table_format(app, options->format);
  app.footer(
      "Without benchmarks, the runs of each commit. Of one benchmark every value, under what changed; of "
      "several\n"
      "what changed, commit by commit, and a line for each of the others.\n"
      "Exit codes: 0 listed, 2 usage, or nothing matches, 3 nothing is recorded, 4 git or the store failed.");
  return [options, &globals] { return log(globals, *options); };
}

}  // namespace tracker

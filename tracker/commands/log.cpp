#include <algorithm>
#include <iostream>
#include <iterator>

#include <CLI/CLI.hpp>

#include "tracker/app/line_events.hpp"
#include "tracker/app/workspace.hpp"
#include "tracker/base/terminal.hpp"
#include "tracker/base/text.hpp"
#include "tracker/commands/command.hpp"
#include "tracker/commands/options.hpp"
#include "tracker/commands/terminal.hpp"
#include "tracker/history/history.hpp"
#include "tracker/report/data_table.hpp"
#include "tracker/report/event_report.hpp"

namespace tracker::commands {
namespace {

struct LogOptions : app::LogRequest {
  bool values = false;
  std::string format = "text";
};

std::string marks_of(const Run& run) {
  std::vector<std::string> marks;
  if (run.dirty) marks.push_back("dirty");
  constexpr std::size_t kSelectionColumns = 40;  // older runs name every benchmark in an expression
  if (!run.selection.is_all())
    marks.push_back("only " + shorten_end(selection_in_words(run.selection), kSelectionColumns));
  for (const auto& failure : run.failures) marks.push_back(failure.binary + " failed");
  const bool disturbed = std::any_of(run.invocations.begin(), run.invocations.end(), [](const Invocation& i) {
    return !i.excluded && i.conditions.disturbed();
  });
  if (disturbed) marks.push_back("disturbed");
  return marks.empty() ? "" : "  [" + join(marks, ", ") + "]";
}

// "2026-10-15 09:07" of an ISO 8601 time.
std::string minute_of(const std::string& time) {
  return time.substr(0, 10) + " " + time.substr(std::min<std::size_t>(time.size(), 11), 5);
}

void print_runs(const std::vector<history::CommitRuns>& history) {
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
      std::string subject = commit->commit.subject;
      if (columns > 0) {
        const std::size_t fixed = display_width(head) + kSubjectLeast;
        marks = shorten_end(marks, std::max(columns, fixed + 3) - fixed);
        const std::size_t used = display_width(head) + display_width(marks);
        subject = shorten_end(subject, std::max(columns - std::min(columns, used), kSubjectLeast));
      }
      print_line(head + subject + marks);
    }
}

void add_runs(const std::string& device, const std::vector<history::CommitRuns>& history,
              report::DataTable& table) {
  for (const auto& commit : history)
    for (const auto& run : commit.runs)
      table.rows.push_back({device, run.id, commit.commit.id, commit.commit.date, commit.commit.subject,
                            run.started_at, static_cast<std::int64_t>(run.benchmarks.size()),
                            static_cast<std::int64_t>(invocation_count(run)), run.dirty});
}

// The same for programs: the runs, or every value and change of the benchmarks that are asked for.
ExitCode log_tables(const app::Workspace& workspace, const LogOptions& options,
                    const std::vector<std::string>& devices) {
  report::DataTable runs{
      "runs",
      {"device", "run", "commit", "date", "subject", "started", "benchmarks", "invocations", "dirty"},
      {}};
  std::vector<Series> all;
  for (const auto& device : devices) {
    if (options.globs.empty()) {
      add_runs(
          device,
          history::load(workspace.repository(), workspace.history(), device, options.from, options.commits),
          runs);
      continue;
    }
    auto trends = app::trends_on(workspace, device, options);
    std::move(trends.series.begin(), trends.series.end(), std::back_inserter(all));
  }
  if (!options.globs.empty() && all.empty())
    throw app::no_benchmark_matches(workspace, options.globs, devices, options.from);
  const auto tables = options.globs.empty()
                          ? std::vector{runs}
                          : std::vector{report::values_table(all), report::changes_table(all)};
  std::cout << report::write_tables(options.format, "tracker.log/1", tables);
  return ExitCode::kOk;
}

ExitCode log(const Globals& globals, const LogOptions& options) {
  const app::Workspace workspace(globals);
  WaitingLine waiting("reading what is recorded");
  const bool is_text = options.format == "text";
  const CommitLinks links(workspace, is_text);
  const auto devices = app::logged_devices(workspace, options);
  waiting.clear();
  auto& notes = is_text ? std::cout : std::cerr;  // programs read the rest
  print_gaps(notes, app::line_gaps(workspace, options.from));
  print_gaps(notes, app::older_commits(workspace, options.from, options.commits));
  if (!is_text) return log_tables(workspace, options, devices);
  std::size_t shown = 0;
  for (const auto& device : devices) {
    waiting.say("reading what is recorded on " + device);
    if (options.globs.empty()) {
      const auto history =
          history::load(workspace.repository(), workspace.history(), device, options.from, options.commits);
      waiting.clear();
      std::cout << device << "\n";
      print_runs(history);
      continue;
    }
    const app::LoggedTrends trends = app::trends_on(workspace, device, options);
    waiting.clear();
    if (shown > 0 && !trends.series.empty()) std::cout << "\n";
    std::cout << report::write_series(trends.series, {wants_color(), terminal_columns(), options.values},
                                      trends.together);
    shown += trends.series.size();
  }
  if (!options.globs.empty() && shown == 0)
    throw app::no_benchmark_matches(workspace, options.globs, devices, options.from);
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

namespace {

constexpr std::size_t kShownMax = 10;  // of each, where all three are listed

struct ListOptions {
  std::string what;
  std::vector<std::string> globs;
  std::string device;
  std::string from = "HEAD";
  int commits = 1000;
  std::string format = "text";
};

// A person's terminal cuts long lines; scripts get all of them.
void print_list_line(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  const int columns = terminal_columns();
  std::cout << shorten_end(line, columns > 0 ? static_cast<std::size_t>(columns) : kTableUnlimited) << "\n";
}

void print_more(std::size_t shown, std::size_t all, const std::string& what) {
  if (shown < all) print_list_line("  …" + and_more(all - shown) + ": tracker list " + what);
}

void print_devices(const std::vector<history::RecordedDevice>& devices, const std::string& indent) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& device : devices)
    rows.push_back({device.key, device.model, count_of(device.runs, "run"),
                    device.newest.empty() ? "" : ", newest " + device.newest});
  const auto table = text_table({{}, {}, {.right = true, .width_min = 9}, {.gap = 0}}, rows, 0, indent);
  for (const auto& line : split(table, '\n'))
    if (!line.empty()) print_list_line(line);
}

// Names alone, so that they can be passed on; with what not all devices have.
void print_benchmarks(const std::vector<history::RecordedBenchmark>& benchmarks, std::size_t devices,
                      std::size_t max, const std::string& indent) {
  for (std::size_t i = 0; i < std::min(max, benchmarks.size()); ++i)
    print_list_line(indent + benchmarks[i].name +
                    (benchmarks[i].devices == devices ? ""
                                                      : "  (on " + std::to_string(benchmarks[i].devices) +
                                                            " of " + count_of(devices, "device") + ")"));
}

void print_commits(const std::vector<history::RecordedCommit>& commits, std::size_t devices, std::size_t max,
                   const std::string& indent) {
  for (std::size_t i = 0; i < std::min(max, commits.size()); ++i) {
    const auto& one = commits[i];
    const std::string where =
        devices > 1 ? " on " + (one.devices.size() == 1 ? one.devices.front()
                                                        : count_of(one.devices.size(), "device"))
                    : "";
    print_list_line(indent + short_id(one.commit.id) + "  " + right_aligned(count_of(one.runs, "run"), 7) +
                    where + "  " + one.commit.subject);
  }
}

// What is listed, for programs.
report::DataTable devices_table(const std::vector<history::RecordedDevice>& devices) {
  report::DataTable table{"devices", {"device", "model", "runs", "newest"}, {}};
  for (const auto& one : devices)
    table.rows.push_back({one.key, one.model, static_cast<std::int64_t>(one.runs), one.newest});
  return table;
}

report::DataTable benchmarks_table(const std::vector<history::RecordedBenchmark>& benchmarks) {
  report::DataTable table{"benchmarks", {"benchmark", "devices"}, {}};
  for (const auto& one : benchmarks) table.rows.push_back({one.name, static_cast<std::int64_t>(one.devices)});
  return table;
}

report::DataTable commits_table(const std::vector<history::RecordedCommit>& commits) {
  report::DataTable table{"commits", {"commit", "date", "subject", "runs", "devices"}, {}};
  for (const auto& one : commits)
    table.rows.push_back({one.commit.id, one.commit.date, one.commit.subject,
                          static_cast<std::int64_t>(one.runs), join(one.devices, " ")});
  return table;
}

ExitCode print_tables(const ListOptions& options, const std::vector<report::DataTable>& tables) {
  std::cout << report::write_tables(options.format, "tracker.list/1", tables);
  return ExitCode::kOk;
}

Error nothing_recorded(const ListOptions& options, const app::Workspace& workspace) {
  if (workspace.store().devices().empty())
    return {ExitCode::kCannotJudge, "no run is recorded here",
            "measure this commit: tracker run; or fetch what is recorded elsewhere: tracker sync --fetch"};
  std::vector<std::string> known;
  for (const auto& device : workspace.store().devices()) known.push_back(device);
  return {ExitCode::kUsage, "no device with runs matches " + in_quotes(options.device),
          "those with runs: " + join(known, ", ")};
}

ExitCode list(const Globals& globals, const ListOptions& options) {
  const bool is_text = options.format == "text";
  if (options.format == "csv" && options.what.empty())
    throw Error(ExitCode::kUsage, "--format csv is one table, and three are listed",
                "name one: tracker list benchmarks --format csv");
  const app::Workspace workspace(globals);
  const CommitLinks links(workspace, is_text);
  WaitingLine waiting("reading what is recorded");
  const auto& store = workspace.store();
  const auto devices = history::recorded_devices(store, options.device);
  if (devices.empty()) throw nothing_recorded(options, workspace);
  waiting.clear();
  // Programs read a list of one kind.
  auto& notes = options.what.empty() && is_text ? std::cout : std::cerr;
  print_gaps(notes, app::line_gaps(workspace, options.from));
  print_gaps(notes, app::older_commits(workspace, options.from, options.commits));
  if (options.what == "devices") {
    waiting.clear();
    if (!is_text) return print_tables(options, {devices_table(devices)});
    print_devices(devices, "");
    return ExitCode::kOk;
  }
  std::vector<history::RecordedBenchmark> benchmarks;
  if (options.what != "commits")
    benchmarks = history::recorded_benchmarks(store, options.device, options.globs);
  if (options.what == "benchmarks") {
    if (benchmarks.empty())
      throw Error(ExitCode::kUsage, "no benchmark matches " + in_quotes(join(options.globs, "' or '")),
                  "tracker list benchmarks names all of them");
    waiting.clear();
    if (!is_text) return print_tables(options, {benchmarks_table(benchmarks)});
    print_benchmarks(benchmarks, devices.size(), benchmarks.size(), "");
    return ExitCode::kOk;
  }
  const auto commits = history::recorded_commits(workspace.repository(), workspace.history(), options.device,
                                                 options.from, options.commits);
  waiting.clear();
  if (!is_text && options.what == "commits") return print_tables(options, {commits_table(commits)});
  if (!is_text)
    return print_tables(options,
                        {devices_table(devices), benchmarks_table(benchmarks), commits_table(commits)});
  if (options.what == "commits") {
    print_commits(commits, devices.size(), commits.size(), "");
    return ExitCode::kOk;
  }
  std::cout << count_of(devices.size(), "device") << " with runs\n";
  print_devices(devices, "  ");
  std::cout << "\n" << count_of(benchmarks.size(), "benchmark") << " in their newest runs\n";
  print_benchmarks(benchmarks, devices.size(), kShownMax, "  ");
  print_more(kShownMax, benchmarks.size(), "benchmarks");
  std::cout << "\n"
            << count_of(commits.size(), "commit") << " with runs up to " << printable(options.from) << "\n";
  print_commits(commits, devices.size(), kShownMax, "  ");
  print_more(kShownMax, commits.size(), "commits");
  return ExitCode::kOk;
}

}  // namespace

std::function<ExitCode()> declare_list(CLI::App& app, const Globals& globals) {
  auto options = std::make_shared<ListOptions>();
  app.add_option("what", options->what,
                 "'benchmarks', 'devices' or 'commits' (default: the newest of all three)")
      ->check(CLI::IsMember({"benchmarks", "devices", "commits"}));
  app.add_option("globs", options->globs, "only benchmarks that match these patterns");
  app.add_option("--device", options->device, "only devices that match this pattern");
  app.add_option("--from", options->from, "the newest commit to list (default HEAD)");
  app.add_option("--commits", options->commits, "how far back (default 1000)")->check(CLI::Range(1, 1000000));
  add_table_format(app, options->format);
  app.footer(
      "Exit codes: 0 listed; 2 usage, or nothing of that name; 3 nothing is recorded; 4 git or the store "
      "failed.");
  return [options, &globals] { return list(globals, *options); };
}

}  // namespace tracker::commands

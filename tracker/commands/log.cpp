#include <algorithm>
#include <iostream>
#include <iterator>
#include <limits>

#include <CLI/CLI.hpp>

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
  bool is_text() const { return format == "text"; }
};

std::vector<history::CommitRuns> runs_on(const app::Workspace& workspace, const std::string& device,
                                         const LogOptions& options) {
  return history::load(workspace.repository(), workspace.history(), device, options.from, options.commits);
}

std::string marks_of(const Run& run) {
  std::vector<std::string> marks;
  if (run.dirty) marks.push_back("dirty");
  constexpr std::size_t kSelectionColumns = 40;  // older runs name every benchmark in an expression
  if (!run.selection.is_all())
    marks.push_back("only " + shorten_end(selection_in_words(run.selection), kSelectionColumns));
  for (const auto& failure : run.failures) marks.push_back(failure.binary + " failed");
  if (std::ranges::any_of(run.invocations, [](const Invocation& invocation) {
        return !invocation.excluded && invocation.conditions.disturbed();
      }))
    marks.push_back("disturbed");
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
    if (options.globs.empty())
      add_runs(device, runs_on(workspace, device, options), runs);
    else
      std::ranges::move(app::trends_on(workspace, device, options).series, std::back_inserter(all));
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
  const CommitLinks links(workspace, options.is_text());
  const auto devices = app::logged_devices(workspace, options);
  waiting.clear();
  // Programs read the rest.
  print_gaps(options.is_text() ? std::cout : std::cerr, workspace, options.from, options.commits);
  if (!options.is_text()) return log_tables(workspace, options, devices);
  std::size_t shown = 0;
  for (const auto& device : devices) {
    waiting.say("reading what is recorded on " + device);
    if (options.globs.empty()) {
      const auto history = runs_on(workspace, device, options);
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

constexpr std::size_t kShownMax = 10;  // of each, where all three are listed

struct ListOptions : LogOptions {
  std::string what;
  ListOptions() { commits = 1000; }
  // Whether it lists 'benchmarks', 'devices' or 'commits'.
  bool wants(const std::string& list) const { return what.empty() || what == list; }
};

// One of the three lists: for people and for programs.
struct Listing {
  std::string heading;  // where all three are listed
  std::vector<std::string> lines;
  report::DataTable table;
  std::size_t shown_max = std::numeric_limits<std::size_t>::max();  // of the lines, likewise
};

Listing list_devices(const std::vector<history::RecordedDevice>& devices) {
  Listing listing{count_of(devices.size(), "device") + " with runs", {}, {}};
  listing.table = {"devices", {"device", "model", "runs", "newest"}, {}};
  std::vector<std::vector<std::string>> rows;
  for (const auto& one : devices) {
    rows.push_back(
        {one.key, one.model, count_of(one.runs, "run"), one.newest.empty() ? "" : ", newest " + one.newest});
    listing.table.rows.push_back({one.key, one.model, static_cast<std::int64_t>(one.runs), one.newest});
  }
  listing.lines = split(text_table({{}, {}, {.right = true, .width_min = 9}, {.gap = 0}}, rows), '\n');
  std::erase(listing.lines, "");
  return listing;
}

// Names alone, so that they can be passed on; with what not all devices have.
Listing list_benchmarks(const std::vector<history::RecordedBenchmark>& benchmarks, std::size_t devices) {
  Listing listing{count_of(benchmarks.size(), "benchmark") + " in their newest runs", {}, {}, kShownMax};
  listing.table = {"benchmarks", {"benchmark", "devices"}, {}};
  const std::string of_all = " of " + count_of(devices, "device") + ")";
  for (const auto& one : benchmarks) {
    listing.lines.push_back(
        one.devices == devices ? one.name : one.name + "  (on " + std::to_string(one.devices) + of_all);
    listing.table.rows.push_back({one.name, static_cast<std::int64_t>(one.devices)});
  }
  return listing;
}

Listing list_commits(const std::vector<history::RecordedCommit>& commits, std::size_t devices,
                     const std::string& from) {
  Listing listing{
      count_of(commits.size(), "commit") + " with runs up to " + printable(from), {}, {}, kShownMax};
  listing.table = {"commits", {"commit", "date", "subject", "runs", "devices"}, {}};
  for (const auto& one : commits) {
    const std::string where = devices < 2               ? ""
                              : one.devices.size() == 1 ? " on " + one.devices.front()
                                                        : " on " + count_of(one.devices.size(), "device");
    listing.lines.push_back(short_id(one.commit.id) + "  " + right_aligned(count_of(one.runs, "run"), 7) +
                            where + "  " + one.commit.subject);
    listing.table.rows.push_back({one.commit.id, one.commit.date, one.commit.subject,
                                  static_cast<std::int64_t>(one.runs), join(one.devices, " ")});
  }
  return listing;
}

// A person's terminal cuts long lines; scripts get all of them.
void print_list_line(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  std::cout << fit_row(line) << "\n";
}

void print_listings(const std::vector<Listing>& listings) {
  const bool is_one = listings.size() == 1;
  for (const auto& listing : listings) {
    const std::size_t all = listing.lines.size();
    const std::size_t shown = is_one ? all : std::min(all, listing.shown_max);
    if (!is_one) std::cout << (&listing == &listings.front() ? "" : "\n") << listing.heading << "\n";
    for (std::size_t i = 0; i < shown; ++i) print_list_line((is_one ? "" : "  ") + listing.lines[i]);
    if (shown < all) print_list_line("  …" + and_more(all - shown) + ": tracker list " + listing.table.name);
  }
}

Error nothing_recorded(const ListOptions& options, const app::Workspace& workspace) {
  if (workspace.store().devices().empty())
    return {ExitCode::kCannotJudge, "no run is recorded here",
            "measure this commit: tracker run; or fetch what is recorded elsewhere: tracker sync --fetch"};
  return {ExitCode::kUsage, "no device with runs matches " + in_quotes(options.device),
          "those with runs: " + join(workspace.store().devices(), ", ")};
}

ExitCode list(const Globals& globals, const ListOptions& options) {
  if (options.format == "csv" && options.what.empty())
    throw Error(ExitCode::kUsage, "--format csv is one table, and three are listed",
                "name one: tracker list benchmarks --format csv");
  const app::Workspace workspace(globals);
  const CommitLinks links(workspace, options.is_text());
  WaitingLine waiting("reading what is recorded");
  const auto devices = history::recorded_devices(workspace.store(), options.device);
  if (devices.empty()) throw nothing_recorded(options, workspace);
  waiting.clear();
  // Programs read a list of one kind.
  print_gaps(options.is_text() && options.what.empty() ? std::cout : std::cerr, workspace, options.from,
             options.commits);
  std::vector<Listing> listings;
  if (options.wants("devices")) listings.push_back(list_devices(devices));
  if (options.wants("benchmarks")) {
    const auto benchmarks = history::recorded_benchmarks(workspace.store(), options.device, options.globs);
    if (benchmarks.empty() && !options.what.empty())
      throw Error(ExitCode::kUsage, "no benchmark matches " + in_quotes(join(options.globs, "' or '")),
                  "tracker list benchmarks names all of them");
    listings.push_back(list_benchmarks(benchmarks, devices.size()));
  }
  if (options.wants("commits"))
    listings.push_back(list_commits(history::recorded_commits(workspace.repository(), workspace.history(),
                                                              options.device, options.from, options.commits),
                                    devices.size(), options.from));
  if (options.is_text()) {
    print_listings(listings);
  } else {
    std::vector<report::DataTable> tables;
    for (auto& listing : listings) tables.push_back(std::move(listing.table));
    std::cout << report::write_tables(options.format, "tracker.list/1", tables);
  }
  return ExitCode::kOk;
}

}  // namespace

Action declare_log(CLI::App& app, const Globals& globals) {
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

Action declare_list(CLI::App& app, const Globals& globals) {
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

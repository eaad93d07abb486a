// check, top and changepoints: what changed for good (docs/changepoints.md).
#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>
#include <utility>

#include <CLI/CLI.hpp>

#include "tracker/base/file.hpp"
#include "tracker/base/process.hpp"
#include "tracker/base/terminal.hpp"
#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/commands/command.hpp"
#include "tracker/commands/options.hpp"
#include "tracker/commands/terminal.hpp"
#include "tracker/events/event_choice.hpp"
#include "tracker/formats/number_series.hpp"
#include "tracker/github/api.hpp"
#include "tracker/github/event.hpp"
#include "tracker/model/change_event.hpp"
#include "tracker/report/event_report.hpp"
#include "tracker/report/event_words.hpp"
#include "tracker/stats/change_points.hpp"

namespace tracker::commands {
namespace {

constexpr const char* kNotifyVariable = "TRACKER_NOTIFY_URL";

struct CheckOptions : app::CheckRequest {
  std::string format = "text";
};

std::string judged_in_words(const events::NewestCheck& check) {
  const std::string judged = count_of(check.series, "benchmark") + " judged";
  return check.short_series == 0 ? judged
                                 : judged + ", " + std::to_string(check.short_series) + " with fewer than " +
                                       std::to_string(events::kCheckedValuesMin) + " values";
}

// Takes the series out of the line: a copy of all points would take longer than printing.
void print_check(const CheckOptions& options, app::LineEvents& line, const events::NewestCheck& check,
                 const std::vector<DriftAlarm>& drifts) {
  const report::EventOptions shown{.color = wants_color(), .columns = terminal_columns()};
  report::EventReport report{"", line.devices, check.regressions, std::move(line.series), ""};
  for (const auto& gap : line.gaps) report.gaps.push_back(app::in_words(gap));
  const std::size_t failing = check.regressions.size();
  report.heading = (failing == 0 ? "no new regressions" : count_of(failing, "new regression")) +
                   " in the newest " + count_of(options.newest, "commit") + " with a run (" +
                   judged_in_words(check) + ")";
  std::vector<ChangeEvent> drifting;
  for (const auto& alarm : drifts) drifting.push_back(alarm.event);
  report.sections = {
      {"uncertain", "not certain yet, and no failure: the next runs will tell", check.uncertain},
      {"same_code", "slower with the same machine code, and no failure", check.same_code},
      {"drifts", "drifts past the threshold: no single commit", std::move(drifting)},
      {"machine", "the machine changed, and no failure: no commit is to blame", check.machine},
      {"together", "only together, and no failure: too little in any one benchmark", check.together}};
  std::cout << report::write_events(options.format, report, shown);
}

// Commands to copy stay on one line each.
void print_next(const std::string& what, const std::string& command, const ChangeEvent& event,
                const std::string& commit) {
  const std::string next = "  next: " + what + ": ";
  const auto columns = static_cast<std::size_t>(terminal_columns());
  const bool fits = columns == 0 || display_width(next) + display_width(command) <= columns;
  std::cerr << next << (fits ? "" : "\n    ") << printable(command) << "\n"
            << "  or accept it: tracker accept " << printable(shell_word(report::event_glob(event))) << " "
            << commit << " --reason TEXT\n";
}

void print_next_steps(const events::NewestCheck& check, const std::vector<DriftAlarm>& drifts,
                      bool drifts_fail) {
  for (const auto& event : check.regressions) {
    const std::string id = report::event_commit(event);
    print_note("FAILED: " + report::event_size_in_words(event) + " since " + id + " " +
               event.first_seen.subject + ": " + report::event_benchmarks(event));
    print_next("mend it, or look at it",
               "tracker explain " + shell_word(event.changes.front().benchmark) + " " +
                   short_id(event.last_before.id) + " " + id,
               event, id);
  }
  for (const auto& event : check.same_code)
    print_note("warning: " + report::event_size_in_words(event) + " since " + report::event_commit(event) +
               ", " + report::event_causes(event) + ": " + report::event_benchmarks(event));
  if (!check.same_code.empty()) {
    const ChangeEvent& event = check.same_code.front();
    std::cerr << "  next: no code to mend; other builds of both tell layout from machine:\n    "
              << printable("tracker compare " + short_id(event.last_before.id) + " " +
                           report::event_commit(event) + " " + shell_word(report::event_glob(event)) +
                           " --measure --rebuild 4")
              << "\n";
  }
  for (const auto& alarm : drifts) {
    print_note((drifts_fail ? "FAILED: " : "warning: ") + report::drift_alarm_in_words(alarm));
    print_next("look at it", "tracker log " + shell_word(report::event_glob(alarm.event)), alarm.event,
               short_id(alarm.event.last_possible.id));
  }
}

// Where this job is read; empty where that is not known.
std::string page_of_job() {
  try {
    return github::read_ci_step().context.run_url();
  } catch (const Error&) {
    return "";
  }
}

// What a failed post costs is the message, and never the verdict.
ExitCode notify(const app::Workspace& workspace, const app::CheckOutcome& outcome) {
  const ExitCode code = outcome.failed() ? ExitCode::kRegressed : ExitCode::kOk;
  const Notify when = workspace.config().notify;
  if (when == Notify::kNever || (when == Notify::kFailed && !outcome.failed())) return code;
  const std::string url = environment_value(kNotifyVariable);
  if (url.empty()) {
    print_note(std::string("[notify] in tracker.toml: ") + kNotifyVariable +
               " is not set, so nothing is posted");
    return code;
  }
  const std::string failure =
      github::post_to_webhook(url, report::chat_message(outcome.newest.regressions, outcome.drifts,
                                                        workspace.root().filename().string(), page_of_job()));
  if (failure.empty()) return code;
  print_note("warning: nothing is posted to the chat: " + failure + "; does " + kNotifyVariable +
             " hold the webhook's address?");
  return code == ExitCode::kOk ? ExitCode::kEnvironment : code;
}

ExitCode check(const Globals& globals, const CheckOptions& options) {
  const app::Workspace workspace(globals);
  const CommitLinks links(workspace, options.format == "text");
  WaitingLine waiting("looking for what changed");
  app::CheckOutcome outcome = app::check_line(workspace, options);
  waiting.clear();
  print_check(options, outcome.line, outcome.newest, outcome.drifts);
  print_next_steps(outcome.newest, outcome.drifts, outcome.drifts_fail);
  return notify(workspace, outcome);
}

struct TopOptions {
  app::LineRequest line;
  std::string since = "90d";
  std::size_t count = 10;
  std::string format = "text";
};

ExitCode top(const Globals& globals, const TopOptions& options) {
  const std::string since = app::since_day(options.since, utc_date(std::chrono::system_clock::now()));
  const app::Workspace workspace(globals);
  WaitingLine waiting("looking for what changed");
  app::LineEvents line = app::load_line_events(workspace, options.line);
  report::EventReport report{
      since, line.devices, events::lasting_events(line.events, since), std::move(line.series), "", true};
  for (const auto& gap : line.gaps) report.gaps.push_back(app::in_words(gap));
  waiting.clear();
  const CommitLinks links(workspace, options.format == "text");
  std::cout << report::write_events(options.format, report,
                                    {.color = wants_color(),
                                     .columns = terminal_columns(),
                                     .rows_max = options.count,
                                     .commit_url = commit_url(workspace.repository())});
  return ExitCode::kOk;
}

constexpr std::uintmax_t kInputBytesMax = 64u << 20;
constexpr double kAlmostSure = 0.999;

struct ChangepointsOptions {
  std::filesystem::path input;
  std::string column;
  std::string detector = stats::detectors().front().name;
  std::string format = "text";
};

const stats::Detector& detector_named(const std::string& name) {
  const auto& all = stats::detectors();
  const auto found = std::ranges::find(all, name, &stats::Detector::name);
  if (found != all.end()) return *found;
  throw Error(ExitCode::kUsage, "no detector " + in_quotes(name), "detectors: " + join(names_of(all), ", "));
}

// As a share where the levels have one; the difference where a level is not above zero.
std::string size_of_change(const stats::Estimate& ratio, double before, double after) {
  if (!std::isfinite(ratio.value)) {
    const std::string size = format_plain(std::abs(after - before));
    return (after < before ? "−" : "+") + size;
  }
  return format_percent(ratio.value - 1) + " (" + format_percent(ratio.low - 1) + " … " +
         format_percent(ratio.high - 1) + ")";
}

std::string place_name(const formats::NumberSeries& series, std::size_t at) {
  return series.labels.empty() ? std::to_string(at) : std::to_string(at) + " " + printable(series.labels[at]);
}

std::string interval_of(std::size_t first, std::size_t last) {
  return first == last ? std::to_string(first) : std::to_string(first) + "–" + std::to_string(last);
}

void print_text(const formats::NumberSeries& series, const stats::Changes& changes) {
  std::cout << (series.name.empty() ? "" : printable(series.name) + ": ")
            << count_of(series.values.size(), "value") << ", "
            << count_of(changes.points.size(), "change point");
  if (!changes.drifts.empty()) std::cout << ", " << count_of(changes.drifts.size(), "drift");
  std::cout << "\n";
  if (!changes.points.empty()) {
    std::vector<std::vector<std::string>> rows{{"at", "between", "before", "after", "change", "sure"}};
    for (const auto& point : changes.points)
      rows.push_back(
          {place_name(series, point.at), interval_of(point.first, point.last), format_plain(point.before),
           format_plain(point.after),
           point.bends ? "the pace changes" : size_of_change(point.ratio, point.before, point.after),
           point.sure > kAlmostSure ? "> 99.9 %" : format_share(point.sure)});
    std::cout << text_table(std::vector<TextColumn>(rows.front().size()), rows, 0, "  ");
  }
  for (const auto& drift : changes.drifts)
    std::cout << "  drift from " << place_name(series, drift.from) << " to "
              << place_name(series, drift.to - 1) << ": "
              << size_of_change(drift.total, drift.before, drift.after)
              << " in all, no single value made it\n";
  std::vector<std::string> wandered;
  for (const auto& point : changes.wandered) wandered.push_back(place_name(series, point.at));
  if (!wandered.empty()) std::cout << "  " << wandering_at(wandered) << "\n";
}

ExitCode find_change_points(const ChangepointsOptions& options) {
  const stats::Detector& detector = detector_named(options.detector);
  const std::string source = options.input.string();
  const auto all =
      formats::read_number_series(read_file(options.input, kInputBytesMax), source, options.column);
  std::vector<formats::FoundChanges> found;
  for (const auto& series : all) found.push_back({series, detector.find(series.values, {})});
  if (options.format == "json")
    std::cout << formats::print_change_points(detector.name, found);
  else
    for (const auto& one : found) print_text(one.series, one.changes);
  return ExitCode::kOk;
}

}  // namespace

Action declare_check(CLI::App& app, const Globals& globals) {
  auto options = std::make_shared<CheckOptions>();
  add_line_options(app, options->line);
  app.add_option("--newest", options->newest, "how many of the newest commits with a run (default 20)")
      ->check(CLI::Range(1, 100000));
  app.add_option_function<std::string>(
         "--drift",
         [options](const std::string& word) {
           options->drift = word == "fail"   ? DriftAction::kFail
                            : word == "warn" ? DriftAction::kWarn
                                             : DriftAction::kIgnore;
         },
         "what a drift past the threshold does (default: as [drift] in tracker.toml)")
      ->check(CLI::IsMember({"fail", "warn", "ignore"}));
  app.add_flag("--allow-short", options->allow_short,
               "that too little is recorded to judge anything is no failure: for a history that begins");
  add_format(app, options->format, names_of(report::event_formats()));
  app.footer(R"(A regression counts once it is certain: after five runs, or after three in three benchmarks
(docs/changepoints.md#check). Mended and accepted ones do not count.
A drift counts if it goes on and has cost more than the threshold since the last release tag, since
the last baseline, or in the last 30 or 90 days; [drift] in tracker.toml says otherwise.
[notify] in tracker.toml posts what fails to the chat whose webhook TRACKER_NOTIFY_URL holds.
Exit codes: 0 nothing new, 1 a new regression, 2 usage, 3 too little is recorded, or runs cannot be
read; 4 the clone is shallow, or git or the store failed.)");
  return [options, &globals] { return check(globals, *options); };
}

Action declare_top(CLI::App& app, const Globals& globals) {
  auto options = std::make_shared<TopOptions>();
  add_line_options(app, options->line);
  app.add_option("--since", options->since, "how far back: 90d, 12w, a day or all (default 90d)");
  app.add_option("-n,--count", options->count, "so many of the largest (default 10; 0: all)");
  add_format(app, options->format, names_of(report::event_formats()));
  app.footer(
      R"(Lists what changed for good on the line of commits, largest first: all benchmarks that changed at the
same commits are one line (docs/changepoints.md#events).
Exit codes: 0 listed, 2 usage, 3 nothing is recorded, 4 git or the store failed.)");
  return [options, &globals] { return top(globals, *options); };
}

Action declare_changepoints(CLI::App& app, const Globals& /*globals*/) {
  auto options = std::make_shared<ChangepointsOptions>();
  app.add_option("--input", options->input, "a CSV or JSON file of numbers, oldest first")->required();
  app.add_option("--column", options->column,
                 "of a CSV file: its name or number (default: all columns of numbers)");
  app.add_option("--detector", options->detector, "the rule (default tracker)")->capture_default_str();
  app.add_option("--format", options->format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  app.footer(
      R"(Finds where a series of numbers changed its level for good, how certain place and size are, and where
it drifts (docs/changepoints.md). Places count from 0. No repository is needed.
JSON: [1, 2, 3], {"values": [...]} or {"NAME": {"values": [...]}, ...}; null is a gap.
Exit codes: 0 done, 2 the file cannot be read as numbers.)");
  return [options] { return find_change_points(*options); };
}

}  // namespace tracker::commands

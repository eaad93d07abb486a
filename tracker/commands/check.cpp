#include <chrono>
#include <iostream>
#include <utility>

#include <CLI/CLI.hpp>

#include "tracker/app/line_events.hpp"
#include "tracker/base/process.hpp"
#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/commands/command.hpp"
#include "tracker/commands/options.hpp"
#include "tracker/commands/terminal.hpp"
#include "tracker/events/event_choice.hpp"
#include "tracker/github/api.hpp"
#include "tracker/github/event.hpp"
#include "tracker/report/event_report.hpp"
#include "tracker/report/event_words.hpp"

namespace tracker::commands {
namespace {

constexpr const char* kNotifyVariable = "TRACKER_NOTIFY_URL";

struct CheckOptions : app::CheckRequest {
  std::string format = "text";
};

std::string newest_in_words(const CheckOptions& options) {
  return "the newest " + count_of(options.newest, "commit") + " with a run";
}

std::string judged_in_words(const events::NewestCheck& check) {
  return count_of(check.series, "benchmark") + " judged" +
         (check.short_series > 0 ? ", " + std::to_string(check.short_series) + " with fewer than " +
                                       std::to_string(events::kCheckedValuesMin) + " values"
                                 : "");
}

// Takes the series out of the line: a copy of all points would take longer than printing.
void print_check(const CheckOptions& options, app::LineEvents& line, const events::NewestCheck& check,
                 const std::vector<DriftAlarm>& drifts) {
  const report::EventOptions shown{.color = wants_color(), .columns = terminal_columns()};
  report::EventReport report{"", line.devices, check.regressions, std::move(line.series), ""};
  for (const auto& gap : line.gaps) report.gaps.push_back(app::in_words(gap));
  report.heading =
      (check.regressions.empty() ? std::string("no") : std::to_string(check.regressions.size())) +
      (check.regressions.size() == 1 ? " new regression in " : " new regressions in ") +
      newest_in_words(options) + " (" + judged_in_words(check) + ")";
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

}  // namespace

std::function<ExitCode()> declare_check(CLI::App& app, const Globals& globals) {
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
  app.footer(
      "A regression counts once it is certain: after five runs, or after three in three benchmarks\n"
      "(docs/changepoints.md#check). Mended and accepted ones do not count.\n"
      "A drift counts if it goes on and has cost more than the threshold since the last release tag, since\n"
      "the last baseline, or in the last 30 or 90 days; [drift] in tracker.toml says otherwise.\n"
      "[notify] in tracker.toml posts what fails to the chat whose webhook TRACKER_NOTIFY_URL holds.\n"
      "Exit codes: 0 nothing new, 1 a new regression, 2 usage, 3 too little is recorded, or runs cannot be\n"
      "read; 4 the clone is shallow, or git or the store failed.");
  return [options, &globals] { return check(globals, *options); };
}

namespace {

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

}  // namespace

std::function<ExitCode()> declare_top(CLI::App& app, const Globals& globals) {
  auto options = std::make_shared<TopOptions>();
  add_line_options(app, options->line);
  app.add_option("--since", options->since, "how far back: 90d, 12w, a day or all (default 90d)");
  app.add_option("-n,--count", options->count, "so many of the largest (default 10; 0: all)");
  add_format(app, options->format, names_of(report::event_formats()));
  app.footer(
      "Lists what changed for good on the line of commits, largest first: all benchmarks that changed at "
      "the\n"
      "same commits are one line (docs/changepoints.md#events).\n"
      "Exit codes: 0 listed, 2 usage, 3 nothing is recorded, 4 git or the store failed.");
  return [options, &globals] { return top(globals, *options); };
}

}  // namespace tracker::commands

#include <algorithm>
#include <chrono>

#include <CLI/CLI.hpp>

#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/commands/accepted_changes.hpp"
#include "tracker/commands/candidate_sources.hpp"
#include "tracker/commands/code_differences.hpp"
#include "tracker/commands/command.hpp"
#include "tracker/commands/compare_charts.hpp"
#include "tracker/commands/compare_options.hpp"
#include "tracker/commands/compare_output.hpp"
#include "tracker/commands/compare_range.hpp"
#include "tracker/commands/compare_sides.hpp"
#include "tracker/commands/confirm.hpp"
#include "tracker/commands/measure_both.hpp"
#include "tracker/commands/sides.hpp"
#include "tracker/commands/terminal.hpp"
#include "tracker/history/history.hpp"
#include "tracker/judge/stored.hpp"
#include "tracker/report/keep_matching.hpp"
#include "tracker/report/report.hpp"

namespace tracker {
namespace {

// Only commits can be built, and the working tree.
void require_commits(const CompareSides& sides, const std::string& option) {
  for (const auto* side : {&sides.base, &sides.candidate}) {
    if (side->kind == SideKind::kBaseline)
      throw Error(ExitCode::kUsage, option + " needs a commit on each side, not the baseline",
                  "name the commit that was promoted: tracker baseline show");
    if (side->kind == SideKind::kFiles)
      throw Error(ExitCode::kUsage,
                  option + " needs a commit on each side, and '" + printable(side->text) + "' is a path",
                  "leave " + option + " out to compare files as they are");
  }
}

// What says how to measure, where nothing is measured. In CI it may be meant for where there is something to
// confirm.
void refuse_measuring_options(const CompareOptions& options) {
  if (in_ci()) return;
  const auto refuse = [](const char* option) {
    throw Error(ExitCode::kUsage, std::string(option) + " says how to measure, and nothing is measured",
                "add --measure or --confirm, or leave it out");
  };
  if (options.wishes.invocations > 0) refuse("-n");
  if (options.wishes.repetitions > 0) refuse("-r");
  if (options.wishes.isolate) refuse("--isolate");
  if (!options.identical_code.empty()) refuse("--identical-code");
}

// Whoever asks for HEAD against HEAD while files are changed means the changes, unless both are named.
void refuse_head_with_itself(const Workspace& workspace, const CompareOptions& options) {
  if (options.candidate_named || !workspace.repository().is_dirty()) return;
  const std::string base = workspace.repository().resolve(options.base).id;
  if (base == workspace.repository().resolve(options.candidate).id)
    throw Error(
        ExitCode::kUsage,
        "both sides are the commit HEAD (" + short_id(base) + "), and uncommitted changes are not measured",
        "to measure them: tracker compare HEAD --worktree (the commit against itself: tracker compare "
        "HEAD HEAD --measure)");
}

// Measures what is asked for, before anything is read from the store, and says what it left out.
MeasuringPlan measure_sides(const Workspace& workspace, const CompareOptions& options, const Policy& policy,
                            CompareSides& sides) {
  if (!options.worktree)
    return measure_both(workspace, options.base, options.candidate, policy, options.wishes);
  const BothRuns runs = measure_working_tree(workspace, options.base, options.wishes);
  sides.base.measured = runs.base;
  sides.candidate.measured = runs.candidate;
  return {};
}

void require_measurable(const Workspace& workspace, const CompareOptions& options,
                        const CompareSides& sides) {
  if (options.worktree && options.candidate_named)
    throw Error(ExitCode::kUsage,
                "--worktree makes the working tree the candidate, and '" + printable(options.candidate) +
                    "' is one more",
                "name the base alone: tracker compare " + printable(options.base) + " --worktree");
  if (options.worktree && options.confirm.wanted)
    throw Error(ExitCode::kUsage, "--confirm measures commits again, and --worktree is none",
                "leave one of them out; -n sets how often --worktree measures");
  if (options.measure || options.worktree)
    require_commits(sides, options.worktree ? "--worktree" : "--measure");
  if (options.measure) refuse_head_with_itself(workspace, options);
}

ConfirmRequest confirm_request(const Workspace& workspace, const CompareOptions& options) {
  ConfirmRequest request;
  request.base = options.base;
  request.candidate = options.candidate;
  request.wishes = options.wishes;
  request.everything = options.measure;
  request.device = options.device;
  request.policy = policy_between(workspace, options.policy_over(workspace.config().policy), options.base,
                                  options.candidate);
  request.judging.today = utc_date(std::chrono::system_clock::now());
  request.history_runs_max = kHistoryRunsMax;
  return request;
}

// What is stored, or in files, on the devices of a candidate.
struct JudgedDevices {
  std::vector<ComparisonReport> reports;  // of the devices that the base has runs on, too
  SamePrograms same;                      // that earlier jobs noted instead of measuring them
};

JudgedDevices judge_devices(const Workspace& workspace, const CompareOptions& options,
                            const CompareSides& sides, const std::vector<std::string>& devices,
                            const Policy& policy, const JudgeOptions& how) {
  // What was measured just now is what is asked about, also where it is only a part.
  const auto judge_sides = options.measure || options.worktree ? judge : judge_stored;
  JudgedDevices judged;
  auto& reports = judged.reports;
  const bool commits = sides.base.kind == SideKind::kRevision && sides.candidate.kind == SideKind::kRevision;
  for (const auto& device : devices) {
    if (const auto noted = commits ? load_notes(workspace, options.candidate, device) : std::nullopt)
      judged.same.merge(recorded_same_programs(noted->device, noted->same_programs,
                                               workspace.repository().resolve(options.base).id, policy));
    const auto base = sides.base.runs_on(workspace, device);
    const auto candidate = sides.candidate.runs_on(workspace, device);
    if (!base || !candidate) continue;
    std::vector<Run> history;
    if (workspace.has_repository())
      history = recent_runs(workspace.history(policy), device, candidate->side.commit, kHistoryRunsMax);
    reports.push_back(judge_sides(*base, *candidate, history, policy, how));
    auto& notes = reports.back().notes;
    notes.insert(notes.begin(), sides.notes.begin(), sides.notes.end());
  }
  return judged;
}

// What judging came to, before it is written anywhere.
struct Outcome {
  std::vector<ComparisonReport> reports;
  ReportOptions shown;  // what belongs beside them
  ExitCode exit_code = ExitCode::kOk;
};

// Says of every device without a report why it has none.
std::vector<Unjudged> print_unjudged(const Workspace& workspace, const CompareOptions& options,
                                     const CompareSides& sides, const std::vector<std::string>& devices,
                                     const std::vector<ComparisonReport>& reports) {
  std::vector<Unjudged> unjudged;
  for (const auto& device : devices) {
    const bool is_judged = std::any_of(reports.begin(), reports.end(),
                                       [&](const auto& report) { return report.device == device; });
    if (is_judged) continue;
    const Error error = why_unjudged(workspace, options, sides, device);
    print_error(error);
    unjudged.push_back({device, error.what(), error.hint()});
  }
  return unjudged;
}

// The devices that the base was measured on and the candidate was not, as where a job has died.
std::vector<std::string> absent_devices(const Workspace& workspace, const CompareOptions& options,
                                        const CompareSides& sides) {
  if (sides.base.kind != SideKind::kRevision || sides.candidate.kind != SideKind::kRevision) return {};
  const auto measured = sides.candidate.devices(workspace);
  auto absent = matching_devices(sides.base.devices(workspace), options.device);
  std::erase_if(absent, [&](const std::string& device) {
    return std::find(measured.begin(), measured.end(), device) != measured.end();
  });
  return absent;
}

// Where nothing was measured just now, older runs are not what is asked about.
std::vector<std::string> judged_devices(const Workspace& workspace, const CompareOptions& options,
                                        const CompareSides& sides, const MeasuringPlan& plan,
                                        bool confirming) {
  if (plan.measures_nothing()) return {};
  return confirming ? matching_devices(sides.candidate.devices(workspace), options.device)
                    : devices_to_judge(workspace, options, sides);
}

Side side_of(const Workspace& workspace, const std::string& revision) {
  const Commit commit = workspace.repository().resolve(revision);
  Side side;
  side.label = revision;
  side.commit = commit.id;
  side.subject = commit.subject;
  return side;
}

Outcome judge_all(const Globals& globals, const CompareOptions& asked) {
  const Workspace workspace(globals, Without::kAllowed);
  const CompareOptions options = with_meant_commits(workspace, with_patterns(asked));
  const ConfirmRequest request = confirm_request(workspace, options);
  CompareSides sides = open_sides(workspace, options);
  require_measurable(workspace, options, sides);
  const bool confirming = wants_confirming(workspace, options.confirm, request, sides);
  if (!options.measure && !options.worktree && !confirming) refuse_measuring_options(options);
  MeasuringPlan plan;
  if ((options.measure || options.worktree) && !confirming)
    plan = measure_sides(workspace, options, request.policy, sides);
  const auto devices = judged_devices(workspace, options, sides, plan, confirming);
  JudgeOptions how = request.judging;
  how.pairing = options.pairing;
  if (confirming) how.error_share = kScreenShare;
  Outcome outcome;
  JudgedDevices judged = judge_devices(workspace, options, sides, devices, request.policy, how);
  outcome.reports = std::move(judged.reports);
  const bool shows_some = !options.measure && !options.worktree && !outcome.reports.empty();
  if (shows_some && !options.wishes.filter.empty()) keep_matching(outcome.reports, options.wishes.filter);
  if (shows_some && !options.globs.empty()) keep_matching(outcome.reports, options.globs);
  const SamePrograms same =
      on_devices_like(options.device, plan.same.empty() && !options.worktree ? judged.same : plan.same);
  if (!same.empty())
    put_same_programs(same, side_of(workspace, options.base), side_of(workspace, options.candidate),
                      request.policy, outcome.reports);
  if (confirming) confirm(workspace, options.confirm, request, outcome.reports);
  keep_sources_of_candidate(workspace, outcome.reports);
  outcome.shown.unjudged = print_unjudged(workspace, options, sides, devices, outcome.reports);
  outcome.shown.pictures = draw_report_charts(workspace, options, sides, request.policy, outcome.reports);
  outcome.shown.reproduce = reproducing(workspace, options, sides, outcome.reports);
  outcome.shown.absent = absent_devices(workspace, options, sides);
  outcome.shown.code = code_differences(workspace, sides, outcome.reports);
  outcome.shown.explain = explaining(sides, outcome.reports);
  outcome.exit_code = exit_code_for(outcome.reports, options.strict);
  if (outcome.exit_code == ExitCode::kOk && !outcome.shown.unjudged.empty())
    outcome.exit_code = ExitCode::kCannotJudge;
  return outcome;
}

// Where nothing could be judged, whoever reads the report later has to read that, and not what was said of
// the commit before. A slip on the command line is for the person at the terminal alone.
bool is_told_in_report(const Error& error, const CompareOptions& options) {
  if (options.format == kGithubFormat) return error.code() != ExitCode::kInterrupted;
  return options.format != "text" &&
         (error.code() == ExitCode::kCannotJudge || error.code() == ExitCode::kEnvironment);
}

ExitCode compare(const Globals& globals, const CompareOptions& options) {
  require_output(options);
  prepare_charts(options);
  Outcome outcome;
  try {
    outcome = judge_all(globals, options);
  } catch (const Error& error) {
    ReportOptions shown;
    shown.unjudged = {{"", error.what(), error.hint()}};
    if (is_told_in_report(error, options)) write_comparison(options, {}, shown, error.code());
    throw;
  }
  write_comparison(options, outcome.reports, outcome.shown, outcome.exit_code);
  return outcome.exit_code;
}

}  // namespace

std::function<ExitCode()> declare_compare(CLI::App& app, const Globals& globals) {
  auto options = std::make_shared<CompareOptions>();
  declare_compare_options(app, *options);
  return [options, &globals] { return compare(globals, *options); };
}

}  // namespace tracker

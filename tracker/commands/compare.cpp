#include "tracker/app/compare.hpp"

#include <CLI/CLI.hpp>

#include "tracker/app/charts.hpp"
#include "tracker/commands/command.hpp"
#include "tracker/commands/commit_links.hpp"
#include "tracker/commands/compare_options.hpp"
#include "tracker/commands/compare_output.hpp"

namespace tracker {
namespace {

// Where nothing could be judged, whoever reads the report later has to read that, and not what was said of
// the commit before. A mistake in the command is for the person at the terminal alone.
bool is_told_in_report(const Error& error, const CompareOptions& options) {
  if (options.format == kGithubFormat) return error.code() != ExitCode::kInterrupted;
  return options.format != "text" &&
         (error.code() == ExitCode::kCannotJudge || error.code() == ExitCode::kEnvironment);
}

ReportChartsRequest charts_of(const CompareOptions& options) {
  const bool is_folder = options.format == kGithubFormat;
  return {options.charts, options.charts_url, is_folder ? options.out : options.out.parent_path()};
}

// What belongs beside the reports.
ReportOptions shown_beside(const Workspace& workspace, const CompareOptions& options,
                           CompareOutcome& outcome) {
  ReportOptions shown;
  shown.unjudged = outcome.unjudged;
  shown.absent = outcome.absent;
  shown.code = outcome.code;
  shown.drifts = outcome.drifts;
  shown.pictures =
      draw_report_charts(workspace, charts_of(options), outcome.sides, outcome.policy, outcome.reports);
  shown.reproduce = reproducing(workspace, options, options.strict, outcome.sides, outcome.reports);
  shown.explain = explaining(outcome.sides, outcome.reports);
  return shown;
}

ExitCode run_compare(const Globals& globals, CompareOptions options) {
  require_output(options);
  prepare_charts(charts_of(options));
  options.code = shows_code(options);
  options.drifts = shows_code(options);
  std::optional<Workspace> workspace;
  CompareOutcome outcome;
  ReportOptions shown;
  try {
    workspace.emplace(globals, Without::kAllowed);
    outcome = compare(*workspace, options);
    static_cast<CompareRequest&>(options) = outcome.request;
    shown = shown_beside(*workspace, options, outcome);
  } catch (const Error& error) {
    shown.unjudged = {{"", error.what(), error.hint()}};
    if (is_told_in_report(error, options)) write_comparison(options, {}, shown, error.code());
    throw;
  }
  const ExitCode exit_code = exit_code_of(outcome, options.strict);
  const CommitLinks links(*workspace, options.format == "text" && options.out.empty());
  write_comparison(options, outcome.reports, shown, exit_code);
  return exit_code;
}

}  // namespace

std::function<ExitCode()> declare_compare(CLI::App& app, const Globals& globals) {
  auto options = std::make_shared<CompareOptions>();
  declare_compare_options(app, *options);
  return [options, &globals] { return run_compare(globals, *options); };
}

}  // namespace tracker

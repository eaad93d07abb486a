#include <chrono>
#include <iostream>

#include <CLI/CLI.hpp>

#include "tracker/base/file.hpp"
#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/commands/command.hpp"
#include "tracker/commands/compare_options.hpp"
#include "tracker/commands/compare_sides.hpp"
#include "tracker/commands/measure_both.hpp"
#include "tracker/commands/terminal.hpp"
#include "tracker/history/history.hpp"
#include "tracker/report/report.hpp"

namespace tracker {
namespace {

// So many other runs tell how far jobs lie apart on a device.
constexpr int kHistoryRunsMax = 30;

void write_reports(const CompareOptions& options, const std::vector<ComparisonReport>& reports) {
  const bool to_file = !options.out.empty();
  ReportOptions how;
  how.color = !to_file && wants_color();
  how.columns = to_file ? 0 : terminal_columns();
  how.all_rows = options.all;
  for (const auto& format : report_formats()) {
    if (format.name != options.format) continue;
    const std::string text = format.write(reports, how);
    if (to_file)
      write_file(options.out, text);
    else
      std::cout << text << std::flush;
  }
}

// Only commits can be measured.
void measure_sides(const Workspace& workspace, const CompareOptions& options, const CompareSides& sides) {
  for (const auto* side : {&sides.base, &sides.candidate}) {
    if (side->kind == SideKind::kBaseline)
      throw Error(ExitCode::kUsage, "--measure needs a commit on each side, not the baseline",
                  "name the commit that was promoted: tracker baseline show");
    if (side->kind == SideKind::kFiles)
      throw Error(ExitCode::kUsage,
                  "--measure needs a commit on each side, and '" + printable(side->text) + "' is a path",
                  "leave --measure out to compare files as they are");
  }
  measure_both(workspace, options.base, options.candidate, options.wishes);
}

ExitCode compare(const Globals& globals, const CompareOptions& options) {
  const Workspace workspace(globals, Without::kAllowed);
  const Policy policy = options.policy_over(workspace.config().policy);
  const CompareSides sides = open_sides(workspace, options);
  if (options.measure) measure_sides(workspace, options, sides);
  JudgeOptions how;
  how.today = utc_date(std::chrono::system_clock::now());
  how.pairing = options.pairing;
  std::vector<ComparisonReport> reports;
  std::optional<Error> unjudged;
  for (const auto& device : devices_to_judge(workspace, options, sides)) {
    const auto base = sides.base.runs_on(workspace, device);
    if (!base) {
      unjudged = no_base(workspace, options, sides.base, device);
      print_error(*unjudged);
      continue;
    }
    const auto candidate = sides.candidate.runs_on(workspace, device);
    std::vector<Run> history;
    if (workspace.has_repository())
      history = recent_runs(workspace.store(), device, candidate->side.commit, kHistoryRunsMax);
    reports.push_back(judge(*base, *candidate, history, policy, how));
    auto& notes = reports.back().notes;
    notes.insert(notes.begin(), sides.notes.begin(), sides.notes.end());
  }
  if (!reports.empty()) write_reports(options, reports);
  const ExitCode judged = exit_code_for(reports, options.strict);
  return judged == ExitCode::kOk && unjudged ? unjudged->code() : judged;
}

}  // namespace

std::function<ExitCode()> declare_compare(CLI::App& app, const Globals& globals) {
  auto options = std::make_shared<CompareOptions>();
  declare_compare_options(app, *options);
  return [options, &globals] { return compare(globals, *options); };
}

}  // namespace tracker

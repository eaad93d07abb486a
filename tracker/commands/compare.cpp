#include <chrono>
#include <iostream>

#include <CLI/CLI.hpp>

#include "tracker/base/file.hpp"
#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/commands/command.hpp"
#include "tracker/commands/measure_both.hpp"
#include "tracker/commands/sides.hpp"
#include "tracker/commands/terminal.hpp"
#include "tracker/history/history.hpp"
#include "tracker/report/report.hpp"

namespace tracker {
namespace {

// So many other runs tell how far jobs lie apart on a device.
constexpr int kHistoryRunsMax = 30;

struct Options {
  std::string base;
  std::string candidate = "HEAD";
  bool measure = false;
  MeasureWishes wishes;
  std::string device;
  std::string format = "text";
  std::filesystem::path out;
  bool strict = false;
  bool all = false;
};

std::string measure_hint(const Options& options) {
  return "measure both in turn: tracker compare " + options.base +
         (options.candidate == "HEAD" ? "" : " " + options.candidate) + " --measure";
}

Error no_candidate(const Workspace& workspace, const Options& options) {
  const Commit commit = workspace.repository().resolve(options.candidate);
  const bool is_head = commit.id == workspace.repository().resolve("HEAD").id;
  return {ExitCode::kCannotJudge,
          "no run is stored for the candidate " + printable(options.candidate) + " (" + short_id(commit.id) +
              ")" + (options.device.empty() ? "" : " on a device like '" + printable(options.device) + "'"),
          is_head ? "measure it: tracker run" : measure_hint(options)};
}

Error no_base(const Workspace& workspace, const Options& options, const std::string& device) {
  if (options.base == kBaselineWord)
    return {ExitCode::kCannotJudge,
            "no baseline for " + device + " in '" + workspace.config().baselines_directory + "'",
            "promote one from a commit that is measured: tracker baseline promote"};
  const Commit base = workspace.repository().resolve(options.base);
  const auto others = devices_of(workspace, options.base);
  return {ExitCode::kCannotJudge,
          "no run is stored for the base " + printable(options.base) + " (" + short_id(base.id) + ") on " +
              device + (others.empty() ? "" : "; it has runs on " + join(others, ", ")),
          measure_hint(options)};
}

void write_reports(const Options& options, const std::vector<ComparisonReport>& reports) {
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

ExitCode compare(const Globals& globals, const Options& options) {
  const Workspace workspace(globals);
  if (options.base != kBaselineWord) workspace.repository().resolve(options.base);  // a slip is said first
  if (options.measure) {
    if (options.base == kBaselineWord)
      throw Error(ExitCode::kUsage, "--measure needs a commit as base, not the baseline");
    measure_both(workspace, options.base, options.candidate, options.wishes);
  }
  const auto devices = matching_devices(devices_of(workspace, options.candidate), options.device);
  if (devices.empty()) throw no_candidate(workspace, options);
  JudgeOptions how;
  how.today = utc_date(std::chrono::system_clock::now());
  std::vector<ComparisonReport> reports;
  std::optional<Error> unjudged;
  for (const auto& device : devices) {
    const auto candidate = load_side(workspace, options.candidate, device);
    const auto base = load_side(workspace, options.base, device);
    if (!base) {
      unjudged = no_base(workspace, options, device);
      print_error(*unjudged);
      continue;
    }
    const auto history = recent_runs(workspace.store(), device, candidate->side.commit, kHistoryRunsMax);
    reports.push_back(judge(*base, *candidate, history, workspace.config().policy, how));
  }
  if (!reports.empty()) write_reports(options, reports);
  const ExitCode judged = exit_code_for(reports, options.strict);
  return judged == ExitCode::kOk && unjudged ? unjudged->code() : judged;
}

}  // namespace

std::function<ExitCode()> declare_compare(CLI::App& app, const Globals& globals) {
  auto options = std::make_shared<Options>();
  auto& wishes = options->wishes;
  std::vector<std::string> formats;
  for (const auto& format : report_formats()) formats.push_back(format.name);
  app.add_option("base", options->base, "what to hold the candidate against: a revision, or 'baseline'")
      ->required();
  app.add_option("candidate", options->candidate, "the revision to judge (default HEAD)");
  app.add_flag("--measure", options->measure,
               "first build both commits and measure them in turn, in one job");
  app.add_option("-n,--invocations", wishes.invocations, "with --measure: executions of each binary a side")
      ->check(CLI::Range(1, 1000));
  app.add_option("-r,--repetitions", wishes.repetitions, "with --measure: repetitions in each execution")
      ->check(CLI::Range(1, 1000));
  app.add_option("--filter", wishes.filter, "with --measure: only benchmarks that match this expression");
  app.add_flag("--isolate", wishes.isolate, "with --measure: a process of its own for every benchmark");
  app.add_option("--device", options->device, "only devices that match this pattern");
  app.add_option("--format", options->format, "how to print: " + join(formats, ", "))
      ->check(CLI::IsMember(formats));
  app.add_option("--out", options->out, "write the report to this file instead");
  app.add_flag("--strict", options->strict, "inconclusive is not good enough: answer 3");
  app.add_flag("--all", options->all, "every row: the unchanged ones, and all that are inconclusive");
  app.footer(
      "Exit codes: 0 nothing regressed; 1 regressed, below its floor, failed or missing; 2 usage; 3 cannot "
      "judge (no run to "
      "compare\n"
      "with, or inconclusive under --strict); 4 git, the store, a build or a binary failed.");
  return [options, &globals] { return compare(globals, *options); };
}

}  // namespace tracker

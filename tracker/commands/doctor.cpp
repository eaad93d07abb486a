#include "tracker/app/doctor.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>
#include <limits>
#include <memory>

#include <CLI/CLI.hpp>

#include "tracker/app/both_commits.hpp"
#include "tracker/app/sides.hpp"
#include "tracker/app/workspace.hpp"
#include "tracker/base/terminal.hpp"
#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/commands/command.hpp"
#include "tracker/commands/options.hpp"
#include "tracker/commands/terminal.hpp"
#include "tracker/judge/calibrate.hpp"
#include "tracker/measure/boards.hpp"
#include "tracker/report/data_table.hpp"

namespace tracker::commands {
namespace {

// Beside the names of the checks, no wider than the terminal. The first line may have begun.
void print_indented(const std::string& text, bool has_begun) {
  constexpr std::size_t kIndent = 18;
  constexpr std::size_t kColumnsLeast = 60;
  const auto columns = static_cast<std::size_t>(terminal_columns());
  const std::size_t width = columns == 0 ? text.size() + 1 : std::max(columns, kColumnsLeast) - kIndent;
  for (const auto& line : wrap(text, width)) {
    std::cout << (has_begun ? "" : std::string(kIndent, ' ')) << line << "\n";
    has_begun = false;
  }
}

ExitCode doctor(const Globals& globals, const std::vector<std::string>& binaries) {
  static constexpr const char* kMarks[] = {"ok  ", "warn", "FAIL"};
  ExitCode answer = ExitCode::kOk;
  app::examine(globals, binaries, [&](const std::string& name, const app::HealthFinding& finding) {
    std::cout << kMarks[static_cast<int>(finding.health)] << "  " << left_aligned(name, 10) << "  ";
    for (const auto& line : finding.what) print_indented(line, &line == finding.what.data());
    for (const auto& line : finding.remedy)
      if (!line.empty()) print_indented((&line == finding.remedy.data() ? "fix: " : "") + line, false);
    if (finding.health == app::Health::kBad) answer = ExitCode::kEnvironment;
  });
  return answer;
}

}  // namespace

std::function<ExitCode()> declare_doctor(CLI::App& app, const Globals& globals) {
  auto binaries = std::make_shared<std::vector<std::string>>();
  app.add_option("binaries", *binaries, "benchmark binaries instead of those in tracker.toml (after --)");
  app.footer("Exit codes: 0 fit to measure, with or without warnings, 4 something must be fixed first.");
  return [binaries, &globals] { return doctor(globals, *binaries); };
}

namespace {

struct CalibrateOptions {
  std::string commit = "HEAD";
  std::string device;
  bool all = false;
  bool measure = false;
  int pairs = 0;
  app::MeasureRequest measuring;
};

constexpr int kMeasuredPairsMin = 5;
constexpr int kMeasuredPairs = 20;  // where none are named

// The commit against itself, side by side, as a pull request would be measured that changes nothing.
void measure_itself(const app::Workspace& workspace, const CalibrateOptions& options) {
  Policy policy = workspace.config().policy;
  PolicyRule all;
  all.match = "*";
  all.identical_code = IdenticalCode::kMeasure;
  policy.rules.push_back(all);
  app::MeasureRequest measuring = options.measuring;
  measuring.invocations = options.pairs > 0 ? options.pairs : kMeasuredPairs;
  measuring.boards_together = true;
  const app::NamedCommit commit = app::commit_named(workspace, options.commit);
  app::measure_both(workspace, commit, commit, policy, measuring);
}

// Those of the newest job: older ones were measured in another way, or on another day.
void keep_newest_job(std::vector<Run>& runs) {
  const auto newest =
      std::max_element(runs.begin(), runs.end(), [](const Run& a, const Run& b) { return a.id < b.id; });
  const std::string job = newest->job;
  std::erase_if(runs, [&](const Run& run) { return run.job != job; });
}

// After a job on several boards: the same on the first of them alone, and what that says of the others.
void tell_of_neighbours(const app::Workspace& workspace, CalibrateOptions options, const std::string& device,
                        const std::vector<std::string>& boards, const Calibration& together) {
  if (boards.size() < 2) return;
  options.measuring.gpus = boards.front();
  measure_itself(workspace, options);
  auto side = app::load_side(workspace, options.commit, device);
  if (!side) return;
  keep_newest_job(side->runs);
  const double ratio =
      judge::noise_of_neighbours(judge::calibrate(side->runs, workspace.config().policy), together);
  if (std::isnan(ratio)) return;
  const std::string noise =
      "a pair's noise is " + format_quantity(ratio, "") + " times that of one board alone";
  std::string how;  // they disturb one another
  const char* conclusion = ": they do not disturb one another";
  if (ratio > judge::kNeighbourNoiseMax && together.pairs < kMeasuredPairs)
    conclusion = ", which may be chance: --measure 20 can tell";
  else if (ratio > judge::kNeighbourNoiseMax)
    how = "on " + utc_date(std::chrono::system_clock::now()) + ", with " + std::to_string(boards.size()) +
          " at once " + noise;
  if (!how.empty())
    conclusion = ": they disturb one another, so that jobs on this machine use one of them from now on";
  if (!how.empty() || ratio <= judge::kNeighbourNoiseMax) measure::note_disturbing_boards(boards, how);
  std::cout << "\n" << boards.size() << " boards at once: " << noise << conclusion << "\n";
}

ExitCode calibrate_devices(const Globals& globals, const CalibrateOptions& options) {
  constexpr std::size_t kRowsMax = 20;
  const app::Workspace workspace(globals);
  if (options.measure) measure_itself(workspace, options);
  const auto devices = app::matching_devices(app::devices_of(workspace, options.commit), options.device);
  const std::string advice =
      "measure the same code often enough: tracker calibrate --measure, or tracker run -n 20";
  if (devices.empty()) app::require_known_device(workspace, options.device);
  if (devices.empty())
    throw Error(ExitCode::kCannotJudge, "no run is stored for " + in_quotes(options.commit), advice);
  bool any = false;
  for (const auto& device : devices) {
    auto side = app::load_side(workspace, options.commit, device);
    if (!side) continue;
    if (options.measure) keep_newest_job(side->runs);
    const Calibration calibration = judge::calibrate(side->runs, workspace.config().policy);
    if (calibration.benchmarks.empty()) continue;
    std::cout << (any ? "\n" : "") << device << "\n";
    print_line(short_id(side->side.commit) + " " + side->side.subject + ": " +
               (calibration.pairs > 0 ? count_of(calibration.pairs, "pair")
                                      : count_of(calibration.invocations, "invocation")) +
               " of the same code");
    std::cout << "\n"
              << report::calibration_text(calibration,
                                          options.all ? std::numeric_limits<std::size_t>::max() : kRowsMax)
              << "\nproposal for tracker.toml:\n\n"
              << report::calibration_proposal(calibration);
    if (options.measure)
      tell_of_neighbours(workspace, options, device, boards_of(side->runs.back()), calibration);
    any = true;
  }
  if (!any)
    throw Error(ExitCode::kCannotJudge,
                "no benchmark of " + in_quotes(options.commit) + " has " +
                    std::to_string(judge::kCalibrationInvocationsMin) + " invocations in one run",
                advice);
  return ExitCode::kOk;
}

}  // namespace

std::function<ExitCode()> declare_calibrate(CLI::App& app, const Globals& globals) {
  const auto options = std::make_shared<CalibrateOptions>();
  app.add_option("revision", options->commit, "the commit whose stored runs are used (default HEAD)");
  app.add_option("--device", options->device, "only devices that match this pattern");
  app.add_flag("--all", options->all, "every benchmark, not only the noisiest");
  const CLI::Option* measure =
      app.add_option(
             "--measure", options->pairs,
             "first build the commit twice and measure it against itself, this many pairs side by side "
             "(default " +
                 std::to_string(kMeasuredPairs) + ")")
          ->expected(0, 1)
          ->check(CLI::Range(kMeasuredPairsMin, 1000));
  declare_gpus(app, options->measuring);
  declare_budget(app, options->measuring);
  app.footer(
      "Measure one commit against itself, and learn what this machine can resolve:\n"
      "  tracker calibrate --measure");
  return [&globals, options, measure] {
    options->measure = measure->count() > 0;
    return calibrate_devices(globals, *options);
  };
}

}  // namespace tracker::commands

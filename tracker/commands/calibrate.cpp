#include "tracker/judge/calibrate.hpp"

#include <iostream>
#include <limits>
#include <memory>

#include <CLI/CLI.hpp>

#include "tracker/app/sides.hpp"
#include "tracker/app/workspace.hpp"
#include "tracker/base/text.hpp"
#include "tracker/commands/command.hpp"
#include "tracker/report/calibration_text.hpp"

namespace tracker {
namespace {

struct CalibrateOptions {
  std::string commit = "HEAD";
  std::string device;
  bool all = false;
};

ExitCode calibrate_devices(const Globals& globals, const CalibrateOptions& options) {
  constexpr std::size_t kRowsMax = 20;
  const Workspace workspace(globals);
  const auto devices = matching_devices(devices_of(workspace, options.commit), options.device);
  const std::string advice = "measure the same code often enough: tracker run -n 20";
  if (devices.empty())
    throw Error(ExitCode::kCannotJudge, "no run is stored for '" + printable(options.commit) + "'", advice);
  bool any = false;
  for (const auto& device : devices) {
    const auto side = load_side(workspace, options.commit, device);
    if (!side) continue;
    const Calibration calibration = calibrate(side->runs, workspace.config().policy);
    if (calibration.benchmarks.empty()) continue;
    std::cout << (any ? "\n" : "") << device << "\n"
              << short_id(side->side.commit) << " " << printable(side->side.subject) << ": "
              << count_of(calibration.invocations, "invocation") << " of the same code\n\n"
              << calibration_text(calibration,
                                  options.all ? std::numeric_limits<std::size_t>::max() : kRowsMax)
              << "\nproposal for tracker.toml:\n\n"
              << calibration_proposal(calibration);
    any = true;
  }
  if (!any)
    throw Error(ExitCode::kCannotJudge,
                "no benchmark of '" + printable(options.commit) + "' has " +
                    std::to_string(kCalibrationInvocationsMin) + " invocations in one run",
                advice);
  return ExitCode::kOk;
}

}  // namespace

std::function<ExitCode()> declare_calibrate(CLI::App& app, const Globals& globals) {
  const auto options = std::make_shared<CalibrateOptions>();
  app.add_option("revision", options->commit, "the commit whose stored runs are used (default HEAD)");
  app.add_option("--device", options->device, "only devices that match this pattern");
  app.add_flag("--all", options->all, "every benchmark, not only the noisiest");
  app.footer(
      "Measure one commit often, then ask what this machine can resolve:\n"
      "  tracker run -n 20 && tracker calibrate");
  return [&globals, options] { return calibrate_devices(globals, *options); };
}

}  // namespace tracker

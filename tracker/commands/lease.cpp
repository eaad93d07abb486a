#include <functional>
#include <memory>

#include <CLI/CLI.hpp>

#include "tracker/base/process.hpp"
#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/commands/command.hpp"
#include "tracker/commands/compare_options.hpp"
#include "tracker/measure/boards.hpp"

namespace tracker {
namespace {

struct LeaseOptions {
  MeasureRequest measuring;
  bool cpu = false;
  double wait_max_s = 3600;
  std::vector<std::string> command;
};

// Of the leased things, so that what it starts has the same and waits for none of it.
std::map<std::string, std::string> environment_of(const LeasedBoards& leased) {
  auto names = leased.boards.names();
  std::map<std::string, std::string> environment;
  if (!names.empty()) environment["CUDA_VISIBLE_DEVICES"] = join(names, ",");
  const auto host = leased.host.names();
  names.insert(names.end(), host.begin(), host.end());
  environment[kLeasedVariable] = join(names, ",");
  return environment;
}

ExitCode lease(const Globals& globals, const LeaseOptions& options) {
  const LocalEnvironment environment;
  BoardRequest request;
  request.gpus = options.measuring.gpus;
  if (request.gpus.empty() && environment.has_gpu() && !options.cpu) request.gpus = "1";
  if (options.cpu || !environment.has_gpu()) request.binaries.emplace_back().device = RunsOn::kCpu;
  request.wait_max_s = options.wait_max_s;
  request.holder = "tracker lease -- " + printable(options.command.front());
  request.tell = [&](const std::string& text) { globals.observer->note(text); };
  const LeasedBoards leased = lease_boards(request, environment);
  const auto result = run_in_foreground(options.command, environment_of(leased));
  if (!result.start_error.empty())
    throw Error(ExitCode::kEnvironment,
                "cannot start '" + printable(options.command.front()) + "': " + result.start_error,
                "name a program behind --: tracker lease -- ./benchmark");
  return static_cast<ExitCode>(result.exit_code);
}

}  // namespace

std::function<ExitCode()> declare_lease(CLI::App& app, const Globals& globals) {
  auto options = std::make_shared<LeaseOptions>();
  declare_gpus(app, options->measuring,
               "lease these GPUs: 'all' that are free, a number of them, or their "
               "UUIDs (default: one, or the CPUs where there is no GPU)");
  app.add_flag("--cpu", options->cpu, "lease the CPUs, which benchmarks of the CPU need");
  app.add_option_function<std::string>(
      "--wait",
      [options](const std::string& text) {
        const auto seconds = parse_duration(text);
        if (!seconds)
          throw Error(ExitCode::kUsage, "'" + printable(text) + "' is no length of time",
                      "write --wait like 90s, 10m or 1h");
        options->wait_max_s = *seconds;
      },
      "give up after this time (90s, 10m, 1h; default 1h)");
  app.add_option("command", options->command, "the program to start, with its arguments (after --)")
      ->required();
  app.footer(
      "Starts a program while no other tracker measures on the same GPUs, and sets its "
      "CUDA_VISIBLE_DEVICES:\n"
      "  tracker lease --gpus 2 -- ./train.sh\n"
      "Exit codes: the program's own; 2 usage; 4 waited too long, or no GPU is fit.");
  return [options, &globals] { return lease(globals, *options); };
}

}  // namespace tracker

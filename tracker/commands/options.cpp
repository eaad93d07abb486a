#include "tracker/commands/options.hpp"

#include <CLI/CLI.hpp>

#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"

namespace tracker::commands {

void declare_gpus(CLI::App& app, app::MeasureRequest& measuring, const std::string& what) {
  app.add_option("--gpus", measuring.gpus,
                 what.empty()
                     ? "measure on these GPUs at once, whole rounds on each: 'all' that are free, a "
                       "number of them, or their UUIDs (default: what tracker.toml says, or else what "
                       "the benchmarks choose)"
                     : what)
      ->check([](const std::string& text) -> std::string {
        return is_gpu_choice(text) ? "" : "'all', a number, or UUIDs from nvidia-smi -L, separated by commas";
      });
}

void declare_budget(CLI::App& app, app::MeasureRequest& measuring) {
  app.add_option_function<std::string>(
      "--time-budget", [&](const std::string& text) { measuring.budget = parse_time_budget(text); },
      "measure no longer than this (90s, 10m, 1h): one benchmark of each family first, then more, and say "
      "which were not measured");
}

void declare_repetitions(CLI::App& app, app::MeasureRequest& measuring) {
  app.add_option("-r,--repetitions", measuring.repetitions, "repetitions in each execution")
      ->check(CLI::Range(1, 1000));
}

void declare_measure_options(CLI::App& app, app::MeasureRequest& measuring) {
  app.add_option("-n,--invocations", measuring.invocations, "executions of each binary")
      ->check(CLI::Range(1, 1000));
  declare_repetitions(app, measuring);
  app.add_option("--filter", measuring.filter,
                 "only benchmarks that match this expression (--benchmark_filter)");
  app.add_flag("--isolate", measuring.isolate, "a process of its own for every benchmark");
  declare_gpus(app, measuring);
}

void add_line_options(CLI::App& app, app::LineRequest& request) {
  app.add_option("globs", request.globs, "benchmarks (default: all)");
  app.add_option("--from", request.from, "the newest commit of the line (default HEAD)");
  app.add_option("--threshold", request.threshold, "the smallest change to show, for every benchmark: 1%");
  app.add_option("--device", request.device, "only devices that match this pattern");
}

void add_format(CLI::App& app, std::string& format, const std::vector<std::string>& names) {
  app.add_option("--format", format, "how to print")->check(CLI::IsMember(names))->capture_default_str();
}

void add_named_format(CLI::App& app, std::string& format, const std::vector<std::string>& names) {
  app.add_option("--format", format, "how to print: " + join(names, ", "))->check(CLI::IsMember(names));
}

void add_table_format(CLI::App& app, std::string& format) {
  app.add_option("--format", format, "how to print: text for people; json, csv or sql for programs")
      ->check(CLI::IsMember({"text", "json", "csv", "sql"}));
}

}  // namespace tracker::commands

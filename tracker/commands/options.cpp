#include "tracker/commands/options.hpp"

#include <map>

#include <CLI/CLI.hpp>

#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"

namespace tracker::commands {

void declare_sides(CLI::App& app, CompareOptions& options) {
  static const std::map<std::string, judge::Pairing> pairings{{"interleaved", judge::Pairing::kInterleaved},
                                                              {"none", judge::Pairing::kNone}};
  app.add_option("base", options.base,
                 "what to compare the candidate with: a revision, 'baseline', or a file or folder of Google "
                 "Benchmark JSON, one execution a file")
      ->required();
  app.add_option("candidate", options.candidate, "what to judge: likewise (default HEAD)")
      ->each([&](const std::string&) { options.candidate_named = true; });
  app.add_option_function<std::string>(
         "--pairing", [&](const std::string& word) { options.pairing = pairings.at(word); },
         "how the sides were measured: 'interleaved' (side by side in one job) or 'none' (default: "
         "what "
         "the runs or the files' dates show)")
      ->check(CLI::IsMember(pairings));
  auto* gpu = app.add_option("--gpu", options.gpu, "the GPU's model, where files do not name it");
  app.add_option("--cpu", options.cpu, "the CPU's model, where files ran on no GPU")->excludes(gpu);
  app.add_option("--better", options.better,
                 "whether 'lower' or 'higher' values are better, where files do not say it")
      ->check(CLI::IsMember({"lower", "higher"}));
}

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

void declare_measure_options(CLI::App& app, app::MeasureRequest& measuring) {
  app.add_option("-n,--invocations", measuring.invocations, "executions of each binary")
      ->check(CLI::Range(1, 1000));
  app.add_option("-r,--repetitions", measuring.repetitions, "repetitions in each execution")
      ->check(CLI::Range(1, 1000));
  app.add_option("--filter", measuring.filter,
                 "only benchmarks that match this expression (--benchmark_filter)");
  app.add_flag("--isolate", measuring.isolate, "a process of its own for every benchmark");
  declare_gpus(app, measuring);
}

namespace {

void declare_confirm_options(CLI::App& app, app::ConfirmOptions& options, app::MeasureRequest& measuring) {
  auto* wanted =
      app.add_flag("--confirm", options.wanted,
                   "measure side by side what stored runs leave undecided, until it is decided; the "
                   "default in CI where both commits can be built");
  app.add_flag("--no-confirm", options.unwanted, "do not re-measure, also in CI")->excludes(wanted);
  app.add_option("--time-budget", options.time_budget,
                 "stop measuring after this time (90s, 10m, 1h): with --confirm (default 15m) what is still "
                 "undecided is named, with --measure what was not measured")
      ->each([&](const std::string& text) { measuring.budget = parse_time_budget(text); });
}

}  // namespace

void declare_compare_options(CLI::App& app, CompareOptions& options) {
  auto& measuring = options.measuring;
  declare_sides(app, options);
  app.add_option(
      "benchmarks", options.globs,
      "only benchmarks that match these patterns: 'gemm/*'. With --measure they alone are measured, "
      "else only they are shown and counted (default all)");
  auto* measure = app.add_flag("--measure", options.measure,
                               "first build both commits and measure them side by side, in one job");
  app.add_flag("--worktree", options.worktree,
               "build the working tree as it is, uncommitted changes included, and measure it side by side "
               "with the "
               "base: tracker compare HEAD --worktree")
      ->excludes(measure);
  app.add_option("-n,--invocations", measuring.invocations,
                 "with --measure or --worktree: executions of each binary a side; with --confirm: before its "
                 "first analysis")
      ->check(CLI::Range(1, 1000));
  app.add_option("-r,--repetitions", measuring.repetitions, "with --measure: repetitions in each execution")
      ->check(CLI::Range(1, 1000));
  app.add_option(
         "--rebuild", options.rebuild,
         "with --measure: build both commits so many times, with another TRACKER_BUILD_SEED for the "
         "build commands each time, so that the intervals contain the spread between builds; -n is for "
         "each build "
         "(default 2)")
      ->check(CLI::Range(2, 100));
  app.add_option(
      "--filter", measuring.filter,
      "only benchmarks that match this expression: with --measure they alone are measured, else only they "
      "are shown and counted");
  app.add_flag("--isolate", measuring.isolate, "with --measure: a process of its own for every benchmark");
  declare_gpus(app, measuring);
  app.add_flag("--keep", measuring.keep,
               "with --measure and --confirm: on Ctrl-C record the rounds that are complete");
  declare_confirm_options(app, options.confirm, options.measuring);
  app.add_option("--identical-code", options.identical_code,
                 "benchmarks whose program is the same on both sides: 'skip' them, or 'measure' them all the "
                 "same (default: what tracker.toml says, or else skip)")
      ->check(CLI::IsMember({"skip", "measure"}));
  app.add_option("--threshold", options.threshold, "the change that fails, for every benchmark: 1%");
  app.add_option("--device", options.device, "only devices that match this pattern");
  add_named_format(app, options.format, names_of(report::report_formats()));
  app.add_option("--out", options.out, "write the report to this file instead; for github, into this folder");
  auto* charts = app.add_option("--charts", options.charts,
                                "draw what changed into this folder, and link it from the report");
  app.add_option("--charts-url", options.charts_url,
                 "where the charts will be seen, with {file} for a file's name (default: their path from the "
                 "report's folder)")
      ->needs(charts);
  app.add_flag("--strict", options.strict, "exit 3 where anything is inconclusive");
  app.add_flag("--all", options.all, "every row: the unchanged ones, and all that are inconclusive");
  app.footer(
      "A name that is both a revision and a file is taken as the revision; ./name is the file.\n"
      "A...B compares B with the commit where it branched off from A (the merge base). Of a branch whose\n"
      "newest commit has no run, the newest commit that has one is taken.\n"
      "Exit codes: 0 nothing regressed; 1 regressed, below its floor, failed or missing; 2 usage;\n"
      "3 cannot judge (no run to compare with, or inconclusive under --strict); 4 git, the store, a build "
      "or\n"
      "a binary failed.");
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

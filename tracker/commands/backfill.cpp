#include <iostream>

#include <CLI/CLI.hpp>

#include "tracker/app/backfilling.hpp"
#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/commands/command.hpp"
#include "tracker/commands/compare_options.hpp"
#include "tracker/commands/terminal.hpp"
#include "tracker/measure/build.hpp"
#include "tracker/report/layout.hpp"

namespace tracker {
namespace {

constexpr int kBuildsToMatch = 4;  // that a later commit may be the same program as

struct BackfillOptions {
  BackfillRequest request;
  std::string time_budget;
  bool dry_run = false;
};

ExitCode backfill(const Workspace& workspace, Backfilling& backfilling, const BackfillWords& words,
                  const LocalEnvironment& environment) {
  BuildPool pool(workspace, environment, kBuildsToMatch, "backfill");
  bool told = false;
  const auto result = backfilling.run(pool, [&](const BackfillStep& step) {
    for (const auto& [word, text] : backfill_step_in_words(step)) print_fact(word, text);
    std::cout << std::flush;
    if (step.other_device.empty() || std::exchange(told, true)) return;
    const std::string device = "'" + printable(step.other_device) + "'";
    print_note("the binaries state the device " + device +
               ": next time name it, so that these runs count: --device " + device);
  });
  const auto columns = static_cast<std::size_t>(terminal_columns());
  const std::string said = backfill_result_in_words(result, words);
  std::cout << "\n";
  for (const auto& line : wrap(said, columns == 0 ? said.size() : columns)) std::cout << line << "\n";
  for (const auto& note : backfill_notes(result, words)) print_note(note);
  return result.measured + result.same == 0 && result.failed > 0 ? ExitCode::kEnvironment : ExitCode::kOk;
}

ExitCode plan_or_backfill(const Globals& globals, BackfillOptions options) {
  const Workspace workspace(globals);
  if (!options.dry_run) require_build(workspace.config().measure, workspace.config().binaries, "backfill");
  if (!options.time_budget.empty()) options.request.budget = parse_time_budget(options.time_budget);
  const LocalEnvironment environment;
  const BackfillWords words{options.request.device, options.time_budget};
  Backfilling backfilling(workspace, options.request, environment);
  if (!options.dry_run) return backfill(workspace, backfilling, words, environment);
  for (const auto& [word, text] : backfill_plan_in_words(backfilling.plan(), words)) print_fact(word, text);
  return ExitCode::kOk;
}

}  // namespace

std::function<ExitCode()> declare_backfill(CLI::App& app, const Globals& globals) {
  auto options = std::make_shared<BackfillOptions>();
  auto& request = options->request;
  app.add_option("range", request.range, "the commits: OLD..NEW on NEW's first-parent line, without OLD")
      ->required();
  app.add_option("--every", request.every, "only every Nth commit, counted from the newest (default 1)")
      ->check(CLI::Range(1, 1000000));
  auto* narrow = app.add_flag("--narrow", request.narrow,
                              "only commits that help to find which one made the changes seen so far");
  narrow->excludes("--every");
  app.add_option("--count", request.count, "at most this many commits (default: all)")
      ->check(CLI::Range(1, 1000000));
  app.add_option("--time-budget", options->time_budget,
                 "stop after this time: 90s, 10m, 1h (default: no limit)");
  app.add_option("--device", request.device,
                 "runs on devices that match this pattern count (default: this machine's)");
  app.add_flag("--again", request.again, "also commits that have a run");
  app.add_flag("--dry-run", options->dry_run, "print the plan, and measure nothing");
  declare_measure_options(app, request.measuring);
  app.footer(
      "The newest commit and the oldest come first, then the middle of the widest gap.\n"
      "Each is recorded at once: after Ctrl-C or a time budget the same command goes on.\n"
      "A commit that does not build is named and skipped.\n"
      "Exit codes: 0 done, or the time is used; 2 usage; 4 nothing could be built or\n"
      "measured, or git or the store failed.");
  return [options, &globals] { return plan_or_backfill(globals, *options); };
}

}  // namespace tracker

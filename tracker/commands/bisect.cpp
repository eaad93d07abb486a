#include <iostream>

#include <CLI/CLI.hpp>

#include "tracker/app/bisecting.hpp"
#include "tracker/base/terminal.hpp"
#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/commands/command.hpp"
#include "tracker/commands/options.hpp"
#include "tracker/commands/terminal.hpp"
#include "tracker/formats/config_file.hpp"
#include "tracker/measure/build.hpp"

namespace tracker::commands {
namespace {

constexpr int kBuildsKept = 4;  // both ends, the one measured now, and the one before it
// What `git bisect run` understands beside 0 (good) and 1 (bad).
constexpr int kGitCannotTell = 125;
constexpr int kGitStop = 128;

struct BisectOptions {
  std::string good;
  std::string bad;
  std::vector<std::string> globs;
  std::string run;  // the good commit of --run
  std::string threshold;
  std::string confidence = "95%";
  std::string time_budget;
  std::string device;
  std::string identical_code;
  std::string format = "text";
  app::MeasureRequest measuring;
  bool faster = false;
  bool dry_run = false;
};

Policy policy_of(const app::Workspace& workspace, const BisectOptions& options) {
  Policy policy = workspace.config().policy;
  PolicyRule rule;
  rule.match = "*";
  if (!options.identical_code.empty())
    rule.identical_code = options.identical_code == "skip" ? IdenticalCode::kSkip : IdenticalCode::kMeasure;
  if (!options.threshold.empty()) {
    rule.threshold = formats::parse_share(options.threshold);
    if (!rule.threshold)
      throw Error(ExitCode::kUsage, "--threshold " + in_quotes(options.threshold) + " must be above 0 %",
                  "write it in per cent: --threshold 1%");
  }
  policy.rules.push_back(rule);
  return policy;
}

app::BisectRequest request_of(const app::Workspace& workspace, const BisectOptions& options) {
  app::BisectRequest request;
  request.start = std::chrono::steady_clock::now();
  request.policy = policy_of(workspace, options);
  request.globs = options.globs;
  request.device = options.device;
  request.faster = options.faster;
  request.measuring = options.measuring;
  const auto confidence = formats::parse_share(options.confidence);
  if (!confidence || *confidence < 0.5 || *confidence > 0.9999)
    throw Error(ExitCode::kUsage,
                "--confidence " + in_quotes(options.confidence) + " is not between 50 % and 99.99 %",
                "write it in per cent: --confidence 99%");
  request.confidence = *confidence;
  if (!options.time_budget.empty()) request.budget = parse_time_budget(options.time_budget);
  return request;
}

ExitCode exit_code_of(const std::vector<report::BisectResult>& results) {
  const report::BisectResult& last = results.back();
  switch (last.outcome) {
    case report::BisectOutcome::kFound:
      return last.faster ? ExitCode::kOk : ExitCode::kRegressed;
    case report::BisectOutcome::kNothing:
      return ExitCode::kOk;
    case report::BisectOutcome::kUnclear:
    case report::BisectOutcome::kOutOfTime:
      break;
  }
  return ExitCode::kCannotJudge;
}

ExitCode bisect_range(const Globals& globals, const BisectOptions& options) {
  if (options.good.empty() || options.bad.empty())
    throw Error(ExitCode::kUsage, "bisect needs two commits: one before the change, and one after it",
                "tracker bisect GOOD BAD [BENCHMARK]");
  const app::Workspace workspace(globals);
  app::BisectRequest request = request_of(workspace, options);
  app::set_range(workspace, options.good, options.bad, request);
  if (options.dry_run) {
    for (const auto& [word, text] : report::bisect_plan_in_words(app::plan_bisect(workspace, request)))
      print_fact(word, text);
    return ExitCode::kOk;
  }
  measure::require_build(workspace.config().measure, workspace.config().binaries, "bisect");
  app::BuildPool pool(workspace, kBuildsKept, "bisect");
  print_note("looking for what made " + std::string(options.faster ? "it faster" : "it slower") + " in " +
             count_of(request.range.size(), "commit") + " after " + describe(request.good));
  const auto results = app::bisect_with_merges(workspace, request, pool);
  std::cout << (options.format == "json" ? report::bisect_in_json(results)
                                         : report::bisect_in_text(results, terminal_columns()));
  return exit_code_of(results);
}

// For git, 1 is "bad": whatever went wrong must not look like it.
ExitCode judge_for_git(const Globals& globals, const BisectOptions& options) {
  const app::Workspace workspace(globals);
  app::BisectRequest request = request_of(workspace, options);
  request.good = workspace.repository().resolve(options.run);
  const Commit head = workspace.repository().resolve("HEAD");
  if (head.id == request.good.id) return ExitCode::kOk;
  request.range = {{head, {}}};
  app::BuildPool pool(workspace, 2, "bisect --run");
  const report::BisectResult result = app::bisect_line(workspace, request, pool);
  std::cout << (options.format == "json" ? report::bisect_in_json({result})
                                         : report::bisect_in_text({result}, terminal_columns()));
  if (result.outcome == report::BisectOutcome::kFound) return ExitCode::kRegressed;
  if (result.outcome == report::BisectOutcome::kNothing) return ExitCode::kOk;
  return static_cast<ExitCode>(kGitCannotTell);
}

ExitCode bisect_for_git(const Globals& globals, BisectOptions options) {
  for (auto word : {&options.bad, &options.good})  // with --run they are patterns
    if (!word->empty()) options.globs.insert(options.globs.begin(), *word);
  try {
    return judge_for_git(globals, options);
  } catch (const Error& error) {
    if (error.code() == ExitCode::kInterrupted) throw;
    print_error(error);
    return static_cast<ExitCode>(error.code() == ExitCode::kUsage ? kGitStop : kGitCannotTell);
  }
}

}  // namespace

std::function<ExitCode()> declare_bisect(CLI::App& app, const Globals& globals) {
  auto options = std::make_shared<BisectOptions>();
  app.add_option("good", options->good, "a commit from before the change");
  app.add_option("bad", options->bad, "a commit that has it");
  app.add_option("benchmarks", options->globs, "only those that match a pattern (default: all)");
  app.add_flag("--faster", options->faster, "find the commit that made it faster");
  app.add_option("--threshold", options->threshold,
                 "the least change to look for (default: as in tracker.toml)");
  app.add_option("--confidence", options->confidence, "how certain the answer has to be (default 95%)");
  app.add_option("--time-budget", options->time_budget,
                 "stop after this time: 90s, 10m, 1h (default: no limit)");
  app.add_option("--device", options->device, "only devices that match this pattern");
  declare_gpus(app, options->measuring);
  app.add_option("-r,--repetitions", options->measuring.repetitions, "repetitions in each execution")
      ->check(CLI::Range(1, 1000));
  app.add_option("--identical-code", options->identical_code, "for commits whose program is another's")
      ->check(CLI::IsMember({"skip", "measure"}));
  app.add_option("--run", options->run, "for git bisect run: HEAD against this commit");
  app.add_flag("--dry-run", options->dry_run, "print the plan, and measure nothing");
  app.add_option("--format", options->format, "how to print")->check(CLI::IsMember({"text", "json"}));
  app.footer(
      "Every measurement is recorded. After Ctrl-C the same command goes on from there.\n"
      "Without patterns, the benchmark that changed most clearly is followed.\n"
      "Exit codes: 0 nothing is slower, or --faster found it; 1 found what made it\n"
      "slower; 2 usage; 3 not found yet; 4 an end does not build, or git or the store\n"
      "failed. With --run: 0 good, 1 bad, 125 cannot tell, 128 usage.");
  return [options, &globals] {
    return options->run.empty() ? bisect_range(globals, *options) : bisect_for_git(globals, *options);
  };
}

namespace {

struct BackfillOptions {
  app::BackfillRequest request;
  std::string time_budget;
  bool dry_run = false;
};

ExitCode backfill(const app::Workspace& workspace, const app::BackfillRequest& request,
                  const report::BackfillWords& words) {
  bool told = false;
  const auto result = app::backfill(workspace, request, [&](const report::BackfillStep& step) {
    for (const auto& [word, text] : report::backfill_step_in_words(step)) print_fact(word, text);
    std::cout << std::flush;
    if (step.other_device.empty() || std::exchange(told, true)) return;
    const std::string device = in_quotes(step.other_device);
    print_note("the binaries state the device " + device +
               ": next time name it, so that these runs count: --device " + device);
  });
  std::cout << "\n"
            << wrapped(report::backfill_result_in_words(result, words),
                       static_cast<std::size_t>(terminal_columns()));
  for (const auto& note : report::backfill_notes(result, words)) print_note(note);
  return result.measured + result.same == 0 && result.failed > 0 ? ExitCode::kEnvironment : ExitCode::kOk;
}

ExitCode plan_or_backfill(const Globals& globals, BackfillOptions options) {
  const app::Workspace workspace(globals);
  if (!options.dry_run)
    measure::require_build(workspace.config().measure, workspace.config().binaries, "backfill");
  if (!options.time_budget.empty()) options.request.budget = parse_time_budget(options.time_budget);
  const report::BackfillWords words{options.request.device, options.time_budget};
  if (!options.dry_run) return backfill(workspace, options.request, words);
  const auto plan = app::plan_backfill(workspace, options.request);
  for (const auto& [word, text] : report::backfill_plan_in_words(plan, words)) print_fact(word, text);
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

}  // namespace tracker::commands

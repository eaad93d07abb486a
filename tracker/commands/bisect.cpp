#include <algorithm>
#include <cmath>
#include <iostream>

#include <CLI/CLI.hpp>

#include "tracker/app/bisecting.hpp"
#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/commands/command.hpp"
#include "tracker/commands/terminal.hpp"
#include "tracker/formats/config_file.hpp"
#include "tracker/history/history.hpp"
#include "tracker/judge/not_measured.hpp"
#include "tracker/measure/build.hpp"
#include "tracker/stats/bisection_effort.hpp"

namespace tracker {
namespace {

constexpr int kBuildsKept = 4;  // both ends, the one measured now, and the one before it
constexpr int kRunsForTime = 5;
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
  MeasureWishes wishes;
  bool faster = false;
  bool dry_run = false;
};

Policy policy_of(const Workspace& workspace, const BisectOptions& options) {
  Policy policy = workspace.config().policy;
  PolicyRule rule;
  rule.match = "*";
  if (!options.identical_code.empty())
    rule.identical_code = options.identical_code == "skip" ? IdenticalCode::kSkip : IdenticalCode::kMeasure;
  if (!options.threshold.empty()) {
    rule.threshold = parse_share(options.threshold);
    if (!rule.threshold)
      throw Error(ExitCode::kUsage,
                  "--threshold '" + printable(options.threshold) + "' is no share above 0 %",
                  "write it in per cent: --threshold 1%");
  }
  policy.rules.push_back(rule);
  return policy;
}

BisectRequest request_of(const Workspace& workspace, const BisectOptions& options) {
  BisectRequest request;
  request.start = std::chrono::steady_clock::now();
  request.policy = policy_of(workspace, options);
  request.globs = options.globs;
  request.device = options.device;
  request.faster = options.faster;
  request.wishes = options.wishes;
  const auto confidence = parse_share(options.confidence);
  if (!confidence || *confidence < 0.5 || *confidence > 0.9999)
    throw Error(ExitCode::kUsage,
                "--confidence '" + printable(options.confidence) + "' is no share between 50 % and 99.99 %",
                "write it in per cent: --confidence 99%");
  request.confidence = *confidence;
  if (!options.time_budget.empty()) {
    const auto seconds = parse_duration(options.time_budget);
    if (!seconds)
      throw Error(ExitCode::kUsage, "'" + printable(options.time_budget) + "' is no length of time",
                  "write --time-budget like 90s, 10m or 1h");
    request.budget_s = *seconds;
    request.budget_text = options.time_budget;
  }
  return request;
}

// Where the good end is no ancestor of the bad one, the search begins where both come from.
void set_range(const Workspace& workspace, const std::string& good, const std::string& bad,
               BisectRequest& request) {
  const auto& repository = workspace.repository();
  request.good = repository.resolve(good);
  const Commit last = repository.resolve(bad);
  if (request.good.id == last.id)
    throw Error(ExitCode::kUsage, "both ends are " + describe(last),
                "name a commit from before the change first");
  const auto base = common_ancestor(repository, request.good.id, last.id);
  if (!base)
    throw Error(repository.is_shallow() ? ExitCode::kEnvironment : ExitCode::kUsage,
                "'" + printable(good) + "' and '" + printable(bad) + "' have no common ancestor here",
                repository.is_shallow() ? "the clone is shallow: git fetch --unshallow"
                                        : "name two commits of one history");
  if (*base == last.id)
    throw Error(
        ExitCode::kUsage,
        "'" + printable(good) + "' comes after '" + printable(bad) + "': the older commit has to be first",
        "tracker bisect " + printable(bad) + " " + printable(good) +
            " (with --faster, to find what made it faster)");
  if (*base != request.good.id) {
    print_note("'" + printable(good) + "' is no ancestor of '" + printable(bad) +
               "': the search begins at their common ancestor " + describe(repository.resolve(*base)));
    request.good = repository.resolve(*base);
  }
  request.range = commit_range(repository, request.good.id, last.id);
}

// By the newest stored runs of any commit of the range: of one pair, and of which device.
std::optional<double> pair_length_s(const Workspace& workspace, const BisectRequest& request) {
  std::vector<std::string> ids{request.good.id};
  for (const auto& one : request.range) ids.push_back(one.commit.id);
  std::vector<Run> runs;
  for (const auto& id : ids) {
    if (runs.size() >= kRunsForTime) break;
    for (auto& run : read_runs(workspace.store(), workspace.store().keys_of(id)))
      runs.push_back(std::move(run));
  }
  std::set<std::string> names;
  for (const auto& run : runs)
    for (const auto& benchmark : run.benchmarks)
      if (matches_any(request.globs, benchmark.name)) names.insert(benchmark.name);
  return measuring_time_s(names, runs, 1);
}

ExitCode print_plan(const Workspace& workspace, const BisectRequest& request) {
  const LocalEnvironment environment;
  Bisecting search(workspace, request, environment);
  const int stored = search.load_stored();
  const auto known = search.known();
  stats::BisectionOptions how;
  how.confidence = request.confidence;
  how.smallest = known ? known->smallest : std::log1p(gate_for(request.policy, Benchmark{}).threshold);
  const double noise = known && known->noise > 0 ? known->noise : how.smallest / 2;
  const double size = known && known->size > how.smallest ? known->size : 1.5 * how.smallest;
  const int commits = static_cast<int>(request.range.size());
  const auto effort = stats::expected_effort(commits, how, size, noise);
  const auto merges = std::count_if(request.range.begin(), request.range.end(),
                                    [](const RangeCommit& one) { return one.parents.size() > 1; });
  const auto number = [](auto value) { return std::to_string(value); };
  print_fact("good end", describe(request.good));
  print_fact("bad end", describe(request.range.back().commit));
  print_fact("between", count_of(commits, "commit") + " on the first-parent line, " +
                            count_of(merges, "merge") + " among them");
  print_fact("recorded", count_of(stored, "pair") + " that can be used");
  print_fact("expected", number(effort.measurements) + " measurements with " + number(effort.pairs) +
                             " pairs (nine of ten: up to " + number(effort.measurements_high) + " with " +
                             number(effort.pairs_high) + "), " + number(effort.commits + 1) + " builds");
  print_fact("", "for a change of " + format_share(std::expm1(size)) + " with " +
                     format_share(std::expm1(noise)) + " of noise in a pair (" +
                     (known && known->noise > 0 ? "as recorded" : "assumed: nothing is recorded yet") + ")");
  const auto pair_s = pair_length_s(workspace, request);
  print_fact("time", pair_s ? "about " + format_duration(*pair_s * effort.pairs) +
                                  " of measuring, by stored runs, and the builds"
                            : "not known: no run of these commits is stored");
  return ExitCode::kOk;
}

ExitCode exit_code_of(const std::vector<BisectResult>& results) {
  const BisectResult& last = results.back();
  switch (last.outcome) {
    case BisectOutcome::kFound:
      return last.faster ? ExitCode::kOk : ExitCode::kRegressed;
    case BisectOutcome::kNothing:
      return ExitCode::kOk;
    case BisectOutcome::kUnclear:
    case BisectOutcome::kOutOfTime:
      break;
  }
  return ExitCode::kCannotJudge;
}

ExitCode bisect_range(const Globals& globals, const BisectOptions& options) {
  if (options.good.empty() || options.bad.empty())
    throw Error(ExitCode::kUsage, "bisect needs two commits: one before the change, and one after it",
                "tracker bisect GOOD BAD [BENCHMARK]");
  const Workspace workspace(globals);
  BisectRequest request = request_of(workspace, options);
  set_range(workspace, options.good, options.bad, request);
  if (options.dry_run) return print_plan(workspace, request);
  require_build(workspace.config().measure, "bisect");
  const LocalEnvironment environment;
  BuildPool pool(workspace, environment, kBuildsKept, "bisect");
  print_note("looking for what made " + std::string(options.faster ? "it faster" : "it slower") + " in " +
             count_of(request.range.size(), "commit") + " after " + describe(request.good));
  const auto results = bisect_with_merges(workspace, request, environment, pool);
  std::cout << (options.format == "json" ? bisect_in_json(results)
                                         : bisect_in_text(results, terminal_columns()));
  return exit_code_of(results);
}

// For git, 1 is "bad": whatever went wrong must not look like it.
ExitCode judge_for_git(const Globals& globals, const BisectOptions& options) {
  const Workspace workspace(globals);
  BisectRequest request = request_of(workspace, options);
  request.good = workspace.repository().resolve(options.run);
  const Commit head = workspace.repository().resolve("HEAD");
  if (head.id == request.good.id) return ExitCode::kOk;
  request.range = {{head, {}}};
  const LocalEnvironment environment;
  BuildPool pool(workspace, environment, 2, "bisect --run");
  Bisecting search(workspace, request, environment);
  search.load_stored();
  const BisectResult result = search.run(pool);
  std::cout << (options.format == "json" ? bisect_in_json({result})
                                         : bisect_in_text({result}, terminal_columns()));
  if (result.outcome == BisectOutcome::kFound) return ExitCode::kRegressed;
  if (result.outcome == BisectOutcome::kNothing) return ExitCode::kOk;
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
  app.add_option("--threshold", options->threshold, "least change to look for (as in tracker.toml)");
  app.add_option("--confidence", options->confidence, "how certain the answer has to be (95%)");
  app.add_option("--time-budget", options->time_budget, "stop in time: 90s, 10m, 1h (no limit)");
  app.add_option("--device", options->device, "only devices that match this pattern");
  app.add_option("-r,--repetitions", options->wishes.repetitions, "repetitions in each execution")
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

}  // namespace tracker

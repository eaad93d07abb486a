// The ends of a search, and what it would take.
#include <algorithm>
#include <cmath>

#include "tracker/app/bisecting.hpp"
#include "tracker/base/text.hpp"
#include "tracker/history/history.hpp"
#include "tracker/judge/confirm.hpp"
#include "tracker/judge/difference.hpp"
#include "tracker/model/benchmark_name.hpp"
#include "tracker/model/policy.hpp"
#include "tracker/stats/bisection.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker::app {
namespace {

constexpr std::size_t kRunsForTime = 5;

// By the newest stored runs of any commit of the range: of one pair, and of which device.
std::optional<double> pair_length_s(const Workspace& workspace, const BisectRequest& request) {
  std::vector<std::string> ids{request.good.id};
  for (const auto& one : request.range) ids.push_back(one.commit.id);
  std::vector<Run> runs;
  for (const auto& id : ids) {
    if (runs.size() >= kRunsForTime) break;
    for (auto& run : history::read_runs(workspace.store(), workspace.store().keys_of(id)))
      runs.push_back(std::move(run));
  }
  std::set<std::string> names;
  for (const auto& run : runs)
    for (const auto& benchmark : run.benchmarks)
      if (means_any(request.globs, benchmark)) names.insert(benchmark.name);
  return judge::measuring_time_s(names, runs, 1);
}

// A difference of so many standard deviations is no chance.
constexpr double kSureOfMachine = 3;

std::optional<double> median_of(const std::vector<Run>& runs, const std::string& name, const Metric& metric) {
  std::vector<double> values;
  for (const auto& run : runs)
    if (const Benchmark* benchmark = find_benchmark(run, name)) {
      const auto own = metric_values(metric, *benchmark, run);
      values.insert(values.end(), own.begin(), own.end());
    }
  return values.empty() ? std::nullopt : std::optional(stats::median(values));
}

}  // namespace

void set_range(const Workspace& workspace, const std::string& good, const std::string& bad,
               BisectRequest& request) {
  const auto& repository = workspace.repository();
  request.good = repository.resolve(good);
  const Commit last = repository.resolve(bad);
  if (request.good.id == last.id)
    throw Error(ExitCode::kUsage, "both ends are " + describe(last),
                "name a commit from before the change first");
  const auto base = repo::common_ancestor(repository, request.good.id, last.id);
  if (!base)
    throw Error(repository.is_shallow() ? ExitCode::kEnvironment : ExitCode::kUsage,
                in_quotes(good) + " and " + in_quotes(bad) + " have no common ancestor here",
                repository.is_shallow() ? "the clone is shallow: git fetch --unshallow"
                                        : "name two commits of one history");
  if (*base == last.id)
    throw Error(ExitCode::kUsage,
                in_quotes(good) + " comes after " + in_quotes(bad) + ": the older commit has to be first",
                "tracker bisect " + bad + " " + good + " (with --faster, to find what made it faster)");
  if (*base != request.good.id) {
    workspace.note(in_quotes(good) + " is no ancestor of " + in_quotes(bad) +
                   ": the search begins at their common ancestor " + describe(repository.resolve(*base)));
    request.good = repository.resolve(*base);
  }
  request.range = repo::commit_range(repository, request.good.id, last.id);
}

// What is worse at the good end now, by more than its threshold and than jobs differ by.
std::optional<report::BisectMachineChange> Bisecting::machine_change() {
  const bool same_program = skipped_.count(commits()) > 0 && !same_.empty();
  std::vector<Run> alone = good_runs_;
  std::erase_if(alone, [&](const Run& run) {
    return std::any_of(good_again_.begin(), good_again_.end(),
                       [&](const Run& again) { return again.id == run.id; });
  });
  std::vector<Run> now = good_again_;
  if (now.empty() && same_program)
    now = history::read_runs(workspace_.store(), workspace_.store().keys_of(commit(commits()).id));
  std::optional<report::BisectMachineChange> most;
  double most_worse = 0;
  int count = 0;
  std::string device_of_most;
  Metric metric_of_most;
  std::set<std::string> devices;
  for (const auto& run : alone) devices.insert(device_key(run.device));
  for (const auto& device : devices) {
    const auto on_device = [&](std::vector<Run> runs) {
      std::erase_if(runs, [&](const Run& run) { return run.dirty || device_key(run.device) != device; });
      for (auto& run : runs) rename_benchmarks(run, request_.policy.renames);
      return runs;
    };
    const auto recorded = on_device(alone);
    const auto again = on_device(now);
    if (recorded.empty() || again.empty()) continue;
    const NoiseHistory history = history::recent_runs(workspace_.history(), device, "", history::kRunsMax);
    for (const auto& benchmark : recorded.back().benchmarks) {
      if (!wants(device, benchmark.name) || find_benchmark(again.back(), benchmark.name) == nullptr) continue;
      const Gate gate = gate_for(without_renames(request_.policy), benchmark);
      const auto ratio = judge::stored_ratio(recorded, again, history, benchmark.name, gate.metric, Policy{});
      if (!ratio) continue;
      const double worse = request_.faster ? -ratio->log_ratio : ratio->log_ratio;
      if (worse < std::log1p(gate.threshold) || worse < kSureOfMachine * std::sqrt(ratio->variance)) continue;
      ++count;
      if (worse <= most_worse) continue;
      most_worse = worse;
      most = {benchmark.name, gate.metric.unit, median_of(recorded, benchmark.name, gate.metric).value_or(0),
              median_of(again, benchmark.name, gate.metric).value_or(0), good_again_.empty()};
      device_of_most = device;
      metric_of_most = gate.metric;
    }
  }
  if (!most) return {};
  most->others = count - 1;
  most->first = first_at_new_level(*most, device_of_most, metric_of_most);
  return most;
}

std::optional<Commit> Bisecting::first_at_new_level(const report::BisectMachineChange& machine,
                                                    const std::string& device, const Metric& metric) {
  std::set<std::string> jobs;
  for (const auto& run : good_again_) jobs.insert(run.job);
  std::optional<Commit> first;
  for (int number = 1; number <= commits(); ++number) {
    auto runs = history::read_runs(workspace_.store(), workspace_.store().keys_of(commit(number).id));
    std::erase_if(runs, [&](const Run& run) {
      return run.dirty || device_key(run.device) != device || jobs.count(run.job) > 0;
    });
    for (auto& run : runs) rename_benchmarks(run, request_.policy.renames);
    const auto value = median_of(runs, machine.benchmark, metric);
    if (!value) continue;
    const bool is_new = std::abs(*value - machine.now) < std::abs(*value - machine.recorded);
    if (!is_new) first.reset();
    if (is_new && !first) first = commit(number);
  }
  return first;
}

report::BisectPlan plan_bisect(const Workspace& workspace, const BisectRequest& request,
                               const measure::LocalEnvironment& environment) {
  Bisecting search(workspace, request, environment);
  report::BisectPlan plan;
  plan.stored_pairs = search.load_stored();
  const auto known = search.known();
  stats::BisectionOptions how;
  how.confidence = request.confidence;
  how.smallest = known ? known->smallest : std::log1p(gate_for(request.policy, Benchmark{}).threshold);
  plan.noise_is_recorded = known && known->noise > 0;
  const double noise = plan.noise_is_recorded ? known->noise : how.smallest / 2;
  const double size = known && known->size > how.smallest ? known->size : 1.5 * how.smallest;
  plan.good = request.good;
  plan.bad = request.range.back().commit;
  plan.commits = static_cast<int>(request.range.size());
  plan.merges =
      static_cast<int>(std::count_if(request.range.begin(), request.range.end(),
                                     [](const repo::RangeCommit& one) { return one.parents.size() > 1; }));
  const auto effort = stats::expected_effort(plan.commits, how, size, noise);
  plan.measurements = effort.measurements;
  plan.measurements_high = effort.measurements_high;
  plan.pairs = effort.pairs;
  plan.pairs_high = effort.pairs_high;
  plan.builds = effort.commits + 1;
  plan.change = std::expm1(size);
  plan.noise = std::expm1(noise);
  if (const auto pair_s = pair_length_s(workspace, request)) plan.measuring_s = *pair_s * effort.pairs;
  return plan;
}

}  // namespace tracker::app

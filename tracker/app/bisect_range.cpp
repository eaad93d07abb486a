// The range of a search, how it goes on inside of merges, and whether the machine changed instead of the
// code.
#include <algorithm>
#include <cmath>
#include <set>

#include "tracker/app/bisecting.hpp"
#include "tracker/app/sides.hpp"
#include "tracker/base/text.hpp"
#include "tracker/judge/difference.hpp"
#include "tracker/model/benchmark_name.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker::app {
namespace {

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

// The clean ones on that device, by the names that benchmarks have now.
std::vector<Run> runs_on_device(std::vector<Run> runs, const std::string& device, const Policy& policy) {
  std::erase_if(runs, [&](const Run& run) { return run.dirty || device_key(run.device) != device; });
  for (auto& run : runs) rename_benchmarks(run, policy.renames);
  return runs;
}

std::optional<Commit> first_at_new_level(const Workspace& workspace, const BisectRequest& request,
                                         const report::BisectMachineChange& machine,
                                         const std::string& device, const Metric& metric,
                                         const std::vector<Run>& again) {
  std::set<std::string> jobs;
  for (const auto& run : again) jobs.insert(run.job);
  std::optional<Commit> first;
  for (int number = 1; number <= request.commits(); ++number) {
    auto runs = runs_on_device(runs_at(workspace, request.commit(number).id), device, request.policy);
    std::erase_if(runs, [&](const Run& run) { return jobs.contains(run.job); });
    const auto value = median_of(runs, machine.benchmark, metric);
    if (!value) continue;
    const bool is_new = std::abs(*value - machine.now) < std::abs(*value - machine.recorded);
    if (!is_new) first.reset();
    if (is_new && !first) first = request.commit(number);
  }
  return first;
}

}  // namespace

bool BisectRequest::wants(const std::string& device_key, const std::string& benchmark) const {
  return (device.empty() || glob_match(device, device_key)) && means_any(globs, benchmark);
}

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

std::optional<report::BisectMachineChange> machine_change(const Workspace& workspace,
                                                          const BisectRequest& request,
                                                          const std::vector<Run>& recorded,
                                                          const std::vector<Run>& again,
                                                          bool bad_is_same_program) {
  std::vector<Run> now = again;
  if (again.empty() && bad_is_same_program) now = runs_at(workspace, request.commit(request.commits()).id);
  std::optional<report::BisectMachineChange> most;
  double most_worse = 0;
  int count = 0;
  std::string device_of_most;
  Metric metric_of_most;
  std::set<std::string> devices;
  for (const auto& run : recorded) devices.insert(device_key(run.device));
  for (const auto& device : devices) {
    const auto before = runs_on_device(recorded, device, request.policy);
    const auto after = runs_on_device(now, device, request.policy);
    if (before.empty() || after.empty()) continue;
    const NoiseHistory history = history::recent_runs(workspace.history(), device, "", history::kRunsMax);
    for (const auto& benchmark : before.back().benchmarks) {
      const std::string& name = benchmark.name;
      if (!request.wants(device, name) || find_benchmark(after.back(), name) == nullptr) continue;
      const Gate gate = gate_for(without_renames(request.policy), benchmark);
      const auto ratio = judge::stored_ratio(before, after, history, name, gate.metric, Policy{});
      if (!ratio) continue;
      const double worse = request.faster ? -ratio->log_ratio : ratio->log_ratio;
      if (worse < std::log1p(gate.threshold) || worse < kSureOfMachine * std::sqrt(ratio->variance)) continue;
      ++count;
      if (worse <= most_worse) continue;
      most_worse = worse;
      most = {name, gate.metric.unit, median_of(before, name, gate.metric).value_or(0),
              median_of(after, name, gate.metric).value_or(0), again.empty()};
      device_of_most = device;
      metric_of_most = gate.metric;
    }
  }
  if (!most) return {};
  most->others = count - 1;
  most->first = first_at_new_level(workspace, request, *most, device_of_most, metric_of_most, again);
  return most;
}

std::vector<report::BisectResult> bisect_with_merges(const Workspace& workspace, const BisectRequest& request,
                                                     BuildPool& pool) {
  std::vector<report::BisectResult> results;
  BisectRequest here = request;
  std::string inside;
  while (true) {
    report::BisectResult result = bisect_line(workspace, here, pool);
    result.inside = inside;
    if (!inside.empty() && result.outcome == report::BisectOutcome::kNothing) {
      results.back().notes.push_back("it is a merge, and its side alone, from " + short_id(here.good.id) +
                                     " to " + short_id(here.range.back().commit.id) +
                                     ", changes nothing: it is what came together in the merge");
      return results;
    }
    results.push_back(result);
    if (result.outcome != report::BisectOutcome::kFound || result.guilty.size() != 1) return results;
    const auto merge = std::ranges::find_if(
        here.range, [&](const repo::RangeCommit& one) { return one.commit.id == result.guilty.front().id; });
    if (merge == here.range.end() || merge->parents.size() < 2) return results;
    inside = merge->commit.id;
    const std::string side = merge->parents[1];
    const auto base = repo::common_ancestor(workspace.repository(), merge->parents[0], side);
    if (!base || *base == side) return results;
    workspace.note(describe(merge->commit) + " is a merge: going on in its side");
    pool.unpin();
    here.good = workspace.repository().resolve(*base);
    here.range = repo::commit_range(workspace.repository(), *base, side);
    here.globs = {result.benchmark};
    here.device = result.device;
  }
}

}  // namespace tracker::app

#include "tracker/history/roofline.hpp"

#include <algorithm>
#include <set>

#include "tracker/base/text.hpp"
#include "tracker/history/series.hpp"
#include "tracker/model/benchmark_name.hpp"
#include "tracker/model/rename.hpp"

namespace tracker {
namespace {

struct Work {
  std::optional<double> bytes;  // of one iteration
  std::optional<double> flops;
};

Work work_per_iteration(const Benchmark& benchmark, const std::vector<WorkRule>& rules) {
  Work work{benchmark.bytes_per_iteration, benchmark.flops_per_iteration};
  for (const auto& rule : rules) {
    if (!means_benchmark(rule.match, benchmark)) continue;
    if (!rule.bytes.empty()) work.bytes = work_of(rule.bytes, benchmark.name);
    if (!rule.flops.empty()) work.flops = work_of(rule.flops, benchmark.name);
  }
  const auto none = [](const std::optional<double>& value) { return value && !(*value > 0); };
  if (none(work.bytes)) work.bytes.reset();
  if (none(work.flops)) work.flops.reset();
  return work;
}

BenchmarkPlace drawn_place(const std::string& name) {
  if (const auto place = place_of(name)) return *place;
  const auto cut = name.find('/');
  const std::string first = name.substr(0, cut);
  return {first, first, cut == std::string::npos ? "" : name.substr(cut + 1)};
}

// The time of one iteration.
std::optional<double> time_s(const CommitRuns& commit, const Benchmark& benchmark) {
  const char* const clock = benchmark.time_base == TimeBase::kCpu ? "cpu_time" : "real_time";
  const auto point = make_point(commit, benchmark.name, find_metric(clock));
  return point ? std::optional(point->median) : std::nullopt;
}

std::vector<const Benchmark*> benchmarks_of(const CommitRuns& commit) {
  std::vector<const Benchmark*> all;
  std::set<std::string> seen;
  for (const auto& run : commit.runs)
    for (const auto& benchmark : run.benchmarks)
      if (!benchmark.error && seen.insert(benchmark.name).second) all.push_back(&benchmark);
  return all;
}

// All that can be drawn of one commit; what others are compared with is not yet marked.
void add_points(Roofline& roofline, const CommitRuns& commit, const std::vector<std::string>& globs,
                const std::vector<WorkRule>& rules) {
  const Device& device = commit.runs.back().device;
  for (const Benchmark* benchmark : benchmarks_of(commit)) {
    if (!means_any(globs, *benchmark)) continue;
    const Work work = work_per_iteration(*benchmark, rules);
    if (!work.bytes && work.flops) roofline.unplaced.push_back(benchmark->name);
    if (!work.bytes) continue;
    const auto seconds = time_s(commit, *benchmark);
    if (!seconds) continue;
    const BenchmarkPlace place = drawn_place(benchmark->name);
    RooflinePoint point{benchmark->name, place.family, place.variant, place.shape, *work.bytes / *seconds};
    if (work.flops) {
      point.flops_per_second = *work.flops / *seconds;
      point.peak_flops = metric_peak(find_metric("flops"), device, benchmark);
    }
    roofline.points.push_back(point);
  }
  roofline.commit = commit.commit.id;
  roofline.peak_bytes_per_second = device.peak_bytes_per_second;
  roofline.peak_flops = device.peak_flops;
  roofline.core_clock_mhz = device.core_clock_mhz;
  roofline.memory_clock_mhz = device.memory_clock_mhz;
}

std::set<std::string> bounds_of(const CommitRuns& commit, const Policy& policy) {
  std::set<std::string> bounds;
  for (const Benchmark* benchmark : benchmarks_of(commit))
    if (const auto bound = gate_for(policy, *benchmark).bound) bounds.insert(*bound);
  return bounds;
}

std::optional<ReferenceLine> measured_bandwidth(const CommitRuns& commit, const std::set<std::string>& bounds,
                                                const std::vector<WorkRule>& rules) {
  if (commit.runs.empty()) return {};
  Roofline all;
  add_points(all, commit, {}, rules);
  std::optional<ReferenceLine> best_bound;
  std::optional<ReferenceLine> best;
  const auto raise = [](std::optional<ReferenceLine>& line, const RooflinePoint& point) {
    if (!line || point.bytes_per_second > line->value)
      line = {point.variant + (point.shape.empty() ? "" : " " + point.shape), point.bytes_per_second};
  };
  for (const auto& point : all.points) {
    const bool possible = !all.peak_bytes_per_second || point.bytes_per_second <= *all.peak_bytes_per_second;
    if (point.flops_per_second > 0 || !possible) continue;
    raise(best, point);
    if (bounds.count(point.benchmark) > 0) raise(best_bound, point);
  }
  return best_bound ? best_bound : best;
}

}  // namespace

std::optional<Roofline> make_roofline(const std::vector<CommitRuns>& history, const std::string& device,
                                      const std::vector<std::string>& globs, const Policy& policy,
                                      const std::vector<WorkRule>& rules) {
  if (!policy.renames.empty()) {
    auto renamed = history;
    for (auto& commit : renamed)
      for (auto& run : commit.runs) rename_benchmarks(run, policy.renames);
    return make_roofline(renamed, device, globs, without_renames(policy), rules);
  }
  Roofline roofline;
  roofline.device = device;
  for (auto commit = history.rbegin(); commit != history.rend() && roofline.points.empty(); ++commit) {
    if (commit->runs.empty()) continue;
    roofline.unplaced.clear();
    add_points(roofline, *commit, globs, rules);
    const auto bounds = bounds_of(*commit, policy);
    for (auto& point : roofline.points) point.is_bound = bounds.count(point.benchmark) > 0;
  }
  for (auto commit = history.rbegin(); commit != history.rend() && !roofline.measured; ++commit)
    roofline.measured = measured_bandwidth(*commit, bounds_of(*commit, policy), rules);
  if (roofline.points.empty() && roofline.unplaced.empty()) return {};
  return roofline;
}

}  // namespace tracker

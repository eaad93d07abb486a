#include "tracker/measure/warm_up.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <span>

#include "tracker/stats/distribution.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker {
namespace {

using Logs = std::vector<double>;  // of one benchmark, by round

std::span<const double> after_first(const Logs& logs) {
  return std::span(logs).subspan(1);
}

// Whether most benchmarks moved this way (+1: slower), far enough, and farther than each of them scatters.
bool most_moved(const std::vector<Logs>& benchmarks, double direction) {
  std::size_t along = 0;
  std::vector<double> relative;
  std::vector<double> deviations;
  for (const auto& logs : benchmarks) {
    const double shift = direction * (logs.front() - stats::median(after_first(logs)));
    if (shift > 0) ++along;
    relative.push_back(shift);
    const double least = std::numeric_limits<double>::min();  // of rounds that are all alike
    deviations.push_back(shift / std::max(stats::robust_deviation(after_first(logs)), least));
  }
  return static_cast<double>(along) > kWarmUpShare * static_cast<double>(benchmarks.size()) &&
         stats::median(relative) > kWarmUpShift && stats::median(deviations) > kWarmUpDeviations;
}

// What moves all benchmarks of a process alike moves them in every round: the first must lie outside the
// interval in which such a round is expected from the others.
bool beyond_common_scatter(const std::vector<Logs>& benchmarks) {
  Logs common;
  for (std::size_t round = 0; round < benchmarks.front().size(); ++round) {
    std::vector<double> here;
    for (const auto& logs : benchmarks) here.push_back(logs[round] - stats::mean(after_first(logs)));
    common.push_back(stats::median(here));
  }
  const auto others = after_first(common);
  const auto count = static_cast<double>(others.size());
  const double reach = stats::student_t_within(kWarmUpConfidence, count - 1) *
                       std::sqrt(stats::variance(others) * (1 + 1 / count));
  return std::abs(common.front() - stats::mean(others)) > reach;
}

double log_time(const Samples& samples, TimeBase base) {
  return std::log(stats::median(base == TimeBase::kCpu ? samples.cpu_time_ns : samples.real_time_ns));
}

}  // namespace

bool is_warm_up(const std::vector<std::vector<double>>& logs_by_benchmark) {
  std::size_t rounds = std::size_t{kWarmUpRoundsMin};
  for (const auto& logs : logs_by_benchmark) rounds = std::max(rounds, logs.size());
  std::vector<Logs> whole;
  for (const auto& logs : logs_by_benchmark)
    if (logs.size() == rounds) whole.push_back(logs);
  if (whole.size() < std::size_t{kWarmUpBenchmarksMin}) return false;
  return (most_moved(whole, 1) || most_moved(whole, -1)) && beyond_common_scatter(whole);
}

std::vector<std::vector<double>> logs_by_round(const std::vector<Taken>& taken,
                                               const std::map<std::string, TimeBase>& time_bases,
                                               int first_round) {
  std::map<std::string, std::map<int, std::map<std::size_t, double>>> found;  // benchmark → round → target
  std::map<std::string, std::set<std::size_t>> sides;
  for (const auto& one : taken) {
    if (one.invocation->excluded) continue;
    for (const auto& [name, samples] : one.invocation->samples) {
      const auto base = time_bases.find(name);
      const double log = log_time(samples, base == time_bases.end() ? TimeBase::kReal : base->second);
      if (!std::isfinite(log)) continue;
      found[name][one.step.round][one.step.target] = log;
      sides[name].insert(one.step.target);
    }
  }
  std::vector<std::vector<double>> all;
  for (const auto& [name, rounds] : found) {
    std::vector<double> logs;
    for (const auto& [round, by_target] : rounds) {
      if (by_target.size() < sides[name].size()) continue;
      if (logs.empty() && round != first_round) break;
      double sum = 0;
      for (const auto& [target, log] : by_target) sum += log;
      logs.push_back(sum / static_cast<double>(by_target.size()));
    }
    if (!logs.empty()) all.push_back(logs);
  }
  return all;
}

}  // namespace tracker

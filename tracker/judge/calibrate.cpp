#include "tracker/judge/calibrate.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "tracker/judge/clock_step.hpp"
#include "tracker/judge/judge.hpp"
#include "tracker/judge/measuring_cost.hpp"
#include "tracker/judge/noise_model.hpp"
#include "tracker/stats/moderated.hpp"
#include "tracker/stats/ratio.hpp"

namespace tracker {
namespace {

constexpr int kPairsAReport = 5;

std::map<std::string, Gate> gates_of(const std::vector<Run>& runs, const Policy& policy) {
  std::map<std::string, Gate> gates;
  for (const auto& run : runs)
    for (const auto& benchmark : run.benchmarks)
      if (!benchmark.error) gates.insert_or_assign(benchmark.name, gate_for(policy, benchmark));
  return gates;
}

int most_values(const std::vector<Run>& runs, const std::string& name, const Metric& metric) {
  std::size_t most = 0;
  for (const auto& run : runs)
    if (const Benchmark* benchmark = find_benchmark(run, name))
      most = std::max(most, metric_values(metric, *benchmark, run).size());
  return static_cast<int>(most);
}

CalibratedBenchmark calibrated(const std::string& name, const Gate& gate, double pair_variance, double step,
                               double confidence) {
  CalibratedBenchmark one{.name = name, .threshold = gate.threshold};
  one.noise = std::expm1(std::sqrt(pair_variance));
  for (std::size_t i = 0; i < kCalibratedPairs.size(); ++i) {
    const int pairs = kCalibratedPairs[i];
    const stats::Variance sampling{pair_variance / pairs, pairs - 1 + stats::kUsualDegreesMax};
    one.resolvable[i] = std::expm1(stats::half_width({0, sampling, {}}, confidence) + step);
    if (!one.pairs_needed && 2 * one.resolvable[i] <= gate.threshold) one.pairs_needed = pairs;
  }
  return one;
}

// The policy without what judges one side alone.
Policy of_changes(Policy policy) {
  for (auto& rule : policy.rules) rule.floor.reset();
  policy.waivers.clear();
  return policy;
}

// The run's invocations from the `first` round on, two of each binary a pair: as both sides of a job. The
// order within a pair alternates.
struct Halves {
  Run base;
  Run candidate;
};
Halves halves_of(const Run& run, int first, int pairs) {
  Halves halves{run, run};
  halves.base.job = halves.candidate.job = run.id;
  halves.candidate.id += "-again";
  halves.base.invocations.clear();
  halves.candidate.invocations.clear();
  std::map<std::string, int> places;
  for (const auto& invocation : run.invocations) {
    if (!invocation.left_out.empty()) continue;
    const int place = places[invocation.binary]++ - first;
    if (place < 0 || place >= 2 * pairs) continue;
    const int pair = place / 2;
    const bool is_base = (place + pair) % 2 == 0;
    Run& half = is_base ? halves.base : halves.candidate;
    half.invocations.push_back(invocation);
    half.invocations.back().round = pair + 1;
  }
  return halves;
}

void count_false_alarms(const Run& run, const Policy& policy, Calibration& calibration) {
  const int invocations = invocation_count(run);
  const int pairs = std::min(kPairsAReport, invocations / 2);
  if (pairs < kCalibrationInvocationsMin / 2) return;
  for (int first = 0; first + 2 * pairs <= invocations; first += 2 * pairs) {
    const Halves halves = halves_of(run, first, pairs);
    const auto report = judge({{}, {halves.base}, {}}, {{}, {halves.candidate}, {}}, {}, policy);
    ++calibration.reports;
    calibration.pairs_a_report = pairs;
    for (const auto& comparison : report.comparisons) {
      if (!comparison.interval) continue;
      ++calibration.comparisons;
      const Verdict verdict = comparison.verdict;
      const bool found =
          verdict == Verdict::kRegressed || verdict == Verdict::kImproved || verdict == Verdict::kSameCode;
      calibration.false_alarms += found ? 1 : 0;
    }
  }
}

}  // namespace

Calibration calibrate(const std::vector<Run>& runs, const Policy& policy) {
  Calibration calibration;
  const auto gates = gates_of(runs, policy);
  std::map<std::string, Metric> metrics;
  for (const auto& [name, gate] : gates) metrics.emplace(name, gate.metric);
  const NoiseModel noise = learn_noise(metrics, runs);
  const double error = (1 - policy.confidence) / std::max(1.0, static_cast<double>(gates.size()));
  std::set<std::string> known;
  for (const auto& [name, gate] : gates) {
    const NoiseVariance& pair = noise.benchmarks.at(name).neighbours;
    if (most_values(runs, name, gate.metric) < kCalibrationInvocationsMin || !(pair.degrees > 0)) continue;
    known.insert(name);
    calibration.benchmarks.push_back(
        calibrated(name, gate, pair.value, clock_step(runs, {}, name, gate.metric), 1 - error));
  }
  std::stable_sort(calibration.benchmarks.begin(), calibration.benchmarks.end(),
                   [](const auto& a, const auto& b) { return a.noise > b.noise; });
  std::set<std::string> unknown;
  for (const auto& run : runs) {
    for (const auto& benchmark : run.benchmarks)
      if (!known.contains(benchmark.name)) unknown.insert(benchmark.name);
    calibration.invocations += invocation_count(run);
    count_false_alarms(run, of_changes(policy), calibration);
    const double length_s = length_of(run);
    if (run.filter.empty() && length_s > 0)
      calibration.pair_s = 2 * length_s / std::max(1, static_cast<int>(invocation_count(run)));
  }
  calibration.unknown.assign(unknown.begin(), unknown.end());
  return calibration;
}

}  // namespace tracker

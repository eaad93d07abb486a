#include "tracker/judge/noise/calibrate.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "tracker/judge/confirm/measuring_cost.hpp"
#include "tracker/judge/noise/clock_step.hpp"
#include "tracker/judge/noise/noise_model.hpp"
#include "tracker/judge/verdict/judge.hpp"
#include "tracker/judge/verdict/settle_cases.hpp"
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

// What benchmarks of one report share.
struct Sharing {
  double confidence = 0;  // of one interval
  double degrees = 0;     // that the others lend to a benchmark's noise
};

Sharing sharing_of(std::size_t benchmarks, const Policy& policy) {
  const std::size_t lenders = stats::ScatterOptions{}.count_min;
  return {1 - error_of_one(1 - policy.confidence, benchmarks),
          benchmarks < lenders ? 0 : stats::kUsualDegreesMax};
}

CalibratedBenchmark calibrated(const std::string& name, const Gate& gate, double pair_variance, double step,
                               const Sharing& sharing) {
  CalibratedBenchmark one{.name = name, .threshold = gate.threshold};
  one.noise = std::expm1(std::sqrt(pair_variance));
  for (std::size_t i = 0; i < kCalibratedPairs.size(); ++i) {
    const int pairs = kCalibratedPairs[i];
    const stats::Variance sampling{pair_variance / pairs, pairs - 1 + sharing.degrees};
    one.resolvable[i] = std::expm1(std::max(stats::half_width({0, sampling, {}}, sharing.confidence), step));
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
    if (invocation.excluded) continue;
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

// Both sides of a job that measured the commit against itself.
struct Both {
  const Run* base = nullptr;
  const Run* candidate = nullptr;
};

std::vector<Both> jobs_in(const std::vector<Run>& runs) {
  std::vector<Both> jobs;
  for (std::size_t i = 0; i < runs.size(); ++i)
    for (std::size_t j = i + 1; j < runs.size(); ++j)
      if (!runs[i].job.empty() && runs[i].job == runs[j].job) jobs.push_back({&runs[i], &runs[j]});
  return jobs;
}

// By round, the logarithms of those that both sides have.
std::map<int, double> differences_of(const Both& both, const std::string& name, const Metric& metric) {
  const Benchmark* base = find_benchmark(*both.base, name);
  const Benchmark* candidate = find_benchmark(*both.candidate, name);
  if (base == nullptr || candidate == nullptr) return {};
  std::map<int, double> logs;
  for (const auto& value : metric_rounds(metric, *base, *both.base))
    if (value.value > 0) logs[value.round] = std::log(value.value);
  std::map<int, double> differences;
  for (const auto& value : metric_rounds(metric, *candidate, *both.candidate))
    if (const auto earlier = logs.find(value.round); earlier != logs.end() && value.value > 0)
      differences[value.round] = std::log(value.value) - earlier->second;
  return differences;
}

// What pairs of such jobs show themselves.
NoiseVariance noise_of_jobs(const std::vector<Both>& jobs, const std::string& name, const Metric& metric) {
  double squares = 0;
  double degrees = 0;
  for (const auto& both : jobs) {
    const auto differences = differences_of(both, name, metric);
    if (differences.size() < kCalibrationInvocationsMin / 2) continue;
    double sum = 0;
    for (const auto& [round, difference] : differences) sum += difference;
    const double mean = sum / static_cast<double>(differences.size());
    for (const auto& [round, difference] : differences) squares += (difference - mean) * (difference - mean);
    degrees += static_cast<double>(differences.size()) - 1;
  }
  return degrees > 0 ? NoiseVariance{squares / degrees, degrees} : NoiseVariance{};
}

Run rounds_of(const Run& run, const std::set<int>& rounds) {
  Run part = run;
  std::erase_if(part.invocations, [&](const Invocation& one) { return !rounds.contains(one.round); });
  return part;
}

void judge_same_code(const Run& base, const Run& candidate, const Policy& policy, int pairs,
                     Calibration& calibration) {
  const auto report = judge({{}, {base}, {}}, {{}, {candidate}, {}}, {}, policy);
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

// Five rounds of a job are a report.
void count_false_alarms(const Both& both, const Policy& policy, Calibration& calibration) {
  std::set<int> all;
  for (const auto& invocation : both.base->invocations)
    if (!invocation.excluded) all.insert(invocation.round);
  std::set<int> part;
  for (const int round : all) {
    part.insert(round);
    if (static_cast<int>(part.size()) < kPairsAReport) continue;
    judge_same_code(rounds_of(*both.base, part), rounds_of(*both.candidate, part), policy, kPairsAReport,
                    calibration);
    part.clear();
  }
}

void count_false_alarms(const Run& run, const Policy& policy, Calibration& calibration) {
  const int invocations = invocation_count(run);
  const int pairs = std::min(kPairsAReport, invocations / 2);
  if (pairs < kCalibrationInvocationsMin / 2) return;
  for (int first = 0; first + 2 * pairs <= invocations; first += 2 * pairs) {
    const Halves halves = halves_of(run, first, pairs);
    judge_same_code(halves.base, halves.candidate, policy, pairs, calibration);
  }
}

}  // namespace

Calibration calibrate(const std::vector<Run>& runs, const Policy& policy) {
  Calibration calibration;
  const auto gates = gates_of(runs, policy);
  std::map<std::string, Metric> metrics;
  for (const auto& [name, gate] : gates) metrics.emplace(name, gate.metric);
  const NoiseModel noise = learn_noise(metrics, runs);
  const ClockTicks ticks = clock_ticks(runs, {});
  const std::vector<Both> jobs = jobs_in(runs);
  const Sharing sharing = sharing_of(gates.size(), policy);
  std::set<std::string> known;
  for (const auto& [name, gate] : gates) {
    const NoiseVariance in_turn = noise_of_jobs(jobs, name, gate.metric);
    const NoiseVariance& pair = in_turn.degrees > 0 ? in_turn : noise.benchmarks.at(name).neighbours;
    if (!(in_turn.degrees > 0) && most_values(runs, name, gate.metric) < kCalibrationInvocationsMin) continue;
    if (!(pair.degrees > 0)) continue;
    known.insert(name);
    calibration.benchmarks.push_back(
        calibrated(name, gate, pair.value, clock_step(runs, {}, name, gate.metric, ticks).hides, sharing));
  }
  std::stable_sort(calibration.benchmarks.begin(), calibration.benchmarks.end(),
                   [](const auto& a, const auto& b) { return a.noise > b.noise; });
  std::set<std::string> unknown;
  for (const auto& run : runs) {
    for (const auto& benchmark : run.benchmarks)
      if (!known.contains(benchmark.name)) unknown.insert(benchmark.name);
    calibration.invocations += invocation_count(run);
    if (jobs.empty()) count_false_alarms(run, of_changes(policy), calibration);
    const double length_s = length_of(run);
    if (run.selection.is_all() && length_s > 0)
      calibration.pair_s = 2 * length_s / std::max(1, static_cast<int>(invocation_count(run)));
  }
  for (const auto& both : jobs) {
    count_false_alarms(both, of_changes(policy), calibration);
    const int rounds = std::max(1, invocation_count(*both.base));
    const double length_s = length_of(*both.base) + length_of(*both.candidate);
    if (length_s > 0) calibration.pair_s = length_s / rounds;
    calibration.pairs += rounds;
  }
  calibration.unknown.assign(unknown.begin(), unknown.end());
  return calibration;
}

}  // namespace tracker

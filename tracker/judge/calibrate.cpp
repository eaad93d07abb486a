#include "tracker/judge/calibrate.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <string>

#include "tracker/judge/confirm.hpp"
#include "tracker/judge/decision.hpp"
#include "tracker/judge/difference.hpp"
#include "tracker/judge/policy_rules.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker::judge {
namespace {

constexpr int kPairsAReport = 5;
constexpr int kPairsAReportAtSameClock = 10;  // five are judged as measured

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
  double error = 0;    // how often one interval may miss
  double degrees = 0;  // that the others' noise adds to a benchmark's own
};

Sharing sharing_of(std::size_t benchmarks, const Policy& policy) {
  const std::size_t others_min = stats::ScatterOptions{}.count_min;
  return {error_of_one(1 - policy.confidence, benchmarks),
          benchmarks < others_min ? 0 : stats::kUsualDegreesMax};
}

// The variance of a pair's difference of logarithms.
struct PairNoise {
  double as_measured = 0;
  bool has_clock_in_it = false;  // the policy asks for the same clock, and the clocks scatter
  double at_same_clock = 0;      // where it has
};

// The smallest change that so many pairs can tell from none, but for the clock's step.
double resolvable_by(int pairs, const PairNoise& noise, const Sharing& sharing) {
  const bool at_same_clock = noise.has_clock_in_it && pairs >= kSameClockPairsMin;
  const double variance = at_same_clock ? noise.at_same_clock * slope_factor(pairs) : noise.as_measured;
  const double error = at_same_clock ? sharing.error * (1 - kDifferingClocksShare) : sharing.error;
  const int own_degrees = pairs - (at_same_clock ? 2 : 1);
  return stats::half_width({0, {variance / pairs, own_degrees + sharing.degrees}, {}}, 1 - error);
}

CalibratedBenchmark calibrated(const std::string& name, const Gate& gate, const PairNoise& noise, double step,
                               const Sharing& sharing) {
  CalibratedBenchmark one{.name = name, .threshold = gate.threshold};
  one.at_same_clock = noise.has_clock_in_it;
  one.noise = std::expm1(std::sqrt(noise.has_clock_in_it ? noise.at_same_clock : noise.as_measured));
  for (std::size_t i = 0; i < kCalibratedPairs.size(); ++i) {
    const int pairs = kCalibratedPairs[i];
    one.resolvable[i] = std::expm1(std::max(resolvable_by(pairs, noise, sharing), step));
    if (!one.pairs_needed && 2 * one.resolvable[i] <= gate.threshold) one.pairs_needed = pairs;
  }
  return one;
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

// Both sides of the jobs that measured the commit against itself.
std::vector<SharedJob> jobs_in(const std::vector<Run>& runs) {
  std::vector<SharedJob> jobs;
  for (std::size_t i = 0; i < runs.size(); ++i)
    for (std::size_t j = i + 1; j < runs.size(); ++j)
      if (!runs[i].job.empty() && runs[i].job == runs[j].job) jobs.push_back({&runs[i], &runs[j]});
  return jobs;
}

// Pairs of invocations of the same code, of which all that their two values differ by is noise: of each round
// of `first` with the one `later` rounds behind it in `second`.
ClockedPairs pairs_of(const Run& first, const Run& second, int later, const std::string& benchmark,
                      const Metric& metric) {
  const SideEvidence side = side_evidence(Runs(&first, 1), benchmark);
  const SideEvidence partners = side_evidence(Runs(&second, 1), benchmark);
  const ByRound partner_values = logs_by_round(side_values(partners, metric));
  const ByRound clocks = core_clocks_of(side);
  const ByRound partner_clocks = core_clocks_of(partners);
  ClockedPairs pairs;
  bool all_have_clocks = true;
  for (const auto& [round, value] : logs_by_round(side_values(side, metric))) {
    const auto partner = partner_values.find(round + later);
    if (partner == partner_values.end()) continue;
    pairs.values.push_back(partner->second - value);
    const auto clock = clocks.find(round);
    const auto partner_clock = partner_clocks.find(round + later);
    all_have_clocks &= clock != clocks.end() && partner_clock != partner_clocks.end();
    if (all_have_clocks) pairs.clocks.push_back(partner_clock->second - clock->second);
  }
  if (!all_have_clocks) pairs.clocks.clear();
  return pairs;
}

// What pairs of jobs show themselves; nothing where they are too few.
NoiseVariance noise_of_jobs(const std::vector<ClockedPairs>& jobs) {
  stats::PooledVariance pooled;
  for (const auto& pairs : jobs)
    if (pairs.values.size() >= kCalibrationInvocationsMin / 2) pooled.add(pairs.values);
  return {pooled.value().value, pooled.value().degrees};
}

bool states_clocks(const std::vector<ClockedPairs>& jobs) {
  return std::ranges::any_of(jobs, [](const auto& pairs) { return !pairs.clocks.empty(); });
}

// What is known of one benchmark.
struct Shown {
  std::optional<NoiseVariance> as_measured;  // none: too few values
  std::vector<ClockedPairs> pairs;
};

// From jobs' own pairs, or else from invocations that follow one another, as `successive` has them.
Shown shown_of(const std::string& name, const Metric& metric, const std::vector<Run>& runs,
               const std::vector<SharedJob>& jobs, const NoiseVariance& successive) {
  Shown shown;
  for (const auto& both : jobs) shown.pairs.push_back(pairs_of(*both.base, *both.candidate, 0, name, metric));
  if (const NoiseVariance in_jobs = noise_of_jobs(shown.pairs); in_jobs.degrees > 0) {
    shown.as_measured = in_jobs;
    return shown;
  }
  shown.pairs.clear();
  for (const auto& run : runs) shown.pairs.push_back(pairs_of(run, run, 1, name, metric));
  if (most_values(runs, name, metric) >= kCalibrationInvocationsMin && successive.degrees > 0)
    shown.as_measured = successive;
  return shown;
}

// Adds each benchmark that has values enough, the noisiest first.
void calibrate_benchmarks(const std::vector<Run>& runs, const std::vector<SharedJob>& jobs,
                          const Policy& policy, Calibration& calibration) {
  const auto gates = gates_of(runs, policy);
  std::map<std::string, Metric> metrics;
  for (const auto& [name, gate] : gates) metrics.emplace(name, gate.metric);
  const NoiseModel noise = learn_noise(metrics, runs);
  const ClockTicks ticks = clock_ticks(runs, {});
  const Sharing sharing = sharing_of(gates.size(), policy);
  for (const auto& [name, gate] : gates) {
    const Shown shown = shown_of(name, gate.metric, runs, jobs, noise.benchmarks.at(name).successive);
    if (!shown.as_measured) continue;
    const ClockStep step = clock_step(side_evidence(runs, name), {}, gate.metric, ticks);
    PairNoise pair{shown.as_measured->value};
    if (gate.same_clock) {
      const auto rest = variance_at_same_clock(shown.pairs, gate, step.step);
      if (rest) pair = {pair.as_measured, true, rest->value};
      calibration.without_clock += states_clocks(shown.pairs) ? 0 : 1;
    }
    calibration.benchmarks.push_back(calibrated(name, gate, pair, step.hides, sharing));
  }
  std::ranges::stable_sort(calibration.benchmarks, std::ranges::greater{}, &CalibratedBenchmark::noise);
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
    calibration.false_alarms += is_change(comparison) ? 1 : 0;
  }
}

int pairs_a_report(bool at_same_clock, int pairs) {
  return at_same_clock && pairs >= kPairsAReportAtSameClock ? kPairsAReportAtSameClock : kPairsAReport;
}

// So many rounds of a job are a report.
void count_false_alarms(const SharedJob& both, const Policy& policy, bool at_same_clock,
                        Calibration& calibration) {
  std::set<int> all;
  for (const auto& invocation : both.base->invocations)
    if (!invocation.excluded) all.insert(invocation.round);
  const int pairs = pairs_a_report(at_same_clock, static_cast<int>(all.size()));
  std::set<int> part;
  for (const int round : all) {
    part.insert(round);
    if (static_cast<int>(part.size()) < pairs) continue;
    judge_same_code(rounds_of(*both.base, part), rounds_of(*both.candidate, part), policy, pairs,
                    calibration);
    part.clear();
  }
}

void count_false_alarms(const Run& run, const Policy& policy, bool at_same_clock, Calibration& calibration) {
  const int invocations = invocation_count(run);
  const int pairs = std::min(pairs_a_report(at_same_clock, invocations / 2), invocations / 2);
  if (pairs < kCalibrationInvocationsMin / 2) return;
  for (int first = 0; first + 2 * pairs <= invocations; first += 2 * pairs) {
    const Halves halves = halves_of(run, first, pairs);
    judge_same_code(halves.base, halves.candidate, policy, pairs, calibration);
  }
}

}  // namespace

Calibration calibrate(const std::vector<Run>& runs, const Policy& policy) {
  Calibration calibration;
  const std::vector<SharedJob> jobs = jobs_in(runs);
  calibrate_benchmarks(runs, jobs, policy, calibration);
  std::set<std::string> known;
  bool at_same_clock = false;
  for (const auto& one : calibration.benchmarks) {
    known.insert(one.name);
    at_same_clock |= one.at_same_clock;
  }
  std::set<std::string> unknown;
  for (const auto& run : runs) {
    for (const auto& benchmark : run.benchmarks)
      if (!known.contains(benchmark.name)) unknown.insert(benchmark.name);
    calibration.invocations += invocation_count(run);
    if (jobs.empty()) count_false_alarms(run, of_changes(policy), at_same_clock, calibration);
    if (const double all_s = invocation_s(run); run.selection.is_all() && all_s > 0)
      calibration.pair_s = 2 * all_s;
  }
  for (const auto& both : jobs) {
    count_false_alarms(both, of_changes(policy), at_same_clock, calibration);
    const int rounds = std::max(1, invocation_count(*both.base));
    const double length_s = length_of(*both.base) + length_of(*both.candidate);
    if (length_s > 0) calibration.pair_s = length_s / rounds;
    calibration.pairs += rounds;
  }
  calibration.unknown.assign(unknown.begin(), unknown.end());
  return calibration;
}

double noise_of_neighbours(const Calibration& alone, const Calibration& together) {
  std::map<std::string, double> noise;
  for (const auto& benchmark : alone.benchmarks) noise[benchmark.name] = benchmark.noise;
  std::vector<double> ratios;
  for (const auto& benchmark : together.benchmarks)
    if (const auto known = noise.find(benchmark.name); known != noise.end() && known->second > 0)
      ratios.push_back(benchmark.noise / known->second);
  return stats::median(ratios);
}

}  // namespace tracker::judge

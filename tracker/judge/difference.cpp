#include "tracker/judge/difference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

#include "tracker/judge/noise_model.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker::judge {
namespace {

// What remains of one job's variance in the mean over a side's jobs. Between boards it is the boards that
// differ, and a second job on the same one does not help.
double share_of_job_variance(const SideValues& side, Distance distance) {
  std::map<std::string, double> weights;
  for (std::size_t job = 0; job < side.boards.size(); ++job)
    weights[distance == Distance::kOtherBoard ? side.boards[job] : std::to_string(job)] += 1;
  const auto jobs = static_cast<double>(side.boards.size());
  double share = 0;
  for (const auto& [board, weight] : weights) share += weight * weight / (jobs * jobs);
  return share;
}

// Where no job has two invocations, several jobs show how far single ones lie apart; what a job has of its
// own is in that.
stats::Variance spread_of_jobs(const SideValues& base, const SideValues& candidate) {
  constexpr std::size_t kJobsMin = 2;
  if (base.logs_by_job.size() < kJobsMin || candidate.logs_by_job.size() < kJobsMin) return {};
  stats::PooledVariance pooled;
  for (const auto* side : {&base, &candidate}) {
    std::vector<double> jobs;
    for (const auto& job : side->logs_by_job)
      if (!job.empty()) jobs.push_back(stats::mean(job));
    pooled.add(jobs);
  }
  return pooled.value();
}

void remove_invocations(SideValues& side, std::size_t job, const std::vector<std::size_t>& places) {
  remove_at(side.logs_by_job[job], places);
  remove_at(side.rounds_by_job[job], places);
}

Outlier outlier_of_pair(const SideValues& base, const SideValues& candidate, std::size_t place) {
  const auto distance = [&](const SideValues& side) {
    return side.logs_by_job.front()[place] - stats::median(side.logs_by_job.front());
  };
  const double of_base = distance(base);
  const double of_candidate = distance(candidate);
  const bool in_candidate = std::abs(of_candidate) >= std::abs(of_base);
  return {base.rounds_by_job.front()[place], in_candidate, in_candidate ? of_candidate : of_base};
}

// Neither noise nor a step of the clock: as far beyond all of the base's values as these are apart, and
// beyond what their deviation would show in one of a thousand (t), on one side of them. `differences` are the
// pairs'.
std::optional<SecondSpeed> find_second_speed(const SideValues& base, const SideValues& candidate,
                                             const std::vector<double>& differences, double step) {
  const auto& of_base = base.logs_by_job.front();
  const auto& of_candidate = candidate.logs_by_job.front();
  const auto [least, most] = std::ranges::minmax_element(of_base);
  const auto n = static_cast<double>(of_base.size());
  if (n < 2) return {};
  constexpr double kChanceConfidence = 0.999;
  const double apart = std::max({*most - *least, 2.5 * step,
                                 stats::student_t_within(kChanceConfidence, n - 1) *
                                     std::sqrt(stats::variance(of_base) * (1 + 1 / n))});
  // The others run as the base does; what lies between is neither speed.
  const double near = std::max(*most - *least, 1.5 * step);
  SecondSpeed seen;
  std::vector<double> there;
  std::vector<double> others;
  std::vector<double> differences_of_others;
  for (std::size_t i = 0; i < of_candidate.size(); ++i) {
    const double value = of_candidate[i];
    const bool is_there = value > *most + apart || value < *least - apart;
    if (!is_there && (value > *most + near || value < *least - near)) return {};
    (is_there ? there : others).push_back(value);
    if (is_there)
      seen.rounds.push_back(candidate.rounds_by_job.front()[i]);
    else
      differences_of_others.push_back(differences[i]);
  }
  if (there.empty() || others.empty()) return {};
  const auto [lowest, highest] = std::ranges::minmax_element(there);
  if (*lowest<*least&& * highest> * most) return {};
  seen.invocations = static_cast<int>(of_candidate.size());
  seen.distance = stats::mean(there) - stats::mean(others);
  seen.others = stats::mean(differences_of_others);
  return seen;
}

// When each round's invocation started, where that is known: of two in one round, the later one.
std::map<int, std::string_view> starts_in(const RunEvidence& one) {
  std::map<int, std::string_view> starts;
  int place = 0;
  for (std::size_t i = 0; i < one.samples.size(); ++i) {
    const Invocation& invocation = one.run->invocations[i];
    if (one.samples[i] == nullptr) continue;
    ++place;
    if (invocation.excluded || invocation.started_at.empty()) continue;
    starts[invocation.round > 0 ? invocation.round : place] = invocation.started_at;
  }
  return starts;
}

bool is_one_order(const std::vector<int>& rounds, const ByRound& order) {
  constexpr int kKnownMin = 3;
  int known = 0;
  double sum = 0;
  for (const int round : rounds)
    if (const auto found = order.find(round); found != order.end()) {
      ++known;
      sum += found->second;
    }
  return known >= kKnownMin && std::abs(sum) > 0.5 * known - 0.25;
}

// Of pairs without an order's effect, the chance that two speeds make one of so many with one side first and
// none of the others: there one side is at the other speed in each pair, and here in none or both.
// `left_out`: outliers besides, as likely as three pairs of such a chance.
double chance_of_two_speeds(double moved, double others, std::size_t left_out) {
  double ways = 1;
  for (std::size_t i = 0; i < left_out; ++i)
    ways *= 3 * (moved + others + 1 + static_cast<double>(i)) / (static_cast<double>(i) + 1);
  return ways * std::pow(4, -moved) * std::pow(2, -others);
}

// Whether the pairs of one order differ by nothing, so that two speeds may have made the effect of the order.
bool may_be_two_speeds(const std::vector<double>& orders, double estimate, double slope, double noise,
                       std::size_t left_out) {
  constexpr double kErrors = 4;
  constexpr double kChanceMax = 5e-4;
  double chance = 0;
  for (const double side : {-0.5, 0.5}) {
    const auto still =
        static_cast<double>(std::ranges::count_if(orders, [&](double order) { return order * side > 0; }));
    if (still > 0 && std::abs(estimate + slope * side) < kErrors * std::sqrt(noise / still))
      chance =
          std::max(chance, chance_of_two_speeds(static_cast<double>(orders.size()) - still, still, left_out));
  }
  return chance > kChanceMax;
}

// By how much the second of each pair is slower; none where that is no more than chance.
std::optional<double> order_effect(std::vector<double> orders, std::vector<double> differences,
                                   double rounding) {
  constexpr std::size_t kPairsMin = 8;  // two speeds look like an order in fewer
  constexpr double kChanceConfidence = 0.99;
  constexpr double kAny = std::numeric_limits<double>::infinity();
  if (orders.size() != differences.size()) return {};
  const auto outliers = stats::find_outliers(differences, rounding);
  remove_at(orders, outliers);
  remove_at(differences, outliers);
  const auto n = static_cast<double>(orders.size());
  const double spread = stats::variance(orders) * (n - 1);
  if (orders.size() < kPairsMin || !(spread > 0)) return {};
  const double slope = stats::slope_between(orders, differences, -kAny, kAny);
  for (std::size_t i = 0; i < orders.size(); ++i) differences[i] -= slope * orders[i];
  const double noise = std::max(stats::variance(differences) * (n - 1) / (n - 2), rounding);
  const double error = std::sqrt(noise / spread);
  if (!(error > 0) || !(std::abs(slope) > stats::student_t_within(kChanceConfidence, n - 2) * error))
    return {};
  // What the order has hidden among the others may be an outlier, too.
  const auto besides = stats::find_outliers(differences, rounding);
  const double estimate = stats::median(differences);
  if (may_be_two_speeds(orders, estimate, slope, noise, outliers.size() + besides.size())) return {};
  return slope;
}

// Which side of each pair ran first. Without rounds in which both start in the same second.
ByRound order_of(const RunEvidence& base, const RunEvidence& candidate) {
  ByRound order;
  const auto of_candidate = starts_in(candidate);
  for (const auto& [round, start] : starts_in(base)) {
    const auto found = of_candidate.find(round);
    if (found != of_candidate.end() && found->second != start)
      order[round] = start < found->second ? 0.5 : -0.5;
  }
  return order;
}

// What a covariate with these values in the pairs (the clocks' differences, the order; in any unit) that was
// taken out of the contrast leaves open: its slope is estimated from the same pairs.
void count_slope(Contrast& contrast, const std::vector<double>& covariate) {
  if (contrast.own.degrees > 1) {
    contrast.own.value *= contrast.own.degrees / (contrast.own.degrees - 1);
    contrast.own.degrees -= 1;
  }
  const double mean = stats::mean(covariate);
  const double squares = stats::variance(covariate) * static_cast<double>(covariate.size() - 1);
  if (squares > 0) contrast.sampling_factor += mean * mean / squares;
}

// By their number: the logarithms of the base and of the candidate.
using Pairs = std::map<int, std::pair<double, double>>;

// Puts these pairs in place of all values, with their numbers as rounds.
void set_pairs(SideValues& base, SideValues& candidate, const Pairs& pairs) {
  for (SideValues* side : {&base, &candidate}) {
    side->logs_by_job = {{}};
    side->rounds_by_job = {{}};
    side->boards.resize(1);
  }
  for (const auto& [number, logs] : pairs) {
    base.logs_by_job.front().push_back(logs.first);
    candidate.logs_by_job.front().push_back(logs.second);
    for (SideValues* side : {&base, &candidate}) side->rounds_by_job.front().push_back(number);
  }
}

// Of pairs whose sides were built several times: puts one pair in place of all of a build, with the build's
// number as its round. What a build's layout does is the same in all its rounds, and another draw in each
// build: so a build is one measurement, however many rounds it has. The number of builds; 0 where there was
// one.
int keep_builds(SideValues& base, SideValues& candidate) {
  struct Rounds {
    std::vector<double> base;
    std::vector<double> differences;
  };
  std::map<int, Rounds> builds;
  for (std::size_t i = 0; i < base.rounds_by_job.front().size(); ++i) {
    const int round = base.rounds_by_job.front()[i];
    const auto of_base = base.builds.find(round);
    const auto of_candidate = candidate.builds.find(round);
    if (of_base == base.builds.end() || of_candidate == candidate.builds.end()) return 0;
    if (of_base->second != of_candidate->second) return 0;
    Rounds& build = builds[of_base->second];
    build.base.push_back(base.logs_by_job.front()[i]);
    build.differences.push_back(candidate.logs_by_job.front()[i] - build.base.back());
  }
  if (builds.size() < 2) return 0;
  Pairs pairs;
  for (const auto& [number, rounds] : builds) {
    const double of_base = stats::median(rounds.base);
    pairs[number] = {of_base, of_base + stats::median(rounds.differences)};
  }
  set_pairs(base, candidate, pairs);
  return static_cast<int>(builds.size());
}

// Of one of these; degrees 0 where there is a single one.
stats::Variance variance_of(const std::vector<double>& values) {
  if (values.size() < 2) return {};
  return {stats::variance(values), static_cast<double>(values.size() - 1)};
}

}  // namespace

bool keep_pairs(SideValues& base, SideValues& candidate) {
  if (base.logs_by_job.empty() || candidate.logs_by_job.empty()) return false;
  // A round has one invocation a side that counts; of two, the later one was to take the place of the first.
  const ByRound partners = logs_by_round(base);
  Pairs pairs;
  for (const auto& [round, log] : logs_by_round(candidate))
    if (const auto partner = partners.find(round); partner != partners.end())
      pairs[round] = {partner->second, log};
  if (!pairs.empty()) set_pairs(base, candidate, pairs);
  return !pairs.empty();
}

Contrast paired_contrast(SideValues& base, SideValues& candidate, double step, const ByRound& order) {
  auto& of_base = base.logs_by_job.front();
  auto& of_candidate = candidate.logs_by_job.front();
  std::vector<double> differences = minus(of_candidate, of_base);
  const auto& rounds = base.rounds_by_job.front();
  const auto effect = order_effect(in_rounds(rounds, order), differences, 2 * rounding_variance(step));
  for (std::size_t i = 0; effect && i < differences.size(); ++i) {
    of_candidate[i] -= *effect * order.at(rounds[i]);
    differences[i] -= *effect * order.at(rounds[i]);
  }
  const auto outliers = stats::find_outliers(differences, 2 * rounding_variance(step));
  const double factor = stats::variance_factor_without(differences, outliers);
  Contrast contrast;
  contrast.with_outliers = variance_of(minus(of_candidate, of_base)).value;
  contrast.second_speed = find_second_speed(base, candidate, differences, step);
  const auto [least, most] = std::ranges::minmax_element(of_base);
  contrast.base_range = *most - *least;
  contrast.one_order = is_one_order(rounds, order);
  for (const std::size_t place : outliers)
    contrast.outliers.push_back(outlier_of_pair(base, candidate, place));
  for (SideValues* side : {&base, &candidate}) remove_invocations(*side, 0, outliers);
  const auto kept = minus(of_candidate, of_base);
  contrast.estimate = stats::mean(kept);
  for (std::size_t i = 0; i < outliers.size(); ++i)
    contrast.outliers[i].offset = differences[outliers[i]] - contrast.estimate;
  contrast.own = variance_of(kept);
  contrast.own.value *= factor;
  contrast.sampling_factor = 1.0 / static_cast<double>(kept.size());
  if (effect) count_slope(contrast, in_rounds(rounds, order));
  return contrast;
}

Contrast contrast(SideValues& base, SideValues& candidate, Distance distance, double step) {
  const auto noise_of = [&] {
    return stats::moderate(stats::side_noise(base.logs_by_job).per_invocation,
                           stats::side_noise(candidate.logs_by_job).per_invocation);
  };
  Contrast contrast;
  contrast.with_outliers = noise_of().value;
  double factor = 1;
  for (SideValues* side : {&base, &candidate})
    for (std::size_t job = 0; job < side->logs_by_job.size(); ++job) {
      const std::vector<double> logs = side->logs_by_job[job];
      const auto outliers = stats::find_outliers(logs, rounding_variance(step));
      factor = std::max(factor, stats::variance_factor_without(logs, outliers));
      for (const std::size_t place : outliers) {
        const double offset = logs[place] - stats::median(logs);
        contrast.outliers.push_back({side->rounds_by_job[job][place], side == &candidate, offset, offset});
      }
      remove_invocations(*side, job, outliers);
    }
  const auto of_base = stats::side_noise(base.logs_by_job);
  const auto of_candidate = stats::side_noise(candidate.logs_by_job);
  const auto own = noise_of();
  contrast.estimate = of_candidate.mean - of_base.mean;
  contrast.own = {own.value * factor, own.degrees};
  contrast.sampling_factor = of_base.sampling_factor + of_candidate.sampling_factor;
  if (!(contrast.own.degrees > 0)) contrast.own = spread_of_jobs(base, candidate);
  contrast.job_factor = share_of_job_variance(base, distance) + share_of_job_variance(candidate, distance);
  return contrast;
}

void find_contrast_at_same_clock(BenchmarkEvidence& evidence, const ByRound& base_clock,
                                 const ByRound& candidate_clock, double step, const ByRound& order) {
  SideValues& base = evidence.base.values;
  SideValues& candidate = evidence.candidate.values;
  evidence.clock = take_out_clock(base, candidate, base_clock, candidate_clock, evidence.gate, step);
  evidence.contrast = paired_contrast(base, candidate, step, order);
  if (!evidence.clock || !evidence.clock->taken_out) return;
  const auto& rounds = base.rounds_by_job.front();  // without those of outliers
  count_slope(evidence.contrast, minus(in_rounds(rounds, candidate_clock), in_rounds(rounds, base_clock)));
}

namespace {

void find_contrast(BenchmarkEvidence& evidence, Distance distance, double step) {
  SideValues& base = evidence.base.values;
  SideValues& candidate = evidence.candidate.values;
  const bool same_job = distance == Distance::kSameJob;
  if (same_job) evidence.paired = keep_pairs(base, candidate);
  if (!same_job || !evidence.paired) {
    evidence.contrast = contrast(base, candidate, distance, step);
    if (same_job) evidence.contrast.own = {};  // rounds that drift apart show nothing of a pair's noise
    return;
  }
  evidence.builds = keep_builds(base, candidate);
  if (evidence.builds > 0) {
    evidence.contrast = paired_contrast(base, candidate, step);
    return;
  }
  ByRound base_clock;
  ByRound candidate_clock;
  if (evidence.gate.same_clock) {
    base_clock = core_clocks_of(evidence.base);
    candidate_clock = core_clocks_of(evidence.candidate);
    evidence.lacks_clock = base_clock.empty() || candidate_clock.empty();
  }
  find_contrast_at_same_clock(evidence, base_clock, candidate_clock, step,
                              order_of(evidence.base.seen.front(), evidence.candidate.seen.front()));
}

// Of the newest invocation that counts.
std::vector<double> repetition_logs(const SideEvidence& side, const Metric& metric) {
  const RunEvidence* newest = nullptr;
  const Samples* of_newest = nullptr;
  each_counted(side, [&](const RunEvidence& one, const Invocation& /*invocation*/, const Samples& samples) {
    if (one.benchmark->error) return;
    newest = &one;
    of_newest = &samples;
  });
  if (newest == nullptr) return {};
  return logs_of(metric_samples(metric, *newest->benchmark, *of_newest));
}

Repetitions repetitions_of(const BenchmarkEvidence& evidence) {
  if (evidence.base.values.count() != 1 || evidence.candidate.values.count() != 1) return {};
  const auto of_base = repetition_logs(evidence.base, evidence.gate.metric);
  const auto of_candidate = repetition_logs(evidence.candidate, evidence.gate.metric);
  const std::size_t count = std::min(of_base.size(), of_candidate.size());
  if (count < 2) return {};
  const double variance = std::max(stats::variance(of_base), stats::variance(of_candidate));
  return {static_cast<int>(count), std::expm1(std::sqrt(variance))};
}

}  // namespace

void find_difference(BenchmarkEvidence& evidence, Distance distance, const ClockTicks& ticks) {
  const ClockStep step = clock_step(evidence.base, evidence.candidate, evidence.gate.metric, ticks);
  find_contrast(evidence, distance, step.step);
  evidence.clock_step = step.hides;
  evidence.repetitions = repetitions_of(evidence);
}

namespace {

// The base's own offset is in all ratios with it: each counts as less certain than it is alone.
constexpr double kSharedBase = 2;

}  // namespace

std::vector<PairRatios> pair_ratios(const Run& base, const Run& candidate, const Policy& policy) {
  std::map<std::string, std::string> names;  // of the base, by how they are called now
  for (const auto& benchmark : base.benchmarks)
    names[renamed(benchmark.name, policy.renames)] = benchmark.name;
  std::vector<PairRatios> all;
  for (const auto& recorded : candidate.benchmarks) {
    Benchmark benchmark = recorded;
    benchmark.name = renamed(recorded.name, policy.renames);
    const auto before = names.find(benchmark.name);
    if (before == names.end()) continue;
    PairRatios pairs{benchmark.name, recorded.name, gate_for(policy, benchmark), {}};
    SideValues of_base = side_values(Runs(&base, 1), before->second, pairs.gate.metric);
    SideValues of_candidate = side_values(Runs(&candidate, 1), recorded.name, pairs.gate.metric);
    if (!keep_pairs(of_base, of_candidate)) continue;
    const double sign = pairs.gate.metric.better == Better::kLower ? 1 : -1;
    for (const double log : minus(of_candidate.logs_by_job.front(), of_base.logs_by_job.front()))
      pairs.ratios.push_back(sign * log);
    all.push_back(std::move(pairs));
  }
  return all;
}

std::optional<StoredRatio> stored_ratio(std::vector<Run> base, std::vector<Run> candidate,
                                        const NoiseHistory& history, const std::string& benchmark,
                                        const Metric& metric, const Policy& policy) {
  if (base.empty() || candidate.empty()) return {};
  for (auto* side : {&base, &candidate})
    for (auto& run : *side) rename_benchmarks(run, policy.renames);
  SideValues of_base = side_values(base, benchmark, metric);
  SideValues of_candidate = side_values(candidate, benchmark, metric);
  if (of_base.logs_by_job.empty() || of_candidate.logs_by_job.empty()) return {};
  const Distance distance = distance_between(base, candidate);
  const Contrast difference = contrast(of_base, of_candidate, distance);
  const auto of_machine = of_one_machine(history, candidate.back());
  const auto known = learn_noise({{benchmark, metric}}, of_machine ? *of_machine : history);
  const auto noise = job_noise(known, candidate.front().device.kind, distance);
  return StoredRatio{metric.better == Better::kLower ? difference.estimate : -difference.estimate,
                     kSharedBase * (difference.sampling_factor * difference.own.value +
                                    difference.job_factor * noise.variance.at(benchmark).value)};
}

}  // namespace tracker::judge

#include "tracker/judge/evidence.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string_view>

#include "tracker/stats/summary.hpp"

namespace tracker {
namespace {

struct DefaultJobDeviation {
  DeviceKind kind;
  Distance distance;
  double deviation;  // of one job, relative
};

// On six jobs of an H200 model: within 0.1–0.3 % on boards that agree, 1.0–2.8 % between boards that do not,
// and up to several per cent for kernels of a few µs. CPUs in virtual machines move far more.
constexpr DefaultJobDeviation kJobDefaults[] = {
    {DeviceKind::kGpu, Distance::kSameBoard, 0.01},
    {DeviceKind::kGpu, Distance::kOtherBoard, 0.025},
    {DeviceKind::kCpu, Distance::kSameBoard, 0.03},
    {DeviceKind::kCpu, Distance::kOtherBoard, 0.10},
};
// The defaults are meant as bounds, so they count as well known.
constexpr double kJobDefaultDegrees = 30;
// Where too few benchmarks have a history to learn from one another, the default weighs as much as so many
// neighbours: a short history moves it, a long one replaces it.
constexpr double kDefaultPriorDegrees = 4;
// However quiet a short history looks, the next job may differ by this share of the default.
constexpr double kFloorShare = 0.2;

stats::Variance at_distance(const BenchmarkNoise& noise, Distance distance) {
  const NoiseVariance& variance = distance == Distance::kSameBoard ? noise.same_board : noise.other_board;
  return {variance.value, variance.degrees};
}

}  // namespace

const Benchmark* newest_in(Runs runs, const std::string& name) {
  for (auto run = runs.rbegin(); run != runs.rend(); ++run)
    if (const Benchmark* benchmark = find_benchmark(*run, name)) return benchmark;
  return nullptr;
}

std::vector<double> repetition_values(Runs runs, const std::string& name, const Metric& metric) {
  std::vector<double> all;
  for (const auto& run : runs)
    if (const Benchmark* benchmark = find_measured(run, name))
      for (const auto& invocation : run.invocations)
        if (const Samples* samples = counted_samples(invocation, name)) {
          const auto values = metric_samples(metric, *benchmark, *samples);
          all.insert(all.end(), values.begin(), values.end());
        }
  return all;
}

std::vector<double> logs_of(const std::vector<double>& values) {
  std::vector<double> logs;
  for (const double value : values)
    if (value > 0 && std::isfinite(value)) logs.push_back(std::log(value));
  return logs;
}

Distance distance_between(Runs base, Runs candidate) {
  for (const auto& b : base)
    for (const auto& c : candidate)
      if (!on_same_board(b, c)) return Distance::kOtherBoard;
  return Distance::kSameBoard;
}

stats::Variance default_job_variance(DeviceKind kind, Distance distance) {
  for (const auto& row : kJobDefaults)
    if (row.kind == kind && row.distance == distance)
      return {row.deviation * row.deviation, kJobDefaultDegrees};
  return {};  // within one job there is none
}

double least_job_variance(DeviceKind kind, Distance distance) {
  return default_job_variance(kind, distance).value * kFloorShare * kFloorShare;
}

JobNoise job_noise(const NoiseModel& known, DeviceKind kind, Distance distance) {
  JobNoise noise;
  if (distance == Distance::kSameJob) {
    for (const auto& [name, one] : known.benchmarks) noise.variance[name] = {};
    return noise;
  }
  std::vector<stats::Variance> all;
  for (const auto& [name, one] : known.benchmarks) {
    noise.variance[name] = at_distance(one, distance);
    all.push_back(noise.variance[name]);
  }
  const stats::Variance fallback = default_job_variance(kind, distance);
  stats::Variance usual = stats::fit_usual_variance(all);
  noise.shared = usual.degrees > 0;
  if (!noise.shared) usual = {fallback.value, kDefaultPriorDegrees};
  const double floor = least_job_variance(kind, distance);
  noise.learned = !known.benchmarks.empty();
  for (auto& [name, variance] : noise.variance) {
    const bool is_known = variance.degrees > 0;
    const double own = variance.value;
    variance = is_known ? stats::moderate(variance, usual) : fallback;
    // Where benchmarks differ by more than chance, the usual is not usual for all.
    if (is_known && usual.degrees < stats::kUsualDegreesMax) variance.value = std::max(variance.value, own);
    variance.value = std::max(variance.value, floor);
    noise.learned = noise.learned && is_known;
  }
  return noise;
}

namespace {

// What remains of one job's variance in the mean over a side's jobs. Between boards it is the boards that
// differ, and a second job on the same one does not help.
double share_of_job_variance(const Evidence& side, Distance distance) {
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
stats::Variance spread_of_jobs(const Evidence& base, const Evidence& candidate) {
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

void remove_places(Evidence& side, std::size_t job, const std::vector<std::size_t>& places) {
  for (auto place = places.rbegin(); place != places.rend(); ++place) {
    const auto at = static_cast<std::ptrdiff_t>(*place);
    side.logs_by_job[job].erase(side.logs_by_job[job].begin() + at);
    side.rounds_by_job[job].erase(side.rounds_by_job[job].begin() + at);
  }
}

Outlier outlier_of_pair(const Evidence& base, const Evidence& candidate, std::size_t place) {
  const auto distance = [&](const Evidence& side) {
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
std::optional<SecondSpeed> find_second_speed(const Evidence& base, const Evidence& candidate,
                                             const std::vector<double>& differences, double step) {
  const auto& of_base = base.logs_by_job.front();
  const auto& of_candidate = candidate.logs_by_job.front();
  const auto [least, most] = std::minmax_element(of_base.begin(), of_base.end());
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
  const auto [lowest, highest] = std::minmax_element(there.begin(), there.end());
  if (*lowest<*least&& * highest> * most) return {};
  seen.invocations = static_cast<int>(of_candidate.size());
  seen.distance = stats::mean(there) - stats::mean(others);
  seen.others = stats::mean(differences_of_others);
  return seen;
}

// When each round's invocation started: of two in one round, the later one.
std::map<int, std::string_view> starts_in(const Run& run, const std::string& benchmark) {
  std::map<int, std::string_view> starts;
  int place = 0;
  for (const auto& invocation : run.invocations) {
    if (!invocation.samples.contains(benchmark)) continue;
    ++place;
    if (invocation.excluded || invocation.started_at.empty()) continue;
    starts[invocation.round > 0 ? invocation.round : place] = invocation.started_at;
  }
  return starts;
}

// Of the pairs, in their order; empty where one of them is not known.
std::vector<double> orders_in(const std::vector<int>& rounds, const OrderByRound& order) {
  std::vector<double> orders;
  for (const int round : rounds)
    if (const auto found = order.find(round); found != order.end()) orders.push_back(found->second);
  return orders.size() == rounds.size() ? orders : std::vector<double>{};
}

bool is_one_order(const std::vector<int>& rounds, const OrderByRound& order) {
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
    const auto still = static_cast<double>(
        std::count_if(orders.begin(), orders.end(), [&](double order) { return order * side > 0; }));
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
  for (auto place = outliers.rbegin(); place != outliers.rend(); ++place)
    for (auto* values : {&orders, &differences})
      values->erase(values->begin() + static_cast<std::ptrdiff_t>(*place));
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

}  // namespace

OrderByRound order_of(const Run& base, const Run& candidate, const std::string& benchmark) {
  OrderByRound order;
  const auto of_candidate = starts_in(candidate, benchmark);
  for (const auto& [round, start] : starts_in(base, benchmark)) {
    const auto found = of_candidate.find(round);
    if (found != of_candidate.end() && found->second != start)
      order[round] = start < found->second ? 0.5 : -0.5;
  }
  return order;
}

void count_slope(Contrast& contrast, const std::vector<double>& covariate) {
  if (contrast.own.degrees > 1) {
    contrast.own.value *= contrast.own.degrees / (contrast.own.degrees - 1);
    contrast.own.degrees -= 1;
  }
  const double mean = stats::mean(covariate);
  const double squares = stats::variance(covariate) * static_cast<double>(covariate.size() - 1);
  if (squares > 0) contrast.sampling_factor += mean * mean / squares;
}

double rounding_variance(double step) {
  return step * step / 12;
}

int Evidence::values() const {
  if (only_zeros()) return zeros;
  std::size_t count = 0;
  for (const auto& job : logs_by_job) count += job.size();
  return static_cast<int>(count);
}

std::optional<double> Evidence::typical() const {
  if (only_zeros()) return 0.0;
  if (logs_by_job.empty()) return {};
  return std::exp(stats::side_noise(logs_by_job).mean);
}

Evidence evidence_of(Runs runs, const std::string& name, const Metric& metric) {
  Evidence side;
  std::map<std::string, std::size_t> places;
  for (const auto& run : runs) {
    const Benchmark* benchmark = find_measured(run, name);
    if (benchmark == nullptr) continue;
    std::vector<double> logs;
    std::vector<int> rounds;
    for (const auto& [round, value, build] : metric_rounds(metric, *benchmark, run)) {
      if (build > 0) side.builds[round] = build;
      if (value == 0) ++side.zeros;
      if (metric.unit.empty() && std::isfinite(value)) side.plain[job_or_id(run)][round] = value;
      if (!(value > 0) || !std::isfinite(value)) continue;
      logs.push_back(std::log(value));
      rounds.push_back(round);
    }
    if (logs.empty()) continue;
    const auto [place, is_new] = places.try_emplace(job_or_id(run), side.logs_by_job.size());
    if (is_new) {
      side.logs_by_job.emplace_back();
      side.rounds_by_job.emplace_back();
      side.boards.push_back(board_of(run));
    }
    auto& job = side.logs_by_job[place->second];
    job.insert(job.end(), logs.begin(), logs.end());
    auto& job_rounds = side.rounds_by_job[place->second];
    job_rounds.insert(job_rounds.end(), rounds.begin(), rounds.end());
  }
  return side;
}

std::map<int, double> logs_by_round(const Evidence& side) {
  std::map<int, double> logs;
  if (side.logs_by_job.empty()) return logs;
  for (std::size_t i = 0; i < side.logs_by_job.front().size(); ++i)
    logs[side.rounds_by_job.front()[i]] = side.logs_by_job.front()[i];
  return logs;
}

bool keep_pairs(Evidence& base, Evidence& candidate) {
  if (base.logs_by_job.empty() || candidate.logs_by_job.empty()) return false;
  // A round has one invocation a side that counts; of two, the later one was to take the place of the first.
  const std::map<int, double> partners = logs_by_round(base);
  std::map<int, std::pair<double, double>> pairs;
  for (std::size_t i = 0; i < candidate.logs_by_job.front().size(); ++i) {
    const int round = candidate.rounds_by_job.front()[i];
    if (const auto partner = partners.find(round); partner != partners.end())
      pairs[round] = {partner->second, candidate.logs_by_job.front()[i]};
  }
  if (pairs.empty()) return false;
  for (Evidence* side : {&base, &candidate}) {
    side->logs_by_job = {{}};
    side->rounds_by_job = {{}};
    side->boards.resize(1);
  }
  for (const auto& [round, logs] : pairs) {
    base.logs_by_job.front().push_back(logs.first);
    candidate.logs_by_job.front().push_back(logs.second);
    for (Evidence* side : {&base, &candidate}) side->rounds_by_job.front().push_back(round);
  }
  return true;
}

int keep_builds(Evidence& base, Evidence& candidate) {
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
  for (Evidence* side : {&base, &candidate}) {
    side->logs_by_job = {{}};
    side->rounds_by_job = {{}};
  }
  for (const auto& [number, rounds] : builds) {
    const double of_base = stats::median(rounds.base);
    base.logs_by_job.front().push_back(of_base);
    candidate.logs_by_job.front().push_back(of_base + stats::median(rounds.differences));
    for (Evidence* side : {&base, &candidate}) side->rounds_by_job.front().push_back(number);
  }
  return static_cast<int>(builds.size());
}

Contrast paired_contrast(Evidence& base, Evidence& candidate, double step, const OrderByRound& order) {
  auto& of_base = base.logs_by_job.front();
  auto& of_candidate = candidate.logs_by_job.front();
  std::vector<double> differences;
  for (std::size_t i = 0; i < of_base.size(); ++i) differences.push_back(of_candidate[i] - of_base[i]);
  const auto& rounds = base.rounds_by_job.front();
  const auto effect = order_effect(orders_in(rounds, order), differences, 2 * rounding_variance(step));
  for (std::size_t i = 0; effect && i < differences.size(); ++i) {
    of_candidate[i] -= *effect * order.at(rounds[i]);
    differences[i] -= *effect * order.at(rounds[i]);
  }
  const auto outliers = stats::find_outliers(differences, 2 * rounding_variance(step));
  const double with_outliers = stats::paired_difference(of_base, of_candidate).per_pair.value;
  const double factor = stats::variance_factor_without(differences, outliers);
  Contrast contrast;
  contrast.second_speed = find_second_speed(base, candidate, differences, step);
  const auto [least, most] = std::minmax_element(of_base.begin(), of_base.end());
  contrast.base_range = *most - *least;
  contrast.one_order = is_one_order(rounds, order);
  for (const std::size_t place : outliers)
    contrast.outliers.push_back(outlier_of_pair(base, candidate, place));
  for (Evidence* side : {&base, &candidate}) remove_places(*side, 0, outliers);
  const auto paired = stats::paired_difference(of_base, of_candidate);
  contrast.estimate = paired.estimate;
  for (std::size_t i = 0; i < outliers.size(); ++i)
    contrast.outliers[i].offset = differences[outliers[i]] - paired.estimate;
  contrast.own = {paired.per_pair.value * factor, paired.per_pair.degrees};
  contrast.sampling_factor = 1.0 / std::max(paired.pairs, 1);
  if (effect) count_slope(contrast, orders_in(rounds, order));
  contrast.with_outliers = with_outliers;
  return contrast;
}

Contrast contrast(Evidence& base, Evidence& candidate, Distance distance, double step) {
  const auto noise_of = [&] {
    return stats::moderate(stats::side_noise(base.logs_by_job).per_invocation,
                           stats::side_noise(candidate.logs_by_job).per_invocation);
  };
  Contrast contrast;
  contrast.with_outliers = noise_of().value;
  double factor = 1;
  for (Evidence* side : {&base, &candidate})
    for (std::size_t job = 0; job < side->logs_by_job.size(); ++job) {
      const std::vector<double> logs = side->logs_by_job[job];
      const auto outliers = stats::find_outliers(logs, rounding_variance(step));
      factor = std::max(factor, stats::variance_factor_without(logs, outliers));
      for (const std::size_t place : outliers) {
        const double offset = logs[place] - stats::median(logs);
        contrast.outliers.push_back({side->rounds_by_job[job][place], side == &candidate, offset, offset});
      }
      remove_places(*side, job, outliers);
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

}  // namespace tracker

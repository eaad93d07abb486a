#include "tracker/judge/noise/job_noise.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tracker/stats/ratio.hpp"
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

double normal_density(double distance, double variance) {
  return std::exp(-distance * distance / (2 * variance)) / std::sqrt(2 * std::numbers::pi * variance);
}

// How much likelier one benchmark's distance from the others is on a day unlike the history's: as a
// logarithm.
double evidence_of_other_day(const Moved& one, double distance, double other_day) {
  // A code change may have moved any benchmark, by so much, so that no single one decides.
  constexpr double kChangedShare = 0.1;
  constexpr double kChangedBy = 0.1;
  const double changed = kChangedShare * normal_density(distance, kChangedBy * kChangedBy);
  const auto density = [&](double job_variance) {
    const double variance = one.sampling + one.job_factor * job_variance;
    return (1 - kChangedShare) * normal_density(distance, variance) + changed;
  };
  return std::log(density(std::max(one.learned.value, other_day)) / density(one.learned.value));
}

}  // namespace

std::vector<double> chances_of_other_days(const std::vector<Moved>& moved, const stats::Variance& other_day) {
  std::vector<double> estimates;
  for (const auto& one : moved) estimates.push_back(one.estimate);
  const double center = stats::median(estimates);
  std::vector<double> evidence;
  double sum = 0;
  for (const auto& one : moved) {
    evidence.push_back(evidence_of_other_day(one, one.estimate - center, other_day.value));
    sum += evidence.back();
  }
  constexpr double kEvidenceMax = 50;
  std::vector<double> chances;
  for (std::size_t i = 0; i < moved.size(); ++i) {
    // The next of n jobs is the first of its kind with a chance of 1 in n at most, and there are two sides.
    const double jobs = 1 + moved[i].history_degrees / stats::kDegreesOfDifference;
    const double odds = 2 / jobs * std::exp(std::min(sum - evidence[i], kEvidenceMax));
    chances.push_back(odds / (1 + odds));
  }
  return chances;
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
  const double floor = fallback.value * kFloorShare * kFloorShare;
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

}  // namespace tracker

#include "tracker/judge/noise/job_noise.hpp"

#include <algorithm>
#include <cmath>

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

}  // namespace tracker

#include "tracker/stats/ratio.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <tuple>

#include <boost/math/tools/toms748_solve.hpp>

#include "tracker/stats/summary.hpp"

namespace tracker::stats {

void PooledVariance::add(std::span<const double> values) {
  if (values.size() < 2) return;
  const auto degrees = static_cast<double>(values.size() - 1);
  squares_ += variance(values) * degrees;
  degrees_ += degrees;
}

Variance PooledVariance::value() const {
  return degrees_ > 0 ? Variance{squares_ / degrees_, degrees_} : Variance{};
}

SideNoise side_noise(const std::vector<std::vector<double>>& logs_by_job) {
  SideNoise side;
  PooledVariance within;
  int jobs = 0;
  for (const auto& job : logs_by_job) {
    if (job.empty()) continue;
    ++jobs;
    side.mean += mean(job);
    side.sampling_factor += 1.0 / static_cast<double>(job.size());
    within.add(job);
  }
  if (jobs == 0) return side;
  side.mean /= jobs;
  side.sampling_factor /= static_cast<double>(jobs) * jobs;
  side.per_invocation = within.value();
  return side;
}

namespace {

Variance total_of(std::initializer_list<Variance> parts) {
  double total = 0;
  double denominator = 0;
  for (const auto& part : parts) {
    if (part.value == 0) continue;
    if (part.degrees <= 0) return {std::numeric_limits<double>::infinity(), 0};
    total += part.value;
    denominator += part.value * part.value / part.degrees;
  }
  const bool has_degrees = denominator > 0;
  return {total, has_degrees ? total * total / denominator : std::numeric_limits<double>::infinity()};
}

double half_width_of(const Variance& total, double confidence) {
  if (total.value == 0 || total.degrees <= 0) return total.value;
  return student_t_within(confidence, total.degrees) * std::sqrt(total.value);
}

double chance_beyond(const Variance& total, double half) {
  constexpr double kDegreesMax = 1e9;
  if (!(total.value > 0)) return 0;
  return fisher_f_above(half * half / total.value, 1, std::min(total.degrees, kDegreesMax));
}

}  // namespace

double standard_error(const Difference& difference) {
  return std::sqrt(total_of({difference.sampling, difference.job_to_job, difference.neighbours}).value);
}

double half_width(const Difference& difference, double confidence) {
  const Variance usual = total_of({difference.sampling, difference.job_to_job, difference.neighbours});
  const double alone = half_width_of(usual, confidence);
  const double chance = difference.other_jobs_chance;
  if (!(chance > 0) || !std::isfinite(alone)) return alone;
  const Variance other = total_of({difference.sampling, difference.other_jobs, difference.neighbours});
  double low = alone;
  double high = half_width_of(other, confidence);
  if (!(high > low) || !std::isfinite(high)) return std::max(low, high);
  // Above zero where an interval of this half-width misses more often than it may.
  const auto excess = [&](double half) {
    const double missed = (1 - chance) * chance_beyond(usual, half) + chance * chance_beyond(other, half);
    return std::log(missed / (1 - confidence));
  };
  constexpr double kNone = 1e-6;  // of what may be missed
  const double at_low = excess(low);
  if (at_low < kNone) return low;
  constexpr int kBits = 30;
  std::uintmax_t steps = kBits;
  std::tie(low, high) =
      boost::math::tools::toms748_solve(excess, low, high, at_low, std::min(excess(high), 0.0),
                                        boost::math::tools::eps_tolerance<double>(kBits), steps);
  return high;
}

Variance job_variance_from_history(std::span<const double> neighbour_differences) {
  if (neighbour_differences.size() < 3) return {};
  std::vector<double> sizes;
  for (const double difference : neighbour_differences) sizes.push_back(std::abs(difference));
  // The median of |N(0, 2σ²)| is 0.6745 σ √2. It has 37 % of the efficiency of a standard deviation.
  const double deviation = median(sizes) / (0.674490 * std::sqrt(2.0));
  return {deviation * deviation, kDegreesOfDifference * static_cast<double>(sizes.size())};
}

}  // namespace tracker::stats

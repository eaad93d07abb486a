#include "bench/kit/pacing.hpp"

#include <algorithm>
#include <cmath>

namespace tracker::kit {
namespace {

constexpr int kIdleFactor = 2;  // of the idling, with each retake

// The upper of the two middle ones, where there are two: a lack of power only lowers clocks.
double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Adds the clock to those known. True where it is as theirs, or not known.
bool has_usual_clock(const Burst& burst, std::vector<double>& clocks_mhz) {
  if (!burst.clock_mhz) return true;
  clocks_mhz.push_back(*burst.clock_mhz);
  return is_same_clock(*burst.clock_mhz, median_of(clocks_mhz));
}

// The burst that counts.
Burst take_at_usual_clock(const Pacing& pacing, const std::function<Burst(std::chrono::microseconds)>& take,
                          std::vector<double>& clocks_mhz, int& retaken) {
  auto idle = pacing.idle;
  std::vector<Burst> takes{take(idle)};
  while (!has_usual_clock(takes.back(), clocks_mhz) && retaken < pacing.retakes_max) {
    ++retaken;
    idle *= kIdleFactor;
    takes.push_back(take(idle));
  }
  if (takes.size() == 1) return takes.front();
  const double usual_mhz = median_of(clocks_mhz);
  const auto distance = [&](const Burst& burst) { return std::abs(burst.clock_mhz.value_or(0) - usual_mhz); };
  return *std::min_element(takes.begin(), takes.end(), [&](const Burst& one, const Burst& other) {
    return distance(one) < distance(other);
  });
}

}  // namespace

std::int64_t launches_per_repetition(double work_per_launch, const Budget& budget) {
  const double launches = std::round(budget.seconds * budget.work_per_s / work_per_launch);
  return std::clamp(static_cast<std::int64_t>(std::min(launches, 1e9)), budget.launches_min,
                    budget.launches_max);
}

const Pacing& pacing_of(devices::Arithmetic arithmetic) {
  return arithmetic == devices::Arithmetic::kFp32 ? kSteady : kBursts;
}

PacedRepetition take_repetition(const Pacing& pacing, std::int64_t launches, std::vector<double>& clocks_mhz,
                                const TakeBurst& take_burst) {
  PacedRepetition repetition;
  double sum_s = 0;
  double clocked_s = 0;
  double clock_sum = 0;
  std::int64_t done = 0;
  while (done < launches) {
    std::int64_t wanted = launches - done;
    const auto take = [&](std::chrono::microseconds idle) {
      const Burst burst = take_burst(done, wanted, idle);
      wanted = burst.launches;  // of a retake too
      return burst;
    };
    const Burst burst = take_at_usual_clock(pacing, take, clocks_mhz, repetition.retaken);
    ++repetition.bursts;
    done += std::max<std::int64_t>(burst.launches, 1);
    sum_s += burst.sum_s;
    if (!burst.clock_mhz) continue;
    clocked_s += burst.sum_s;
    clock_sum += *burst.clock_mhz * burst.sum_s;
  }
  if (done > 0) repetition.mean_s = sum_s / static_cast<double>(done);
  if (clocked_s > 0) repetition.clock_mhz = clock_sum / clocked_s;
  return repetition;
}

bool is_same_clock(double clock_mhz, double other_mhz) {
  return std::abs(clock_mhz - other_mhz) <= kClockTolerance * other_mhz;
}

bool burst_is_over(double taken_s, std::int64_t taken, std::int64_t left, std::chrono::microseconds burst) {
  constexpr std::int64_t kShareMin = 4;  // a rest of less than a quarter joins the burst
  const double burst_s = std::chrono::duration<double>(burst).count();
  return burst_s > 0 && taken_s >= burst_s && left * kShareMin >= taken;
}

std::int64_t launches_per_burst(std::int64_t launches, double launch_s, std::chrono::microseconds burst) {
  const double burst_s = std::chrono::duration<double>(burst).count();
  if (burst_s <= 0 || launch_s <= 0) return launches;
  const double bursts = std::clamp(std::ceil(static_cast<double>(launches) * launch_s / burst_s), 1.0,
                                   static_cast<double>(launches));
  return static_cast<std::int64_t>(std::ceil(static_cast<double>(launches) / bursts));
}

}  // namespace tracker::kit

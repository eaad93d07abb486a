#include "bench/pacing.hpp"

#include <algorithm>
#include <cmath>

namespace bench {
namespace {

constexpr int kIdleFactor = 2;  // of the idling, with each retake

}  // namespace

const Pacing& pacing_of(tracker::Arithmetic arithmetic) {
  return arithmetic == tracker::Arithmetic::kFp32 ? kSteady : kBursts;
}

PacedRepetition take_repetition(const Pacing& pacing, std::int64_t launches,
                                std::optional<double>& best_clock_mhz, const TakeBurst& take_burst) {
  PacedRepetition repetition;
  double sum_s = 0;
  double clocked_s = 0;
  double clock_sum = 0;
  std::int64_t done = 0;
  while (done < launches) {
    auto idle = pacing.idle;
    Burst burst = take_burst(done, launches - done, idle);
    while (is_lower_clock(burst.clock_mhz, best_clock_mhz) && repetition.retaken < pacing.retakes_max) {
      ++repetition.retaken;
      idle *= kIdleFactor;
      const Burst again = take_burst(done, burst.launches, idle);
      if (again.clock_mhz.value_or(0) > *burst.clock_mhz) burst = again;
    }
    ++repetition.bursts;
    done += std::max<std::int64_t>(burst.launches, 1);
    sum_s += burst.sum_s;
    if (!burst.clock_mhz) continue;
    best_clock_mhz = std::max(best_clock_mhz.value_or(0), *burst.clock_mhz);
    clocked_s += burst.sum_s;
    clock_sum += *burst.clock_mhz * burst.sum_s;
  }
  if (done > 0) repetition.mean_s = sum_s / static_cast<double>(done);
  if (clocked_s > 0) repetition.clock_mhz = clock_sum / clocked_s;
  return repetition;
}

bool is_lower_clock(const std::optional<double>& clock_mhz, const std::optional<double>& best_mhz) {
  return clock_mhz && best_mhz && *clock_mhz < *best_mhz * (1 - kClockTolerance);
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

}  // namespace bench

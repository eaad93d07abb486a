// How the launches of a repetition are spread over time, so that the device's power limit does not decide the
// clock: short bursts with idling before each; a burst at another clock than the kernel's others is taken
// again. Pure: neither CUDA nor Google Benchmark.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "tracker/devices/device_facts.hpp"

namespace tracker::kit {

// A repetition is a fixed number of launches, the same wherever and whenever it is measured: enough for
// `seconds` at a nominal rate that a plain variant reaches. Nothing is estimated at run time, so both
// sides of a comparison do the same, and wall time is bounded: a time to reach by manual time would leave
// the flushing between launches uncounted.
struct Budget {
  double work_per_s = 0;  // bytes or FLOPs
  double seconds = 0;
  std::int64_t launches_min = 1;
  std::int64_t launches_max = 1;
};
std::int64_t launches_per_repetition(double work_per_launch, const Budget& budget);

struct Pacing {
  std::string_view name;
  std::string_view reason;
  std::chrono::microseconds burst{};     // of the kernel's own time, without a pause; 0: the whole repetition
  std::chrono::microseconds idle{};      // at least so long before each burst
  std::chrono::microseconds hot_lead{};  // of work that is not timed, between the two, where launches are hot
  int retakes_max = 0;                   // bursts of a repetition that may be taken again
};

// The two ways of pacing; `reason` says when each fits.
inline constexpr Pacing kSteady{
    .name = "steady",
    .reason =
        "memory and FP32 lanes hardly meet the power limit: their times do not depend on what ran before"};
// 5 ms of work, then 8 ms of idling. docs/measuring.md shows what the clock does without it.
inline constexpr Pacing kBursts{
    .name = "bursts",
    .reason =
        "tensor cores meet the power limit within milliseconds: the clock then depends on what ran "
        "before, and recovers while the device idles",
    .burst = std::chrono::milliseconds{5},
    .idle = std::chrono::milliseconds{8},
    .hot_lead = std::chrono::microseconds{1500},
    .retakes_max = 2};

// What a kernel needs follows from what carries out its arithmetic.
const Pacing& pacing_of(devices::Arithmetic arithmetic);

// Launches that were timed without a pause between them.
struct Burst {
  double sum_s = 0;
  std::int64_t launches = 0;
  std::optional<double> clock_mhz;  // of the multiprocessors, while they ran
};

// All bursts of a repetition that count.
struct PacedRepetition {
  double mean_s = 0;                // of a launch
  std::optional<double> clock_mhz;  // the mean over the time
  int bursts = 0;
  int retaken = 0;  // bursts that were measured again
};

// Idles until the device has had `idle` without work, and times launches, from the repetition's `first` one
// up to `launches_max`: fewer where the burst's time is over, but at least one.
using TakeBurst =
    std::function<Burst(std::int64_t first, std::int64_t launches_max, std::chrono::microseconds idle)>;

// Takes bursts until all launches are timed. `clocks_mhz` are those of all bursts that this benchmark took in
// this process, and is added to. A burst whose clock is not near their median is taken again after twice the
// idling, up to the pacing's bound; of its takes the one nearest to the median counts.
PacedRepetition take_repetition(const Pacing& pacing, std::int64_t launches, std::vector<double>& clocks_mhz,
                                const TakeBurst& take_burst);

// A step of the clock is 15 MHz, 0.8 %; bursts of one kernel differ by 0.3 %.
inline constexpr double kClockTolerance = 0.005;
bool is_same_clock(double clock_mhz, double other_mhz);

// Whether a burst ends here. What would be left for the next one must be worth a burst of its own: the first
// launches after idling find another clock than later ones.
bool burst_is_over(double taken_s, std::int64_t taken, std::int64_t left, std::chrono::microseconds burst);

// Into how many launches a batch is cut so that one burst does not take longer than it may.
std::int64_t launches_per_burst(std::int64_t launches, double launch_s, std::chrono::microseconds burst);

}  // namespace tracker::kit

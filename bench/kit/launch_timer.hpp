// Times launches by CUDA events, on a stream that is held back until all is enqueued, so that what the host
// does in between stays out.
//
// Between two events lies also the way to a kernel and back: about 3 µs on an H200. It differs by 0.1 µs and
// more from one process to the next, from stream to stream and from event to event, and then stays; for a
// kernel of a few µs that is most of what invocations differ by. So launches take turns on several streams
// with several events each, and what an empty kernel takes on them is measured in every process: times are
// stated as if it were kNominalOverhead.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "bench/kit/counters.hpp"
#include "bench/kit/cuda_error.hpp"
#include "bench/kit/device_kernels.hpp"
#include "bench/kit/pacing.hpp"

struct CUevent_st;

namespace tracker::kit {

// About what an H200 has, so that times stay what two events around a launch show.
inline constexpr std::chrono::nanoseconds kNominalOverhead{3000};

// The launch waited for the device, or the host was too busy: the stream could not be held back.
class NotHeldBack : public CudaError {
 public:
  using CudaError::CudaError;
};

// All of it throws CudaError for what CUDA reports. A launch must have been warmed up before it is timed.
class LaunchTimer {
 public:
  // On streams of its own, or on the one that is given.
  explicit LaunchTimer(std::optional<Stream> given = {});
  ~LaunchTimer();
  LaunchTimer(const LaunchTimer&) = delete;
  LaunchTimer& operator=(const LaunchTimer&) = delete;

  Stream stream() const { return lanes_.front().stream; }
  // Since the last timed work.
  std::chrono::steady_clock::duration since_work() const {
    return std::chrono::steady_clock::now() - last_work_;
  }
  // False where launches are run one at a time anyway, and host time between them is part of the result.
  bool holds_back() const { return holds_back_; }

  // Runs it so often on every stream, or on the first one only where it is to be timed less often than
  // there are turns to take.
  void warm_up(const Launch& launch, std::int64_t times, std::int64_t timed_launches);

  // Measures this process' overhead on its streams; 1024 launches take about 0.1 s. Without it, or where the
  // stream is not held back, times are what the events show.
  void calibrate(std::span<float> flush, std::int64_t launches = 1024);
  std::optional<double> overhead_s() const { return overhead_s_; }

  // Waits until the device has had so long without timed work since the last burst began: what lies between
  // the launches of a cold burst, flushing and the host's own time, counts.
  void idle(std::chrono::microseconds time) const;
  // Work that is not timed, for about so long: it raises the clock after idling.
  void lead(std::span<float> flush, std::chrono::microseconds time);

  // Up to so many launches, and no further one once they took `burst` together (0: no bound). Each is alone
  // after the L2 cache was filled with the flush buffer, which shall be three times its size. The flush
  // writes, so the cache is full of lines yet to be written back: a launch pays for those, as it would in a
  // stream of other work, and its own last ones are left for the next. `first` is the place of the first one
  // in its repetition, and `repetition` how many launches that has.
  struct ColdBurst {
    std::int64_t first = 0;
    std::int64_t launches = 0;
    std::int64_t repetition = 0;
    std::chrono::microseconds burst{};
  };
  Burst cold_burst(const Launch& launch, const ColdBurst& wanted, std::span<float> flush);

  // So many launches in a row.
  Burst hot_burst(const Launch& launch, std::int64_t launches);

  // Launches in a row for a second, after half a second of the same: what the device keeps up under its power
  // limit. The host's launching is not hidden: kernels of a few µs may wait for it.
  struct Sustained {
    Burst burst;
    std::optional<double> power_w;  // of the whole board
  };
  Sustained sustained(const Launch& launch, const ReadEnergy& read_energy_j);

 private:
  // A stream with events of its own.
  struct Lane {
    Stream stream = nullptr;
    CUevent_st* start = nullptr;
    CUevent_st* stop = nullptr;
  };

  std::size_t lanes_for(std::int64_t launches) const;
  double elapsed_s(const Lane& lane, const Launch& launch, std::int64_t launches, std::span<float> flush);
  double with_nominal_overhead(const Launch& launch, double elapsed_s) const;

  Gate gate_;
  bool owns_streams_ = true;
  std::vector<Stream> streams_;
  std::vector<Lane> lanes_;
  std::unique_ptr<SmClock> clock_;
  std::chrono::steady_clock::time_point last_work_;
  std::chrono::steady_clock::duration rested_{};  // between the launches of the last burst
  bool holds_back_ = false;
  std::optional<double> overhead_s_;
};

}  // namespace tracker::kit

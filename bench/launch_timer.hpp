// Times launches by CUDA events, on a stream that is held back until all is enqueued, so that what the host
// does in between stays out.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <span>

#include "bench/gate.hpp"
#include "kernels/kernel.hpp"

struct CUevent_st;

namespace bench {

// Enqueues one launch and gives its cudaError_t.
using Launch = std::function<int(kernels::Stream)>;

// All of it throws CudaError for what CUDA reports. A launch must have been warmed up before it is timed.
class LaunchTimer {
 public:
  LaunchTimer();
  ~LaunchTimer();
  LaunchTimer(const LaunchTimer&) = delete;
  LaunchTimer& operator=(const LaunchTimer&) = delete;

  kernels::Stream stream() const { return stream_; }
  // False where launches are run one at a time anyway, and host time between them is part of the result.
  bool holds_back() const { return holds_back_; }

  void warm_up(const Launch& launch, std::int64_t launches);

  // One launch after the L2 cache was filled with the flush buffer, which shall be three times its size.
  // The flush writes, so the cache is full of lines yet to be written back: the launch pays for those, as
  // it would in a stream of other work, and its own last ones are left for the next.
  double cold_s(const Launch& launch, std::span<float> flush);

  // The mean of so many launches in a row.
  double hot_s(const Launch& launch, std::int64_t launches);

 private:
  double elapsed_s(const Launch& launch, std::int64_t launches, std::span<float> flush);

  Gate gate_;
  kernels::Stream stream_ = nullptr;
  CUevent_st* start_ = nullptr;
  CUevent_st* stop_ = nullptr;
  bool holds_back_ = false;
};

}  // namespace bench

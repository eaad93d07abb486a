// The SM clock while something ran, counted by the device itself: the cycles that its multiprocessors
// counted, by the time that passed on the device's timer. NVML tells the clock of the moment when it is
// asked; this is the mean over what was timed.
#pragma once

#include <cstdint>
#include <optional>

#include "kernels/kernel.hpp"

namespace bench {

struct SmReading;  // of one multiprocessor

class SmClock {
 public:
  explicit SmClock(kernels::Stream stream);  // loads its kernels; throws CudaError
  ~SmClock();
  SmClock(const SmClock&) = delete;
  SmClock& operator=(const SmClock&) = delete;

  // Enqueues reading all multiprocessors' counters, before and after what is watched. Spans are added up
  // until they are taken.
  void start(kernels::Stream stream);
  void stop(kernels::Stream stream);

  // Of the spans since the last call; empty without any. The streams must have been synchronised.
  std::optional<double> take_mhz();

 private:
  SmReading* readings_ = nullptr;  // on the device
  unsigned blocks_ = 1;
  std::uint64_t ticket_ = 0;
  std::uint64_t cycles_ = 0;  // of all multiprocessors, when they were last taken
  std::uint64_t time_ns_ = 0;
};

}  // namespace bench

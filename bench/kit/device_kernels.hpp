// The kernels of the kit itself: random data, the gate, the clock, and one that does nothing.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "tracker/bench.hpp"

namespace tracker::kit {

// CUDA's stream, without its header. Null is the default stream.
using Stream = GpuStream;

// Kernels that are not measured: random data made on the device, and one that does nothing.

// Enqueues writing `count` floats, uniform in [-1, 1): each a hash of its index and the seed, so that the
// same call gives the same data. Throws CudaError.
void fill_random(float* data, std::size_t count, std::uint32_t seed, Stream stream);

// `count` bfloat16 values, as their bits: the upper half of such a float32.
void fill_random_bf16(std::uint16_t* data, std::size_t count, std::uint32_t seed, Stream stream);

// `count` e4m3 values (4 bits of exponent, 3 of mantissa), as their bits: the nearest to such a float32.
void fill_random_e4m3(std::uint8_t* data, std::size_t count, std::uint32_t seed, Stream stream);

// Enqueues a kernel that does nothing; gives its cudaError_t.
int launch_empty(Stream stream);

// Holds a stream back until the host has enqueued everything that is to run without gaps: a kernel that
// waits for a flag in host memory.
//
// While the gate is closed, nothing may be called that waits for the device or for another kernel's
// machine code to be loaded: everything behind the gate must have run once before. Should it happen all
// the same, the waiting kernel gives up after a while, and the gate says so.

class Gate {
 public:
  Gate();  // throws CudaError
  ~Gate();
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

  // Enqueues the wait. Throws CudaError.
  void close(Stream stream, std::chrono::nanoseconds timeout);
  void open() noexcept;

  // Whether the last wait ended by its time-out; to be asked after the stream was synchronised.
  bool gave_up() const;

 private:
  struct Flags;
  Flags* host_ = nullptr;    // page-locked
  Flags* device_ = nullptr;  // the same memory, as the device sees it
  std::uint64_t ticket_ = 0;
};

// Whether a stream can be held back here at all: not where every launch waits for its end
// (CUDA_LAUNCH_BLOCKING, profilers). Takes less than a second.
bool gate_works(Gate& gate, Stream stream);

// The SM clock while something ran, counted by the device itself: the cycles that its multiprocessors
// counted, by the time that passed on the device's timer. NVML tells the clock of the moment when it is
// asked; this is the mean over what was timed.

struct SmReading;  // of one multiprocessor

class SmClock {
 public:
  explicit SmClock(Stream stream);  // loads its kernels; throws CudaError
  ~SmClock();
  SmClock(const SmClock&) = delete;
  SmClock& operator=(const SmClock&) = delete;

  // Enqueues reading all multiprocessors' counters, before and after what is watched. Spans are added up
  // until they are taken.
  void start(Stream stream);
  void stop(Stream stream);

  // Of the spans since the last call; empty without any. The streams must have been synchronised.
  std::optional<double> take_mhz();

 private:
  SmReading* readings_ = nullptr;  // on the device
  unsigned blocks_ = 1;
  std::uint64_t ticket_ = 0;
  std::uint64_t cycles_ = 0;  // of all multiprocessors, when they were last taken
  std::uint64_t time_ns_ = 0;
};

}  // namespace tracker::kit

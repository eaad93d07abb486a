// Holds a stream back until the host has enqueued everything that is to run without gaps: a kernel that
// waits for a flag in host memory.
//
// While the gate is closed, nothing may be called that waits for the device or for another kernel's
// machine code to be loaded: everything behind the gate must have run once before. Should it happen all
// the same, the waiting kernel gives up after a while, and the gate says so.
#pragma once

#include <chrono>
#include <cstdint>

#include "kernels/kernel.hpp"

namespace bench {

class Gate {
 public:
  Gate();  // throws CudaError
  ~Gate();
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

  // Enqueues the wait. Throws CudaError.
  void close(kernels::Stream stream, std::chrono::nanoseconds timeout);
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
bool gate_works(Gate& gate, kernels::Stream stream);

}  // namespace bench

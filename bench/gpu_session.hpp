// What the benchmarks of one CUDA context share: the timer and the memory.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "bench/arena.hpp"
#include "bench/launch_timer.hpp"

namespace bench {

class GpuSession {
 public:
  // `buffers` are the family's matrices at their largest. prepare() works for `wake_time`. Throws CudaError.
  GpuSession(std::vector<BufferSpec> buffers, std::size_t flush_bytes, std::chrono::milliseconds wake_time);

  LaunchTimer& timer() { return timer_; }

  // At its first call: allocates and fills all memory, works for a moment so that no benchmark is the one
  // that finds the clocks low, and calibrates the timer. Throws CudaError, each time, where memory does not
  // suffice.
  void prepare();
  std::span<float> buffer(std::size_t index) const { return arena_->buffer(index); }
  // A matrix of so many elements in that buffer: where it is smaller than the buffer, every turn has another
  // place, so that no result rests on where in memory one of them happens to lie.
  void* place_bytes(std::size_t index, std::size_t bytes, std::uint64_t turn) const;
  float* place(std::size_t index, std::size_t elements, std::uint64_t turn) const {
    return static_cast<float*>(place_bytes(index, elements * sizeof(float), turn));
  }
  std::span<float> flush_buffer() const { return arena_->buffer(specs_.size() - 1); }

 private:
  LaunchTimer timer_;
  std::vector<BufferSpec> specs_;
  std::chrono::milliseconds wake_time_;
  std::unique_ptr<Arena> arena_;
};

}  // namespace bench

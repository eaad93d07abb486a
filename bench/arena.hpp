// All device memory of a benchmark process: allocated once and whole, so that every benchmark finds its data
// at the same addresses whichever others run beside it.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "kernels/kernel.hpp"

namespace bench {

// The largest use of one matrix of a family.
struct BufferSpec {
  std::string name;
  std::size_t elements = 0;
};

class Arena {
 public:
  // Allocates and fills every buffer with random data. Throws CudaError; where memory does not suffice, it
  // names what is needed and what is there.
  Arena(const std::vector<BufferSpec>& specs, kernels::Stream stream);
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // In the order of the specs.
  std::span<float> buffer(std::size_t index) const { return buffers_.at(index); }

 private:
  void* memory_ = nullptr;
  std::vector<std::span<float>> buffers_;
};

}  // namespace bench

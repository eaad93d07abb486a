// All device memory of a benchmark process: allocated once and whole, so that every benchmark finds its data
// at the same addresses whichever others run beside it.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "kernels/kernel.hpp"

namespace bench {

enum class Element { kFloat32, kBf16, kE4m3 };

std::size_t bytes_of(Element element);

// The largest use of one matrix of a family.
struct BufferSpec {
  std::string name;
  std::size_t elements = 0;
  Element element = Element::kFloat32;
};

std::size_t bytes_of(const BufferSpec& spec);

class Arena {
 public:
  // Allocates and fills every buffer with random values of its type. Throws CudaError; where memory does not
  // suffice, it names what is needed and what is there.
  Arena(const std::vector<BufferSpec>& specs, kernels::Stream stream);
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // In the order of the specs.
  std::span<std::byte> bytes(std::size_t index) const { return buffers_.at(index); }
  // Of floats.
  std::span<float> buffer(std::size_t index) const;

 private:
  void* memory_ = nullptr;
  std::vector<std::span<std::byte>> buffers_;
};

}  // namespace bench

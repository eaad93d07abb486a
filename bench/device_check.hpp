// Checks results on the device, where they lie: a few ms for the largest.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/kernel.hpp"
#include "kernels/transpose.hpp"
#include "tracker/bench.hpp"

namespace bench {

using tracker::Element;
using tracker::ResultError;

// Waits for the stream, and compares every element: out is the input's transpose, or its copy.
ResultError check_transpose(const kernels::TransposeProblem& problem, bool is_copy, kernels::Stream stream);

// C = A · B, on the device. A is m × k and C is m × n, row-major. B is k × n, row-major, or `b_is_k_major`:
// n × k.
struct CheckedProduct {
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;
  const void* a = nullptr;
  const void* b = nullptr;
  const void* c = nullptr;
  bool b_is_k_major = false;
  Element element = Element::kFloat32;  // of A and B
  Element result = Element::kFloat32;   // of C
  tracker::devices::Arithmetic arithmetic = tracker::devices::Arithmetic::kFp32;
};

// Waits for the stream. In every row of C, each 64 columns are added up with weights that differ, and so are
// those of B: A times the latter must be the former (Freivalds' check, by groups of columns). So each
// element is checked, for a 64th of the product's work, in double.
ResultError check_product(const CheckedProduct& product, kernels::Stream stream);

}  // namespace bench

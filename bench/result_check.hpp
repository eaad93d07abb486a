// Whether a kernel computed the right thing, before it is timed. Pure: neither CUDA nor Google Benchmark.
#pragma once

#include <optional>
#include <string>

#include "tracker/devices/gpu_facts.hpp"

namespace bench {

// How far a result is from what it should be, and how far it may be. A result that was not written, or is
// not a number, is infinitely far.
struct ResultError {
  double error = 0;
  double bound = 0;
};

// For what is computed exactly: the share of elements that are wrong. None may be.
ResultError exact_error(double wrong, double all);

// For products: the largest error, in units of the result's root mean square. The bound follows from what
// the arithmetic rounds: float32 sums; bf16 results; operands cut to TF32.
ResultError product_error(double largest, double root_mean_square, tracker::Arithmetic arithmetic);

// Empty where the result is right.
std::optional<std::string> wrong_result(const ResultError& error);

}  // namespace bench

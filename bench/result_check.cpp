#include "bench/result_check.hpp"

#include <cmath>
#include <cstdio>
#include <limits>

namespace bench {
namespace {

// Sums of 8192 products in float32 are off by some 1e-6.
constexpr double kFp32Bound = 1e-4;
// A bf16 result is rounded by up to 2^-8, operands cut to TF32 lose up to 2^-10: among a million weighted
// sums the largest error is about 0.008; FP8 sums, which keep fewer bits on their way, are off by 0.015. One
// k-step of 64 left out of 8192 gives 0.4.
constexpr double kTensorBound = 0.03;

}  // namespace

ResultError exact_error(double wrong, double all) {
  return {.error = all > 0 ? wrong / all : 0, .bound = 0};
}

ResultError product_error(double largest, double root_mean_square, tracker::Arithmetic arithmetic) {
  const double bound = arithmetic == tracker::Arithmetic::kFp32 ? kFp32Bound : kTensorBound;
  const bool known = std::isfinite(largest) && std::isfinite(root_mean_square);
  if (known && largest == 0) return {.error = 0, .bound = bound};
  if (!known || root_mean_square <= 0)
    return {.error = std::numeric_limits<double>::infinity(), .bound = bound};
  return {.error = largest / root_mean_square, .bound = bound};
}

std::optional<std::string> wrong_result(const ResultError& error) {
  if (error.error <= error.bound) return {};  // never for NaN
  char text[128];
  if (error.bound == 0)
    std::snprintf(text, sizeof(text), "wrong result: %.3g %% of its elements differ from the reference",
                  100 * error.error);
  else if (std::isfinite(error.error))
    std::snprintf(text, sizeof(text),
                  "wrong result: off by %.3g of its root mean square, and rounding explains %.3g",
                  error.error, error.bound);
  else
    std::snprintf(text, sizeof(text), "wrong result: elements are not written, or not finite");
  return text;
}

}  // namespace bench

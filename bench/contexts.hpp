// What a kernel gave in several CUDA contexts, one after the other: how well their mean is known, and the
// repetition that they are together. Pure: neither CUDA nor Google Benchmark's state.
#pragma once

#include <optional>
#include <span>
#include <string>

#include <benchmark/benchmark.h>

#include "bench/counters.hpp"

namespace bench {

// What a kernel gave in one CUDA context, or why it gave nothing.
struct Outcome {
  std::string error;
  Measured measured;
  benchmark::UserCounters conditions;
  std::optional<double> overhead_s;  // of a launch
};

// The mean of a kernel's contexts is known well enough where its standard error is no larger. Contexts of one
// kernel differ by 0.1 to 0.4 % (standard deviation), at most by 1.1 % (cuBLAS TF32 1024³).
inline constexpr double kStandardErrorMax = 0.0025;
// Times that lie farther apart are measured again also where they agree at the same clock: one context in a
// thousand is 2 to 13 % off.
inline constexpr double kContextSpreadMax = 0.02;
// Of a process: a further context takes 0.3 s.
inline constexpr int kFurtherContextsMax = 5;

// How many of so many values are left out at each end: a fifth.
std::size_t trimmed_at_each_end(std::size_t count);

// Of the mean of what trimmed_at_each_end() leaves, as a share of it; infinite for fewer than two values.
// (Tukey and McLaughlin 1963, "Less vulnerable confidence and significance procedures for location": the
// values left out count as if each were as far out as what is left goes.)
double standard_error(std::span<const double> values);

// The largest less the smallest time, over the median; 0 of one.
double spread_of(std::span<const Outcome> contexts);

// Whether a repetition needs no further context: its mean time is known well enough, or it is at the same
// clock and no time is far off. How far a kernel follows the clock is its own: its times are taken to fall
// with the clock as they are, with its square root, or in proportion to it. Where that makes them agree, the
// clock makes the difference; it lasts for seconds, so that a few contexts more would not average it. True of
// fewer than two contexts, and where one has an error: measuring again would not take it away.
bool contexts_suffice(std::span<const Outcome> contexts);

// A repetition of several contexts: the first error, or means and conditions_of() of those whose times count.
// The fastest and the slowest ones (trimmed_at_each_end) are left out with all that they say, as many on
// either side, so that neither side of a comparison gains. The last `further` were measured as the others did
// not suffice.
Outcome repetition_of(std::span<const Outcome> contexts, int further);

}  // namespace bench

// What both sides measured and what is no comparison of their code all the same: measured otherwise, on
// another machine, on a board that was ill, or after the work was optimised away.
#pragma once

#include <optional>
#include <string>

#include "tracker/judge/evidence.hpp"
#include "tracker/model/comparison.hpp"
#include "tracker/model/policy.hpp"

namespace tracker::judge {

// Of a benchmark that both sides measured; empty where the two can be compared. tracker.toml may say that the
// machine changed between sides of different jobs.
std::optional<Reason> why_not_comparable(const BenchmarkEvidence& evidence, const Policy& policy,
                                         Distance distance);

// How a benchmark's metric was measured, as far as its values hang on that: a line each, a name, a tab and a
// value. `library`: the release of Google Benchmark; empty where it is not known.
std::string method_of(const Benchmark& benchmark, const std::string& library, const Metric& metric);

// "iterations 1000 → 1" of two methods; empty where both are the same. What one of them does not know of a
// release of the library and of repetitions is no difference.
std::string methods_apart(const std::string& before, const std::string& after);

// Repetitions as their library made them; zeros where that is not known.
struct Repetition {
  double fewest = 0;   // number of iterations
  double most = 0;     // number of iterations
  double time_ns = 0;  // the least, of an iteration
};
double length_ns(const Repetition& repetition);
// Whether all of one were told to take longer than all of the other (--benchmark_min_time).
bool lengths_apart(const Repetition& before, const Repetition& now);

// Whether the metric's statistic hangs on how many repetitions there are, and these are too many more.
bool counts_apart(const Metric& metric, double before, double now);

// The names of such lines in a method.
inline constexpr char kRepetition[] = "a repetition of";
inline constexpr char kRepetitions[] = "repetitions";

}  // namespace tracker::judge

// What both sides measured and what is no comparison of their code all the same: measured otherwise, on
// another machine, on a board that was ill, or after the work was optimised away.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tracker/judge/verdict/runs.hpp"
#include "tracker/model/policy.hpp"
#include "tracker/model/reason.hpp"

namespace tracker {

// One side of a benchmark, measured in these runs.
struct MeasuredSide {
  Runs runs;
  const Benchmark& benchmark;  // as the newest run has it
  bool exact = false;          // every value of it is the same: a count, which no machine and no method moves
};

// Empty where the two can be compared.
std::optional<Reason> why_not_comparable(const MeasuredSide& base, const MeasuredSide& candidate,
                                         const Gate& gate);

// Where tracker.toml says that the machine changed between two sides of different jobs.
std::optional<Reason> machine_changed_between(const std::vector<Waiver>& changes, const Benchmark& benchmark);

// What the release of Google Benchmark on each side makes of a benchmark's metric, in words; empty where both
// mean the same.
std::string meaning_changed(const std::string& base_library, const std::string& candidate_library,
                            const Benchmark& benchmark, const Metric& metric);

// How a benchmark's metric was measured, as far as its values hang on that: a line each, a name, a tab and a
// value. `library`: the release of Google Benchmark; empty where it is not known.
std::string method_of(const Benchmark& benchmark, const std::string& library, const Metric& metric);

// "iterations 1000 → 1" of two methods; empty where both are the same. What one of them does not know of a
// release of the library and of repetitions is no difference.
std::string methods_apart(const std::string& before, const std::string& after);

// Repetitions as their library made them; zeros where that is not known.
struct Repetition {
  double fewest = 0;  // iterations
  double most = 0;
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

}  // namespace tracker

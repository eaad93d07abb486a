// Hardware counters by the names that kernel programmers know, nvprof's where it had one, made of ncu's
// metrics; and what they have to do with the time: of the variants of one kernel, and of one benchmark at two
// commits. Pure.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tracker/model/metric.hpp"
#include "tracker/model/run.hpp"

namespace tracker::profile {

// How a counter's value is made of its metrics.
enum class Combine {
  kFirst,            // the first
  kFirstThere,       // the first that this GPU counts
  kFirstUnlessZero,  // the first; nothing where it is 0, which says that there was nothing to take a share of
  kRatio,            // first ÷ second; nothing where the second is 0
  kFirstIfSecond,    // the first; nothing where the second is 0, likewise
  kShareOfWarp,      // the first in per cent of a warp's 32 threads
  kShareOfFirst,     // of the first, as many per cent as the second says; nothing where the first is 0
  kWavefronts,       // the first, turns of shared memory, in bytes
  kProductRatio,     // first × second ÷ (third × fourth); nothing where there is nothing to divide, or by
  kSum               // of all
};

struct Counter {
  std::string name;                  // "gld_efficiency"
  std::vector<std::string> metrics;  // ncu's
  Combine combine = Combine::kFirst;
  std::string unit;  // "%", "B", "B/s" or empty
  Better better = Better::kHigher;
  bool in_table = false;  // printed without --all
  std::string summary;    // one line
};

// The table, one row a counter.
const std::vector<Counter>& counters();

// All metrics of the table, each once, and what the choice of a kernel needs: what ncu is asked for.
std::vector<std::string> wanted_metrics();

// The time a launch took under ncu. It tells which of several kernels is the benchmark's; it is no sample,
// and kept nowhere.
inline constexpr const char* kDurationMetric = "gpu__time_duration.sum";

// In the counter's unit. Nothing where the GPU does not count it, or the kernel does nothing of the kind.
std::optional<double> counter_value(const Counter& counter, const ProfiledBenchmark& benchmark);

// Whether the metrics that it is made of are there; otherwise this GPU, or this ncu, does not count it.
bool is_counted(const Counter& counter, const ProfiledBenchmark& benchmark);

// "12.5 %", "3.48 TB/s", "4", "1.05 M"; "–" for what is not finite.
std::string format_counter(double value, const std::string& unit);

// One counter of a benchmark at two commits.
struct CounterRow {
  std::string name;
  std::string unit;
  Better better = Better::kHigher;
  std::string summary;
  std::optional<double> base;  // in the unit
  std::optional<double> candidate;
};

// In the order of the table, those that at least one side has a value of. Either may be null.
std::vector<CounterRow> counter_rows(const ProfiledBenchmark* base, const ProfiledBenchmark* candidate);

using TimesS = std::map<std::string, double>;  // by benchmark: of a launch without a profiler, in seconds

// A counter that puts the variants in about the order of their times.
struct FollowingCounter {
  const Counter* counter = nullptr;
  // Kendall's τ-b with the time, a correlation from -1 to 1. Above 0: worse where it is slower.
  double agreement = 0;
  // The counter of the fastest and of the slowest variant, in its unit.
  double of_fastest = 0;
  double of_slowest = 0;
};

// Those of the table's counters, rates aside, that agree by 0.6 and more, best first, and of several that say
// the same (all variants in one order) the first. Nothing of fewer than four variants with a time. That a
// counter goes with the time does not say that it makes it.
std::vector<FollowingCounter> counters_that_follow(const Profile& profile, const TimesS& times_s);

// A counter by which some variants are worse than the fastest.
struct SlowingCounter {
  const Counter* counter = nullptr;
  double of_fastest = 0;                           // in the counter's unit
  std::vector<const ProfiledBenchmark*> variants;  // the fastest of them first
};

// Of each variant that takes 5 % longer than the fastest: the counter of the table by which it is worst, as a
// ratio of 1.5 and more. Rates, utilizations and stalls, which follow from a time, are left out. In the order
// of the times.
std::vector<SlowingCounter> counters_that_slow(const Profile& profile, const TimesS& times_s);

// The benchmarks that have a time, the fastest first.
std::vector<const ProfiledBenchmark*> by_time(const Profile& profile, const TimesS& times_s);

// A counter of one benchmark that is another one at the candidate's commit.
struct MovedCounter {
  const Counter* counter = nullptr;
  double base = 0;  // in its unit
  double candidate = 0;
  bool worse = false;
};

// Those that moved most first, by the larger over the smaller value: by 5 % and more, shares by two points as
// well. Left out are throughputs and utilizations, which follow from the time, totals that stay below 1 % of
// the largest of their unit, and of several that moved by the same factor all but the first of the table.
std::vector<MovedCounter> counters_that_moved(const ProfiledBenchmark& base,
                                              const ProfiledBenchmark& candidate);

}  // namespace tracker::profile

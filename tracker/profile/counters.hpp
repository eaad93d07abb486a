// Hardware counters by the names that kernel programmers know, nvprof's where it had one, made of ncu's
// metrics. Pure.
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

}  // namespace tracker::profile

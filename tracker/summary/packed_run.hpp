// What a history needs of a run, as bytes in parts: what the run says of itself, and a row for each of its
// benchmarks.
//
// Of the repetitions of an invocation a row keeps the least time and the one or two in the middle, and of a
// counter the greatest value as well. The median, and the fastest, of what is kept are those of all of them:
// every metric is either such a value itself or runs with the time, up or down. So metric_values() gives the
// same numbers, bit for bit. What looks at single repetitions (the two sides of a comparison, charts of
// samples) needs the document.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tracker/model/run.hpp"

namespace tracker {

// The counters whose samples matter, by their names; all where it is empty.
using WantedCounters = std::optional<std::set<std::string>>;

// False for what the above does not hold for: such a run is read from its document.
bool can_be_packed(const Run& run);

// Changes with the fields that are packed.
std::string packed_format();

// Device, software and host, which many runs share.
std::string pack_environment(const Run& run);
void unpack_environment(std::string_view bytes, Run& run);

// All else but the benchmarks and the samples. Invocations come back without samples.
std::string pack_frame(const Run& run);
void unpack_frame(std::string_view bytes, Run& run);

// A benchmark without the values of its counters, which many runs share, and the names of the counters that
// vary.
struct BenchmarkText {
  Benchmark benchmark;                // its counters are there, as 0
  std::vector<std::string> counters;  // those of its samples, in order
};
BenchmarkText benchmark_text(const Run& run, const Benchmark& benchmark);
std::string pack_text(const BenchmarkText& text);
BenchmarkText unpack_text(std::string_view bytes);

// The values of one benchmark in one run: after those of its counters its samples, invocation by invocation.
std::string pack_values(const Run& run, const Benchmark& benchmark, const BenchmarkText& text);
// Puts the counters into `benchmark`, which is a copy of the text's, and the samples into the run's
// invocations.
// Of the counters that vary, only those that are wanted.
void unpack_values(std::string_view bytes, const BenchmarkText& text, const WantedCounters& wanted,
                   Benchmark& benchmark, Run& run);

}  // namespace tracker

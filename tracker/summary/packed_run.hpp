// What a history needs of a run, as bytes in parts: what the run says of itself, and a row of a chunk
// (chunk.hpp) for each of its benchmarks.
//
// Of the repetitions of an invocation a row keeps the least time and the one or two in the middle, and of a
// counter the greatest value as well. The median, and the fastest, of what is kept are those of all of them:
// every metric is either such a value itself or runs with the time, up or down. So metric_values() gives the
// same numbers, bit for bit. What looks at single repetitions (the two sides of a comparison, charts of
// samples) needs the document.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tracker/model/noise_history.hpp"
#include "tracker/summary/chunk.hpp"

namespace tracker::summary {

// The counters whose samples matter, by their names; all where it is empty.
using WantedCounters = std::optional<std::set<std::string>>;

// False for what the above does not hold for: such a run is read from its document.
bool can_be_packed(const Run& run);

// Changes with the fields that are packed.
std::string packed_format();

// Device, software and host, which many runs share; throws Damaged.
void unpack_environment(std::string_view bytes, Run& run);

// All else but the benchmarks and the samples; throws Damaged.
void unpack_frame(std::string_view bytes, Run& run);

// A benchmark without the values of its counters, which many runs share, and the names of the counters that
// vary.
struct BenchmarkText {
  Benchmark benchmark;                // its counters are there, as 0
  std::vector<std::string> counters;  // those of its samples, in order
  std::size_t constants = 0;          // how many a row has
  std::vector<std::size_t> places;    // of benchmark.counters among them
};
// Throws Damaged.
BenchmarkText unpack_text(std::string_view bytes);

// Leaves of all samples what a row keeps of them: packed before and after, the run gives the same bytes.
// can_be_packed() must hold, and the run have its samples whole.
void keep_summary(Run& run);

// All of it.
struct PackedBenchmark {
  std::string name;
  std::string text;
  ChunkRun values;
};
struct PackedRun {
  std::string environment;
  std::string frame;
  std::vector<PackedBenchmark> benchmarks;
};
// Nothing where can_be_packed() says so.
std::optional<PackedRun> pack_run(const Run& run);

// A chunk whose rows can be put into runs, by any number of threads: those of the runs from this number on.
// Of the counters that vary, only those that are wanted.
class UnpackedChunk {
 public:
  UnpackedChunk(std::string bytes, const WantedCounters& wanted, std::int64_t from_number);
  // Before rows are put whose text has counters.
  void unpack_constants() { constants_ = chunk_.constants(first_row_); }
  UnpackedChunk(const UnpackedChunk&) = delete;
  UnpackedChunk& operator=(const UnpackedChunk&) = delete;

  const std::vector<Chunk::Row>& rows() const { return chunk_.rows(); }
  // Into a run that has its invocations, and its benchmark, which becomes a copy of the text's. Benchmarks of
  // one run are put in the order of their names. Throws Damaged for a row that does not fit the run.
  void put(std::size_t row, const BenchmarkText& text, Run& run, Benchmark& benchmark) const;
  // Whether the values are times alone; then those of some rows that have the same text, which must have no
  // counters, can also be had as these. `place`: of the row's run among `runs`, which have their invocations.
  // Throws Damaged as above.
  bool has_times_alone() const { return counters_.empty(); }
  struct RowOfRun {
    std::size_t row = 0;
    std::uint32_t place = 0;
  };
  BenchmarkTimes times_of(std::span<const RowOfRun> rows, const BenchmarkText& text,
                          const std::vector<Run>& runs) const;

 private:
  // Where the row's times begin in real_times_ and cpu_times_.
  std::size_t first_time(const Chunk::Row& row) const {
    return row.first_time - rows()[first_row_].first_time;
  }

  std::string bytes_;
  Chunk chunk_;
  std::size_t first_row_ = 0;      // that can be put
  std::vector<double> constants_;  // of this and the following rows, as the times
  std::vector<double> real_times_;
  std::vector<double> cpu_times_;
  std::vector<std::pair<std::string, Chunk::CounterColumn>> counters_;
};

}  // namespace tracker::summary

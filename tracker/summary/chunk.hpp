// The values of one benchmark in some runs of a device that follow one another, as bytes: each kind of value
// is a column, so that a trend reads only the one it is of.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tracker/model/run.hpp"

namespace tracker::summary {

// Of a counter that varies, what is kept of each sampled invocation: how many values, none where it lacks the
// counter.
struct CounterValues {
  std::vector<std::uint32_t> counts;
  std::vector<double> values;
};

// Of a benchmark's repetitions, as rough() has it.
struct RoughIterations {
  std::uint8_t fewest = 0;
  std::uint8_t most = 0;
};

// One run of a chunk. What is kept of the times of an invocation: kept_times() values.
struct ChunkRun {
  std::int64_t number = 0;  // of the run: larger than that of the one before
  std::int64_t text = 0;    // the part that says what the benchmark is
  RoughIterations iterations = {};
  std::vector<SampledInvocation> sampled;
  std::vector<double> constants;  // the counters that are equal in all samples, each in its own unit
  std::vector<double> real_times;
  std::vector<double> cpu_times;
  std::map<std::string, CounterValues> counters;
};

// The bytes that Chunk reads.
std::string pack_chunk(const std::vector<ChunkRun>& runs);

// Reads a chunk column by column. The bytes must outlive it. All functions throw Damaged for what no
// chunk says.
class Chunk {
 public:
  struct Row {
    std::int64_t number = 0;
    std::int64_t text = 0;
    RoughIterations iterations = {};
    std::uint32_t shape = 0;
    std::uint32_t constants = 0;  // how many
    // Where the row's begin in the whole columns.
    std::size_t first_constant = 0;
    std::size_t first_time = 0;
  };
  // The values of one counter, row after row: of a row that lacks it no counts, else one for each sampled
  // invocation.
  struct CounterColumn {
    std::vector<std::vector<std::uint32_t>> counts;
    std::vector<std::size_t> first;  // where the row's begin
    std::vector<double> values;
  };

  explicit Chunk(std::string_view bytes);

  const std::vector<Row>& rows() const { return rows_; }
  const std::vector<SampledInvocation>& sampled(const Row& row) const { return shapes_[row.shape]; }
  const std::vector<std::vector<SampledInvocation>>& shapes() const { return shapes_; }
  // How many times are kept of the row.
  std::size_t times_of(const Row& row) const { return times_of_shape_[row.shape]; }

  // Row after row, without the first so many.
  std::vector<double> constants(std::size_t from_row = 0) const;
  std::vector<double> real_times(std::size_t from_row = 0) const { return times(real_times_, from_row); }
  std::vector<double> cpu_times(std::size_t from_row = 0) const { return times(cpu_times_, from_row); }
  std::vector<std::string> counter_names() const;
  CounterColumn counter(const std::string& name) const;  // as if no row had it where it is unknown

 private:
  std::vector<double> times(std::string_view column, std::size_t from_row) const;
  template <typename CountOf>  // how many values a row has
  std::vector<double> unpack_rows(std::string_view column, std::size_t from_row, CountOf count_of) const;

  std::vector<Row> rows_;
  std::vector<std::vector<SampledInvocation>> shapes_;
  std::vector<std::size_t> times_of_shape_;
  std::string_view constants_;
  std::string_view real_times_;
  std::string_view cpu_times_;
  std::map<std::string, std::string_view, std::less<>> counters_;
};

// All that pack_chunk() was given. Damaged for what no chunk says.
std::vector<ChunkRun> unpack_chunk(std::string_view bytes);

}  // namespace tracker::summary

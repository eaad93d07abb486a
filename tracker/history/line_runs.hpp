// The runs of a device's line, as series are made of them: the columns of a store's summaries, or runs that
// are at hand. Series are made of both in one way (series.cpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tracker/history/history.hpp"
#include "tracker/history/point_conditions.hpp"
#include "tracker/history/sentinel.hpp"
#include "tracker/model/metric.hpp"
#include "tracker/model/run.hpp"
#include "tracker/model/series.hpp"
#include "tracker/repo/repository.hpp"
#include "tracker/summary/run_summaries.hpp"

namespace tracker::history {

// What points need of a run, whatever its benchmarks.
struct LineRun {
  RunConditions facts;
  std::size_t list = 0;  // of its benchmarks
  std::uint32_t description = 0;
  bool is_dirty = false;
  std::string library;  // the release of Google Benchmark; empty where it is not known
  std::uint16_t era = kNoEra;
};

// What one benchmark of a run gives a point, by one metric.
struct RunValues {
  bool has_benchmark = false;  // and no error
  std::size_t first = 0;       // of LineValues::values: one for each invocation that counts and has a value
  std::size_t count = 0;
  std::size_t repetitions = 0;                 // of the invocations that count
  std::span<const std::uint32_t> invocations;  // the places of those that have it
  SharedText method;
  PointRepetitions made_of;
};

// The values of one benchmark over the line, by one metric.
struct LineValues {
  std::vector<RunValues> runs;
  std::vector<double> values;
  // Run after run, the counters that are asked for; those that are not equal in all samples are not a number.
  std::vector<double> counters;
  std::vector<std::unique_ptr<std::vector<std::uint32_t>>> places;  // that the runs' invocations lie in
};

// Puts the benchmark's values in this run behind `to.values`.
RunValues values_in(const Run& run, const Benchmark& benchmark, const Metric& metric, LineValues& to);

// A benchmark by its name in the documents, with what is read once for all questions about it.
struct SeriesRows {
  std::int64_t series = 0;
  std::vector<std::string> chunks;  // of columns
};

class LineRuns {
 public:
  virtual ~LineRuns() = default;

  // Calls `visit` for each run, in the order of time, with all that it says of itself, its place among the
  // commits of the line (−1: on none of them), and its list of benchmarks, which many runs share.
  using Visit = std::function<void(const Run& frame, std::int64_t commit, std::int64_t list)>;
  virtual void for_each(const Visit& visit) const = 0;
  virtual Device device_of(std::size_t run) const = 0;
  // The series of a list of benchmarks, in its order; and the benchmark's name in the documents.
  virtual std::vector<std::int64_t> series_in(std::int64_t list) const = 0;
  virtual const std::string& name_of(std::int64_t series) const = 0;

  // By any thread:

  virtual SeriesRows rows_of(std::int64_t series) const = 0;
  // What the benchmark is in a run that has it.
  virtual Benchmark benchmark_in(std::size_t run, const SeriesRows& rows) const = 0;
  // Adds the values in those runs whose list of benchmarks is to have the series: `series_of_lists`.
  struct Asked {
    const Metric& metric;
    const std::vector<std::string>& counters;
    const std::vector<LineRun>& runs;
    const std::vector<std::int64_t>& series_of_lists;
  };
  virtual void add_values(const SeriesRows& rows, const Asked& asked, LineValues& to) const = 0;
};

// `line`: as Repository::first_parents() has it, of which the commits are counted from the oldest.
std::unique_ptr<LineRuns> runs_in_columns(const summary::RunColumns& columns, const repo::CommitLine& line);

// Commits are the places in the history, which must outlive it.
std::unique_ptr<LineRuns> runs_at_hand(const std::vector<CommitRuns>& history);

// The release of Google Benchmark; empty where it is not known.
std::string library_of(const Run& run);

}  // namespace tracker::history

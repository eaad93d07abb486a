// The runs of a device's line, as series are made of them: the columns of a store's summaries, or runs that
// are at hand. Series are made of both in one way (series.cpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tracker/history/history.hpp"
#include "tracker/history/sentinel.hpp"
#include "tracker/model/metric.hpp"
#include "tracker/model/run.hpp"
#include "tracker/model/series.hpp"
#include "tracker/repo/repository.hpp"
#include "tracker/summary/run_summaries.hpp"

namespace tracker::history {

// Under which conditions the value of a commit was measured, and whether two stretches of a series differ in
// them: then a change of level is no change of the code. Pure. docs/changepoints.md, "Steps in a series".

// What of a run tells the conditions of a point; of its invocations only those that count do.
struct InvocationConditions {
  bool counts = false;
  bool at_power_cap = false;
  std::optional<double> load_per_thread;
  std::optional<double> core_clock_mhz;
  std::optional<double> memory_clock_mhz;
};
struct RunConditions {
  int threads = 1;
  bool disturbed = false;
  Shared<PointMachine> machine;
  std::optional<double> cpu_mhz;
  std::vector<InvocationConditions> invocations;
  Shared<PointConditions> of_all;  // of a benchmark that all invocations have
};
RunConditions conditions_in(const Run& run);

// A run, and the places of its invocations that have a benchmark, in order.
struct SampledRun {
  const RunConditions* facts = nullptr;
  std::span<const std::uint32_t> invocations;
};

// Medians over the invocations that count.
Shared<PointConditions> conditions_of(std::span<const SampledRun> runs);

// Which of the runs, all of one commit, were measured under the best conditions: undisturbed ones where there
// are any, and of those the ones on the machine that has most of them, when it had not markedly more to do.
std::vector<std::size_t> calmest_of(std::span<const SampledRun> runs);

// By point, a number for the machine that it was measured on: CPUs, processor and caches tell machines apart,
// and the clock where it has a few values that are far from one another. What is not known is not different,
// and a clock that wanders from boot to boot makes no other machine.
std::vector<std::size_t> machines_of(std::span<const SeriesPoint> points);

// "4 CPUs → 64 CPUs"; empty where nothing shows that they were measured on two machines.
std::string machines_apart(const PointConditions& before, const PointConditions& after);

// "load per thread 0.4 → 12" where no point of one stretch was measured under conditions like those of the
// other; empty where the conditions overlap, or are not known of every point.
std::string conditions_apart(std::span<const Shared<PointConditions>> before,
                             std::span<const Shared<PointConditions>> after);

// The lengths of a point's repetitions are kept in picoseconds.
inline constexpr double kPsPerNs = 1000;

// Whether two values of one method were made of other repetitions all the same: longer ones, or many more of
// them where the metric's statistic hangs on that.
bool repetitions_apart(const PointRepetitions& one, const PointRepetitions& other, const Metric& metric);

// Adds the method where it is not there.
std::uint16_t place_of_method(std::vector<std::string>& methods, const std::string& method);

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

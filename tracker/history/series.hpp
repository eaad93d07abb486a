// Runs in the order of commits → series to draw and to list. Pure.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tracker/base/error.hpp"
#include "tracker/history/history.hpp"
#include "tracker/history/sentinel.hpp"
#include "tracker/model/policy.hpp"
#include "tracker/model/series.hpp"
#include "tracker/repo/repository.hpp"

namespace tracker::history {

// One series for every benchmark that matches any of the globs (all where there are none), by the metric
// that its policy judges it by, in the order of the newest run that has it. `base` is the commit to
// mark, where it is not empty. The policy's renames hold for all runs: the globs are over the new names.
// Changes are looked for in the history that is given: give all of it, and cut with points_from().
std::vector<Series> make_series(const std::vector<CommitRuns>& history, const std::string& device,
                                const std::vector<std::string>& globs, const Policy& policy,
                                const std::string& base);

// One value of a commit: the median of the invocations of its runs that were measured under the best
// conditions (point_conditions.cpp), and of several machines, methods or eras of the machine those of one.
std::optional<SeriesPoint> make_point(const CommitRuns& commit, const std::string& benchmark,
                                      const Metric& metric);

// What changed in a series for good, and the part of a series that is shown.

// The steps and drifts of the series, by at least its threshold: docs/changepoints.md has the rule. Disturbed
// points neither make a change nor hide one. Points of different machines and methods are not compared: each
// setting's changes are its own, and where one takes another's place, that is a step of other conditions. The
// kind of device tells the noise that a short history is taken to have. Over the eras of the machine levels
// are joined by the sentinel: what it moved by is a step of other conditions, and only what is more than
// that, and than the sentinel leaves open, is a step of the code. Give it the whole history, so that what it
// finds does not depend on what is shown.
void find_changes(Series& series, DeviceKind kind, const Sentinel& sentinel = {});

// Marks as ended the series whose benchmark is in none of the newest runs: at least three commits with a run
// of any of the series, and three times as many as usually lie between two of its points. `all`: the series
// of one device.
void mark_ended(std::vector<Series>& all);

// Only the points from this position on, with the changes there as they are in the whole series.
Series points_from(Series series, int position);

// The series of a device's line.

struct LineQuestion {
  std::vector<std::string> globs;  // the benchmarks, by their new names; none: all
  std::string base;                // the commit to mark; empty: none
  // Benchmarks, by their new names, that are passed over as though no run had them; empty: none.
  std::function<bool(const std::string& name)> passed_over = {};
  // Gets each series once it is complete, and may cut it to what is needed. Called by several threads at
  // once.
  std::function<void(Series& series)> finish = {};
  Sentinel sentinel = {};  // load_line() reads it
  // Where both are set, points come with what they are of: the run, in words, and these counters of it.
  std::function<std::string(const Run& run)> describe = {};
  std::vector<std::string> counters = {};
};

// What a point was made of. Of several runs the newest tells all but the number of repetitions.
struct PointOrigin {
  int repetitions = 0;            // of the invocations that count
  std::uint32_t description = 0;  // place among LineSeries::descriptions
};

// One for each point of a series.
struct SeriesOrigins {
  std::vector<PointOrigin> points;
  // Point after point, those asked for that are equal in all of the run's samples, in their own units; others
  // are NaN.
  std::vector<double> counters;
};

struct LineSeries {
  std::vector<Series> series;          // as make_series() has them
  std::vector<SeriesOrigins> origins;  // beside them, where they were asked for
  std::vector<std::string> descriptions;
  std::map<int, Commit> commits;  // that have a run, by position on the line
  Device newest_device;           // as the newest run has it
  Sentinel sentinel = {};         // where load_line() was asked
};

// Of the whole first-parent line that ends at `from`; nothing where the device has no run on it. kUsage as
// Repository::resolve() and load_sentinel() throw it.
std::optional<LineSeries> load_line(const repo::Repository& repository, const RunSource& source,
                                    const std::string& device, const std::string& from,
                                    const LineQuestion& question, const Policy& policy);

// Why nothing can be known of the machine by the commit that tracker.toml's [sentinel] names: this clone
// lacks it (kUsage, and kEnvironment where it is shallow). Empty where it has it, or none is named.
std::optional<Error> why_no_sentinel(const repo::Repository& repository, const Policy& policy);

// What the store knows of the machine by it; nothing where nothing can be known.
Sentinel load_sentinel(const repo::Repository& repository, const RunSource& source, const std::string& device,
                       const Policy& policy);

// Its series alone.
std::vector<Series> load_series(const repo::Repository& repository, const RunSource& source,
                                const std::string& device, const std::string& from,
                                const LineQuestion& question, const Policy& policy);

// The same of runs that are at hand: the whole history of the device, oldest first. Pure.
std::optional<LineSeries> make_line(const std::vector<CommitRuns>& history, const std::string& device,
                                    const LineQuestion& question, const Policy& policy);

}  // namespace tracker::history

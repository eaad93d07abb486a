// Runs in the order of commits → series to draw and to list. Pure.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tracker/history/history.hpp"
#include "tracker/history/sentinel.hpp"
#include "tracker/model/policy.hpp"
#include "tracker/model/series.hpp"

namespace tracker {

// One series for every benchmark that matches any of the globs (all where there are none), by the metric
// that its policy judges it by, in the order of the newest run that has it. `base` is the commit to
// mark, where it is not empty. The policy's renames hold for all runs: the globs are over the new names.
// Changes are looked for in the history that is given: give all of it, and cut with points_from().
std::vector<Series> make_series(const std::vector<CommitRuns>& history, const std::string& device,
                                const std::vector<std::string>& globs, const Policy& policy,
                                const std::string& base, const Sentinel& sentinel = {});

// The same of the benchmarks that are wanted, by a policy without renames.
std::vector<Series> make_series_of(const std::vector<CommitRuns>& history, const std::string& device,
                                   const std::function<bool(const std::string& name)>& wanted,
                                   const Policy& policy, const std::string& base,
                                   const Sentinel& sentinel = {});

// The runs of a commit that make its value: those that were measured under the best conditions
// (point_conditions.hpp), and of several machines or methods those of one.
std::vector<const Run*> runs_of_point(const CommitRuns& commit, const std::string& benchmark,
                                      const Metric& metric);

// One value of a commit: the median of the invocations of these runs, of several eras of the machine of those
// of one. `methods` gets its method, where it is not null.
std::optional<SeriesPoint> make_point(const CommitRuns& commit, const std::string& benchmark,
                                      const Metric& metric, std::vector<std::string>* methods = nullptr,
                                      const Sentinel& sentinel = {});

// The release of Google Benchmark; empty where it is not known.
std::string library_of(const Run& run);

// A commit's point without a value: made once, as many series have one of it.
SeriesPoint point_at(const Commit& commit, int position);

// The same with the values of the chosen runs' invocations: one at least, above zero.
SeriesPoint point_of(SeriesPoint at, const std::vector<double>& values, bool disturbed,
                     const Shared<PointConditions>& conditions);

}  // namespace tracker

// Runs → what charts show of one commit: overviews, sweeps, rooflines, samples. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tracker/history/history.hpp"
#include "tracker/model/comparison.hpp"
#include "tracker/model/policy.hpp"
#include "tracker/model/run.hpp"
#include "tracker/model/series.hpp"

namespace tracker::history {

// One commit's runs → the families' overviews. Pure.

// A family is what benchmarks named <family>/<variant>/<shape> share in their first segment. Between variant
// and shape may stand a type, which begins with a letter: types are different work, each a family of its own
// ("gemm bf16"). Names with fewer than three segments belong to none, and neither does a family with one
// variant alone. FLOP/s where they are known, else the policy's metric.
std::vector<FamilyOverview> make_overviews(const CommitRuns& commit, const std::string& device,
                                           const std::vector<std::string>& globs, const Policy& policy);

// Runs of a sweep → grids of what was tried. Pure.

// The benchmarks that match any of the globs (all where there are none) and any of the sweeps, of which the
// last that matches counts. A sweep that does not say what rows and columns are takes, of the benchmarks that
// share their first segment and their number of segments, the first segment that differs for the rows and
// the last one for the columns. What is in neither tells the grids apart, and each grid is of the newest
// commit that has anything of it. Rows and columns stand in the order of the run, or by their value where
// all begin with a digit. Left out: names of one segment, or without a segment that is asked for, and grids
// of one cell. FLOP/s where they are known, else the policy's metric.
std::vector<SweepGrid> make_sweeps(const std::vector<CommitRuns>& history, const std::string& device,
                                   const std::vector<std::string>& globs, const Policy& policy,
                                   const std::vector<Sweep>& sweeps);

// Whether a benchmark of this (new) name is one of a sweep.
bool is_in_sweep(const std::string& benchmark, const std::vector<Sweep>& sweeps);

// Takes the benchmarks that match any of the sweeps out, under their new names, and the commits that then
// have none.
void leave_out_sweeps(std::vector<CommitRuns>& history, const std::vector<Sweep>& sweeps,
                      const std::vector<Rename>& renames);

// Runs → how far each benchmark is below the device's roofs. Pure.

// The benchmarks that match any of the globs (all if there are none), of the newest commit that has one with
// bytes. Their work is what `rules` say, else what they state. The measured bandwidth is the policy's
// bandwidth roof; without one, the fastest copy. It is of the newest commit that has any, and what exceeds
// the theoretical bandwidth does not count. Empty if no commit has anything.
std::optional<Roofline> make_roofline(const std::vector<CommitRuns>& history, const std::string& device,
                                      const std::vector<std::string>& globs, const Policy& policy,
                                      const std::vector<WorkRule>& rules);

// Runs of both sides → the samples behind a verdict. Pure.

// The samples that this comparison of the report rests on, out of all runs of the two sides on its device: of
// what was measured side by side the job's two runs, otherwise the runs that the report names. The policy's
// renames hold for all of them.
BenchmarkSamples make_samples(const ComparisonReport& report, const Comparison& comparison,
                              const std::vector<Run>& base, const std::vector<Run>& candidate,
                              const Policy& policy);

}  // namespace tracker::history

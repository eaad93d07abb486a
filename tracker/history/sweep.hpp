// Runs of a sweep → grids of what was tried. Pure.
#pragma once

#include <string>
#include <vector>

#include "tracker/history/history.hpp"
#include "tracker/model/policy.hpp"
#include "tracker/model/series.hpp"

namespace tracker {

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

}  // namespace tracker

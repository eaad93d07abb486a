// What a job that measures both commits has to measure: all but the benchmarks of programs that are the same
// on both sides.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tracker/app/both_commits.hpp"
#include "tracker/judge/verdict/not_measured.hpp"

namespace tracker {

struct MeasuringPlan {
  std::vector<Target> targets;    // without the binaries that need not be started
  std::vector<std::string> only;  // what is to be measured of them; empty: all that was asked for
  SamePrograms same;              // empty: nothing is left out
  std::string out_of_time;        // of what was measured by it: Measured::out_of_time

  bool measures_nothing() const { return !same.empty() && only.empty(); }
};

// Of the only GPU here, as same_program.hpp has it; none where there is none, or more than one.
std::optional<int> architecture_here(const LocalEnvironment& environment);

// Compares what was built, and notes what it finds. What is in `measured` is measured all
// the same. `rounds`: as many would be measured, for the time that is saved. Nothing is left out where the
// candidate has no longer all that the base has: whether a benchmark is missing is seen where all are asked
// for.
MeasuringPlan plan_measuring(const Workspace& workspace, const BothCommits& both, const Policy& policy,
                             const MeasureRequest& measuring, const std::set<std::string>& measured,
                             int rounds, const LocalEnvironment& environment);

// Which benchmarks of [sentinel]'s commit are measured: those that it names or, where it names none, a few:
// first the bounds of other benchmarks, which are references, then one of each family. Empty, which is all,
// where a binary cannot list its benchmarks. kUsage where it has none of those that are named.
std::vector<std::string> sentinel_benchmarks(const Policy& policy, const Target& target);

// Those on devices that match this pattern, as in CompareRequest; an empty one matches all.
SamePrograms on_devices_like(const std::string& device, SamePrograms same);

// Notes what was not measured in the candidate's runs of this job: record_same_programs().
void note_same_programs(const MeasuringPlan& plan, const BothCommits& both, const std::string& job,
                        BothRuns& runs);

}  // namespace tracker

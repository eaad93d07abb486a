// What a job that measures both commits has to measure: all but the benchmarks of programs that are the same
// on both sides.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tracker/commands/both_commits.hpp"
#include "tracker/model/comparison.hpp"

namespace tracker {

// What is unchanged on one device without a measurement.
struct SameProgram {
  Device device;
  std::set<std::string> benchmarks;  // as the binaries name them
  std::optional<double> saved_s;
};

struct MeasuringPlan {
  std::vector<Target> targets;              // without the binaries that need not be started
  std::vector<std::string> only;            // what is to be measured of them; empty: all that was asked for
  std::map<std::string, SameProgram> same;  // by the device's key; empty: nothing is left out

  bool measures_nothing() const { return !same.empty() && only.empty(); }
};

// Compares what was built, and says on standard error what it finds. What is in `measured` is measured all
// the same. `rounds`: as many would be measured, for the time that is saved. Nothing is left out where the
// candidate has no longer all that the base has: whether a benchmark is missing is seen where all are asked
// for.
MeasuringPlan plan_measuring(const Workspace& workspace, const BothCommits& both, const Policy& policy,
                             const MeasureWishes& wishes, const std::set<std::string>& measured, int rounds,
                             const LocalEnvironment& environment);

// The plan's rows in the reports of their devices, in place of those that stand there; a device without a
// report gets one. `device` is a pattern, as in CompareOptions.
void put_same_programs(const MeasuringPlan& plan, const Side& base, const Side& candidate,
                       const Policy& policy, const std::string& device,
                       std::vector<ComparisonReport>& reports);

}  // namespace tracker

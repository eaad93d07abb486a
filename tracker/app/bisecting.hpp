// Measuring commits of the past: bisect searches for the one that made a benchmark worse, and backfill
// measures those that have no run. Both build, measure and record one after the other.
#pragma once

#include <chrono>

#include "tracker/app/side_build.hpp"
#include "tracker/report/bisect_report.hpp"

namespace tracker::app {

// What to look for, and where.
struct BisectRequest {
  Commit good;
  std::vector<repo::RangeCommit> range;  // after it, oldest first; the last one is the bad end
  std::vector<std::string> globs;        // of benchmarks; empty: all
  std::string device;                    // a pattern; empty: all
  bool faster = false;                   // look for what made it faster
  double confidence = 0.95;
  Policy policy;
  MeasureRequest measuring;
  TimeBudget budget;  // of building and measuring
  std::chrono::steady_clock::time_point start;

  int commits() const { return static_cast<int>(range.size()); }
  // Counted from 1; 0: the good end.
  const Commit& commit(int number) const {
    return number == 0 ? good : range[static_cast<std::size_t>(number) - 1].commit;
  }
  // Whether this benchmark on the device of this key is looked at.
  bool wants(const std::string& device_key, const std::string& benchmark) const;
};

// Sets `good` and `range` of the request. Where the good commit is no ancestor of the bad one, the search
// begins at their common ancestor, and says so. kUsage where they are one commit, the wrong way round, or of
// no common history.
void set_range(const Workspace& workspace, const std::string& good, const std::string& bad,
               BisectRequest& request);

// What the search would do, by what is stored.
report::BisectPlan plan_bisect(const Workspace& workspace, const BisectRequest& request);

// Goes on from what is stored. Measures until the commit is found, or there is nothing to find, or it cannot
// be told; asks stats/bisection.hpp what comes next. kEnvironment where an end cannot be built; kInterrupted
// after Ctrl-C, when what is complete has been recorded.
report::BisectResult bisect_line(const Workspace& workspace, const BisectRequest& request, BuildPool& pool);

// The same and, where the line ends at a merge, the search in its side. The last result has the answer.
std::vector<report::BisectResult> bisect_with_merges(const Workspace& workspace, const BisectRequest& request,
                                                     BuildPool& pool);

// What is worse now than in `recorded`, the runs of the good end by jobs of their own, by more than its
// threshold and than jobs differ by. Now is in `again`, runs of the good end beside other commits or, where
// there is none, in those of the bad end, if it is the same program.
std::optional<report::BisectMachineChange> machine_change(const Workspace& workspace,
                                                          const BisectRequest& request,
                                                          const std::vector<Run>& recorded,
                                                          const std::vector<Run>& again,
                                                          bool bad_is_same_program);

struct BackfillRequest {
  std::string range;      // "OLD..NEW": commits on NEW's first-parent line, without OLD
  std::string device;     // a pattern: runs on these devices count; empty: those of this machine
  std::size_t every = 1;  // only each so many commits, counted from the newest
  std::size_t count = 0;  // at most so many commits; 0: all
  bool narrow = false;    // instead: what tells which commit made the changes that are seen so far
  bool again = false;     // also commits that have a run
  TimeBudget budget;      // of building and measuring
  MeasureRequest measuring;
};

// What would be measured, in which order: from coarse to fine, or where that narrows a change best. kUsage
// where there is no such range, or no commit in it.
report::BackfillPlan plan_backfill(const Workspace& workspace, const BackfillRequest& request);

// Measures it, and tells each commit when it is done with. What is complete is recorded when it ends early,
// with kInterrupted after Ctrl-C. kUsage as above, and where tracker.toml names no build commands.
report::BackfillResult backfill(const Workspace& workspace, const BackfillRequest& request,
                                const std::function<void(const report::BackfillStep&)>& tell);

}  // namespace tracker::app

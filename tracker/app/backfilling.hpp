// Measures commits of the past that have no run: builds, measures and records one after the other, from
// coarse to fine, or where that narrows a change best.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tracker/app/recording.hpp"
#include "tracker/app/side_build.hpp"
#include "tracker/app/workspace.hpp"
#include "tracker/base/time.hpp"
#include "tracker/history/backfill_order.hpp"
#include "tracker/report/bisect_report.hpp"

namespace tracker::app {

// "OLD..NEW": commits on NEW's first-parent line, without OLD.
struct LineRange {
  std::string first;
  std::string last;  // "HEAD" where the text names none
};

// kUsage where the text is no such range.
LineRange line_range_of(const std::string& text);

struct BackfillRequest {
  std::string range;      // "OLD..NEW"
  std::string device;     // a pattern: runs on these devices count; empty: those of this machine
  std::size_t every = 1;  // only each so many commits, counted from the newest
  std::size_t count = 0;  // at most so many commits; 0: all
  bool narrow = false;    // instead: what tells which commit made the changes that are seen so far
  bool again = false;     // also commits that have a run
  TimeBudget budget;      // of building and measuring
  MeasureRequest measuring;
};

class Backfilling {
 public:
  // Reads what is stored of the range. kUsage where there is no such range, or no commit in it.
  Backfilling(const Workspace& workspace, BackfillRequest request,
              const measure::LocalEnvironment& environment);

  // What would be measured, in which order; measures nothing.
  report::BackfillPlan plan() const;
  // Measures, and tells each commit when it is done with. What is complete is recorded when it ends early,
  // with kInterrupted after Ctrl-C.
  report::BackfillResult run(BuildPool& pool, const std::function<void(const report::BackfillStep&)>& tell);

 private:
  // The benchmarks that those of other commits are compared with.
  struct NamesOfCommit {
    std::string commit;
    std::set<std::string> names;
  };

  void read_stored();
  bool counts(const Run& run) const;
  void note_names(const Run& run);
  std::optional<double> median_length_s() const;
  std::optional<std::size_t> next_place() const;
  std::vector<history::SeenChange> changes() const;
  bool is_out_of_time();
  double elapsed_s() const;
  report::BackfillStep take(std::size_t place, BuildPool& pool);
  std::optional<report::BackfillStep> take_same_program(std::size_t place, const BuiltCommit& built,
                                                        const BuildPool& pool);
  report::BackfillStep measure(std::size_t place, const BuiltCommit& built);
  report::BackfillMeasured measured_of(const Run& run);

  const Workspace& workspace_;
  const BackfillRequest request_;
  const LineRange range_;
  const RunSelection wanted_;
  const measure::LocalEnvironment& environment_;
  const std::string host_;
  std::set<std::string> own_devices_;
  std::vector<Commit> line_;        // oldest first
  std::vector<bool> measured_;      // has a run
  std::vector<bool> tried_;         // by this request
  std::vector<std::size_t> order_;  // of places
  std::vector<double> lengths_s_;   // of stored runs
  std::map<std::string, NamesOfCommit>
      names_;  // by device: of the newest commit that had a run, or the first
  std::map<std::string, std::vector<std::pair<Device, std::set<std::string>>>> runs_made_;  // by commit
  std::size_t stored_ = 0;  // commits of the line that had a run before
  std::size_t done_ = 0;
  report::BackfillResult result_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace tracker::app

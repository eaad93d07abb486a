// One search for the commit that made a benchmark worse: builds, measures, records, and asks
// stats/bisection.hpp what comes next.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tracker/app/recording.hpp"
#include "tracker/app/side_build.hpp"
#include "tracker/app/workspace.hpp"
#include "tracker/base/time.hpp"
#include "tracker/judge/difference.hpp"
#include "tracker/repo/repository.hpp"
#include "tracker/report/bisect_report.hpp"
#include "tracker/stats/bisection.hpp"

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
};

class Bisecting {
 public:
  Bisecting(const Workspace& workspace, BisectRequest request, const measure::LocalEnvironment& environment);

  // What the store has of it already; to be called first. The number of pairs.
  int load_stored();
  // Measures until it is found, or there is nothing to find, or it cannot be told. kEnvironment where an end
  // cannot be built; kInterrupted after Ctrl-C, when what is complete has been recorded.
  report::BisectResult run(BuildPool& pool);

  // Of what is known by now, for a plan.
  struct Known {
    double noise = 0;     // the deviation of a pair, as a logarithm; 0: not known
    double size = 0;      // of the change at the bad end, a logarithm; 0: not known
    double smallest = 0;  // change that is looked for, a logarithm
    std::string benchmark;
  };
  // Of the benchmark that most probably became worse; empty before the bad end was measured.
  std::optional<Known> known();

 private:
  struct Followed {
    std::string device;
    std::string benchmark;
    Gate gate;
    std::set<std::string> names;               // that runs know it by
    std::map<int, std::vector<double>> pairs;  // by commit
    std::unique_ptr<stats::Bisection> search;
    bool done = false;
  };

  bool wants(const std::string& device, const std::string& benchmark) const;
  int commits() const { return static_cast<int>(request_.range.size()); }
  const Commit& commit(int number) const;  // 0: the good end
  bool is_out_of_time(int number, int pairs);
  int take(int number, const Run& base, const Run& candidate);
  void begin_searches();
  void add_hints(Followed& lead);
  std::vector<std::string> names_to_measure(const std::vector<Followed*>& followed) const;
  std::vector<std::string> listed_names(const BuiltCommit& good, const BuiltCommit& bad);
  void measure(int number, const std::vector<Followed*>& followed, int pairs);
  void measure_side_by_side(int number, const BuiltCommit& good, const BuiltCommit& at,
                            const std::vector<std::string>& names, int pairs);
  bool take_same_program(int number, const BuiltCommit& at);
  void skip(int number, const std::string& why);
  void tell(int number, Followed& lead) const;
  bool is_worse_at_end(Followed& followed);
  std::vector<Followed*> past_the_ends();
  std::vector<Followed*> open_at_end();
  void look_at_ends();
  Followed* choose_lead();
  std::vector<Followed*> others_of(const Followed& lead);
  report::BisectResult search(Followed& lead);
  report::BisectResult nothing(const std::string& why);
  report::BisectResult result_of(Followed* lead, const stats::BisectionAdvice& advice,
                                 report::BisectOutcome outcome);
  std::optional<report::BisectMachineChange> machine_change();
  std::optional<Commit> first_at_new_level(const report::BisectMachineChange& machine,
                                           const std::string& device, const Metric& metric);
  std::vector<report::BisectRow> rows_of(Followed* lead, const stats::BisectionAdvice& advice);

  const Workspace& workspace_;
  BisectRequest request_;
  const measure::LocalEnvironment& environment_;
  BuildPool* pool_ = nullptr;
  std::vector<Run> good_runs_;
  std::vector<Run> good_again_;  // those of its runs that a job has beside another commit's
  std::map<std::pair<std::string, std::string>, Followed> followed_;  // by device and benchmark
  std::map<int, std::string> notes_;                                  // of commits that are not measured
  std::map<int, std::string> skipped_;
  std::vector<std::pair<int, int>> same_;  // programs
  int stored_pairs_ = 0;
  int measurements_ = 0;
  int measured_pairs_ = 0;
  int builds_before_ = 0;
  double pair_s_ = 0;     // of the last measurement
  bool has_end_ = false;  // the bad end is measured already
  bool out_of_time_ = false;
};

// Sets `good` and `range` of the request. Where the good commit is no ancestor of the bad one, the search
// begins at their common ancestor, and says so. kUsage where they are one commit, the wrong way round, or of
// no common history.
void set_range(const Workspace& workspace, const std::string& good, const std::string& bad,
               BisectRequest& request);

// What the search would do, by what is stored.
report::BisectPlan plan_bisect(const Workspace& workspace, const BisectRequest& request,
                               const measure::LocalEnvironment& environment);

// The search on the line and, where that ends at a merge, in its side. The last result has the answer.
std::vector<report::BisectResult> bisect_with_merges(const Workspace& workspace, const BisectRequest& request,
                                                     const measure::LocalEnvironment& environment,
                                                     BuildPool& pool);

}  // namespace tracker::app

// One job that measures what is in doubt, with interim analyses of what is still undecided.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "tracker/app/both_commits.hpp"
#include "tracker/app/compare_sides.hpp"
#include "tracker/app/recording.hpp"
#include "tracker/app/workspace.hpp"
#include "tracker/base/time.hpp"
#include "tracker/judge/confirm.hpp"

namespace tracker::app {

// compare --confirm: what the stored runs leave in doubt is measured again side by side, until it is decided
// or the time given is used.

// What is compared, in the words of the user.
struct ConfirmRequest {
  std::string base;
  std::string candidate;
  MeasureRequest measuring;  // `invocations`: rounds of the first analysis
  bool everything = false;   // without asking the stored runs
  std::string device;        // a pattern: reports of no other device are made
  Policy policy;
  judge::Options judging;
  int history_runs_max = 0;  // for judging
};

// Whether to confirm: where the user wants it, and in CI where it can be done without being asked for. There
// it says so: both sides are commits, tracker.toml builds, and both have runs on a device of this machine.
// kUsage where the user wants it of files.
bool wants_confirming(const Workspace& workspace, const ConfirmOptions& options,
                      const ConfirmRequest& request, const CompareSides& sides);

// Puts what is confirmed into `reports`, which are of the stored runs, judged with kFirstCheckShare, and
// records what was measured. Everything is in doubt where none of the reports is of this machine's device;
// its report is added then. Where nobody asked for it, a build that fails is only noted.
void confirm(const Workspace& workspace, const ConfirmOptions& options, ConfirmRequest request,
             std::vector<ComparisonReport>& reports);

class ConfirmingJob {
 public:
  ConfirmingJob(const Workspace& workspace, NamedCommit base, NamedCommit candidate, ConfirmRequest request,
                TimeBudget budget);  // of measuring; building does not count

  // What the stored runs of one device leave in doubt; `again` as doubtful_in has it.
  void ask_for(const ComparisonReport& first_check, bool again);
  // Measures until all is decided or the budget is used, and records what was measured.
  void run(const BothCommits& both, const measure::LocalEnvironment& environment);
  bool has_doubts() const { return request_.everything || !undecided().empty(); }
  // Whether the budget has room for a first analysis.
  bool has_room() const { return fits(first_analysis()); }
  // The first checks with what is confirmed in its place, and the devices that had none.
  void put_into(std::vector<ComparisonReport>& reports);

 private:
  std::vector<std::string> undecided() const;
  // These, under the names that either side knows them by.
  std::set<std::string> known_as(const std::set<std::string>& names) const;
  // What the stored runs show to be slower: the same program may have read something else, so that it is
  // measured in any case.
  std::set<std::string> slower() const;
  // What the first analysis measures; empty: everything.
  std::vector<std::string> first_wanted() const;
  void decide_same_programs();
  void put_confirmed_into(std::vector<ComparisonReport>& reports);
  // What is to be measured for that: under the names that either side knows them by, and with the benchmarks
  // that their floors are shares of.
  std::vector<std::string> wanted() const;
  void learn_names(const std::vector<Run>& runs);
  judge::InterimAnalysis first_analysis() const;
  bool fits(const judge::InterimAnalysis& analysis) const;
  double left_s() const;  // of the budget
  // Why the next analysis is not taken: it does not fit into the budget.
  std::string why_not(const judge::InterimAnalysis& analysis) const;
  // Of waiting, where several boards share the work.
  double expected_s(const judge::InterimAnalysis& analysis) const;
  double measured_s() const;
  // False where no binary has what is asked for, or it was interrupted.
  bool measure(const judge::InterimAnalysis& analysis, const measure::LocalEnvironment& environment,
               const measure::LeasedBoards& boards, const Spool& spool, measure::Progress& progress);
  // What the analysis measures, how long that takes, and what is left of the budget.
  std::string announced(const judge::InterimAnalysis& analysis, std::size_t benchmarks) const;
  void judge_analysis(const judge::InterimAnalysis& analysis, const BothRuns& runs);
  void judge_device(const judge::InterimAnalysis& analysis, Run base, Run candidate);

  const Workspace& workspace_;
  NamedCommit base_;
  NamedCommit candidate_;
  ConfirmRequest request_;
  TimeBudget budget_;
  std::map<std::string, judge::Confirmation> devices_;
  std::set<std::string> names_;                    // of benchmarks, as runs have them
  std::map<std::string, std::string> references_;  // of the floors, by benchmark
  MeasuringPlan plan_;
  std::vector<measure::Target> targets_;  // without the binaries that failed
  bool interrupted_ = false;
  double boards_ = 1;           // that measure at once
  measure::Measured measured_;  // over all analyses
  std::string why_stopped_;     // before the next analysis, in words; empty where there was none to come
  std::vector<int> analyses_;   // the last round of each, with those that were measured again
};

}  // namespace tracker::app

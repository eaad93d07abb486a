// One job that measures what is in doubt, with interim analyses of what is still undecided.
#include <algorithm>
#include <iterator>

#include "tracker/app/both_commits.hpp"
#include "tracker/app/compare.hpp"
#include "tracker/app/sides.hpp"
#include "tracker/base/text.hpp"
#include "tracker/judge/policy_rules.hpp"

namespace tracker::app {
namespace {

bool was_measured_here(const Workspace& workspace, const std::string& candidate, const std::string& device) {
  const auto runs = runs_at(workspace, workspace.repository().resolve(candidate).id, device);
  return !runs.empty() && runs.back().host.name == measure::this_host().name;
}

// Those of `devices` that this machine is: by what it has or, where a binary names its device in words of
// its own, by the host that measured the candidate there.
std::vector<std::string> devices_here(const Workspace& workspace, const std::string& candidate,
                                      const std::vector<std::string>& devices) {
  const auto own = measure::own_devices(workspace.config().binaries, workspace.machine());
  std::vector<std::string> here;
  std::ranges::copy_if(devices, std::back_inserter(here),
                       [&](const auto& device) { return std::ranges::find(own, device) != own.end(); });
  if (here.empty())
    std::ranges::copy_if(devices, std::back_inserter(here),
                         [&](const auto& device) { return was_measured_here(workspace, candidate, device); });
  return here;
}

// A baseline's commit is known.
void require_what_builds(const CompareSides& sides) {
  for (const auto* side : {&sides.base, &sides.candidate})
    if (side->kind == SideKind::kFiles)
      throw Error(ExitCode::kUsage,
                  "--confirm builds both sides, and " + in_quotes(side->text) + " is a path",
                  "leave --confirm out to compare files as they are");
  if (sides.candidate.kind == SideKind::kBaseline)
    throw Error(ExitCode::kUsage, "--confirm needs a commit as candidate, not the baseline",
                "name the commit that was promoted: tracker baseline show");
}

// The commit that the base was measured at. A baseline says it for its device.
NamedCommit base_commit(const Workspace& workspace, const std::string& base,
                        const std::vector<const ComparisonReport*>& first_checks) {
  if (base != kBaselineWord) return commit_named(workspace, base);
  if (first_checks.empty())
    throw Error(ExitCode::kCannotJudge, "no baseline of this machine's device says which commit to build",
                "name the commit instead: tracker compare REVISION --confirm");
  return {base, workspace.repository().resolve(first_checks.front()->base.commit)};
}

std::vector<const ComparisonReport*> first_checks_here(const Workspace& workspace,
                                                       const std::string& candidate,
                                                       const std::vector<ComparisonReport>& reports) {
  std::vector<std::string> devices;
  for (const auto& report : reports) devices.push_back(report.device);
  const auto here = devices_here(workspace, candidate, devices);
  std::vector<const ComparisonReport*> first_checks;
  for (const auto& report : reports)
    if (std::ranges::find(here, report.device) != here.end()) first_checks.push_back(&report);
  return first_checks;
}

// Those without the binaries that have failed: one is not started again, and what the other side says alone
// is no comparison.
void leave_out_failed(const std::vector<measure::Failure>& failures, std::vector<measure::Target>& targets) {
  for (auto& target : targets)
    std::erase_if(target.binaries, [&](const Binary& binary) {
      return std::ranges::any_of(
          failures, [&](const measure::Failure& failure) { return is_same_binary(failure.binary, binary); });
    });
}

class ConfirmingJob {
 public:
  // Of all benchmarks where `everything`, without asking the stored runs.
  ConfirmingJob(const Workspace& workspace, const CompareRequest& request, const Policy& policy,
                const std::string& today, const NamedCommit& base, const NamedCommit& candidate,
                bool everything)
      : workspace_(workspace),
        request_(request),
        policy_(policy),
        today_(today),
        base_(base),
        candidate_(candidate),
        everything_(everything),
        measuring_(request.measuring),
        budget_(parse_time_budget(request.confirm.time_budget)) {
    measuring_.budget.reset();  // measuring alone counts, and building does not
  }

  // What the stored runs of one device leave in doubt; `again` as doubtful_in has it.
  void ask_for(const ComparisonReport& first_check, bool again) {
    judge::Confirmation confirmation(first_check, judge::doubtful_in(first_check, again));
    for (const auto* side : {&base_, &candidate_}) {
      const auto runs = runs_at(workspace_, side->commit.id, first_check.device);
      learn_names(runs);
      confirmation.learn_time(runs);
    }
    devices_.emplace(first_check.device, std::move(confirmation));
  }

  bool has_doubts() const { return everything_ || !undecided().empty(); }
  // Whether the budget has room for a first analysis.
  bool has_room() const { return fits(first_analysis()); }

  // Measures until all is decided or the budget is used, and records what was measured.
  void run(const BothCommits& both) {
    MeasureRequest asked = measuring_;
    asked.only = wanted();
    plan_ = plan_measuring(workspace_, both, policy_, asked, known_as(slower()), first_analysis().rounds);
    decide_same_programs();
    if (plan_.measures_nothing() || !has_doubts()) return record_same_programs(workspace_, plan_, both);
    targets_ = plan_.targets;
    measured_.files.resize(targets_.size());
    asked.only = first_wanted();
    Spool spool(workspace_);
    boards_ = lease_for(workspace_, targets_, asked);
    boards_at_once_ = std::max<double>(1, static_cast<double>(boards_.groups.front().size()));
    BothRuns runs = analyse_until_decided(both, asked, spool);
    boards_ = {};  // recording needs none
    for (auto* side : {&runs.base, &runs.candidate})
      for (auto& run : *side) run.interim_analyses = analyses_;
    note_same_programs(plan_, both, spool.job(), runs);
    if (!analyses_.empty()) store_runs(workspace_, runs.all(), &spool);
    if (interrupted_)
      throw Error(ExitCode::kInterrupted, analyses_.empty()
                                              ? "interrupted in the first round; nothing was recorded"
                                              : "interrupted; the analyses that were complete are recorded");
    if (!analyses_.empty()) require_results(targets_, measured_);
  }

  // The first checks with what is confirmed in its place, and the devices that had none.
  void put_into(std::vector<ComparisonReport>& reports) {
    const std::string out_of_time =
        why_stopped_.empty() && !undecided().empty() ? why_not(first_analysis()) : why_stopped_;
    for (auto& [device, confirmation] : devices_) {
      confirmation.stop(out_of_time);
      const ComparisonReport report = confirmation.report();
      const auto old = std::ranges::find(reports, report.device, &ComparisonReport::device);
      if (old != reports.end())
        *old = report;
      else
        reports.push_back(report);
    }
    judge::put_same_programs(on_devices_like(request_.device, plan_.same), side_of(base_),
                             side_of(candidate_), policy_, reports);
  }

 private:
  void learn_names(const std::vector<Run>& runs) {
    for (const auto& run : runs)
      for (const auto& recorded : run.benchmarks) {
        names_.insert(recorded.name);
        Benchmark benchmark = recorded;
        benchmark.name = renamed(recorded.name, policy_.renames);
        if (const auto floor = gate_for(policy_, benchmark).floor;
            floor && floor->of && *floor->of != judge::kPeakWord)
          references_[benchmark.name] = *floor->of;
      }
  }

  std::vector<std::string> undecided() const {
    std::vector<std::string> names;
    for (const auto& [device, confirmation] : devices_)
      names.insert(names.end(), confirmation.undecided().begin(), confirmation.undecided().end());
    return names;
  }

  // What the stored runs show to be slower: the same program may have read something else, so that it is
  // measured in any case.
  std::set<std::string> slower() const {
    std::set<std::string> names;
    for (const auto& [device, confirmation] : devices_) names.merge(confirmation.slower());
    return names;
  }

  // These, under the names that either side knows them by.
  std::set<std::string> known_as(const std::set<std::string>& names) const {
    std::set<std::string> known = names;
    for (const auto& name : names_)
      if (names.contains(renamed(name, policy_.renames))) known.insert(name);
    return known;
  }

  // What is to be measured for the undecided: with the benchmarks that their floors are shares of.
  std::vector<std::string> wanted() const {
    std::set<std::string> wanted;
    for (const auto& name : undecided()) {
      wanted.insert(name);
      if (const auto reference = references_.find(name); reference != references_.end())
        wanted.insert(reference->second);
    }
    const auto known = known_as(wanted);
    return {known.begin(), known.end()};
  }

  // What the first analysis measures; empty: everything.
  std::vector<std::string> first_wanted() const { return everything_ ? plan_.only : wanted(); }

  void decide_same_programs() {
    for (const auto& [key, same] : plan_.same) {
      std::set<std::string> names;
      for (const auto& name : same.benchmarks) names.insert(renamed(name, policy_.renames));
      if (const auto device = devices_.find(key); device != devices_.end())
        device->second.take_same_program(names, policy_);
    }
  }

  judge::InterimAnalysis first_analysis() const {
    judge::InterimAnalysis analysis;
    if (measuring_.invocations > 0) analysis.rounds = measuring_.invocations;
    return analysis;
  }

  // Of waiting, where several boards share the work.
  double expected_s(const judge::InterimAnalysis& analysis) const {
    double seconds = 0;
    for (const auto& [device, confirmation] : devices_) seconds += confirmation.expected_s(analysis);
    return seconds / boards_at_once_;
  }

  double measured_s() const {
    double seconds = 0;
    for (const auto& [device, confirmation] : devices_) seconds += confirmation.measured_s();
    return seconds / boards_at_once_;
  }

  double left_s() const { return std::max(budget_.seconds - measured_s(), 0.0); }
  bool fits(const judge::InterimAnalysis& analysis) const { return expected_s(analysis) <= left_s(); }

  // Why the next analysis is not taken: it does not fit into the budget.
  std::string why_not(const judge::InterimAnalysis& analysis) const {
    return "the next " + count_of(analysis.new_rounds(), "round") + " of " +
           count_of(undecided().size(), "benchmark") + " would take about " +
           format_duration(expected_s(analysis)) + ", and " + format_duration(measured_s()) + " of " +
           budget_.text + " used";
  }

  // The runs of all rounds that were measured.
  BothRuns analyse_until_decided(const BothCommits& both, const MeasureRequest& asked, const Spool& spool) {
    const auto progress = workspace_.observer().progress();
    BothRuns runs;
    bool is_last = false;  // with as many rounds as fitted
    for (judge::InterimAnalysis analysis = first_analysis(); analysis.number == 1 || !undecided().empty();
         analysis = analysis.next()) {
      const judge::InterimAnalysis whole = analysis;
      if (analysis.number > 1) analysis = analysis.within(is_last ? 0 : left_s(), expected_s(analysis));
      is_last = analysis.rounds < whole.rounds;
      if (is_last && analysis.new_rounds() == 0) {
        why_stopped_ = why_not(whole);
        workspace_.note("stopped with " + count_of(undecided().size(), "benchmark") +
                        " undecided: " + why_stopped_ + " (--time-budget)");
        break;
      }
      if (!measure(analysis, spool, *progress)) {
        for (auto& [device, confirmation] : devices_)
          if (!interrupted_) confirmation.give_up();
        break;
      }
      runs = both.runs_of(measured_, spool.job(), asked);
      if (runs.base.empty() || runs.candidate.empty()) break;
      if (everything_) learn_names(runs.all());
      const int before = analyses_.size() > 1 ? analyses_[analyses_.size() - 2] : 0;
      judge_analysis({analysis.number, analyses_.back(), before}, runs);
    }
    return runs;
  }

  // What the analysis measures, how long that takes, and what is left of the budget.
  std::string announced(const judge::InterimAnalysis& analysis, std::size_t benchmarks) const {
    const bool is_first = analysis.number == 1;
    std::string words = "interim analysis " + std::to_string(analysis.number) + ": " +
                        (is_first ? count_of(analysis.new_rounds(), "round")
                                  : std::to_string(analysis.new_rounds()) + " more rounds") +
                        " of ";
    if (benchmarks == 0)
      words += "all benchmarks";
    else
      words += is_first ? count_of(benchmarks, "benchmark")
                        : "the " + count_of(benchmarks, "benchmark") + " still undecided";
    if (const double expected = expected_s(analysis); expected > 0)
      words += ", about " + format_duration(expected);
    return words + "; " + format_duration(left_s()) + " of the time budget left";
  }

  // False where no binary has what is asked for, or it was interrupted.
  bool measure(const judge::InterimAnalysis& analysis, const Spool& spool, measure::Progress& progress) {
    MeasureRequest measuring = measuring_;
    measuring.invocations = analysis.new_rounds();
    measuring.first_round = analyses_.empty() ? 1 : analyses_.back() + 1;
    measuring.only = analysis.number == 1 ? first_wanted() : wanted();
    const std::size_t open = undecided().size();
    workspace_.note(announced(analysis, open == 0 ? measuring.only.size() : open));
    progress.tell((open == 0 ? "" : std::to_string(open) + " undecided, ") + format_duration(left_s()) +
                  " of budget left");
    measure::Measured more;
    try {
      more = measure_targets(workspace_, targets_, measuring, boards_, spool, progress);
    } catch (const Error& error) {
      if (error.code() != ExitCode::kUsage || measuring.only.empty()) throw;
      workspace_.note(error.what());
      return false;
    }
    interrupted_ = more.interrupted;
    if (interrupted_) return false;
    analyses_.push_back(more.next_round - 1);
    for (std::size_t side = 0; side < targets_.size(); ++side)
      std::ranges::move(more.files[side], std::back_inserter(measured_.files[side]));
    std::ranges::move(more.failures, std::back_inserter(measured_.failures));
    if (!measuring.isolate) leave_out_failed(measured_.failures, targets_);
    return true;
  }

  void judge_analysis(const judge::InterimAnalysis& analysis, const BothRuns& runs) {
    for (const auto& base : runs.base)
      for (const auto& candidate : runs.candidate)
        if (device_key(base.device) == device_key(candidate.device)) judge_device(analysis, base, candidate);
  }

  void judge_device(const judge::InterimAnalysis& analysis, Run base, Run candidate) {
    const std::string device = device_key(base.device);
    if (!request_.device.empty() && !glob_match(request_.device, device)) return;
    judge::keep_for_analysis(analysis, policy_.renames, base, candidate);
    const double measured_s = judge::length_of(base) + judge::length_of(candidate);
    judge::Confirmation& confirmation = devices_[device];
    const NoiseHistory history =
        history::recent_runs(workspace_.history(), device, candidate_.commit.id, history::kRunsMax);
    const auto report = judge::judge({side_of(base_), {std::move(base)}, {}},
                                     {side_of(candidate_), {std::move(candidate)}, {}}, history, policy_,
                                     confirmation.judging(analysis, {.today = today_}));
    confirmation.analyse(analysis, report, measured_s);
  }

  const Workspace& workspace_;
  const CompareRequest& request_;
  const Policy& policy_;
  const std::string& today_;
  const NamedCommit& base_;
  const NamedCommit& candidate_;
  const bool everything_;
  MeasureRequest measuring_;  // `invocations`: rounds of the first analysis
  TimeBudget budget_;
  std::map<std::string, judge::Confirmation> devices_;
  std::set<std::string> names_;                    // of benchmarks, as runs have them
  std::map<std::string, std::string> references_;  // of the floors, by benchmark
  MeasuringPlan plan_;
  std::vector<measure::Target> targets_;  // without the binaries that failed
  bool interrupted_ = false;
  measure::LeasedBoards boards_;
  double boards_at_once_ = 1;   // their number
  measure::Measured measured_;  // over all analyses
  std::string why_stopped_;     // before the next analysis, in words; empty where there was none to come
  std::vector<int> analyses_;   // the last round of each, with those that were measured again
};

// Whether it was measured. Where nobody asked for it, a build that fails is no reason to judge nothing.
bool build_and_run(const Workspace& workspace, bool is_wanted, const NamedCommit& base,
                   const NamedCommit& candidate, ConfirmingJob& job) {
  std::optional<BothCommits> both;
  try {
    both.emplace(workspace, base, candidate, "--confirm");
  } catch (const Error& error) {
    if (is_wanted || error.code() != ExitCode::kEnvironment) throw;
    workspace.note("not confirmed: " + split(error.what(), '\n').front(), error.lines());
    return false;
  }
  job.run(*both);
  return true;
}

}  // namespace

bool wants_confirming(const Workspace& workspace, const CompareRequest& request, const CompareSides& sides) {
  const ConfirmOptions& options = request.confirm;
  parse_time_budget(options.time_budget);  // a slip is said first
  if (options.wanted) require_what_builds(sides);
  if (options.wanted || options.unwanted) return options.wanted;
  const bool commits = sides.base.kind == SideKind::kRevision && sides.candidate.kind == SideKind::kRevision;
  if (!workspace.in_ci() || request.measure || !commits || workspace.config().measure.build.empty())
    return false;
  auto devices = matching_devices(sides.candidate.devices(workspace), request.device);
  const auto of_base = sides.base.devices(workspace);
  std::erase_if(devices,
                [&](const auto& device) { return std::ranges::find(of_base, device) == of_base.end(); });
  if (devices_here(workspace, request.candidate, devices).empty()) return false;
  workspace.note(
      "this is CI: what the stored runs leave undecided is re-measured (--no-confirm turns this off)");
  return true;
}

void confirm(const Workspace& workspace, const CompareRequest& request, const Policy& policy,
             const std::string& today, std::vector<ComparisonReport>& reports) {
  const auto first_checks = first_checks_here(workspace, request.candidate, reports);
  const NamedCommit base = base_commit(workspace, request.base, first_checks);
  const NamedCommit candidate = commit_named(workspace, request.candidate);
  const bool everything = request.measure || first_checks.empty();
  ConfirmingJob job(workspace, request, policy, today, base, candidate, everything);
  for (const auto* first_check : first_checks) {
    if (everything) break;
    if (first_check->base.commit == base.commit.id)
      job.ask_for(*first_check, request.confirm.wanted);
    else
      workspace.note("not confirmed: the baseline of " + first_check->device + " is of another commit");
  }
  if (!job.has_doubts()) {
    const bool elsewhere =
        reports.size() > first_checks.size();  // on devices that this machine does not have
    return workspace.note(std::string("nothing is re-measured: ") +
                          (elsewhere
                               ? "what is undecided belongs to devices that are not here, or was measured "
                                 "side by side already"
                               : "all that is undecided was measured side by side already"));
  }
  const bool is_wanted = request.confirm.wanted;
  if (job.has_room() && !build_and_run(workspace, is_wanted, base, candidate, job)) return;
  job.put_into(reports);
}

}  // namespace tracker::app

#include "tracker/app/confirming_job.hpp"

#include <algorithm>
#include <iterator>

#include "tracker/app/sides.hpp"
#include "tracker/base/text.hpp"
#include "tracker/history/history.hpp"
#include "tracker/judge/policy_rules.hpp"
#include "tracker/model/policy.hpp"

namespace tracker::app {
namespace {

bool was_measured_here(const Workspace& workspace, const std::string& candidate, const std::string& device) {
  auto keys = workspace.store().keys_of(workspace.repository().resolve(candidate).id);
  std::erase_if(keys, [&](const store::Key& key) { return key.device != device; });
  const auto runs = history::read_runs(workspace.store(), keys);
  return !runs.empty() && runs.back().host.name == measure::this_host().name;
}

// Those of `devices` that this machine is: by what it has or, where a binary names its device in words of
// its own, by the host that measured the candidate there.
std::vector<std::string> devices_here(const Workspace& workspace,
                                      const measure::LocalEnvironment& environment,
                                      const std::string& candidate, const std::vector<std::string>& devices) {
  const auto own = measure::own_devices(workspace.config().binaries, environment);
  std::vector<std::string> here;
  for (const auto& device : devices)
    if (std::find(own.begin(), own.end(), device) != own.end()) here.push_back(device);
  if (!here.empty()) return here;
  for (const auto& device : devices)
    if (was_measured_here(workspace, candidate, device)) here.push_back(device);
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
  if (base != kBaselineWord) return {base, workspace.repository().resolve(base)};
  if (first_checks.empty())
    throw Error(ExitCode::kCannotJudge, "no baseline of this machine's device says which commit to build",
                "name the commit instead: tracker compare REVISION --confirm");
  return {base, workspace.repository().resolve(first_checks.front()->base.commit)};
}

std::vector<const ComparisonReport*> first_checks_here(const Workspace& workspace,
                                                       const measure::LocalEnvironment& environment,
                                                       const std::string& candidate,
                                                       const std::vector<ComparisonReport>& reports) {
  std::vector<std::string> devices;
  for (const auto& report : reports) devices.push_back(report.device);
  const auto here = devices_here(workspace, environment, candidate, devices);
  std::vector<const ComparisonReport*> first_checks;
  for (const auto& report : reports)
    if (std::find(here.begin(), here.end(), report.device) != here.end()) first_checks.push_back(&report);
  return first_checks;
}

// Whether it was measured. Where nobody asked for it, a build that fails is no reason to judge nothing.
bool build_and_run(const Workspace& workspace, const ConfirmOptions& options, const NamedCommit& base,
                   const NamedCommit& candidate, const measure::LocalEnvironment& environment,
                   ConfirmingJob& job) {
  std::optional<BothCommits> both;
  try {
    both.emplace(workspace, base, candidate, environment, "--confirm");
  } catch (const Error& error) {
    if (options.wanted || error.code() != ExitCode::kEnvironment) throw;
    workspace.note("not confirmed: " + split(error.what(), '\n').front(), error.lines());
    return false;
  }
  job.run(*both, environment);
  return true;
}

// `elsewhere`: there are reports of devices that this machine does not have.
std::string nothing_to_confirm(bool elsewhere) {
  return elsewhere ? "nothing is re-measured: what is undecided belongs to devices that are not here, or was "
                     "measured side by side already"
                   : "nothing is re-measured: all that is undecided was measured side by side already";
}

}  // namespace

bool wants_confirming(const Workspace& workspace, const ConfirmOptions& options,
                      const ConfirmRequest& request, const CompareSides& sides) {
  parse_time_budget(options.time_budget);  // a slip is said first
  if (options.wanted) require_what_builds(sides);
  if (options.wanted || options.unwanted) return options.wanted;
  const bool commits = sides.base.kind == SideKind::kRevision && sides.candidate.kind == SideKind::kRevision;
  if (!workspace.in_ci() || request.everything || !commits || workspace.config().measure.build.empty())
    return false;
  auto devices = matching_devices(sides.candidate.devices(workspace), request.device);
  const auto of_base = sides.base.devices(workspace);
  std::erase_if(devices, [&](const std::string& device) {
    return std::find(of_base.begin(), of_base.end(), device) == of_base.end();
  });
  if (devices_here(workspace, measure::LocalEnvironment(), request.candidate, devices).empty()) return false;
  workspace.note(
      "this is CI: what the stored runs leave undecided is re-measured (--no-confirm turns this off)");
  return true;
}

void confirm(const Workspace& workspace, const ConfirmOptions& options, ConfirmRequest request,
             std::vector<ComparisonReport>& reports) {
  const measure::LocalEnvironment environment;
  const TimeBudget budget = parse_time_budget(options.time_budget);
  const auto first_checks = first_checks_here(workspace, environment, request.candidate, reports);
  const NamedCommit base = base_commit(workspace, request.base, first_checks);
  const NamedCommit candidate{request.candidate, workspace.repository().resolve(request.candidate)};
  request.everything = request.everything || first_checks.empty();
  ConfirmingJob job(workspace, base, candidate, request, budget);
  for (const auto* first_check : first_checks) {
    if (request.everything) break;
    if (first_check->base.commit == base.commit.id)
      job.ask_for(*first_check, options.wanted);
    else
      workspace.note("not confirmed: the baseline of " + first_check->device + " is of another commit");
  }
  if (!job.has_doubts()) {
    workspace.note(nothing_to_confirm(reports.size() > first_checks.size()));
    return;
  }
  if (job.has_room() && !build_and_run(workspace, options, base, candidate, environment, job)) return;
  job.put_into(reports);
}

namespace {

bool has_failed(const measure::Measured& measured, const Binary& binary) {
  return std::any_of(measured.failures.begin(), measured.failures.end(),
                     [&](const measure::Failure& failure) { return is_same_binary(failure.binary, binary); });
}

}  // namespace

ConfirmingJob::ConfirmingJob(const Workspace& workspace, NamedCommit base, NamedCommit candidate,
                             ConfirmRequest request, TimeBudget budget)
    : workspace_(workspace),
      base_(std::move(base)),
      candidate_(std::move(candidate)),
      request_(std::move(request)),
      budget_(std::move(budget)) {}

void ConfirmingJob::ask_for(const ComparisonReport& first_check, bool again) {
  judge::Confirmation confirmation(first_check, judge::doubtful_in(first_check, again));
  for (const auto* side : {&base_, &candidate_}) {
    auto keys = workspace_.store().keys_of(side->commit.id);
    std::erase_if(keys, [&](const store::Key& key) { return key.device != first_check.device; });
    const auto runs = history::read_runs(workspace_.store(), keys);
    learn_names(runs);
    confirmation.learn_time(runs);
  }
  devices_.emplace(first_check.device, std::move(confirmation));
}

void ConfirmingJob::learn_names(const std::vector<Run>& runs) {
  for (const auto& run : runs)
    for (const auto& recorded : run.benchmarks) {
      names_.insert(recorded.name);
      Benchmark benchmark = recorded;
      benchmark.name = renamed(recorded.name, request_.policy.renames);
      if (const auto floor = gate_for(request_.policy, benchmark).floor;
          floor && floor->of && *floor->of != judge::kPeakWord)
        references_[benchmark.name] = *floor->of;
    }
}

std::vector<std::string> ConfirmingJob::wanted() const {
  std::set<std::string> wanted;
  for (const auto& name : undecided()) {
    wanted.insert(name);
    if (const auto reference = references_.find(name); reference != references_.end())
      wanted.insert(reference->second);
  }
  const auto known = known_as(wanted);
  return {known.begin(), known.end()};
}

std::set<std::string> ConfirmingJob::known_as(const std::set<std::string>& names) const {
  std::set<std::string> known = names;
  for (const auto& name : names_)
    if (names.count(renamed(name, request_.policy.renames)) > 0) known.insert(name);
  return known;
}

std::set<std::string> ConfirmingJob::slower() const {
  std::set<std::string> names;
  for (const auto& [device, confirmation] : devices_) names.merge(confirmation.slower());
  return names;
}

std::vector<std::string> ConfirmingJob::undecided() const {
  std::vector<std::string> names;
  for (const auto& [device, confirmation] : devices_)
    names.insert(names.end(), confirmation.undecided().begin(), confirmation.undecided().end());
  return names;
}

judge::InterimAnalysis ConfirmingJob::first_analysis() const {
  judge::InterimAnalysis analysis;
  if (request_.measuring.invocations > 0) analysis.rounds = request_.measuring.invocations;
  return analysis;
}

double ConfirmingJob::expected_s(const judge::InterimAnalysis& analysis) const {
  double seconds = 0;
  for (const auto& [device, confirmation] : devices_) seconds += confirmation.expected_s(analysis);
  return seconds / boards_;
}

double ConfirmingJob::measured_s() const {
  double seconds = 0;
  for (const auto& [device, confirmation] : devices_) seconds += confirmation.measured_s();
  return seconds / boards_;
}

double ConfirmingJob::left_s() const {
  return std::max(budget_.seconds - measured_s(), 0.0);
}

bool ConfirmingJob::fits(const judge::InterimAnalysis& analysis) const {
  return expected_s(analysis) <= left_s();
}

std::string ConfirmingJob::why_not(const judge::InterimAnalysis& analysis) const {
  return "the next " + count_of(analysis.new_rounds(), "round") + " of " +
         count_of(undecided().size(), "benchmark") + " would take about " +
         format_duration(expected_s(analysis)) + ", and " + format_duration(measured_s()) + " of " +
         budget_.text + " used";
}

void ConfirmingJob::run(const BothCommits& both, const measure::LocalEnvironment& environment) {
  MeasureRequest recorded = request_.measuring;
  recorded.only = wanted();
  plan_ = plan_measuring(workspace_, both, request_.policy, recorded, known_as(slower()),
                         first_analysis().rounds, environment);
  recorded.only.clear();
  decide_same_programs();
  const std::string job = new_job_id();
  BothRuns runs;
  if (plan_.measures_nothing() || !has_doubts()) {
    note_same_programs(plan_, both, job, runs);
    store_runs(workspace_, runs.all(), nullptr);
    return;
  }
  targets_ = plan_.targets;
  measured_.files.resize(targets_.size());
  recorded.only = first_wanted();
  Spool spool(workspace_, job);
  measure::LeasedBoards boards = lease_for(workspace_, targets_, recorded, environment);
  boards_ = std::max<double>(1, static_cast<double>(boards.groups.front().size()));
  const auto progress = workspace_.observer().progress();
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
    if (!measure(analysis, environment, boards, spool, *progress)) {
      if (interrupted_) break;
      for (auto& [device, confirmation] : devices_) confirmation.give_up();
      break;
    }
    runs = both.runs_of(measured_, job, recorded);
    if (runs.base.empty() || runs.candidate.empty()) break;
    if (request_.everything) learn_names(runs.all());
    judge_analysis(
        {analysis.number, analyses_.back(), analyses_.size() > 1 ? analyses_[analyses_.size() - 2] : 0},
        runs);
  }
  boards = {};  // recording needs none
  runs.set_interim_analyses(analyses_);
  note_same_programs(plan_, both, job, runs);
  if (!analyses_.empty()) store_runs(workspace_, runs.all(), &spool);
  if (interrupted_)
    throw Error(ExitCode::kInterrupted, analyses_.empty()
                                            ? "interrupted in the first round; nothing was recorded"
                                            : "interrupted; the analyses that were complete are recorded");
  if (!analyses_.empty()) require_results(targets_, measured_);
}

std::vector<std::string> ConfirmingJob::first_wanted() const {
  return request_.everything ? plan_.only : wanted();
}

void ConfirmingJob::decide_same_programs() {
  for (const auto& [key, same] : plan_.same) {
    std::set<std::string> names;
    for (const auto& name : same.benchmarks) names.insert(renamed(name, request_.policy.renames));
    if (const auto device = devices_.find(key); device != devices_.end())
      device->second.take_same_program(names, request_.policy);
  }
}

std::string ConfirmingJob::announced(const judge::InterimAnalysis& analysis, std::size_t benchmarks) const {
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

bool ConfirmingJob::measure(const judge::InterimAnalysis& analysis,
                            const measure::LocalEnvironment& environment, const measure::LeasedBoards& boards,
                            const Spool& spool, measure::Progress& progress) {
  MeasureRequest measuring = request_.measuring;
  measuring.invocations = analysis.new_rounds();
  measuring.first_round = analyses_.empty() ? 1 : analyses_.back() + 1;
  measuring.only = analysis.number == 1 ? first_wanted() : wanted();
  const std::size_t open = undecided().size();
  workspace_.note(announced(analysis, open == 0 ? measuring.only.size() : open));
  progress.tell((open == 0 ? "" : std::to_string(open) + " undecided, ") + format_duration(left_s()) +
                " of budget left");
  measure::Measured more;
  try {
    more = measure_targets(workspace_, targets_, measuring, environment, boards, spool, progress);
  } catch (const Error& error) {
    if (error.code() != ExitCode::kUsage || measuring.only.empty()) throw;
    workspace_.note(error.what());
    return false;
  }
  interrupted_ = more.interrupted;
  if (interrupted_) return false;
  for (std::size_t side = 0; side < targets_.size(); ++side)
    std::move(more.files[side].begin(), more.files[side].end(), std::back_inserter(measured_.files[side]));
  std::move(more.failures.begin(), more.failures.end(), std::back_inserter(measured_.failures));
  analyses_.push_back(more.next_round - 1);
  // One that failed is not started again, and what the other side says alone is no comparison.
  if (measuring.isolate) return true;
  for (auto& target : targets_)
    std::erase_if(target.binaries, [&](const Binary& binary) { return has_failed(measured_, binary); });
  return true;
}

void ConfirmingJob::judge_analysis(const judge::InterimAnalysis& analysis, const BothRuns& runs) {
  for (const auto& base : runs.base)
    for (const auto& candidate : runs.candidate)
      if (device_key(base.device) == device_key(candidate.device)) judge_device(analysis, base, candidate);
}

void ConfirmingJob::judge_device(const judge::InterimAnalysis& analysis, Run base, Run candidate) {
  const std::string device = device_key(base.device);
  if (!request_.device.empty() && !glob_match(request_.device, device)) return;
  judge::keep_for_analysis(analysis, request_.policy.renames, base, candidate);
  const double measured_s = judge::length_of(base) + judge::length_of(candidate);
  const auto side_of = [](const NamedCommit& named, Run& run) {
    judge::SideRuns side;
    side.side.label = named.label;
    side.side.commit = named.commit.id;
    side.side.subject = named.commit.subject;
    side.runs.push_back(std::move(run));
    return side;
  };
  judge::Confirmation& confirmation = devices_[device];
  const NoiseHistory history =
      history::recent_runs(workspace_.history(), device, candidate_.commit.id, request_.history_runs_max);
  const auto report = judge::judge(side_of(base_, base), side_of(candidate_, candidate), history,
                                   request_.policy, confirmation.judging(analysis, request_.judging));
  confirmation.analyse(analysis, report, measured_s);
}

void ConfirmingJob::put_into(std::vector<ComparisonReport>& reports) {
  put_confirmed_into(reports);
  const auto side_of = [](const NamedCommit& named) {
    Side side;
    side.label = named.label;
    side.commit = named.commit.id;
    side.subject = named.commit.subject;
    return side;
  };
  judge::put_same_programs(on_devices_like(request_.device, plan_.same), side_of(base_), side_of(candidate_),
                           request_.policy, reports);
}

void ConfirmingJob::put_confirmed_into(std::vector<ComparisonReport>& reports) {
  const std::string out_of_time =
      why_stopped_.empty() && !undecided().empty() ? why_not(first_analysis()) : why_stopped_;
  for (auto& [device, confirmation] : devices_) {
    confirmation.stop(out_of_time);
    const ComparisonReport report = confirmation.report();
    const auto old = std::find_if(reports.begin(), reports.end(), [&](const ComparisonReport& other) {
      return other.device == report.device;
    });
    if (old != reports.end())
      *old = report;
    else
      reports.push_back(report);
  }
}

}  // namespace tracker::app

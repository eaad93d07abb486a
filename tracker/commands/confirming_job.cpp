#include "tracker/commands/confirming_job.hpp"

#include <algorithm>
#include <iterator>

#include "tracker/base/text.hpp"
#include "tracker/commands/terminal.hpp"
#include "tracker/history/history.hpp"
#include "tracker/measure/progress.hpp"

namespace tracker {
namespace {

int compared(const ComparisonReport& report) {
  return static_cast<int>(std::count_if(report.comparisons.begin(), report.comparisons.end(), is_compared));
}

double length_of(const Run& run) {
  double length_s = 0;
  for (const auto& invocation : run.invocations) length_s += invocation.length_s;
  return length_s;
}

std::string count_of(int count, const std::string& thing) {
  return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

// What a round of every benchmark takes, both sides, where a stored run tells it of one.
MeasuringCost cost_by(const std::vector<Run>& runs, int benchmarks) {
  MeasuringCost cost;
  cost.set_suite(benchmarks);
  for (const auto& run : runs)
    if (const double length_s = length_of(run); run.filter.empty() && length_s > 0)
      cost.set_suite(benchmarks, 2 * length_s / std::max(1, invocation_count(run)));
  return cost;
}

bool has_failed(const Measured& measured, const Binary& binary) {
  return std::any_of(measured.failures.begin(), measured.failures.end(),
                     [&](const Failure& failure) { return failure.binary == binary.path; });
}

void print_effort(const ComparisonReport& report, int open, const std::string& why) {
  if (!report.effort) return;
  const Effort& effort = *report.effort;
  if (effort.rounds == 0) {
    print_note(report.device + ": " + why + " before the first round could be measured");
    return;
  }
  print_note(report.device + ": measured " + count_of(effort.benchmarks, "benchmark") + " in turn, " +
             count_of(effort.rounds, "round") + " in " + format_duration(effort.measured_s) +
             "; measuring all of them as often would have taken " + format_duration(effort.saved_s) +
             " more");
  if (open > 0) print_note(why + " with " + count_of(open, "benchmark") + " undecided");
}

}  // namespace

ConfirmingJob::ConfirmingJob(const Workspace& workspace, NamedCommit base, NamedCommit candidate,
                             ConfirmRequest request, TimeBudget budget)
    : workspace_(workspace),
      base_(std::move(base)),
      candidate_(std::move(candidate)),
      request_(std::move(request)),
      budget_(std::move(budget)),
      filter_(request_.wishes.filter) {}

void ConfirmingJob::ask_for(const ComparisonReport& screen) {
  OnDevice device{Confirmation(screen), {}, 0, 0, true};
  device.benchmarks = static_cast<int>(device.confirmation.undecided().size());
  auto keys = workspace_.store().keys_of(candidate_.commit.id);
  std::erase_if(keys, [&](const StoredKey& key) { return key.device != screen.device; });
  device.cost = cost_by(read_runs(workspace_.store(), keys), compared(screen));
  devices_.emplace(screen.device, std::move(device));
}

std::vector<std::string> ConfirmingJob::undecided() const {
  std::vector<std::string> names;
  for (const auto& [key, device] : devices_)
    names.insert(names.end(), device.confirmation.undecided().begin(), device.confirmation.undecided().end());
  return names;
}

Look ConfirmingJob::first_look() const {
  Look look;
  if (request_.wishes.invocations > 0) look.rounds = request_.wishes.invocations;
  return look;
}

bool ConfirmingJob::fits(const Look& look) const {
  double seconds = 0;
  for (const auto& [key, device] : devices_) {
    const auto open = static_cast<int>(device.confirmation.undecided().size());
    seconds += device.cost.measured_s() + device.cost.expected_s(look.rounds - look.rounds_before, open);
  }
  return seconds <= budget_.seconds;
}

void ConfirmingJob::run(const BothCommits& both, const LocalEnvironment& environment) {
  targets_ = both.targets();
  measured_.files.resize(targets_.size());
  if (!request_.everything) filter_ = selection_expression(undecided());
  const std::string job = new_job_id();
  Spool spool(workspace_.repository(), job);
  BothRuns runs;
  Look look = first_look();
  do {
    measure(look, both, environment, spool);
    runs = both.runs_of(measured_, job, filter_);
    judge_look(look, runs);
    look = look.next();
  } while (!undecided().empty() && look.rounds <= kRoundsMax && fits(look));
  store_runs(workspace_, runs.all(), &spool);
}

void ConfirmingJob::measure(const Look& look, const BothCommits& both, const LocalEnvironment& environment,
                            const Spool& spool) {
  MeasureWishes wishes = request_.wishes;
  wishes.invocations = look.rounds - look.rounds_before;
  wishes.first_round = look.rounds_before + 1;
  wishes.only = undecided();
  print_note(
      "confirming " +
      (wishes.only.empty() ? "all benchmarks" : count_of(static_cast<int>(wishes.only.size()), "benchmark")) +
      ", rounds " + std::to_string(wishes.first_round) + " to " + std::to_string(look.rounds));
  Measured more = measure_targets(targets_, workspace_.config().measure, wishes, environment, spool);
  for (std::size_t side = 0; side < both.targets().size(); ++side)
    std::move(more.files[side].begin(), more.files[side].end(), std::back_inserter(measured_.files[side]));
  std::move(more.failures.begin(), more.failures.end(), std::back_inserter(measured_.failures));
  // One that failed is not started again, and what the other side says alone is no comparison.
  for (auto& target : targets_)
    std::erase_if(target.binaries, [&](const Binary& binary) { return has_failed(measured_, binary); });
}

void ConfirmingJob::judge_look(const Look& look, const BothRuns& runs) {
  for (const auto& base : runs.base)
    for (const auto& candidate : runs.candidate)
      if (device_key(base.device) == device_key(candidate.device)) judge_device(look, base, candidate);
}

void ConfirmingJob::judge_device(const Look& look, const Run& base, const Run& candidate) {
  const std::string key = device_key(base.device);
  if (!request_.device.empty() && !glob_match(request_.device, key)) return;
  const bool is_known = devices_.count(key) > 0;
  OnDevice& device = devices_[key];
  if (!is_known) device.is_screened = false;
  const auto side_of = [](const NamedCommit& named, const Run& run) {
    SideRuns side;
    side.side.label = named.label;
    side.side.commit = named.commit.id;
    side.side.subject = named.commit.subject;
    side.runs.push_back(run);
    return side;
  };
  const auto history = recent_runs(workspace_.store(), key, candidate_.commit.id, request_.history_runs_max);
  const auto asked = static_cast<int>(device.confirmation.undecided().size());
  const auto report = judge(side_of(base_, base), side_of(candidate_, candidate), history, request_.policy,
                            device.confirmation.judging(look, request_.judging));
  device.confirmation.look(report);
  const double spent_s = length_of(base) + length_of(candidate) - device.cost.measured_s();
  const int rounds = look.rounds - look.rounds_before;
  if (!is_known) {
    device.benchmarks = compared(report);
    device.cost.set_suite(device.benchmarks, spent_s / rounds);
  }
  device.cost.add(rounds, is_known ? asked : device.benchmarks, spent_s);
  device.rounds = look.rounds;
}

std::string ConfirmingJob::why_undecided() const {
  for (const auto& [key, device] : devices_)
    if (Look{1, device.rounds, 0}.next().rounds > kRoundsMax)
      return std::to_string(kRoundsMax) + " rounds were over";
  return "the time budget of " + printable(budget_.text) + " ran out";
}

void ConfirmingJob::put_into(std::vector<ComparisonReport>& reports) {
  const std::string why = why_undecided();
  for (auto& [key, device] : devices_) {
    const auto open = static_cast<int>(device.confirmation.undecided().size());
    device.confirmation.stop(why);
    ComparisonReport report = device.confirmation.report();
    if (device.benchmarks > 0)
      report.effort = Effort{device.cost.measured_s(), device.cost.saved_s(device.rounds), device.benchmarks,
                             device.rounds, open > 0};
    print_effort(report, open, why);
    const auto old = std::find_if(reports.begin(), reports.end(),
                                  [&](const ComparisonReport& other) { return other.device == key; });
    if (old != reports.end())
      *old = report;
    else
      reports.push_back(report);
  }
}

}  // namespace tracker

#include "tracker/app/confirm.hpp"

#include <algorithm>

#include "tracker/app/confirming_job.hpp"
#include "tracker/app/sides.hpp"
#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/history/history.hpp"

namespace tracker {
namespace {

bool was_measured_here(const Workspace& workspace, const std::string& candidate, const std::string& device) {
  auto keys = workspace.store().keys_of(workspace.repository().resolve(candidate).id);
  std::erase_if(keys, [&](const StoredKey& key) { return key.device != device; });
  const auto runs = read_runs(workspace.store(), keys);
  return !runs.empty() && runs.back().host.name == this_host().name;
}

// Those of `devices` that this machine is: by what it has or, where a binary names its device in words of
// its own, by the host that measured the candidate there.
std::vector<std::string> devices_here(const Workspace& workspace, const LocalEnvironment& environment,
                                      const std::string& candidate, const std::vector<std::string>& devices) {
  const auto own = own_devices(workspace.config().binaries, environment);
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
                  "--confirm builds both sides, and '" + printable(side->text) + "' is a path",
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
                                                       const LocalEnvironment& environment,
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
                   const NamedCommit& candidate, const LocalEnvironment& environment, ConfirmingJob& job) {
  std::optional<BothCommits> both;
  try {
    both.emplace(workspace, base, candidate, environment, "--confirm");
  } catch (const Error& error) {
    if (options.wanted || error.code() != ExitCode::kEnvironment) throw;
    workspace.note(std::string("not confirmed: ") + error.what());
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
  if (devices_here(workspace, LocalEnvironment(), request.candidate, devices).empty()) return false;
  workspace.note(
      "this is CI: what the stored runs leave undecided is re-measured (--no-confirm turns this off)");
  return true;
}

void confirm(const Workspace& workspace, const ConfirmOptions& options, ConfirmRequest request,
             std::vector<ComparisonReport>& reports) {
  const LocalEnvironment environment;
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

}  // namespace tracker

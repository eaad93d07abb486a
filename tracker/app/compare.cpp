#include "tracker/app/compare.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <map>
#include <set>

#include "tracker/app/both_commits.hpp"
#include "tracker/app/confirming_job.hpp"
#include "tracker/app/injected_code.hpp"
#include "tracker/app/line_events.hpp"
#include "tracker/app/promote.hpp"
#include "tracker/app/side_build.hpp"
#include "tracker/app/sides.hpp"
#include "tracker/base/parallel.hpp"
#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/history/history.hpp"
#include "tracker/judge/cause.hpp"
#include "tracker/judge/confirm.hpp"
#include "tracker/machine_code/sass.hpp"
#include "tracker/measure/build.hpp"
#include "tracker/measure/invoke.hpp"
#include "tracker/measure/same_program.hpp"
#include "tracker/model/run.hpp"
#include "tracker/repo/worktree.hpp"
#include "tracker/store/store.hpp"

namespace tracker::app {
namespace {

// Only commits can be built, and the working tree.
void require_commits(const CompareSides& sides, const std::string& option) {
  for (const auto* side : {&sides.base, &sides.candidate}) {
    if (side->kind == SideKind::kBaseline)
      throw Error(ExitCode::kUsage, option + " needs a commit on each side, not the baseline",
                  "name the commit that was promoted: tracker baseline show");
    if (side->kind == SideKind::kFiles)
      throw Error(ExitCode::kUsage,
                  option + " needs a commit on each side, and " + in_quotes(side->text) + " is a path",
                  "leave " + option + " out to compare files as they are");
  }
}

// What says how to measure, where nothing is measured. In CI it may be meant for where there is something to
// confirm.
void refuse_measuring_options(const Workspace& workspace, const CompareRequest& request) {
  if (workspace.in_ci()) return;
  const auto refuse = [](const char* option) {
    throw Error(ExitCode::kUsage, std::string(option) + " says how to measure, and nothing is measured",
                "add --measure or --confirm, or leave it out");
  };
  if (request.measuring.invocations > 0) refuse("-n");
  if (request.measuring.repetitions > 0) refuse("-r");
  if (!request.measuring.gpus.empty()) refuse("--gpus");
  if (request.measuring.isolate) refuse("--isolate");
  if (!request.identical_code.empty()) refuse("--identical-code");
}

// Whoever asks for HEAD against HEAD while files are changed means the changes, unless both are named.
void refuse_head_with_itself(const Workspace& workspace, const CompareRequest& request) {
  if (request.candidate_named || !workspace.repository().is_dirty()) return;
  const std::string base = workspace.repository().resolve(request.base).id;
  if (base == workspace.repository().resolve(request.candidate).id)
    throw Error(
        ExitCode::kUsage,
        "both sides are the commit HEAD (" + short_id(base) + "), and uncommitted changes are not measured",
        "to measure them: tracker compare HEAD --worktree (the commit against itself: tracker compare "
        "HEAD HEAD --measure)");
}

// Measures what is asked for, before anything is read from the store, and says what it left out.
MeasuringPlan measure_sides(const Workspace& workspace, const CompareRequest& request, const Policy& policy,
                            CompareSides& sides) {
  if (request.rebuild > 0)
    return measure_builds(workspace, request.base, request.candidate, policy, request.measuring,
                          request.rebuild);
  if (!request.worktree)
    return measure_both(workspace, request.base, request.candidate, policy, request.measuring);
  const BothRuns runs = measure_working_tree(workspace, request.base, request.measuring);
  sides.base.measured = runs.base;
  sides.candidate.measured = runs.candidate;
  return {};
}

void require_measurable(const Workspace& workspace, const CompareRequest& request,
                        const CompareSides& sides) {
  if (request.worktree && request.candidate_named)
    throw Error(ExitCode::kUsage,
                "--worktree makes the working tree the candidate, and " + in_quotes(request.candidate) +
                    " is one more",
                "name the base alone: tracker compare " + request.base +
                    " --worktree; a benchmark is named by --filter, or by a pattern with * or ?");
  if (request.worktree && request.confirm.wanted)
    throw Error(ExitCode::kUsage, "--confirm measures commits again, and --worktree is none",
                "leave one of them out; -n sets how often --worktree measures");
  if (request.rebuild > 0 && (!request.measure || request.confirm.wanted))
    throw Error(ExitCode::kUsage, "--rebuild says how --measure builds both commits",
                request.confirm.wanted ? "leave --confirm out" : "add --measure");
  if (request.measure || request.worktree)
    require_commits(sides, request.worktree ? "--worktree" : "--measure");
  if (request.measure) refuse_head_with_itself(workspace, request);
}

ConfirmRequest confirm_request(const Workspace& workspace, const CompareRequest& request) {
  ConfirmRequest confirming;
  confirming.base = request.base;
  confirming.candidate = request.candidate;
  confirming.measuring = request.measuring;
  confirming.measuring.budget.reset();  // it has one of its own
  confirming.everything = request.measure;
  confirming.device = request.device;
  confirming.policy = policy_between(workspace, request.policy_over(workspace.config().policy), request.base,
                                     request.candidate);
  confirming.judging.today = utc_date(std::chrono::system_clock::now());
  confirming.history_runs_max = history::kRunsMax;
  return confirming;
}

// With what the history of the device tells of the noise, and the sentinel of the machine (`moved`).
ComparisonReport judge_runs(const CompareSides& sides, judge::SideRuns& base, judge::SideRuns& candidate,
                            NoiseHistory history, Policy policy, const std::vector<Waiver>& moved,
                            judge::Options how, bool fresh) {
  const auto judge_sides = fresh ? judge::judge : judge::judge_stored;
  policy.machine_changes.insert(policy.machine_changes.end(), moved.begin(), moved.end());
  // Of a rewritten history, the candidate's own run may be there under its old commit (tracker remap).
  std::set<std::string> own;
  for (const auto& run : candidate.runs) own.insert(run.id);
  history = keep_runs(std::move(history), [&](const Run& run) { return !own.contains(run.id); });
  const int attempts = how.pairing == judge::Pairing::kNone ? 1 : join_attempts(base, candidate, history);
  how.error_share *= judge::attempts_error_share(attempts);
  ComparisonReport report = judge_sides(base, candidate, history, policy, how);
  report.notes.insert(report.notes.begin(), sides.notes.begin(), sides.notes.end());
  if (attempts > 1)
    report.notes.push_back("the pairs of " + std::to_string(attempts) +
                           " attempts count together: each job measured both sides side by side");
  return report;
}

void count_jobs_not_read(const Workspace& workspace, const std::string& device, const judge::SideRuns& base,
                         const judge::SideRuns& candidate, NoiseHistory& history) {
  if (!base.runs.empty() && !candidate.runs.empty())
    history.jobs_not_read = history::jobs_not_read(workspace.history(), device, base.runs.back().id,
                                                   candidate.runs.back().id, history.runs);
}

// Whether both sides are commits whose runs the store has.
bool are_stored(const CompareSides& sides) {
  const auto is_stored = [](const CompareSide& side) {
    return side.kind == SideKind::kRevision && side.measured.empty();
  };
  return is_stored(sides.base) && is_stored(sides.candidate);
}

// What is stored, or in files, on the devices of a candidate.
struct JudgedDevices {
  std::vector<ComparisonReport> reports;  // of the devices that the base has runs on, too
  judge::SamePrograms same;               // that earlier jobs noted instead of measuring them
};

// Both sides of a device, and what noise is learned from.
struct StoredDevice {
  judge::SideRuns base;
  judge::SideRuns candidate;
  NoiseHistory history;
  std::vector<Waiver> moved;  // machine_moved()
};

judge::Runs runs_in(const std::optional<judge::SideRuns>& side) {
  return side ? judge::Runs(side->runs) : judge::Runs();
}

std::vector<StoredDevice> read_devices(const Workspace& workspace, const CompareRequest& request,
                                       const CompareSides& sides, const std::vector<std::string>& devices,
                                       const Policy& policy, judge::SamePrograms& same) {
  auto compared = read_compared_sides(workspace, {sides.base.text, sides.candidate.text}, devices, policy);
  std::vector<StoredDevice> read;
  for (const auto& device : devices) {
    const auto noted = compared.sides[1].notes(device);
    auto base = compared.sides[0].take(device);
    auto candidate = compared.sides[1].take(device);
    if (noted)
      same.merge(judge::recorded_same_programs(noted->device, noted->same_programs,
                                               workspace.repository().resolve(request.base).id,
                                               {runs_in(base), runs_in(candidate)}, policy));
    if (!base || !candidate) continue;
    auto moved = request.measure || request.worktree  // in one job the machine is the same for both
                     ? std::vector<Waiver>()
                     : machine_moved(workspace, device, policy, base->runs, candidate->runs);
    read.push_back(
        {std::move(*base), std::move(*candidate), std::move(compared.history.at(device)), std::move(moved)});
    count_jobs_not_read(workspace, device, read.back().base, read.back().candidate, read.back().history);
  }
  return read;
}

// Some devices at a time, as each takes some megabytes: while they are judged, the next ones are read.
JudgedDevices judge_stored_devices(const Workspace& workspace, const CompareRequest& request,
                                   const CompareSides& sides, const std::vector<std::string>& devices,
                                   const Policy& policy, const judge::Options& how, bool fresh) {
  JudgedDevices judged;
  // Frees their memory, too.
  const auto judge_some =
      [&](std::vector<StoredDevice> some) {  // NOLINT(performance-unnecessary-value-param)
        std::vector<ComparisonReport> reports(some.size());
        for_each_in_parallel(some.size(), [&](std::size_t i) {
          reports[i] = judge_runs(sides, some[i].base, some[i].candidate, std::move(some[i].history), policy,
                                  some[i].moved, how, fresh);
        });
        std::move(reports.begin(), reports.end(), std::back_inserter(judged.reports));
      };
  const auto read_some = [&](std::size_t from, std::size_t count) {
    const auto first = devices.begin() + static_cast<std::ptrdiff_t>(from);
    return read_devices(workspace, request, sides, {first, first + static_cast<std::ptrdiff_t>(count)},
                        policy, judged.same);
  };
  const std::size_t together = std::max<std::size_t>(1, cores() / 2);
  std::vector<StoredDevice> read;
  for (std::size_t from = 0; from < devices.size() || !read.empty(); from += together) {
    const std::size_t count = std::min(together, devices.size() - std::min(from, devices.size()));
    std::vector<StoredDevice> next;
    for_each_in_parallel(2, [&](std::size_t task) {
      if (task == 0 && count > 0) next = read_some(from, count);
      if (task == 1) judge_some(std::move(read));
    });
    read = std::move(next);
  }
  return judged;
}

JudgedDevices judge_devices(const Workspace& workspace, const CompareRequest& request,
                            const CompareSides& sides, const std::vector<std::string>& devices,
                            const Policy& policy, const judge::Options& how) {
  const bool fresh = request.measure || request.worktree;
  if (are_stored(sides)) return judge_stored_devices(workspace, request, sides, devices, policy, how, fresh);
  JudgedDevices judged;
  for (const auto& device : devices)
    if (auto one = judge_device(workspace, sides, device, policy, how, fresh))
      judged.reports.push_back(std::move(one->report));
  return judged;
}

// Says of every device without a report why it has none.
std::vector<report::Unjudged> tell_unjudged(const Workspace& workspace, const CompareRequest& request,
                                            const CompareSides& sides,
                                            const std::vector<std::string>& devices,
                                            const std::vector<ComparisonReport>& reports) {
  std::vector<report::Unjudged> unjudged;
  for (const auto& device : devices) {
    const bool is_judged = std::any_of(reports.begin(), reports.end(),
                                       [&](const auto& report) { return report.device == device; });
    if (is_judged) continue;
    const Error error = why_unjudged(workspace, request, sides, device);
    workspace.observer().error(error);
    unjudged.push_back({device, error.what(), error.hint()});
  }
  return unjudged;
}

// The devices that the base was measured on and the candidate was not, as where a job has died.
std::vector<std::string> absent_devices(const Workspace& workspace, const CompareRequest& request,
                                        const CompareSides& sides) {
  if (sides.base.kind != SideKind::kRevision || sides.candidate.kind != SideKind::kRevision) return {};
  const auto measured = sides.candidate.devices(workspace);
  auto absent = matching_devices(sides.base.devices(workspace), request.device);
  std::erase_if(absent, [&](const std::string& device) {
    return std::find(measured.begin(), measured.end(), device) != measured.end();
  });
  return absent;
}

// Where nothing was measured just now, older runs are not what is asked about.
std::vector<std::string> judged_devices(const Workspace& workspace, const CompareRequest& request,
                                        const CompareSides& sides, const MeasuringPlan& plan,
                                        bool confirming) {
  if (plan.measures_nothing()) return {};
  return confirming ? matching_devices(sides.candidate.devices(workspace), request.device)
                    : devices_to_judge(workspace, request, sides);
}

Side side_of(const Workspace& workspace, const std::string& revision) {
  const Commit commit = workspace.repository().resolve(revision);
  Side side;
  side.label = revision;
  side.commit = commit.id;
  side.subject = commit.subject;
  return side;
}

// Profiles are read once a commit, and not where no row has a cause.
void add_counters(const Workspace& workspace, std::vector<ComparisonReport>& reports) {
  std::map<std::string, std::vector<Profile>> read;
  const auto profile_of = [&](const Side& side, const std::string& device) {
    const auto [found, is_new] = read.try_emplace(side.commit);
    if (is_new) found->second = profiles_at(workspace, side.commit);
    return find_profile(found->second, device);
  };
  for (auto& report : reports) {
    if (std::none_of(report.comparisons.begin(), report.comparisons.end(), judge::wants_cause)) continue;
    const Profile* of_base = profile_of(report.base, report.device);
    const Profile* of_candidate = profile_of(report.candidate, report.device);
    if (of_base != nullptr && of_candidate != nullptr)
      judge::add_counter_causes(report, *of_base, *of_candidate);
  }
}

// The policy's template may name what the candidate's commit does not have: no file is then said at all.
void keep_sources_of_candidate(const Workspace& workspace, std::vector<ComparisonReport>& reports) {
  for (auto& report : reports) {
    std::map<std::string, bool> known;
    for (auto& comparison : report.comparisons) {
      if (comparison.source.empty()) continue;
      const auto [found, is_new] = known.try_emplace(comparison.source, false);
      if (is_new && workspace.has_repository())
        found->second = workspace.repository().has_file(report.candidate.commit, comparison.source);
      if (!found->second) comparison.source.clear();
    }
  }
}

}  // namespace

std::optional<JudgedDevice> judge_device(const Workspace& workspace, const CompareSides& sides,
                                         const std::string& device, const Policy& policy,
                                         const judge::Options& how, bool fresh) {
  auto base = sides.base.runs_on(workspace, device);
  auto candidate = sides.candidate.runs_on(workspace, device);
  if (!base || !candidate) return {};
  JudgedDevice judged{std::move(*base), std::move(*candidate), {}};
  NoiseHistory history;
  if (workspace.has_repository()) {
    history = history::recent_runs(workspace.history(policy), device, judged.candidate.side.commit,
                                   history::kRunsMax);
    count_jobs_not_read(workspace, device, judged.base, judged.candidate, history);
  }
  const auto moved = fresh
                         ? std::vector<Waiver>()
                         : machine_moved(workspace, device, policy, judged.base.runs, judged.candidate.runs);
  judged.report =
      judge_runs(sides, judged.base, judged.candidate, std::move(history), policy, moved, how, fresh);
  return judged;
}

namespace {

// Of the line that the base is the newest commit of.
std::vector<DriftAlarm> drifts_before(const Workspace& workspace,
                                      const std::vector<ComparisonReport>& reports) {
  if (reports.empty() || !workspace.has_repository() || !store::is_commit_id(reports.front().base.commit))
    return {};
  std::vector<std::string> devices;
  for (const auto& report : reports) devices.push_back(report.device);
  return line_drifts(workspace, reports.front().base.commit, devices);
}

}  // namespace

CompareOutcome compare(const Workspace& workspace, const CompareRequest& asked) {
  CompareOutcome outcome;
  outcome.request = with_meant_commits(workspace, with_patterns(asked));
  const CompareRequest& request = outcome.request;
  const ConfirmRequest confirming = confirm_request(workspace, request);
  outcome.policy = confirming.policy;
  outcome.sides = open_sides(workspace, request);
  CompareSides& sides = outcome.sides;
  require_measurable(workspace, request, sides);
  const bool confirms = wants_confirming(workspace, request.confirm, confirming, sides);
  if (!request.measure && !request.worktree && !confirms) refuse_measuring_options(workspace, request);
  MeasuringPlan plan;
  if ((request.measure || request.worktree) && !confirms)
    plan = measure_sides(workspace, request, confirming.policy, sides);
  const auto devices = judged_devices(workspace, request, sides, plan, confirms);
  judge::Options how = confirming.judging;
  how.pairing = request.pairing;
  if (confirms) how.error_share = judge::kFirstCheckShare;
  JudgedDevices judged = judge_devices(workspace, request, sides, devices, confirming.policy, how);
  outcome.reports = std::move(judged.reports);
  const bool shows_some = !request.measure && !request.worktree && !outcome.reports.empty();
  if (shows_some && !request.measuring.filter.empty())
    report::keep_matching(outcome.reports, request.measuring.filter);
  if (shows_some && !request.globs.empty()) report::keep_matching(outcome.reports, request.globs);
  const judge::SamePrograms same =
      on_devices_like(request.device, plan.same.empty() && !request.worktree ? judged.same : plan.same);
  if (!same.empty())
    judge::put_same_programs(same, side_of(workspace, request.base), side_of(workspace, request.candidate),
                             confirming.policy, outcome.reports);
  if (!plan.out_of_time.empty())
    for (auto& report : outcome.reports) report.notes.push_back(plan.out_of_time);
  if (confirms) confirm(workspace, request.confirm, confirming, outcome.reports);
  keep_sources_of_candidate(workspace, outcome.reports);
  add_counters(workspace, outcome.reports);
  outcome.unjudged = tell_unjudged(workspace, request, sides, devices, outcome.reports);
  outcome.absent = absent_devices(workspace, request, sides);
  if (request.drifts) outcome.drifts = drifts_before(workspace, outcome.reports);
  if (request.code) outcome.code = code_differences(workspace, sides, outcome.reports);
  return outcome;
}

ExitCode exit_code_of(const CompareOutcome& outcome, bool strict) {
  const ExitCode code = judge::exit_code_for(outcome.reports, strict);
  return code == ExitCode::kOk && !outcome.unjudged.empty() ? ExitCode::kCannotJudge : code;
}

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kChangedShownMax = 60;

const Comparison* worst_of(const ComparisonReport& report) {
  const Comparison* worst = nullptr;
  for (const auto& comparison : report.comparisons) {
    const bool can_tell =
        fails_gate(comparison) && comparison.verdict == Verdict::kRegressed && comparison.same_code != true;
    if (can_tell && (worst == nullptr || matters_more(comparison, *worst))) worst = &comparison;
  }
  return worst;
}

// Of the machine code of its kernels, likewise.
std::string hash_of_code(const judge::SideRuns& side, const std::string& benchmark) {
  std::string hash;
  for (const auto& run : side.runs)
    for (const auto& one : run.benchmarks)
      if (one.name == benchmark && one.code) hash = one.code->hash;
  return hash;
}

// The kernels that a benchmark launches, by the newest run that says it.
std::vector<std::string> kernels_of(const judge::SideRuns& side, const std::string& benchmark) {
  std::vector<std::string> kernels;
  for (const auto& run : side.runs)
    for (const auto& one : run.benchmarks) {
      if (one.name != benchmark || !one.code || one.code->launches.empty()) continue;
      kernels.clear();
      for (const auto& launch : one.code->launches)
        if (std::find(kernels.begin(), kernels.end(), launch.kernel) == kernels.end())
          kernels.push_back(launch.kernel);
    }
  return kernels;
}

// Both builds of each binary that both have.
class Builds {
 public:
  Builds(const Workspace& workspace, const fs::path& cuobjdump, const std::string& base,
         const std::string& candidate)
      : cuobjdump_(cuobjdump) {
    const auto& measure = workspace.config().measure;
    const auto root_of = [&](const std::string& commit) {
      return repo::built_worktree(workspace.repository(), commit,
                                  measure::build_recipe(recipe_at(workspace, commit).measure),
                                  measure.worktrees);
    };
    const auto base_root = root_of(base);
    const auto candidate_root = root_of(candidate);
    if (!base_root || !candidate_root) return;
    std::error_code missing;
    const auto of_base = recipe_at(workspace, base).binaries;
    const auto of_candidate = recipe_at(workspace, candidate).binaries;
    for (std::size_t i = 0; i < of_base.size(); ++i) {
      const auto here = measure::binary_path(*base_root, of_base[i]);
      const auto there = measure::binary_path(*candidate_root, of_candidate[i]);
      if (fs::is_regular_file(here, missing) && fs::is_regular_file(there, missing))
        binaries_.emplace_back(here, there);
    }
  }

  // Two more files to look into, where the executables do not have the kernel: Triton's, NVRTC's.
  void add(fs::path base, fs::path candidate) {
    binaries_.emplace_back(std::move(base), std::move(candidate));
  }

  std::optional<machine_code::SassDiff> difference(const std::string& kernel, int architecture) {
    for (const auto& [base, candidate] : binaries_) {
      const auto of_base = machine_code::sass_of(measure::disassemble(cuobjdump_, base, kernel, architecture),
                                                 kernel, architecture);
      if (!of_base) continue;
      const auto of_candidate = machine_code::sass_of(
          measure::disassemble(cuobjdump_, candidate, kernel, architecture), kernel, architecture);
      if (!of_candidate) continue;
      auto diff = machine_code::diff_sass(*of_base, *of_candidate, kChangedShownMax);
      if (!diff.lines.empty()) return diff;
    }
    return {};
  }

 private:
  fs::path cuobjdump_;
  std::vector<std::pair<fs::path, fs::path>> binaries_;
};

}  // namespace

std::vector<report::CodeDifference> code_differences(const Workspace& workspace, const CompareSides& sides,
                                                     const std::vector<ComparisonReport>& reports) {
  std::vector<report::CodeDifference> differences;
  if (!workspace.has_repository()) return differences;
  std::set<int> seen;
  std::optional<fs::path> cuobjdump;
  for (const auto& report : reports) {
    const Comparison* worst = worst_of(report);
    const auto architecture = measure::architecture_of(report.details.compute_capability.value_or(""));
    // A working tree is built where it stands, and may have changed since.
    if (worst == nullptr || !architecture || report.base.commit.empty() || report.candidate.dirty ||
        seen.contains(*architecture))
      continue;
    if (!cuobjdump) cuobjdump = measure::find_cuobjdump();
    if (!cuobjdump) return differences;
    const auto candidate = sides.candidate.runs_on(workspace, report.device);
    if (!candidate) continue;
    Builds builds(workspace, *cuobjdump, report.base.commit, report.candidate.commit);
    if (const auto base = sides.base.runs_on(workspace, report.device)) {
      const auto before = kept_cubin(workspace, hash_of_code(*base, worst->benchmark));
      const auto now = kept_cubin(workspace, hash_of_code(*candidate, worst->benchmark));
      if (before && now) builds.add(*before, *now);
    }
    for (const auto& kernel : kernels_of(*candidate, worst->benchmark)) {
      auto diff = builds.difference(kernel, *architecture);
      if (!diff) continue;
      seen.insert(*architecture);
      differences.push_back({kernel, "sm_" + std::to_string(*architecture), worst->benchmark,
                             std::move(diff->lines), diff->removed, diff->added, diff->left_out});
      break;
    }
  }
  return differences;
}

}  // namespace tracker::app

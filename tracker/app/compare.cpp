#include "tracker/app/compare.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>

#include "tracker/app/both_commits.hpp"
#include "tracker/app/line_events.hpp"
#include "tracker/app/promote.hpp"
#include "tracker/app/sides.hpp"
#include "tracker/base/parallel.hpp"
#include "tracker/base/text.hpp"
#include "tracker/judge/cause.hpp"
#include "tracker/machine_code/sass.hpp"
#include "tracker/measure/build.hpp"
#include "tracker/measure/invoke.hpp"
#include "tracker/measure/same_program.hpp"
#include "tracker/model/run.hpp"

namespace tracker::app {
namespace {

namespace fs = std::filesystem;

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
MeasuringPlan measure_sides(const Workspace& workspace, CompareOutcome& outcome) {
  const CompareRequest& request = outcome.request;
  MeasuredBoth both =
      measure_both(workspace, commit_named(workspace, request.base),
                   request.worktree ? working_tree(workspace) : commit_named(workspace, request.candidate),
                   outcome.policy, request.measuring, request.rebuild);
  if (request.worktree) {
    outcome.sides.base.measured = std::move(both.runs.base);
    outcome.sides.candidate.measured = std::move(both.runs.candidate);
  }
  return std::move(both.plan);
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
  if (request.measures()) require_commits(sides, request.worktree ? "--worktree" : "--measure");
  if (request.measure) refuse_head_with_itself(workspace, request);
}

// What the command says goes before what tracker.toml does.
Policy policy_of(const Workspace& workspace, const CompareRequest& request) {
  Policy policy = workspace.config().policy;
  if (!request.identical_code.empty()) {
    PolicyRule rule;
    rule.match = "*";
    rule.identical_code = request.identical_code == "skip" ? IdenticalCode::kSkip : IdenticalCode::kMeasure;
    policy.rules.push_back(rule);
  }
  return policy_between(workspace, policy_at_threshold(std::move(policy), request.threshold), request.base,
                        request.candidate);
}

// Both sides of a device, and what noise is learned from.
struct DeviceRuns {
  judge::SideRuns base;
  judge::SideRuns candidate;
  NoiseHistory history;
  std::vector<Waiver> moved;  // machine_moved()
};

// With what the history of the device tells of the noise, and the sentinel of the machine (`moved`).
ComparisonReport judge_runs(const CompareSides& sides, DeviceRuns& runs, Policy policy, judge::Options how,
                            bool fresh) {
  const auto judge_sides = fresh ? judge::judge : judge::judge_stored;
  policy.machine_changes.insert(policy.machine_changes.end(), runs.moved.begin(), runs.moved.end());
  // Of a rewritten history, the candidate's own run may be there under its old commit (tracker remap).
  std::set<std::string> own;
  for (const auto& run : runs.candidate.runs) own.insert(run.id);
  runs.history = keep_runs(std::move(runs.history), [&](const Run& run) { return !own.contains(run.id); });
  const int attempts =
      how.pairing == judge::Pairing::kNone ? 1 : join_attempts(runs.base, runs.candidate, runs.history);
  how.error_share *= judge::attempts_error_share(attempts);
  ComparisonReport report = judge_sides(runs.base, runs.candidate, runs.history, policy, how);
  report.notes.insert(report.notes.begin(), sides.notes.begin(), sides.notes.end());
  if (attempts > 1)
    report.notes.push_back("the pairs of " + std::to_string(attempts) +
                           " attempts count together: each job measured both sides side by side");
  return report;
}

void count_jobs_not_read(const Workspace& workspace, const std::string& device, DeviceRuns& runs) {
  if (!runs.base.runs.empty() && !runs.candidate.runs.empty())
    runs.history.jobs_not_read = history::jobs_not_read(workspace.history(), device, runs.base.runs.back().id,
                                                        runs.candidate.runs.back().id, runs.history.runs);
}

// Nothing where a side has no runs there.
std::optional<DeviceRuns> read_device(const Workspace& workspace, const CompareSides& sides,
                                      const std::string& device, const Policy& policy, bool fresh) {
  auto base = sides.base.runs_on(workspace, device);
  auto candidate = sides.candidate.runs_on(workspace, device);
  if (!base || !candidate) return {};
  DeviceRuns runs{std::move(*base), std::move(*candidate), {}, {}};
  if (workspace.has_repository()) {
    runs.history = history::recent_runs(workspace.history(policy), device, runs.candidate.side.commit,
                                        history::kRunsMax);
    count_jobs_not_read(workspace, device, runs);
  }
  // In one job the machine is the same for both.
  if (!fresh) runs.moved = machine_moved(workspace, device, policy, runs.base.runs, runs.candidate.runs);
  return runs;
}

judge::Runs runs_in(const std::optional<judge::SideRuns>& side) {
  return side ? judge::Runs(side->runs) : judge::Runs();
}

// Judges the devices of a candidate.
class Judging {
 public:
  Judging(const Workspace& workspace, const CompareOutcome& outcome, const judge::Options& how)
      : workspace_(workspace), outcome_(outcome), how_(how) {}

  // The devices that the base has runs on, too. Some at a time, as each takes some megabytes: while they are
  // judged, the next ones are read.
  std::vector<ComparisonReport> judge(const std::vector<std::string>& devices) {
    std::vector<ComparisonReport> reports;
    const std::size_t together = std::max<std::size_t>(1, cores() / 2);
    std::vector<DeviceRuns> read;
    for (std::size_t from = 0; from < devices.size() || !read.empty(); from += together) {
      const auto first = devices.begin() + static_cast<std::ptrdiff_t>(std::min(from, devices.size()));
      const auto last =
          devices.begin() + static_cast<std::ptrdiff_t>(std::min(from + together, devices.size()));
      std::vector<DeviceRuns> next;
      for_each_in_parallel(2, [&](std::size_t task) {
        if (task == 0) next = this->read({first, last});
        if (task == 1) judge_some(std::move(read), reports);
      });
      read = std::move(next);
    }
    return reports;
  }

  // What earlier jobs noted instead of measuring it, on the devices that were judged.
  const judge::SamePrograms& same_programs() const { return same_; }

 private:
  // Frees their memory, too.
  void judge_some(std::vector<DeviceRuns> some,  // NOLINT(performance-unnecessary-value-param)
                  std::vector<ComparisonReport>& reports) const {
    std::vector<ComparisonReport> judged(some.size());
    for_each_in_parallel(some.size(), [&](std::size_t i) {
      judged[i] = judge_runs(outcome_.sides, some[i], outcome_.policy, how_, outcome_.request.measures());
    });
    std::ranges::move(judged, std::back_inserter(reports));
  }

  std::vector<DeviceRuns> read(const std::vector<std::string>& devices) {
    const auto is_stored = [](const CompareSide& side) {
      return side.kind == SideKind::kRevision && side.measured.empty();
    };
    if (!devices.empty() && is_stored(outcome_.sides.base) && is_stored(outcome_.sides.candidate))
      return read_stored(devices);
    std::vector<DeviceRuns> read;
    for (const auto& device : devices)
      if (auto runs =
              read_device(workspace_, outcome_.sides, device, outcome_.policy, outcome_.request.measures()))
        read.push_back(std::move(*runs));
    return read;
  }

  std::vector<DeviceRuns> read_stored(const std::vector<std::string>& devices) {
    auto compared = read_compared_sides(workspace_, {outcome_.sides.base.text, outcome_.sides.candidate.text},
                                        devices, outcome_.policy);
    std::vector<DeviceRuns> read;
    for (const auto& device : devices) {
      const auto noted = compared.sides[1].notes(device);
      auto base = compared.sides[0].take(device);
      auto candidate = compared.sides[1].take(device);
      if (noted)
        same_.merge(judge::recorded_same_programs(noted->device, noted->same_programs,
                                                  compared.sides[0].commit().id,
                                                  {runs_in(base), runs_in(candidate)}, outcome_.policy));
      if (!base || !candidate) continue;
      DeviceRuns& runs = read.emplace_back(
          DeviceRuns{std::move(*base), std::move(*candidate), std::move(compared.history.at(device)), {}});
      if (!outcome_.request.measures())
        runs.moved = machine_moved(workspace_, device, outcome_.policy, runs.base.runs, runs.candidate.runs);
      count_jobs_not_read(workspace_, device, runs);
    }
    return read;
  }

  const Workspace& workspace_;
  const CompareOutcome& outcome_;
  const judge::Options& how_;
  judge::SamePrograms same_;
};

// Says of every device without a report why it has none.
std::vector<report::Unjudged> tell_unjudged(const Workspace& workspace, const CompareOutcome& outcome,
                                            const std::vector<std::string>& devices) {
  std::vector<report::Unjudged> unjudged;
  for (const auto& device : devices) {
    if (std::ranges::find(outcome.reports, device, &ComparisonReport::device) != outcome.reports.end())
      continue;
    const Error error = why_unjudged(workspace, outcome.request, outcome.sides, device);
    workspace.observer().error(error);
    unjudged.push_back({device, error.what(), error.hint()});
  }
  return unjudged;
}

// The devices that the base was measured on and the candidate was not, as where a job has died.
std::vector<std::string> absent_devices(const Workspace& workspace, const CompareOutcome& outcome) {
  const auto& [base, candidate, notes] = outcome.sides;
  if (base.kind != SideKind::kRevision || candidate.kind != SideKind::kRevision) return {};
  const auto measured = candidate.devices(workspace);
  auto absent = matching_devices(base.devices(workspace), outcome.request.device);
  std::erase_if(absent,
                [&](const auto& device) { return std::ranges::find(measured, device) != measured.end(); });
  return absent;
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
    if (std::ranges::none_of(report.comparisons, judge::wants_cause)) continue;
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
  auto runs = read_device(workspace, sides, device, policy, fresh);
  if (!runs) return {};
  ComparisonReport report = judge_runs(sides, *runs, policy, how, fresh);
  return JudgedDevice{std::move(runs->base), std::move(runs->candidate), std::move(report)};
}

namespace {

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
        if (std::ranges::find(kernels, launch.kernel) == kernels.end()) kernels.push_back(launch.kernel);
    }
  return kernels;
}

using FilePairs = std::vector<std::pair<fs::path, fs::path>>;  // of the base and of the candidate

// Each binary that the builds of both commits have.
FilePairs built_binaries(const Workspace& workspace, const std::string& base, const std::string& candidate) {
  std::vector<std::vector<fs::path>> paths;
  for (const auto& commit : {base, candidate}) {
    const SideRecipe recipe = recipe_at(workspace, commit);
    const auto root =
        repo::built_worktree(workspace.repository(), commit, measure::build_recipe(recipe.measure),
                             workspace.config().measure.worktrees);
    if (!root) return {};
    auto& of_side = paths.emplace_back();
    for (const auto& binary : recipe.binaries) of_side.push_back(measure::binary_path(*root, binary));
  }
  FilePairs both;
  std::error_code missing;
  for (std::size_t i = 0; i < paths[0].size(); ++i)
    if (fs::is_regular_file(paths[0][i], missing) && fs::is_regular_file(paths[1][i], missing))
      both.emplace_back(paths[0][i], paths[1][i]);
  return both;
}

std::optional<machine_code::SassDiff> difference_in(const FilePairs& files, const fs::path& cuobjdump,
                                                    const std::string& kernel, int architecture) {
  const auto sass_in = [&](const fs::path& file) {
    return machine_code::sass_of(measure::disassemble(cuobjdump, file, kernel, architecture), kernel,
                                 architecture);
  };
  for (const auto& [base, candidate] : files) {
    const auto of_base = sass_in(base);
    if (!of_base) continue;
    const auto of_candidate = sass_in(candidate);
    if (!of_candidate) continue;
    auto diff = machine_code::diff_sass(*of_base, *of_candidate, kChangedShownMax);
    if (!diff.lines.empty()) return diff;
  }
  return {};
}

// The machine code of what got slower, where this machine has built both commits: of the benchmark that got
// slower most on each device, the kernel whose code differs, one for each architecture. Reads the builds that
// measuring both commits left, so that a later report on the same machine has it, too. Empty where there is
// no cuobjdump, or a build is gone.
std::vector<report::CodeDifference> code_differences(const Workspace& workspace,
                                                     const CompareOutcome& outcome) {
  std::vector<report::CodeDifference> differences;
  if (!workspace.has_repository()) return differences;
  std::set<int> seen;
  std::optional<fs::path> cuobjdump;
  for (const auto& report : outcome.reports) {
    const Comparison* worst = worst_of(report);
    const auto architecture = measure::architecture_of(report.details.compute_capability.value_or(""));
    // A working tree is built where it stands, and may have changed since.
    if (worst == nullptr || !architecture || report.base.commit.empty() || report.candidate.dirty ||
        seen.contains(*architecture))
      continue;
    if (!cuobjdump) cuobjdump = measure::find_cuobjdump();
    if (!cuobjdump) return differences;
    const auto candidate = outcome.sides.candidate.runs_on(workspace, report.device);
    if (!candidate) continue;
    auto files = built_binaries(workspace, report.base.commit, report.candidate.commit);
    if (const auto base = outcome.sides.base.runs_on(workspace, report.device)) {
      const auto before = kept_cubin(workspace, hash_of_code(*base, worst->benchmark));
      const auto now = kept_cubin(workspace, hash_of_code(*candidate, worst->benchmark));
      if (before && now) files.emplace_back(*before, *now);  // Triton's, NVRTC's
    }
    for (const auto& kernel : kernels_of(*candidate, worst->benchmark)) {
      auto diff = difference_in(files, *cuobjdump, kernel, *architecture);
      if (!diff) continue;
      seen.insert(*architecture);
      differences.push_back({kernel, "sm_" + std::to_string(*architecture), worst->benchmark,
                             std::move(diff->lines), diff->removed, diff->added, diff->left_out});
      break;
    }
  }
  return differences;
}

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
  outcome.request = with_meant_commits(workspace, asked);
  const CompareRequest& request = outcome.request;
  outcome.policy = policy_of(workspace, request);
  const Policy& policy = outcome.policy;
  judge::Options how{.today = utc_date(std::chrono::system_clock::now()), .pairing = request.pairing};
  outcome.sides = open_sides(workspace, request);
  require_measurable(workspace, request, outcome.sides);
  const bool confirms = wants_confirming(workspace, request, outcome.sides);
  if (!request.measures() && !confirms) refuse_measuring_options(workspace, request);
  MeasuringPlan plan;
  if (request.measures() && !confirms) plan = measure_sides(workspace, outcome);
  std::vector<std::string> devices;  // where nothing was measured just now, older runs are not asked about
  if (!plan.measures_nothing())
    devices = confirms ? matching_devices(outcome.sides.candidate.devices(workspace), request.device)
                       : devices_to_judge(workspace, request, outcome.sides);
  if (confirms) how.error_share = judge::kFirstCheckShare;
  Judging judging(workspace, outcome, how);
  outcome.reports = judging.judge(devices);
  const bool shows_some = !request.measures() && !outcome.reports.empty();
  if (shows_some && !request.measuring.filter.empty())
    report::keep_matching(outcome.reports, request.measuring.filter);
  if (shows_some && !request.globs.empty()) report::keep_matching(outcome.reports, request.globs);
  const judge::SamePrograms same = on_devices_like(
      request.device, plan.same.empty() && !request.worktree ? judging.same_programs() : plan.same);
  if (!same.empty())
    judge::put_same_programs(same, side_of(commit_named(workspace, request.base)),
                             side_of(commit_named(workspace, request.candidate)), policy, outcome.reports);
  if (!plan.out_of_time.empty())
    for (auto& report : outcome.reports) report.notes.push_back(plan.out_of_time);
  if (confirms) confirm(workspace, request, policy, how.today, outcome.reports);
  keep_sources_of_candidate(workspace, outcome.reports);
  add_counters(workspace, outcome.reports);
  outcome.unjudged = tell_unjudged(workspace, outcome, devices);
  outcome.absent = absent_devices(workspace, outcome);
  if (request.drifts) outcome.drifts = drifts_before(workspace, outcome.reports);
  if (request.code) outcome.code = code_differences(workspace, outcome);
  return outcome;
}

ExitCode exit_code_of(const CompareOutcome& outcome, bool strict) {
  const ExitCode code = judge::exit_code_for(outcome.reports, strict);
  return code == ExitCode::kOk && !outcome.unjudged.empty() ? ExitCode::kCannotJudge : code;
}

}  // namespace tracker::app

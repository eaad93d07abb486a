#include <algorithm>
#include <chrono>
#include <iterator>

#include "tracker/app/both_commits.hpp"
#include "tracker/base/process.hpp"
#include "tracker/base/text.hpp"
#include "tracker/judge/evidence.hpp"
#include "tracker/measure/build.hpp"
#include "tracker/measure/invoke.hpp"
#include "tracker/measure/listing.hpp"
#include "tracker/measure/same_program.hpp"
#include "tracker/measure/selection.hpp"
#include "tracker/model/benchmark_name.hpp"

namespace tracker::app {
namespace {

using Names = std::set<std::string>;

// So many other runs tell how long measuring takes, where neither commit has one.
constexpr int kRunsMax = 5;
constexpr std::size_t kInputsShown = 2;
constexpr std::size_t kNamesShown = 5;

std::string name_of(const Binary& binary) {
  return in_quotes(std::filesystem::path(binary.path).filename().string());
}

const Binary* find_alike(const measure::Target& target, const Binary& wanted) {
  const auto found = std::ranges::find_if(
      target.binaries, [&](const Binary& binary) { return is_same_binary(binary, wanted); });
  return found == target.binaries.end() ? nullptr : &*found;
}

// What is known to be the same of a binary: all of its benchmarks, or those whose kernels are the same.
struct SameOfBinary {
  Binary binary;
  Names names;
  bool is_whole = true;
  std::optional<Device> device = {};  // as its results state it, where they were seen
};

class Planner {
 public:
  // Names in `measured` are measured whatever is the same.
  Planner(const Workspace& workspace, const BothCommits& both, const Policy& policy,
          const MeasureRequest& measuring, const Names& measured, int rounds)
      : workspace_(workspace),
        both_(both),
        policy_(policy),
        measuring_(measuring),
        rounds_(rounds),
        architecture_(architecture_here(workspace)),
        changed_(repo::changed_files(workspace.repository(), both.base_commit(), both.candidate_commit())),
        measured_(measured),
        others_(measured) {
    for (const auto* commit : {&both.base_commit(), &both.candidate_commit()})
      for (auto& run : history::read_runs(workspace.store(), workspace.store().keys_of(*commit)))
        runs_.push_back(std::move(run));
  }

  MeasuringPlan plan() {
    MeasuringPlan plan;
    plan.targets = both_.targets();
    require_on_base();
    if (!changed_ || !gather()) return plan;
    Names same;
    if (may_look_at_kernels()) look_at_kernels();
    for (const auto& one : same_) same.insert(one.names.begin(), one.names.end());
    const Names skipped = judge::not_to_be_measured(same, others_, policy_);
    if (skipped.empty()) return plan;
    for (const auto& one : same_) add_rows(one, skipped, plan);
    for (auto& target : plan.targets)
      std::erase_if(target.binaries, [&](const Binary& binary) { return is_skipped(binary, skipped); });
    Names left = others_;
    for (const auto& name : same)
      if (skipped.count(name) == 0) left.insert(name);
    plan.only.assign(left.begin(), left.end());
    for (auto& [key, same_program] : plan.same) tell(key, same_program);
    return plan;
  }

 private:
  // kCannotJudge where the base has nothing of what was asked for and the candidate has: measuring that would
  // compare nothing. Of binaries that cannot list their benchmarks nobody knows.
  void require_on_base() const {
    if (measuring_.filter.empty() && measuring_.only.empty()) return;
    std::vector<Names> of_side;
    for (const auto& target : both_.targets()) {
      Names all;
      for (const auto& binary : target.binaries) {
        auto names = list(target, binary);
        if (!names) return;
        all.merge(*names);
      }
      of_side.push_back(std::move(all));
    }
    if (!of_side[0].empty() || of_side[1].empty()) return;
    std::vector<std::string> shown(of_side[1].begin(), of_side[1].end());
    const std::size_t more = shown.size() - std::min(shown.size(), kNamesShown);
    shown.resize(shown.size() - more);
    throw Error(ExitCode::kCannotJudge,
                "nothing to compare: " + both_.targets()[0].label + " has none of the benchmarks asked for",
                "new at " + both_.targets()[1].label + ": " + join(shown, ", ") +
                    (more > 0 ? " and " + count_of(more, "other") : "") +
                    "; check that commit out and record them: tracker run --build");
  }

  // Empty where it cannot list them.
  std::optional<Names> list(const measure::Target& target, const Binary& binary) const {
    const auto outcome =
        measure::list_benchmarks(target, binary, measuring_.only.empty() ? measuring_.filter : std::string());
    if (!outcome.names) return {};
    Names names(outcome.names->begin(), outcome.names->end());
    const Names only(measuring_.only.begin(), measuring_.only.end());
    if (!only.empty()) std::erase_if(names, [&](const std::string& name) { return only.count(name) == 0; });
    return names;
  }

  // Of a binary that cannot list, what whole runs of either commit have of it.
  std::optional<Names> stored_names(const Binary& binary) const {
    if (!measuring_.filter.empty() || !measuring_.only.empty()) return {};
    Names names;
    for (const auto& run : runs_) {
      if (!run.selection.is_all()) continue;
      for (const auto& benchmark : run.benchmarks)
        if (may_be_same_binary(benchmark.binary, label_of(binary))) names.insert(benchmark.name);
    }
    return names.empty() ? std::nullopt : std::optional(names);
  }

  // Why a binary has to be measured; empty where both sides are the same program.
  std::string why_measured(const Binary& base, const Binary& candidate) const {
    const auto& targets = both_.targets();
    const std::string why =
        measure::why_not_same_program({targets[0].root, base}, {targets[1].root, candidate}, architecture_);
    if (!why.empty()) return why;
    if (const auto hidden = hidden_difference(both_.recipes()[0], both_.recipes()[1]); !hidden.empty())
      return "the same program, but the commits name other build commands: " + hidden;
    if (const auto shared = measure::shared_file_of({targets[1].root, candidate}, targets[1].shared))
      return "the same program, but it " + measure::describe(*shared) +
             ", and what it reads there is not known";
    auto inputs = measure::possible_inputs(*changed_, candidate, workspace_.config().baselines_directory);
    if (inputs.empty()) return "";
    for (auto& path : inputs) path = in_quotes(path);
    return "the same program, but it may read what has changed: " +
           join_some(std::move(inputs), kInputsShown) +
           " (in tracker.toml, reads = [] of [[binary]] says that it reads nothing of the repository)";
  }

  // The benchmarks of the programs that are the same, and those of all others. False where they cannot be
  // told apart.
  bool gather() {
    const measure::Target& base = both_.targets()[0];
    const measure::Target& candidate = both_.targets()[1];
    for (const auto& binary : candidate.binaries) {
      auto names = list(candidate, binary);
      if (names && names->empty() && !measuring_.only.empty()) continue;  // it has nothing of what is wanted
      const Binary* earlier = find_alike(base, binary);
      const std::string why = earlier == nullptr ? "it is new" : why_measured(*earlier, binary);
      if (why.empty() && !names) names = stored_names(binary);
      if (why.empty() && names && device_of(binary, *names)) {
        same_.push_back({binary, *names});
        continue;
      }
      if (!why.empty() && earlier != nullptr && names && !names->empty()) other_.push_back({binary, *names});
      const bool is_filtered_out = names && names->empty();
      if (!why.empty() && !is_filtered_out) workspace_.note(name_of(binary) + " is measured: " + why);
      if (!names || !add_others(earlier == nullptr ? nullptr : &base, earlier, *names)) return false;
    }
    return std::ranges::all_of(base.binaries, [&](const Binary& binary) {
      return find_alike(candidate, binary) != nullptr || !measuring_.only.empty();
    });
  }

  bool add_others(const measure::Target* base, const Binary* earlier, const Names& names) {
    others_.insert(names.begin(), names.end());
    if (earlier == nullptr) return true;
    const auto before = list(*base, *earlier);
    if (!before) return false;
    others_.insert(before->begin(), before->end());
    return !measuring_.only.empty() || std::ranges::includes(names, *before);
  }

  // Executing a benchmark once costs less than measuring it, unless that is all that is asked for.
  bool may_look_at_kernels() const {
    constexpr int kRoundsMin = 3;
    return rounds_ >= kRoundsMin && workspace_.machine().has_gpu() && measuring_.build == 0 &&
           std::ranges::any_of(other_, [&](const SameOfBinary& one) { return is_worth_looking(one); });
  }

  // Not what the policy fails where it is slower with the same code.
  bool may_be_left_out(const std::string& name) const {
    const Gate gate = gate_for(policy_, {.name = renamed(name, policy_.renames)});
    return skips_identical_code(gate) && gate.same_code == SameCode::kReport && !measured_.contains(name);
  }

  // Not where stored runs show that its benchmarks state no code, nor where none of them may be left out.
  bool is_worth_looking(const SameOfBinary& one) const {
    if (!workspace_.machine().uses_gpu(one.binary.device) || one.binary.prints_rows) return false;
    if (std::ranges::none_of(one.names, [&](const std::string& name) { return may_be_left_out(name); }))
      return false;
    bool is_known = false;
    for (const auto& run : runs_)
      for (const auto& name : one.names)
        if (const Benchmark* benchmark = find_benchmark(run, name)) {
          if (benchmark->code && !benchmark->code->hash.empty()) return true;
          is_known = true;
        }
    return !is_known;
  }

  // Of the programs that differ, the benchmarks that launch the same kernels: an execution of either side, as
  // short as can be, states them. On the boards that are measured on, of one model: code is for an
  // architecture.
  void look_at_kernels() {
    const measure::LeasedBoards boards = lease_for(workspace_, both_.targets(), measuring_);
    if (boards.groups.size() != 1) return;
    for (const auto& one : other_) {
      if (!is_worth_looking(one)) continue;
      const auto began = std::chrono::steady_clock::now();
      const Binary& earlier = *find_alike(both_.targets()[0], one.binary);
      const bool is_injected = may_inject(earlier, one.binary);
      const auto base = look_at(both_.targets()[0], earlier, boards, is_injected);
      const auto candidate =
          base.empty() ? std::vector<Run>() : look_at(both_.targets()[1], one.binary, boards, is_injected);
      Names same;
      for (const auto& name : one.names)
        if (!candidate.empty() && is_same_kernel(name, base, candidate)) same.insert(name);
      const auto states_code = [](const Benchmark& b) { return b.code && !b.code->hash.empty(); };
      if (candidate.empty() || std::ranges::none_of(candidate.back().benchmarks, states_code)) continue;
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
      workspace_.note("looked at the kernels of " + name_of(one.binary) + " on both sides in " +
                      format_duration(took.count()) + ": " + std::to_string(same.size()) + " of " +
                      count_of(one.names.size(), "benchmark") + " launch the same code");
      if (same.empty()) continue;
      for (const auto& name : same) others_.erase(name);
      same_.push_back({one.binary, std::move(same), false, candidate.back().device});
    }
  }

  // What the injected library sees is the device's part. The host's is taken to be the same where both sides
  // load the same libraries of the machine, and no file has changed that the program may read.
  bool may_inject(const Binary& base, const Binary& candidate) const {
    return changed_ &&
           measure::possible_inputs(*changed_, candidate, workspace_.config().baselines_directory).empty() &&
           measure::load_alike({both_.targets()[0].root, base}, {both_.targets()[1].root, candidate});
  }

  std::vector<Run> look_at(const measure::Target& target, const Binary& binary,
                           const measure::LeasedBoards& boards, bool is_injected) const {
    measure::Target own = target;
    own.binaries = {binary};
    measure::InvocationSpec spec;
    spec.root = target.root;
    spec.shared = target.shared;
    spec.binary = binary;
    spec.repetitions = 1;
    spec.timeout_s = workspace_.config().measure.timeout_s;
    if (measuring_.only.empty())
      spec.filter = measuring_.filter;
    else if (const auto filter = measure::filter_for(binary, measuring_.only))
      spec.filter = *filter;
    spec.flags = measure::list_benchmarks(spec).flags;
    if (spec.flags.harness != measure::Harness::kGoogleBenchmark) return {};
    spec.binary.arguments.emplace_back("--benchmark_min_time=0.0001s");
    if (spec.flags.has_contexts) spec.binary.arguments.emplace_back("--contexts=1");
    spec.visible_gpus = boards.visible_gpus;
    if (!boards.groups.front().empty()) spec.board = boards.groups.front().front();
    const Spool spool(workspace_, true);
    spec.output = spool.path() / "kernels.json";
    auto outcome = measure::invoke(spec, workspace_.machine());
    if (outcome.stopped) throw Error(ExitCode::kInterrupted, "interrupted; nothing was recorded");
    if (!outcome.file) return {};
    std::vector<formats::BenchmarkFile> files;
    files.push_back(std::move(*outcome.file));
    if (is_injected) add_injected_code(workspace_, own, files, InjectedFor::kSparing);
    return formats::assemble_runs(std::move(files), {.id = "kernels", .job = "kernels"});
  }

  // Its time has to be the kernels' alone, and what both sides state of CUDA and its libraries the same.
  bool is_same_kernel(const std::string& name, judge::Runs base, judge::Runs candidate) const {
    const Benchmark* earlier = find_benchmark(base.back(), name);
    const Benchmark* benchmark = find_benchmark(candidate.back(), name);
    if (earlier == nullptr || benchmark == nullptr || benchmark->time_base != TimeBase::kManual) return false;
    const Software before = software_of(base.back(), *earlier);
    const Software now = software_of(candidate.back(), *benchmark);
    if (before.cuda_runtime != now.cuda_runtime || before.cublas != now.cublas ||
        before.library != now.library)
      return false;
    if (!may_be_left_out(name)) return false;
    return judge::has_same_code(judge::side_evidence(base, name), judge::side_evidence(candidate, name))
        .value_or(false);
  }

  // As stored runs of this host have it, or else as this machine is.
  std::optional<Device> device_of(const Binary& binary, const Names& names) const {
    const std::string host = measure::this_host().name;
    for (auto run = runs_.rbegin(); run != runs_.rend(); ++run)
      if (run->host.name == host && std::ranges::any_of(names, [&](const std::string& name) {
            return find_benchmark(*run, name) != nullptr;
          }))
        return run->device;
    try {
      return workspace_.machine().device_for(binary.device);
    } catch (const Error&) {
      return {};
    }
  }

  bool is_skipped(const Binary& binary, const Names& skipped) const {
    return std::ranges::any_of(same_, [&](const SameOfBinary& one) {
      return one.is_whole && is_same_binary(one.binary, binary) && std::ranges::includes(skipped, one.names);
    });
  }

  void add_rows(const SameOfBinary& one, const Names& skipped, MeasuringPlan& plan) const {
    Names rows;
    std::ranges::set_intersection(one.names, skipped, std::inserter(rows, rows.end()));
    if (rows.empty()) return;
    const Device device = one.device ? *one.device : device_of(one.binary, one.names).value();
    judge::SameProgram& same = plan.same[device_key(device)];
    same.device = device;
    same.benchmarks.merge(rows);
  }

  void tell(const std::string& key, judge::SameProgram& same) const {
    std::vector<Run> runs = history::recent_runs(workspace_.history(), key, "", kRunsMax);
    for (const auto& run : runs_)
      if (device_key(run.device) == key) runs.push_back(run);
    same.saved_s = judge::measuring_time_s(same.benchmarks, runs, rounds_);
    workspace_.note(count_of(same.benchmarks.size(), "benchmark") +
                    (same.benchmarks.size() == 1 ? " is" : " are") +
                    " not measured: the same code on both sides (--identical-code measure: all the same)");
  }

  const Workspace& workspace_;
  const BothCommits& both_;
  const Policy& policy_;
  const MeasureRequest& measuring_;
  int rounds_;
  std::optional<int> architecture_;
  std::optional<std::vector<std::string>> changed_;
  std::vector<Run> runs_;  // of both commits
  std::vector<SameOfBinary> same_;
  std::vector<SameOfBinary> other_;  // programs that differ, of which both sides list benchmarks
  Names measured_;
  Names others_;  // benchmarks of the other programs, of both sides
};

}  // namespace

std::optional<int> architecture_here(const Workspace& workspace) {
  if (!workspace.machine().has_gpu()) return {};
  try {
    return measure::architecture_of(
        workspace.machine().device_for(RunsOn::kGpu).compute_capability.value_or(""));
  } catch (const Error&) {
    return {};  // several GPUs: for whichever, all device code has to be the same
  }
}

MeasuringPlan plan_measuring(const Workspace& workspace, const BothCommits& both, const Policy& policy,
                             const MeasureRequest& measuring, const std::set<std::string>& measured,
                             int rounds) {
  return Planner(workspace, both, policy, measuring, measured, rounds).plan();
}

std::vector<std::string> sentinel_benchmarks(const Policy& policy, const measure::Target& target) {
  std::vector<std::string> names;
  for (const auto& binary : target.binaries) {
    const auto outcome = measure::list_benchmarks(target, binary);
    if (!outcome.names) return {};
    names.insert(names.end(), outcome.names->begin(), outcome.names->end());
  }
  const auto& match = policy.sentinel.match;
  if (match.empty()) {
    Names bounds;
    for (const auto& name : names) {
      if (const auto bound = gate_for(policy, {.name = name}).bound) bounds.insert(*bound);
    }
    return measure::next_stage(names, {}, {.likely_changed = bounds});
  }
  std::erase_if(names, [&](const std::string& name) { return !means_any(match, name); });
  if (names.empty())
    throw Error(ExitCode::kUsage,
                "no benchmark of " + target.label + " matches " + in_quotes(join(match, "' or '")),
                "match of [sentinel] in tracker.toml names its benchmarks");
  return names;
}

judge::SamePrograms on_devices_like(const std::string& device, judge::SamePrograms same) {
  if (!device.empty()) std::erase_if(same, [&](const auto& one) { return !glob_match(device, one.first); });
  return same;
}

void note_same_programs(const MeasuringPlan& plan, const BothCommits& both, const std::string& job,
                        BothRuns& runs) {
  Run empty;
  empty.id = job + "-b";
  empty.job = job;
  empty.commit = both.candidate_commit();
  empty.started_at = format_utc(std::chrono::system_clock::now());
  empty.host = measure::this_host();
  judge::record_same_programs(plan.same, both.base_commit(), empty, runs.candidate);
}

}  // namespace tracker::app

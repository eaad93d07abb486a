#include "tracker/judge/evidence.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "tracker/base/parallel.hpp"
#include "tracker/base/text.hpp"
#include "tracker/model/benchmark_name.hpp"
#include "tracker/stats/ratio.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker::judge {

std::string board_of(const Run& run) {
  if (run.device.uuid) return *run.device.uuid;
  if (const auto boards = boards_of(run); !boards.empty()) return join(boards, ",");
  return run.host.name;
}

bool on_same_board(const Run& a, const Run& b) {
  return board_of(a) == board_of(b);
}

Distance distance_between(Runs base, Runs candidate) {
  for (const auto& b : base)
    for (const auto& c : candidate)
      if (!on_same_board(b, c)) return Distance::kOtherBoard;
  return Distance::kSameBoard;
}

int SideValues::count() const {
  if (only_zeros()) return zeros;
  std::size_t all = 0;
  for (const auto& job : logs_by_job) all += job.size();
  return static_cast<int>(all);
}

std::optional<double> SideValues::typical() const {
  if (only_zeros()) return 0.0;
  if (logs_by_job.empty()) return {};
  return std::exp(stats::side_noise(logs_by_job).mean);
}

SideEvidence side_evidence(Runs runs, const std::string& name) {
  SideEvidence side{runs, {}};
  for (const auto& run : runs) {
    const Benchmark* benchmark = find_benchmark(run, name);
    if (benchmark == nullptr) continue;
    auto& one = side.seen.emplace_back(RunEvidence{&run, benchmark, {}});
    one.samples.reserve(run.invocations.size());
    for (const auto& invocation : run.invocations) {
      const auto found = invocation.samples.find(name);
      one.samples.push_back(found == invocation.samples.end() ? nullptr : &found->second);
    }
  }
  return side;
}

SideValues side_values(const SideEvidence& side, const Metric& metric) {
  SideValues values;
  std::map<std::string_view, std::size_t> places;
  for (const auto& [run, benchmark, samples] : side.seen) {
    if (benchmark->error) continue;
    std::vector<double> logs;
    std::vector<int> rounds;
    for (const auto& [round, value, build] : metric_rounds(metric, *benchmark, *run, samples)) {
      if (build > 0) values.builds[round] = build;
      if (value == 0) ++values.zeros;
      if (metric.unit.empty() && std::isfinite(value)) values.plain[job_or_id(*run)][round] = value;
      if (!(value > 0) || !std::isfinite(value)) continue;
      logs.push_back(std::log(value));
      rounds.push_back(round);
    }
    if (logs.empty()) continue;
    const auto [place, is_new] = places.try_emplace(job_or_id(*run), values.logs_by_job.size());
    if (is_new) {
      values.logs_by_job.emplace_back();
      values.rounds_by_job.emplace_back();
      values.boards.push_back(board_of(*run));
    }
    auto& job = values.logs_by_job[place->second];
    job.insert(job.end(), logs.begin(), logs.end());
    auto& job_rounds = values.rounds_by_job[place->second];
    job_rounds.insert(job_rounds.end(), rounds.begin(), rounds.end());
  }
  return values;
}

SideValues side_values(Runs runs, const std::string& name, const Metric& metric) {
  return side_values(side_evidence(runs, name), metric);
}

std::vector<double> repetition_values(const SideEvidence& side, const Metric& metric) {
  std::vector<double> all;
  each_counted(side, [&](const RunEvidence& one, const Invocation& /*invocation*/, const Samples& samples) {
    if (one.benchmark->error) return;
    const auto values = metric_samples(metric, *one.benchmark, samples);
    all.insert(all.end(), values.begin(), values.end());
  });
  return all;
}

std::vector<double> logs_of(const std::vector<double>& values) {
  std::vector<double> logs;
  for (const double value : values)
    if (value > 0 && std::isfinite(value)) logs.push_back(std::log(value));
  return logs;
}

ByRound logs_by_round(const SideValues& side) {
  ByRound logs;
  if (side.logs_by_job.empty()) return logs;
  for (std::size_t i = 0; i < side.logs_by_job.front().size(); ++i)
    logs[side.rounds_by_job.front()[i]] = side.logs_by_job.front()[i];
  return logs;
}

std::vector<double> in_rounds(const std::vector<int>& rounds, const ByRound& by_round) {
  std::vector<double> values;
  for (const int round : rounds)
    if (const auto found = by_round.find(round); found != by_round.end()) values.push_back(found->second);
  return values.size() == rounds.size() ? values : std::vector<double>{};
}

std::vector<double> minus(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> differences;
  for (std::size_t i = 0; i < a.size(); ++i) differences.push_back(a[i] - b[i]);
  return differences;
}

namespace {

bool has_binary(Runs side, const std::string& binary) {
  return std::ranges::any_of(side, [&](const Run& run) {
    return std::ranges::any_of(
        run.benchmarks, [&](const Benchmark& other) { return may_be_same_binary(other.binary, binary); });
  });
}

// Of a binary that is measured only where it is asked for, a side that has nothing was not asked.
bool was_not_asked(const Policy& policy, const Benchmark& benchmark, Runs side) {
  const bool is_asked = std::ranges::any_of(
      policy.asked, [&](const std::string& label) { return may_be_same_binary(label, benchmark.binary); });
  return is_asked && !has_binary(side, benchmark.binary);
}

bool is_asked_for(const BenchmarkEvidence& evidence, const Policy& policy, Distance distance) {
  const Benchmark* base = evidence.base.newest();
  const Benchmark* candidate = evidence.candidate.newest();
  if (candidate != nullptr) {
    // Skipped by the candidate, it is missing only where the base measured it.
    if (candidate->skipped && (base == nullptr || base->skipped)) return false;
    return base != nullptr || !was_not_asked(policy, *candidate, evidence.base.runs);
  }
  if (base == nullptr) return false;
  const bool failed = failure_of(evidence) != nullptr;
  // What a job asked both sides for, it asked a binary for that failed.
  if (!(failed && distance == Distance::kSameJob) && !was_asked_for(evidence.candidate.runs)) return false;
  return failed || !was_not_asked(policy, *base, evidence.candidate.runs);
}

bool is_exact(const SideEvidence& side, const Metric& metric) {
  if (!metric.unit.empty()) return false;
  const auto values = repetition_values(side, metric);
  return values.size() > 1 && std::ranges::all_of(values, [&](double v) { return v == values.front(); });
}

BenchmarkEvidence gather(std::string name, Runs base, Runs candidate, const Policy& policy,
                         Distance distance) {
  BenchmarkEvidence evidence;
  evidence.base = side_evidence(base, name);
  evidence.candidate = side_evidence(candidate, name);
  evidence.name = std::move(name);
  evidence.asked_for = is_asked_for(evidence, policy, distance);
  if (!evidence.asked_for) return evidence;
  const Benchmark* of_candidate = evidence.candidate.newest();
  const Benchmark& known = of_candidate != nullptr ? *of_candidate : *evidence.base.newest();
  evidence.printed_name = printed_name(known);
  evidence.gate = gate_for(policy, known);
  for (SideEvidence* side : {&evidence.base, &evidence.candidate}) {
    side->values = side_values(*side, evidence.gate.metric);
    side->exact = is_exact(*side, evidence.gate.metric);
  }
  evidence.gate.threshold = threshold_at(evidence.gate, evidence.name, evidence.base.values.typical());
  return evidence;
}

// Of all runs, in order, each once.
std::vector<std::string_view> names_in(Runs base, Runs candidate) {
  std::vector<std::string_view> names;
  for (const auto* side : {&base, &candidate})
    for (const auto& run : *side)
      for (const auto& benchmark : run.benchmarks) names.emplace_back(benchmark.name);
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

// What one iteration does, in the time that is judged.
struct IterationWork {
  double amount = 0;
  std::string unit;  // of a rate of it: "FLOP/s"
};

std::optional<IterationWork> work_of(const Metric& metric, const Benchmark* benchmark) {
  if (benchmark == nullptr) return {};
  const bool by_cpu_time = benchmark->time_base == TimeBase::kCpu;
  if (metric.name != (by_cpu_time ? "cpu_time" : "real_time")) return {};
  if (benchmark->flops_per_iteration) return IterationWork{*benchmark->flops_per_iteration, "FLOP/s"};
  if (benchmark->bytes_per_iteration) return IterationWork{*benchmark->bytes_per_iteration, "B/s"};
  return {};
}

std::optional<Rate> rate_of(const BenchmarkEvidence& evidence, const Comparison& comparison) {
  const auto of_base = work_of(evidence.gate.metric, evidence.base.newest());
  const auto of_candidate = work_of(evidence.gate.metric, evidence.candidate.newest());
  const auto& known = of_candidate ? of_candidate : of_base;
  if (!known) return {};
  const auto speed = [&](const std::optional<IterationWork>& work, const std::optional<double>& time_s) {
    const bool fits = work && work->unit == known->unit && time_s && *time_s > 0;
    return fits ? std::optional(work->amount / *time_s) : std::nullopt;
  };
  return Rate{known->unit, speed(of_base, comparison.base), speed(of_candidate, comparison.candidate)};
}

}  // namespace

bool was_asked_for(Runs candidate) {
  return std::ranges::any_of(candidate, [](const Run& run) { return run.selection.is_all(); });
}

const BinaryFailure* failure_of(const BenchmarkEvidence& evidence) {
  const Benchmark* benchmark = evidence.base.newest();
  if (benchmark == nullptr) return nullptr;
  for (const auto& run : evidence.candidate.runs)
    for (const auto& failure : run.failures)
      if (may_be_same_binary(failure.binary, benchmark->binary)) return &failure;
  return nullptr;
}

std::vector<BenchmarkEvidence> gather_evidence(Runs base, Runs candidate, const Policy& policy,
                                               Distance distance) {
  const auto names = names_in(base, candidate);
  std::vector<BenchmarkEvidence> all(names.size());
  in_parts(names.size(), kBenchmarksAPart, [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i)
      all[i] = gather(std::string(names[i]), base, candidate, policy, distance);
  });
  return all;
}

Comparison start(const BenchmarkEvidence& evidence) {
  Comparison comparison;
  comparison.benchmark = evidence.name;
  comparison.printed_name = evidence.printed_name;
  comparison.metric = evidence.gate.metric;
  comparison.threshold = evidence.gate.threshold;
  comparison.report_only = evidence.gate.report_only;
  comparison.source = evidence.gate.source;
  comparison.by_builds = evidence.builds > 0;
  comparison.base_invocations = evidence.base.values.count();
  comparison.candidate_invocations = evidence.candidate.values.count();
  comparison.base = evidence.base.values.typical();
  comparison.candidate = evidence.candidate.values.typical();
  comparison.rate = rate_of(evidence, comparison);
  return comparison;
}

namespace {

// What the compiler and the launch fix for good: where one of these differs, something of the code does.
constexpr const char* kCodeCounters[] = {"registers",   "shared_static_bytes", "shared_dynamic_bytes",
                                         "local_bytes", "threads_per_block",   "blocks_per_sm"};

std::optional<double> median_of(const std::vector<double>& values) {
  return values.empty() ? std::nullopt : std::optional(stats::median(values));
}

// The runs without what they measured, with what the benchmark's binary states of its software.
std::vector<Run> with_own_software(const SideEvidence& side) {
  std::vector<Run> own;
  auto seen = side.seen.begin();
  for (const auto& run : side.runs) {
    Run& one = own.emplace_back();
    const bool has_it = seen != side.seen.end() && seen->run == &run;
    one.software = has_it ? software_of(run, *(seen++)->benchmark) : run.software;
    one.device = run.device;
    one.host = run.host;
  }
  return own;
}

bool tells_its_code(const Benchmark& benchmark) {
  return benchmark.code && !benchmark.code->hash.empty() && !benchmark.code->launches.empty();
}

bool is_same_work(const Benchmark& a, const Benchmark& b) {
  return a.bytes_per_iteration == b.bytes_per_iteration && a.flops_per_iteration == b.flops_per_iteration &&
         a.items_per_iteration == b.items_per_iteration;
}

const Program* program_of(const Run& run, const Benchmark& benchmark) {
  const auto found = run.programs.find(benchmark.binary);
  return found == run.programs.end() || found->second.whole.empty() ? nullptr : &found->second;
}

bool is_same_program(const RunEvidence& a, const RunEvidence& b) {
  const Program* of_base = program_of(*a.run, *a.benchmark);
  const Program* of_candidate = program_of(*b.run, *b.benchmark);
  return of_base != nullptr && of_candidate != nullptr && is_same_work(*a.benchmark, *b.benchmark) &&
         of_base->whole == of_candidate->whole;
}

bool is_same(const Benchmark& a, const Benchmark& b) {
  if (!is_same_code(*a.code, *b.code) || !is_same_work(a, b)) return false;
  return std::ranges::all_of(kCodeCounters, [&](const char* name) {
    const auto of_base = a.counters.find(name);
    const auto of_candidate = b.counters.find(name);
    return of_base == a.counters.end() || of_candidate == b.counters.end() ||
           of_base->second == of_candidate->second;
  });
}

// Of every run that measured it; nothing where none of one side did.
std::vector<const RunEvidence*> measured_in(const SideEvidence& base, const SideEvidence& candidate) {
  std::vector<const RunEvidence*> all;
  for (const auto* side : {&base, &candidate}) {
    const std::size_t before = all.size();
    for (const auto& one : side->seen)
      if (!one.benchmark->error) all.push_back(&one);
    if (all.size() == before) return {};
  }
  return all;
}

}  // namespace

SeenConditions seen_conditions(const SideEvidence& side) {
  SeenConditions seen;
  std::vector<double> loads;
  const auto keep = [](std::vector<double>& values, const std::optional<double>& value) {
    if (value) values.push_back(*value);
  };
  each_counted(side, [&](const RunEvidence&, const Invocation& invocation, const Samples&) {
    const Conditions& conditions = invocation.conditions;
    ++seen.invocations;
    keep(seen.core_clocks_mhz, conditions.core_clock_mhz_min);
    keep(seen.memory_clocks_mhz, conditions.memory_clock_mhz);
    keep(loads, conditions.load_average);
    if (conditions.temperature_c_max)
      seen.temperature_c =
          std::max(seen.temperature_c.value_or(*conditions.temperature_c_max), *conditions.temperature_c_max);
    if (conditions.throttled_s) seen.throttled_s = seen.throttled_s.value_or(0) + *conditions.throttled_s;
    if (conditions.other_processes.value_or(0) > 0) ++seen.shared;
    if (conditions.other_processes)
      seen.other_processes = std::max(seen.other_processes.value_or(0), *conditions.other_processes);
    for (const auto& reason : conditions.throttle_reasons) ++seen.throttle_reasons[reason];
  });
  seen.core_clock_mhz = median_of(seen.core_clocks_mhz);
  seen.memory_clock_mhz = median_of(seen.memory_clocks_mhz);
  seen.load_average = median_of(loads);
  return seen;
}

SideFacts side_facts(const SideEvidence& side) {
  SideFacts facts;
  const auto measured = std::find_if(side.seen.rbegin(), side.seen.rend(),
                                     [](const RunEvidence& one) { return !one.benchmark->error; });
  if (measured != side.seen.rend()) facts.benchmark = *measured->benchmark;
  facts.conditions = seen_conditions(side);
  const auto own = with_own_software(side);
  for (const auto& fact : run_facts())
    if (const std::string values = values_of(own, fact, ""); !values.empty()) facts.facts[fact.name] = values;
  return facts;
}

std::optional<bool> has_same_code(const SideEvidence& base, const SideEvidence& candidate) {
  const auto all = measured_in(base, candidate);
  const auto tells = [](const RunEvidence* one) { return tells_its_code(*one->benchmark); };
  if (all.empty() || !std::ranges::all_of(all, tells)) return {};
  return std::ranges::all_of(
      all, [&](const RunEvidence* one) { return is_same(*all.front()->benchmark, *one->benchmark); });
}

bool has_same_program(const SideEvidence& base, const SideEvidence& candidate) {
  const auto all = measured_in(base, candidate);
  return !all.empty() && std::ranges::all_of(all, [&](const RunEvidence* one) {
    return is_same_program(*all.front(), *one);
  });
}

bool is_timed_by_events(const SideEvidence& side) {
  return std::ranges::all_of(
      side.seen, [](const RunEvidence& one) { return one.benchmark->time_base == TimeBase::kManual; });
}

bool is_code_counter(const std::string& name) {
  return std::ranges::find(kCodeCounters, name) != std::end(kCodeCounters);
}

const Code& code_of(const SideFacts& side) {
  static const Code none;
  return side.benchmark && side.benchmark->code ? *side.benchmark->code : none;
}

std::optional<double> counter_of(const SideFacts& side, const std::string& counter) {
  if (!side.benchmark) return {};
  const auto found = side.benchmark->counters.find(counter);
  return found == side.benchmark->counters.end() ? std::nullopt : std::optional(found->second);
}

std::optional<double> shared_bytes(const SideFacts& side) {
  const auto fixed = counter_of(side, "shared_static_bytes");
  auto dynamic = counter_of(side, "shared_dynamic_bytes");
  if (const auto& launches = code_of(side).launches; !dynamic && !launches.empty()) {
    dynamic = 0;
    for (const auto& launch : launches)
      dynamic = std::max(*dynamic, static_cast<double>(launch.shared_bytes));
  }
  if (!fixed && !dynamic) return {};
  return fixed.value_or(0) + dynamic.value_or(0);
}

namespace {

std::optional<std::string> if_any(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

// Whole numbers of a unit: "700 W".
std::optional<std::string> whole(const std::optional<double>& value, const char* unit) {
  if (!value) return {};
  return format_plain(std::round(*value)) + " " + unit;
}

std::optional<std::string> on_or_off(const std::optional<bool>& value) {
  if (!value) return {};
  return *value ? "on" : "off";
}

// What stands before the mark, or behind it.
std::optional<std::string> part_of_build(const Run& run, int part) {
  if (!run.software.build) return {};
  const std::string& build = *run.software.build;
  const auto mark = build.rfind(kBuildFilesMark);
  if (part == 0) return build.substr(0, mark);
  if (mark == std::string::npos) return {};
  return build.substr(mark + std::string_view(kBuildFilesMark).size());
}

}  // namespace

const std::vector<RunFact>& run_facts() {
  static const std::vector<RunFact> facts{
      {"driver", FactKind::kSoftware, [](const Run& run) { return run.software.driver; }},
      {"CUDA driver", FactKind::kSoftware, [](const Run& run) { return run.software.cuda_driver; }},
      {"CUDA runtime", FactKind::kSoftware, [](const Run& run) { return run.software.cuda_runtime; }},
      {"cuBLAS", FactKind::kSoftware, [](const Run& run) { return run.software.cublas; }},
      {"compiler", FactKind::kBuild, [](const Run& run) { return run.software.compiler; }},
      {"compiler flags", FactKind::kBuild, [](const Run& run) { return run.software.flags; }, true},
      {"build type", FactKind::kBuild, [](const Run& run) { return run.software.build_type; }},
      {"Google Benchmark", FactKind::kSoftware, [](const Run& run) { return run.software.library; }},
      {"build commands", FactKind::kBuild, [](const Run& run) { return part_of_build(run, 0); }, true},
      {"build files", FactKind::kBuild, [](const Run& run) { return part_of_build(run, 1); }, true},
      {"board", FactKind::kMachine,
       [](const Run& run) {
         const auto boards = boards_of(run);
         return boards.empty() ? std::optional<std::string>() : join(boards, ", ");
       }},
      {"power limit", FactKind::kMachine,
       [](const Run& run) { return whole(run.device.power_limit_w, "W"); }},
      {"ECC", FactKind::kMachine, [](const Run& run) { return on_or_off(run.device.ecc); }},
      {"host", FactKind::kMachine, [](const Run& run) { return if_any(run.host.name); }},
      {"CPU", FactKind::kMachine, [](const Run& run) { return run.host.cpu; }},
      {"caches", FactKind::kMachine, [](const Run& run) { return run.host.caches; }},
      {"operating system", FactKind::kMachine, [](const Run& run) { return run.host.os; }},
  };
  return facts;
}

const RunFact& run_fact(std::string_view name) {
  const auto& facts = run_facts();
  const auto found = std::ranges::find(facts, name, &RunFact::name);
  if (found == facts.end()) throw std::out_of_range(std::string(name));
  return *found;
}

std::string values_of(Runs runs, const RunFact& fact, const std::string& unknown) {
  std::set<std::string> values;
  for (const auto& run : runs)
    if (const std::string value = fact.value(run).value_or(unknown); !value.empty()) values.insert(value);
  return join({values.begin(), values.end()}, ", ");
}

}  // namespace tracker::judge

#include "tracker/judge/evidence.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "tracker/base/parallel.hpp"
#include "tracker/base/text.hpp"
#include "tracker/model/benchmark_name.hpp"
#include "tracker/stats/ratio.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker {

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

std::map<int, double> logs_by_round(const SideValues& side) {
  std::map<int, double> logs;
  if (side.logs_by_job.empty()) return logs;
  for (std::size_t i = 0; i < side.logs_by_job.front().size(); ++i)
    logs[side.rounds_by_job.front()[i]] = side.logs_by_job.front()[i];
  return logs;
}

namespace {

bool has_binary(Runs side, const std::string& binary) {
  return std::any_of(side.begin(), side.end(), [&](const Run& run) {
    return std::any_of(run.benchmarks.begin(), run.benchmarks.end(),
                       [&](const Benchmark& other) { return may_be_same_binary(other.binary, binary); });
  });
}

// Of a binary that is measured only where it is asked for, a side that has nothing was not asked.
bool was_not_asked(const Policy& policy, const Benchmark& benchmark, Runs side) {
  const bool is_asked = std::any_of(policy.asked.begin(), policy.asked.end(), [&](const std::string& label) {
    return may_be_same_binary(label, benchmark.binary);
  });
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
  return values.size() > 1 &&
         std::all_of(values.begin(), values.end(), [&](double v) { return v == values.front(); });
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
  std::sort(names.begin(), names.end());
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
  return std::any_of(candidate.begin(), candidate.end(),
                     [](const Run& run) { return run.selection.is_all(); });
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

}  // namespace tracker

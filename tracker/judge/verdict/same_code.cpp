#include "tracker/judge/verdict/same_code.hpp"

#include <algorithm>

#include "tracker/judge/explain/cause.hpp"
#include "tracker/judge/explain/side_facts.hpp"

namespace tracker {
namespace {

constexpr char kHostIsLeft[] =
    "the kernels' machine code is identical: what the host does around them, or where code and data lie";

constexpr char kMachineIsLeft[] = "the whole program is identical: the machine";

bool is_timed_by_events(Runs runs, const std::string& name) {
  return std::all_of(runs.begin(), runs.end(), [&](const Run& run) {
    const Benchmark* benchmark = find_benchmark(run, name);
    return benchmark == nullptr || benchmark->time_base == TimeBase::kManual;
  });
}

// A counter may be anything, and CPU time is the host's.
bool is_of_that_time(const Metric& metric) {
  return metric.name == "real_time" || metric.name == "bytes_per_second" || metric.name == "flops" ||
         metric.name == "items_per_second";
}

bool fails(SameCode policy, bool interleaved) {
  return policy == SameCode::kFail || (policy == SameCode::kFailInTurn && interleaved);
}

const Benchmark* newest_of(Runs runs, const std::string& name) {
  for (auto run = runs.rbegin(); run != runs.rend(); ++run)
    if (const Benchmark* benchmark = find_benchmark(*run, name)) return benchmark;
  return nullptr;
}

bool wants_cause(const Comparison& comparison) {
  if (!comparison.base) return false;
  return comparison.verdict == Verdict::kRegressed || comparison.verdict == Verdict::kBelowFloor ||
         comparison.verdict == Verdict::kSameCode || comparison.verdict == Verdict::kImproved;
}

// Of the change against the base; below a floor it may be none, or a gain.
Effect effect_shown_by(const Comparison& comparison) {
  if (comparison.verdict != Verdict::kBelowFloor)
    return comparison.verdict == Verdict::kImproved ? Effect::kFaster : Effect::kSlower;
  const double change = comparison.change.value_or(0);
  const bool faster = comparison.metric.better == Better::kHigher ? change > 0 : change < 0;
  return faster ? Effect::kFaster : Effect::kSlower;
}

}  // namespace

void apply_same_code(ComparisonReport& report, Runs base, Runs candidate, const Policy& policy) {
  for (auto& comparison : report.comparisons) {
    if (!is_compared(comparison)) continue;
    const std::string& name = comparison.benchmark;
    const bool whole = has_same_program(base, candidate, name);  // whoever's time it is
    comparison.same_code = whole ? std::optional(true) : has_same_code(base, candidate, name);
    if (!comparison.same_code.value_or(false)) continue;
    if (comparison.verdict == Verdict::kImproved) comparison.reasons.push_back({ReasonCode::kSameCode});
    if (comparison.verdict != Verdict::kRegressed) continue;
    const bool is_kernels_time = is_of_that_time(comparison.metric) && is_timed_by_events(base, name) &&
                                 is_timed_by_events(candidate, name);
    if (!whole && !is_kernels_time) continue;
    const Benchmark* benchmark = newest_of(candidate, name);
    if (benchmark == nullptr) continue;
    comparison.verdict = Verdict::kSameCode;
    comparison.same_code_fails = fails(gate_for(policy, *benchmark).same_code, report.interleaved);
    comparison.reasons.push_back({ReasonCode::kSameCodeButSlower});
  }
}

void add_causes(ComparisonReport& report, Runs base, Runs candidate) {
  for (auto& comparison : report.comparisons) {
    if (!wants_cause(comparison)) continue;
    const SideFacts of_base = side_facts(base, comparison.benchmark);
    const SideFacts of_candidate = side_facts(candidate, comparison.benchmark);
    comparison.cause =
        cause_in_words(find_causes(of_base, of_candidate, comparison.same_code), effect_shown_by(comparison));
    const bool is_left_open = comparison.same_code.value_or(false) && comparison.cause.empty() &&
                              comparison.verdict != Verdict::kBelowFloor;
    if (!is_left_open) continue;
    // Both sides shared everything in one job; and a time of the host's is the host's code, too.
    if (has_same_program(base, candidate, comparison.benchmark))
      comparison.cause = kMachineIsLeft;
    else if (report.interleaved || comparison.verdict == Verdict::kRegressed)
      comparison.cause = kHostIsLeft;
    else
      comparison.reasons.push_back({ReasonCode::kNothingElseDiffers});
  }
}

}  // namespace tracker

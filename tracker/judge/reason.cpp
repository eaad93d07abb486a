#include "tracker/judge/reason.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tracker/judge/cause.hpp"
#include "tracker/judge/side_facts.hpp"

namespace tracker {
namespace {

Reason resolvable(ReasonCode code, const Comparison& c) {
  return {code, {{"resolvable", *c.resolvable}}};
}

// Why the data does not decide, as far as the interval shows it.
Reason what_is_open(const Comparison& c, const Hindrance& hindrance) {
  if (hindrance.obstacle == Obstacle::kSlowMode) return {ReasonCode::kMaybeSecondSpeed};
  if (hindrance.obstacle == Obstacle::kHiddenChange)
    return {ReasonCode::kTooFewForUnchanged, {{"threshold", c.threshold}}};
  if (c.interval->low > 0 || c.interval->high < 0) return {ReasonCode::kEitherSide, {{"change", *c.change}}};
  if (noise_hides_everything(c)) return {ReasonCode::kNoiseHidesAll};
  if (hindrance.obstacle != Obstacle::kHiddenModes) return resolvable(ReasonCode::kNoiseHides, c);
  if (hindrance.peers == 0) return {ReasonCode::kTooFewForTwoSpeeds, {{"change", *c.change}}};
  return {ReasonCode::kTooFewAmongPeers, {{"change", *c.change}, {"peers", hindrance.peers}}};
}

Reason of_one_invocation(const Comparison& c, const Repetitions& repetitions) {
  if (repetitions.count < 2 || !c.change || !std::isfinite(*c.change)) return {ReasonCode::kOneInvocation};
  return {ReasonCode::kOneInvocation,
          {{"change", *c.change}, {"repetitions", repetitions.count}, {"spread", repetitions.spread}}};
}

Reasons why_inconclusive(const Comparison& c, const Hindrance& hindrance) {
  if (hindrance.obstacle == Obstacle::kNoPairs) return {{ReasonCode::kNoPairs}};
  if (!c.interval || !std::isfinite(c.interval->low) || !std::isfinite(c.interval->high))
    return {of_one_invocation(c, hindrance.repetitions)};
  if (hindrance.obstacle == Obstacle::kNeighbours) {
    Reason reason{ReasonCode::kOtherNeighbours,
                  {{"text", hindrance.neighbours->words},
                   {"same_job", hindrance.same_job ? 1 : 0},
                   {"copies", hindrance.neighbours->copies ? 1 : 0}}};
    if (!noise_hides_everything(c)) reason.arguments.push_back({"resolvable", *c.resolvable});
    return {reason};
  }
  if (hindrance.obstacle == Obstacle::kOrder) return {resolvable(ReasonCode::kOneOrder, c)};
  if (hindrance.obstacle == Obstacle::kClockStep && !std::isfinite(hindrance.clock_step))
    return {{ReasonCode::kOneReading}};
  if (hindrance.obstacle == Obstacle::kClockStep)
    return {{ReasonCode::kClockStep, {{"step", hindrance.clock_step}, {"resolvable", *c.resolvable}}}};
  Reasons reasons{what_is_open(c, hindrance)};
  if (c.more_invocations)
    reasons.push_back({ReasonCode::kMoreNeeded, {{"invocations", *c.more_invocations}}});
  else if (hindrance.obstacle == Obstacle::kJobs)
    reasons.push_back({ReasonCode::kJobsDiffer});
  else
    reasons.push_back({ReasonCode::kTooManyNeeded, {{"invocations", kMoreInvocationsMax}}});
  return reasons;
}

void add_outliers(const std::vector<Outlier>& outliers, Reasons& reasons) {
  constexpr std::size_t kNamedMax = 3;
  for (std::size_t i = 0; i < std::min(kNamedMax, outliers.size()); ++i)
    reasons.push_back({ReasonCode::kOutlier,
                       {{"round", outliers[i].round},
                        {"in_candidate", outliers[i].in_candidate ? 1 : 0},
                        {"distance", std::expm1(outliers[i].distance)}}});
  if (outliers.size() > kNamedMax)
    reasons.push_back(
        {ReasonCode::kMoreOutliers, {{"count", static_cast<double>(outliers.size() - kNamedMax)}}});
}

// First what the figures are.
void add_clock(const std::optional<ClockEffect>& clock, Reasons& reasons) {
  if (!clock) return;
  if (clock->taken_out)
    reasons.insert(reasons.begin(), {ReasonCode::kAtSameClock, {{"mhz", common_mhz(*clock)}}});
  else
    reasons.push_back({ReasonCode::kClocksDiffer,
                       {{"base_mhz", clock->base_mhz}, {"candidate_mhz", clock->candidate_mhz}}});
}

Reasons of_verdict(const Comparison& c, const Hindrance& hindrance) {
  switch (c.verdict) {
    case Verdict::kRegressed:
    case Verdict::kSameCode:
    case Verdict::kImproved:
      return {{ReasonCode::kPastThreshold, {{"change", *c.change}, {"threshold", c.threshold}}}};
    case Verdict::kUnchanged:
      return {{ReasonCode::kWithinThreshold, {{"threshold", c.threshold}}}};
    case Verdict::kInconclusive:
      return why_inconclusive(c, hindrance);
    case Verdict::kMissing:
    case Verdict::kNew:
    case Verdict::kBelowFloor:
    case Verdict::kFailed:
    case Verdict::kNotComparable:
      break;  // no estimate decides these
  }
  return c.reasons;
}

}  // namespace

Reasons reasons_for(const Comparison& c, const Hindrance& hindrance) {
  Reasons reasons = of_verdict(c, hindrance);
  if (hindrance.second_speed)
    reasons.push_back({ReasonCode::kSecondSpeed,
                       {{"count", static_cast<double>(hindrance.second_speed->rounds.size())},
                        {"invocations", hindrance.second_speed->invocations},
                        {"change", std::expm1(hindrance.second_speed->distance)}}});
  add_outliers(hindrance.outliers, reasons);
  add_clock(hindrance.clock, reasons);
  return reasons;
}

namespace {

constexpr char kHostIsLeft[] =
    "the kernels' machine code is identical: what the host does around them, or where code and data lie";

constexpr char kMachineIsLeft[] = "the whole program is identical: the machine";

// A counter may be anything, and CPU time is the host's.
bool is_of_that_time(const Metric& metric) {
  return metric.name == "real_time" || metric.name == "bytes_per_second" || metric.name == "flops" ||
         metric.name == "items_per_second";
}

bool fails(SameCode policy, bool interleaved) {
  return policy == SameCode::kFail || (policy == SameCode::kFailInTurn && interleaved);
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
    const Benchmark* benchmark = newest_in(candidate, name);
    if (benchmark == nullptr) continue;
    comparison.verdict = Verdict::kSameCode;
    comparison.same_code_fails = fails(gate_for(policy, *benchmark).same_code, report.interleaved);
    comparison.reasons.push_back({ReasonCode::kSameCodeButSlower});
  }
}

Effect effect_of(const Comparison& comparison) {
  if (comparison.verdict == Verdict::kImproved) return Effect::kFaster;
  if (comparison.verdict == Verdict::kRegressed || comparison.verdict == Verdict::kSameCode)
    return Effect::kSlower;
  const double change = comparison.change.value_or(0);
  const bool faster = comparison.metric.better == Better::kHigher ? change > 0 : change < 0;
  return faster ? Effect::kFaster : Effect::kSlower;
}

bool wants_cause(const Comparison& comparison) {
  if (!comparison.base) return false;
  return comparison.verdict == Verdict::kRegressed || comparison.verdict == Verdict::kBelowFloor ||
         comparison.verdict == Verdict::kSameCode || comparison.verdict == Verdict::kImproved;
}

void add_causes(ComparisonReport& report, Runs base, Runs candidate) {
  for (auto& comparison : report.comparisons) {
    if (!wants_cause(comparison)) continue;
    const SideFacts of_base = side_facts(base, comparison.benchmark);
    const SideFacts of_candidate = side_facts(candidate, comparison.benchmark);
    comparison.cause =
        cause_in_words(find_causes(of_base, of_candidate, comparison.same_code), effect_of(comparison));
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

void add_counter_causes(ComparisonReport& report, const Profile& base, const Profile& candidate) {
  for (auto& comparison : report.comparisons) {
    const auto* of_base = find_benchmark(base, comparison.benchmark);
    const auto* of_candidate = find_benchmark(candidate, comparison.benchmark);
    if (!wants_cause(comparison) || of_base == nullptr || of_candidate == nullptr) continue;
    const std::string words = counters_in_words(*of_base, *of_candidate, effect_of(comparison));
    if (!words.empty()) comparison.cause += (comparison.cause.empty() ? "" : "; ") + words;
  }
}

}  // namespace tracker

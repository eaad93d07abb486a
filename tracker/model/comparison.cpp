#include "tracker/model/comparison.hpp"

#include <algorithm>

namespace tracker {
namespace {

constexpr auto kReasonNames = std::to_array<std::pair<ReasonCode, const char*>>({
    {ReasonCode::kPastThreshold, "past_threshold"},
    {ReasonCode::kWithinThreshold, "within_threshold"},
    {ReasonCode::kZeroOnBothSides, "zero_on_both_sides"},
    {ReasonCode::kExactCount, "exact_count"},
    {ReasonCode::kMissingInCandidate, "missing_in_candidate"},
    {ReasonCode::kSkippedInCandidate, "skipped_in_candidate"},
    {ReasonCode::kMissingInBase, "missing_in_base"},
    {ReasonCode::kSameProgram, "same_program"},
    {ReasonCode::kFailed, "failed"},
    {ReasonCode::kFailedInBoth, "failed_in_both"},
    {ReasonCode::kFailedInBase, "failed_in_base"},
    {ReasonCode::kNoValueInCandidate, "no_value_in_candidate"},
    {ReasonCode::kNoValueInBase, "no_value_in_base"},
    {ReasonCode::kNoValueInBoth, "no_value_in_both"},
    {ReasonCode::kMeasuredOtherwise, "measured_otherwise"},
    {ReasonCode::kOtherMachine, "other_machine"},
    {ReasonCode::kHeldDown, "held_down"},
    {ReasonCode::kSharedBoard, "shared_board"},
    {ReasonCode::kImpossibleTime, "impossible_time"},
    {ReasonCode::kZeroOnOneSide, "zero_on_one_side"},
    {ReasonCode::kNoPairs, "no_pairs"},
    {ReasonCode::kOneInvocation, "one_invocation"},
    {ReasonCode::kOtherNeighbours, "other_companions"},
    {ReasonCode::kClockStep, "clock_step"},
    {ReasonCode::kEitherSide, "either_side"},
    {ReasonCode::kMaybeSecondSpeed, "maybe_second_speed"},
    {ReasonCode::kSecondSpeed, "second_speed"},
    {ReasonCode::kOneOrder, "one_order"},
    {ReasonCode::kOneReading, "one_reading"},
    {ReasonCode::kTooFewForUnchanged, "too_few_for_unchanged"},
    {ReasonCode::kNoiseHidesAll, "noise_hides_all"},
    {ReasonCode::kNoiseHides, "noise_hides"},
    {ReasonCode::kTooFewForTwoSpeeds, "too_few_for_two_speeds"},
    {ReasonCode::kTooFewAmongPeers, "too_few_among_peers"},
    {ReasonCode::kJobsDiffer, "jobs_differ"},
    {ReasonCode::kTooManyNeeded, "too_many_needed"},
    {ReasonCode::kMoreNeeded, "more_needed"},
    {ReasonCode::kOutlier, "outlier"},
    {ReasonCode::kMoreOutliers, "more_outliers"},
    {ReasonCode::kAtSameClock, "at_same_clock"},
    {ReasonCode::kClocksDiffer, "clocks_differ"},
    {ReasonCode::kSameCode, "same_code"},
    {ReasonCode::kSameCodeButSlower, "same_code_but_slower"},
    {ReasonCode::kNothingElseDiffers, "nothing_else_differs"},
    {ReasonCode::kAccepted, "accepted"},
    {ReasonCode::kWaived, "waived"},
    {ReasonCode::kWaiverExpired, "waiver_expired"},
    {ReasonCode::kWaiverExceeded, "waiver_exceeded"},
    {ReasonCode::kBelowReference, "below_reference"},
    {ReasonCode::kBelowFloor, "below_floor"},
    {ReasonCode::kOwnVerdict, "own_verdict"},
    {ReasonCode::kFloorNoReference, "floor_no_reference"},
    {ReasonCode::kFloorReferenceFailed, "floor_reference_failed"},
    {ReasonCode::kFloorNoSharedRounds, "floor_no_shared_rounds"},
    {ReasonCode::kFloorPeakUnknown, "floor_peak_unknown"},
    {ReasonCode::kFloorNoWork, "floor_no_work"},
    {ReasonCode::kFloorZeros, "floor_zeros"},
    {ReasonCode::kFloorOneInvocation, "floor_one_invocation"},
    {ReasonCode::kFloorNoiseUnknown, "floor_noise_unknown"},
    {ReasonCode::kFloorNoiseHides, "floor_noise_hides"},
    {ReasonCode::kFloorUnclear, "floor_unclear"},
    {ReasonCode::kTooFewPairs, "too_few_pairs"},
    {ReasonCode::kTooManyRounds, "too_many_rounds"},
    {ReasonCode::kNoMoreResults, "no_more_results"},
    {ReasonCode::kNoResults, "no_results"},
    {ReasonCode::kNotConfirmed, "not_confirmed"},
    {ReasonCode::kNotMeasuredAgain, "not_measured_again"},
    {ReasonCode::kStopped, "stopped"},
});

constexpr auto kVerdictNames = std::to_array<std::pair<Verdict, const char*>>({
    {Verdict::kRegressed, "regressed"},
    {Verdict::kBelowFloor, "below floor"},
    {Verdict::kFailed, "failed"},
    {Verdict::kMissing, "missing"},
    {Verdict::kSameCode, "same code"},
    {Verdict::kNotComparable, "incomparable"},
    {Verdict::kInconclusive, "inconclusive"},
    {Verdict::kImproved, "improved"},
    {Verdict::kNew, "new"},
    {Verdict::kUnchanged, "unchanged"},
});

// The name beside a code in a table that has all of them.
template <typename Code>
const char* name_in(const auto& table, Code code) {
  return std::ranges::find(table, code, [](const auto& row) { return row.first; })->second;
}

template <typename Value>
Value value_of(const std::vector<ReasonArgument>& arguments, std::string_view name) {
  for (const auto& argument : arguments)
    if (argument.name == name)
      if (const auto* value = std::get_if<Value>(&argument.value)) return *value;
  return {};
}

}  // namespace

std::string reason_name(ReasonCode code) {
  return name_in(kReasonNames, code);
}

double Reason::number(std::string_view name) const {
  return value_of<double>(arguments, name);
}

std::string Reason::text(std::string_view name) const {
  return value_of<std::string>(arguments, name);
}

bool Reason::has(std::string_view name) const {
  return std::ranges::count(arguments, name, &ReasonArgument::name) > 0;
}

bool has_reason(const Reasons& reasons, ReasonCode code) {
  return std::ranges::count(reasons, code, &Reason::code) > 0;
}

const std::vector<Verdict>& all_verdicts() {
  static const std::vector<Verdict> verdicts = [] {
    std::vector<Verdict> all;
    for (const auto& [verdict, name] : kVerdictNames) all.push_back(verdict);
    return all;
  }();
  return verdicts;
}

std::string verdict_name(Verdict verdict) {
  return name_in(kVerdictNames, verdict);
}

bool fails_gate(const Comparison& comparison) {
  if (comparison.report_only || (comparison.waiver && comparison.waiver->holds)) return false;
  if (comparison.verdict == Verdict::kSameCode) return comparison.same_code_fails;
  if (comparison.failed_before) return false;
  return comparison.verdict == Verdict::kRegressed || comparison.verdict == Verdict::kBelowFloor ||
         comparison.verdict == Verdict::kFailed || comparison.verdict == Verdict::kMissing;
}

bool is_compared(const Comparison& comparison) {
  if (comparison.verdict == Verdict::kBelowFloor) return comparison.base.has_value();  // else it is new
  return comparison.verdict == Verdict::kRegressed || comparison.verdict == Verdict::kSameCode ||
         comparison.verdict == Verdict::kImproved || comparison.verdict == Verdict::kUnchanged ||
         comparison.verdict == Verdict::kInconclusive;
}

bool is_left_open(const Comparison& comparison) {
  if (comparison.report_only) return false;
  const bool waived = comparison.waiver && comparison.waiver->holds;
  return comparison.verdict == Verdict::kInconclusive || comparison.verdict == Verdict::kSameCode ||
         comparison.verdict == Verdict::kNotComparable || (comparison.failed_before && !waived) ||
         (comparison.floor && comparison.floor->unclear);
}

bool noise_hides_everything(const Comparison& comparison) {
  constexpr double kResolvableMax = 10;  // 1000 %
  return comparison.resolvable && *comparison.resolvable > kResolvableMax;
}

bool is_suspicious(const Comparison& comparison) {
  if (comparison.verdict != Verdict::kInconclusive || comparison.report_only) return false;
  if (!comparison.change || !comparison.resolvable || noise_hides_everything(comparison)) return false;
  const double worse = comparison.metric.better == Better::kHigher ? -*comparison.change : *comparison.change;
  return worse > 0 && worse >= comparison.threshold && worse >= *comparison.resolvable / 2;
}

bool matters_more(const Comparison& a, const Comparison& b) {
  const auto worse = [](const Comparison& c) {
    return c.metric.better == Better::kHigher ? -c.change.value_or(0) : c.change.value_or(0);
  };
  if (a.verdict != b.verdict) return a.verdict < b.verdict;
  if (a.verdict == Verdict::kImproved && worse(a) != worse(b)) return worse(a) < worse(b);
  if (worse(a) != worse(b)) return worse(a) > worse(b);
  return a.benchmark < b.benchmark;
}

std::map<Verdict, int> count_verdicts(const ComparisonReport& report) {
  std::map<Verdict, int> counts;
  for (const auto& comparison : report.comparisons) ++counts[comparison.verdict];
  return counts;
}

}  // namespace tracker

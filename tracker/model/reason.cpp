#include "tracker/model/reason.hpp"

#include <algorithm>
#include <array>
#include <utility>

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

}  // namespace

std::string reason_name(ReasonCode code) {
  const auto* row = std::find_if(kReasonNames.begin(), kReasonNames.end(),
                                 [&](const auto& one) { return one.first == code; });
  return row == kReasonNames.end() ? "" : row->second;
}

double Reason::number(std::string_view name) const {
  for (const auto& argument : arguments)
    if (argument.name == name)
      if (const auto* value = std::get_if<double>(&argument.value)) return *value;
  return 0;
}

std::string Reason::text(std::string_view name) const {
  for (const auto& argument : arguments)
    if (argument.name == name)
      if (const auto* value = std::get_if<std::string>(&argument.value)) return *value;
  return "";
}

bool Reason::has(std::string_view name) const {
  return std::any_of(arguments.begin(), arguments.end(),
                     [&](const ReasonArgument& argument) { return argument.name == name; });
}

bool has_reason(const Reasons& reasons, ReasonCode code) {
  return std::any_of(reasons.begin(), reasons.end(), [&](const Reason& one) { return one.code == code; });
}

}  // namespace tracker

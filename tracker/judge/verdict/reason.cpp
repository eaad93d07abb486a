#include "tracker/judge/verdict/reason.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

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

}  // namespace tracker

// Why a comparison has its verdict, as facts: a code and its arguments. report/reason_words makes a sentence
// of them.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace tracker {

// Beside each: its arguments, and what it means where its name does not say it. Shares are plain numbers:
// 0.02 is 2 %. A change is candidate / base − 1.
enum class ReasonCode {
  // A verdict that the data reached
  kPastThreshold,    // change, threshold
  kWithinThreshold,  // threshold: the whole interval lies within it
  kZeroOnBothSides,
  kExactCount,  // base, candidate: each the same in every sample
  kMissingInCandidate,
  kSkippedInCandidate,  // text: what it said
  kMissingInBase,
  kSameProgram,         // nothing was measured, as both sides are the same program
  kFailed,              // text: what the benchmark or its binary said
  kFailedInBoth,        // text
  kFailedInBase,        // text: so that the candidate is new
  kNoValueInCandidate,  // metric: no value above zero
  kNoValueInBase,       // metric
  kNoValueInBoth,       // metric
  // Why it cannot be compared
  kMeasuredOtherwise,  // text: "iterations 1000 → 1"; because: what that changes, where it needs saying
  kOtherMachine,       // text: "4 → 64 CPUs"
  kHeldDown,        // side, base_mhz, candidate_mhz, reasons, invocations: of a board held down all the time
  kSharedBoard,     // side, shared, invocations, other: another process was on the GPU on one side alone
  kImpossibleTime,  // side, time_ns: less than a clock cycle
  // What leaves it open
  kZeroOnOneSide,
  kNoPairs,           // measured in one job, but in no round both
  kOneInvocation,     // a side; change, repetitions, spread where these are known
  kOtherNeighbours,   // text: what ran beside it on one side only; same_job, copies: 0 or 1; resolvable where
                      // known
  kClockStep,         // step, resolvable
  kOneReading,        // all readings of the clock are the same, so that its step is not known
  kOneOrder,          // resolvable: the same side ran first in every pair
  kEitherSide,        // change: past zero, on either side of the threshold
  kMaybeSecondSpeed,  // outliers of the candidate may be a second speed
  kTooFewForUnchanged,  // threshold: the whole interval lies within it, but two speeds may hide a change
  kNoiseHidesAll,
  kNoiseHides,          // resolvable
  kTooFewForTwoSpeeds,  // change
  kTooFewAmongPeers,    // change, peers: others that move as far by chance
  // What would decide it
  kJobsDiffer,     // other jobs differ by more than that
  kTooManyNeeded,  // invocations: more than so many
  kMoreNeeded,     // invocations, a side
  // Said besides
  kSecondSpeed,         // count, invocations, change: so many of the candidate's, and none of the base's
  kOutlier,             // round, distance (a share), in_candidate (0 or 1): excluded
  kMoreOutliers,        // count: excluded and not named
  kAtSameClock,         // mhz: what follows the device's clock is taken out
  kClocksDiffer,        // base_mhz, candidate_mhz: by more than chance, so that it is not
  kSameCode,            // the machine code is identical
  kSameCodeButSlower,   // likewise, of one that is slower
  kNothingElseDiffers,  // of what is recorded
  kAccepted,            // text: why
  kWaived,              // text: why; until: the last day
  kWaiverExpired,       // text: why it was granted; until
  kWaiverExceeded,      // text: why it was granted; worse, ceiling
  // The floor
  kBelowReference,        // reached, limit (shares), of: the benchmark that it is a share of
  kBelowFloor,            // short_by (a share), floor; higher: 1 where more is better
  kOwnVerdict,            // verdict: the one against the base, which the floor takes the place of
  kFloorNoReference,      // floor, of: these runs do not have it
  kFloorReferenceFailed,  // floor, of
  kFloorNoSharedRounds,   // floor, of, metric
  kFloorPeakUnknown,      // floor
  kFloorNoWork,           // floor: it states neither bytes nor FLOPs
  kFloorZeros,            // floor: some of its values are zero
  kFloorOneInvocation,    // floor
  kFloorNoiseUnknown,     // floor
  kFloorNoiseHides,       // floor
  kFloorUnclear,          // floor, low, high (shares), of_floor: 1 where they are shares of the floor
  // Measuring again
  kTooFewPairs,    // pairs, needed
  kTooManyRounds,  // rounds: more than so many would be needed
  kNoMoreResults,
  kNoResults,         // measuring it side by side gave none
  kNotConfirmed,      // what follows is what the stored runs said
  kNotMeasuredAgain,  // text: why
  kStopped,           // text: why
};

// "past_threshold": for the JSON report, where it stays the same between releases.
std::string reason_name(ReasonCode code);

struct ReasonArgument {
  // `its_name`: a literal.
  ReasonArgument(std::string_view its_name, double number) : name(its_name), value(number) {}
  ReasonArgument(std::string_view its_name, int number) : name(its_name), value(1.0 * number) {}
  ReasonArgument(std::string_view its_name, std::string text) : name(its_name), value(std::move(text)) {}
  ReasonArgument(std::string_view its_name, const char* text) : name(its_name), value(std::string(text)) {}

  std::string_view name;
  std::variant<double, std::string> value;
};

struct Reason {
  ReasonCode code = ReasonCode::kFailed;
  std::vector<ReasonArgument> arguments = {};

  // 0 and empty where there is none of that name.
  double number(std::string_view name) const;
  std::string text(std::string_view name) const;
  bool has(std::string_view name) const;
};

// In the order in which they are said.
using Reasons = std::vector<Reason>;

bool has_reason(const Reasons& reasons, ReasonCode code);

}  // namespace tracker

#include "tracker/report/reason_words.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

#include "tracker/base/quantity.hpp"
#include "tracker/base/text.hpp"
#include "tracker/model/change_words.hpp"

namespace tracker {
namespace {

constexpr char kFailedToo[] = "it failed in the base as well: ";

std::string share(const Reason& reason, const char* name) {
  return format_share(reason.number(name));
}

std::string count(const Reason& reason, const char* name) {
  return std::to_string(std::llround(reason.number(name)));
}

std::string change(const Comparison& c, const Reason& reason) {
  return change_in_words(c.metric, reason.number("change"));
}

std::string no_value(const char* side, const Reason& reason) {
  return std::string("the ") + side + " has no value above zero of '" + reason.text("metric") + "'";
}

std::string one_invocation(const Comparison& c, const Reason& reason) {
  const std::string head = "one invocation a side shows no noise of its own";
  if (!reason.has("change")) return head + ": measure at least two";
  return change(c, reason) + ", but " + head + ": its " + count(reason, "repetitions") +
         " repetitions scatter by " + share(reason, "spread") +
         " and share one process, and another one may lie elsewhere; measure several side by side";
}

std::string other_companions(const Reason& reason) {
  return reason.text("text") +
         (reason.has("resolvable")
              ? ", so that changes below " + share(reason, "resolvable") + " cannot be told"
              : std::string(", so that no change can be told")) +
         ": measure both sides with the same set (--measure), or each benchmark alone (--isolate)";
}

std::string outlier(const Reason& reason) {
  const double distance = reason.number("distance");
  return "round " + count(reason, "round") + ", where the " +
         (reason.number("in_candidate") != 0 ? "candidate" : "base") + " is " +
         format_share(std::abs(distance)) + (distance > 0 ? " above" : " below") + " its usual value";
}

std::string share_with(int decimals, double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.*f %%", decimals, value * 100);
  return text.data();
}

// Both shares, with as many decimals as tell them apart: "89.98 %" and "90.00 %".
std::pair<std::string, std::string> told_apart(double a, double b) {
  std::pair<std::string, std::string> texts{format_share(a), format_share(b)};
  for (int decimals = 2; texts.first == texts.second && decimals <= 6; ++decimals)
    texts = {share_with(decimals, a), share_with(decimals, b)};
  return texts;
}

// "82.1 % of copy, below its floor of 90 %".
std::string below_reference(const Reason& reason) {
  const auto [is, must] = told_apart(reason.number("reached"), reason.number("limit"));
  return is + " of " + reason.text("of") + ", below its floor of " + must;
}

// "9.7 % below its floor of 3.2 TB/s".
std::string below_floor(const Reason& reason) {
  return share(reason, "short_by") + (reason.number("higher") != 0 ? " below" : " past") + " its floor of " +
         reason.text("floor");
}

std::string floor_cannot(const char* what, const Reason& reason, const std::string& why) {
  return "its floor of " + reason.text("floor") + " cannot be " + what + ": " + why;
}

std::string floor_unclear(const Reason& reason) {
  return floor_cannot("told", reason,
                      "it reaches between " + share(reason, "low") + " and " + share(reason, "high") +
                          (reason.number("of_floor") != 0 ? " of it" : ""));
}

std::string why_waiver_fails(const Reason& reason) {
  if (reason.code == ReasonCode::kWaiverExpired) return "expired on " + reason.text("until");
  return share(reason, "worse") + " worse is past its ceiling of " + share(reason, "ceiling");
}

// The words of one reason, without what joins it to the one before.
std::string words_of(const Comparison& c, const Reason& r) {
  switch (r.code) {
    case ReasonCode::kPastThreshold:
      return change(c, r) + ", past the threshold of " + share(r, "threshold") + " and more than noise";
    case ReasonCode::kWithinThreshold:
      return "the whole interval lies within ±" + share(r, "threshold");
    case ReasonCode::kZeroOnBothSides:
      return "zero on both sides";
    case ReasonCode::kMissingInCandidate:
      return "it is in the base, and missing in the candidate";
    case ReasonCode::kMissingInBase:
      return "the base has none to compare with";
    case ReasonCode::kSameProgram:
      return "same code: nothing to measure";
    case ReasonCode::kFailed:
    case ReasonCode::kStopped:
      return r.text("text");
    case ReasonCode::kFailedInBoth:
      return kFailedToo + r.text("text");
    case ReasonCode::kFailedInBase:
      return "it failed in the base: " + r.text("text");
    case ReasonCode::kNoValueInCandidate:
      return no_value("candidate", r);
    case ReasonCode::kNoValueInBase:
      return no_value("base", r);
    case ReasonCode::kNoValueInBoth:
      return kFailedToo + no_value("candidate", r);
    case ReasonCode::kZeroOnOneSide:
      return "one side is zero, so there is no ratio to judge by";
    case ReasonCode::kNoPairs:
      return "no round measured both sides: pairs are needed, as the job drifts between rounds";
    case ReasonCode::kOneInvocation:
      return one_invocation(c, r);
    case ReasonCode::kOtherCompanions:
      return other_companions(r);
    case ReasonCode::kClockStep:
      return "the clock's step of " + share(r, "step") + " hides changes below " + share(r, "resolvable") +
             ": let a repetition take longer, with more iterations";
    case ReasonCode::kEitherSide:
      return change(c, r) + ", but it may lie on either side of the threshold";
    case ReasonCode::kMaybeSecondSpeed:
      return "unchanged but for outliers, which may be a second speed of the candidate";
    case ReasonCode::kNoiseHidesAll:
      return "the noise hides any change";
    case ReasonCode::kNoiseHides:
      return "the noise hides changes below " + share(r, "resolvable");
    case ReasonCode::kTooFewForTwoSpeeds:
      return change(c, r) + ", but so few invocations cannot rule out that it runs at two speeds";
    case ReasonCode::kTooFewAmongPeers:
      return change(c, r) + ", but so few invocations cannot tell it from " + count(r, "peers") +
             (r.number("peers") == 1 ? " other that moves" : " others that move") + " as far by chance";
    case ReasonCode::kJobsDiffer:
      return "jobs differ by more than that: measure both side by side with --measure";
    case ReasonCode::kTooManyNeeded:
      return "more than " + count(r, "invocations") + " more invocations would be needed";
    case ReasonCode::kMoreNeeded:
      return "about " + count(r, "invocations") + " more invocation" +
             (r.number("invocations") == 1 ? "" : "s") + " a side would settle it";
    case ReasonCode::kOutlier:
      return outlier(r);
    case ReasonCode::kMoreOutliers:
      return "and " + count(r, "count") + " more round" + (r.number("count") == 1 ? "" : "s");
    case ReasonCode::kSameCode:
      return "its machine code is identical";
    case ReasonCode::kSameCodeButSlower:
      return "but its machine code is identical";
    case ReasonCode::kNothingElseDiffers:
      return "and nothing recorded differs";
    case ReasonCode::kAccepted:
      return "accepted: " + r.text("text");
    case ReasonCode::kWaived:
      return "waived until " + r.text("until") + ": " + r.text("text");
    case ReasonCode::kWaiverExpired:
    case ReasonCode::kWaiverExceeded:
      return "its waiver (" + r.text("text") + ") does not hold: " + why_waiver_fails(r);
    case ReasonCode::kBelowReference:
      return below_reference(r);
    case ReasonCode::kBelowFloor:
      return below_floor(r);
    case ReasonCode::kOwnVerdict:
      return r.text("verdict") + " against the base";
    case ReasonCode::kFloorNoReference:
      return floor_cannot("checked", r, "these runs have no " + r.text("of"));
    case ReasonCode::kFloorReferenceFailed:
      return floor_cannot("checked", r, r.text("of") + " failed");
    case ReasonCode::kFloorNoSharedRounds:
      return floor_cannot("checked", r,
                          r.text("of") + " has no '" + r.text("metric") + "' in the same rounds");
    case ReasonCode::kFloorPeakUnknown:
      return floor_cannot("checked", r, "the theoretical peak of this device is not known");
    case ReasonCode::kFloorNoWork:
      return floor_cannot("checked", r, "it states neither bytes nor FLOPs");
    case ReasonCode::kFloorZeros:
      return floor_cannot("checked", r, "some of its values are zero");
    case ReasonCode::kFloorOneInvocation:
      return floor_cannot("told", r, "one invocation shows no noise of its own");
    case ReasonCode::kFloorNoiseUnknown:
      return floor_cannot("told", r, "the noise is not known");
    case ReasonCode::kFloorNoiseHides:
      return floor_cannot("told", r, "the noise hides what it reaches");
    case ReasonCode::kFloorUnclear:
      return floor_unclear(r);
    case ReasonCode::kTooFewPairs:
      return "but in " + count(r, "pairs") + " pairs; a failure takes " + count(r, "needed");
    case ReasonCode::kTooManyRounds:
      return "more than " + count(r, "rounds") + " rounds would be needed";
    case ReasonCode::kNoMoreResults:
      return "measuring it gave no more results";
    case ReasonCode::kNoResults:
      return "measuring it side by side gave no results";
    case ReasonCode::kNotConfirmed:
      return "not confirmed";
    case ReasonCode::kNotMeasuredAgain:
      return "it was not measured side by side: " + r.text("text");
  }
  return "";
}

// What is counted are builds, where each side was built several times.
std::string of_builds(std::string words) {
  constexpr std::pair<std::string_view, std::string_view> kInstead[] = {{"invocation", "build"},
                                                                        {"round ", "build "}};
  for (const auto& [word, build] : kInstead)
    for (auto at = words.find(word); at != words.npos; at = words.find(word, at + build.size()))
      words.replace(at, word.size(), build);
  return words;
}

// What stands between a reason and the one before it.
const char* link_between(const Reason& before, const Reason& reason) {
  if (before.code == ReasonCode::kNotConfirmed) return ": ";
  switch (reason.code) {
    case ReasonCode::kSameCodeButSlower:
    case ReasonCode::kNothingElseDiffers:
    case ReasonCode::kTooFewPairs:
      return ", ";
    default:
      return "; ";
  }
}

}  // namespace

std::string reason_in_words(const Comparison& comparison) {
  const Reasons& reasons = comparison.reasons;
  const auto excluded = std::count_if(reasons.begin(), reasons.end(), [](const Reason& one) {
    return one.code == ReasonCode::kOutlier || one.code == ReasonCode::kMoreOutliers;
  });
  bool is_first_outlier = true;
  std::string text;
  for (std::size_t i = 0; i < reasons.size(); ++i) {
    if (i > 0) text += link_between(reasons[i - 1], reasons[i]);
    if (reasons[i].code == ReasonCode::kOutlier && std::exchange(is_first_outlier, false))
      text += excluded == 1 ? "excluded as an outlier: " : "excluded as outliers: ";
    const std::string words = words_of(comparison, reasons[i]);
    text += comparison.by_builds && !reasons[i].has("text") ? of_builds(words) : words;
  }
  return text;
}

std::string change_against_in_words(const Comparison& comparison, const std::string& label) {
  std::string text = "against " + label + ", " + reason_in_words(comparison);
  if (!comparison.cause.empty()) text += " (" + comparison.cause + ")";
  if (!comparison.base || !comparison.candidate) return text;
  const auto [base, candidate] =
      format_quantities(comparison.base, comparison.candidate, comparison.metric.unit);
  return text + ": " + base + " → " + candidate;
}

std::string why_waiver_fails(const Comparison& comparison) {
  for (const auto& reason : comparison.reasons)
    if (reason.code == ReasonCode::kWaiverExpired || reason.code == ReasonCode::kWaiverExceeded)
      return why_waiver_fails(reason);
  return "";
}

}  // namespace tracker


#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <utility>

#include "tracker/base/text.hpp"
#include "tracker/model/change_event.hpp"
#include "tracker/report/cells.hpp"

namespace tracker::report {
namespace {

constexpr std::size_t kSharedRows = 3;  // that say the same say it once

std::string argument_in_words(std::string_view name, const Comparison& c, const Reason& reason) {
  if (name == "change") return change_in_words(c.metric, reason.number(name));
  if (name.starts_with('%')) return format_share(reason.number(name.substr(1)));
  if (name.starts_with('#')) return std::to_string(std::llround(reason.number(name.substr(1))));
  return reason.text(name);
}

// A sentence with the reason's arguments in it: "{text}" as it is, "{%share}" in per cent, "{#count}" as a
// whole number, and "{change}" in the words of its metric.
std::string filled(std::string_view words, const Comparison& c, const Reason& reason) {
  std::string text;
  for (auto open = words.find('{'); open != std::string_view::npos; open = words.find('{')) {
    const auto close = words.find('}');
    text += words.substr(0, open);
    text += argument_in_words(words.substr(open + 1, close - open - 1), c, reason);
    words.remove_prefix(close + 1);
  }
  return text.append(words);
}

// Of each reason what it says, without what joins it to the one before.
struct Sentence {
  ReasonCode code;
  const char* words;  // filled() says how
};
constexpr Sentence kSentences[] = {
    {ReasonCode::kPastThreshold, "{change}, past the threshold of {%threshold} and more than noise"},
    {ReasonCode::kWithinThreshold, "the whole interval lies within ±{%threshold}"},
    {ReasonCode::kZeroOnBothSides, "zero on both sides"},
    {ReasonCode::kMissingInCandidate, "it is in the base, and missing in the candidate"},
    {ReasonCode::kSkippedInCandidate, "it is in the base, and the candidate skipped it: {text}"},
    {ReasonCode::kMissingInBase, "the base has none to compare with"},
    {ReasonCode::kSameProgram, "same code: nothing to measure"},
    {ReasonCode::kFailed, "{text}"},
    {ReasonCode::kStopped, "{text}"},
    {ReasonCode::kFailedInBoth, "it failed in the base as well: {text}"},
    {ReasonCode::kNoValueInCandidate, "the candidate has no value above zero of '{metric}'"},
    {ReasonCode::kNoValueInBase, "the base has no value above zero of '{metric}'"},
    {ReasonCode::kOtherMachine, "measured on another machine: {text}"},
    {ReasonCode::kSharedBoard,
     "cannot be judged: another process was on the GPU in {#shared} of {#invocations} invocations of the "
     "{side}, and in {#other} of the other side"},
    {ReasonCode::kZeroOnOneSide, "one side is zero, so there is no ratio to judge by"},
    {ReasonCode::kNoPairs,
     "no round measured both sides: pairs are needed, as the job drifts between rounds"},
    {ReasonCode::kClockStep,
     "the clock's step of {%step} hides changes below {%resolvable}: let a repetition take longer, with more "
     "iterations"},
    {ReasonCode::kEitherSide, "{change}, but it may lie on either side of the threshold"},
    {ReasonCode::kMaybeSecondSpeed,
     "unchanged except for outliers, which may be a second speed that only the candidate has"},
    {ReasonCode::kSecondSpeed,
     "{#count} of {#invocations} invocations of the candidate are {change}, and none of the base's"},
    {ReasonCode::kOneOrder,
     "the same side ran first in every pair, and what one execution leaves behind for the next hides changes "
     "below {%resolvable}: let the other side run first in every second pair"},
    {ReasonCode::kOneReading,
     "all times are the same, so that the step of their clock is not known, and hides any change: let a "
     "repetition take longer, with more iterations"},
    {ReasonCode::kTooFewForUnchanged,
     "within ±{%threshold}, but so few invocations cannot rule out two speeds that hide a change"},
    {ReasonCode::kNoiseHidesAll, "the noise hides any change"},
    {ReasonCode::kNoiseHides, "the noise hides changes below {%resolvable}"},
    {ReasonCode::kTooFewForTwoSpeeds,
     "{change}, but so few invocations cannot rule out that it runs at two speeds"},
    {ReasonCode::kJobsDiffer, "jobs differ by more than that: measure both side by side with --measure"},
    {ReasonCode::kTooManyNeeded,
     "not on this machine: more than {#invocations} more invocations would be needed"},
    {ReasonCode::kAtSameClock, "at the same clock"},
    {ReasonCode::kClocksDiffer,
     "the clocks differ by more than chance (base {#base_mhz} MHz, candidate {#candidate_mhz} MHz), so that "
     "they are part of the change"},
    {ReasonCode::kSameCode, "its machine code is identical"},
    {ReasonCode::kSameCodeButSlower, "but its machine code is identical"},
    {ReasonCode::kNothingElseDiffers, "and nothing recorded differs"},
    {ReasonCode::kAccepted, "accepted: {text}"},
    {ReasonCode::kWaived, "waived until {until}: {text}"},
    {ReasonCode::kOwnVerdict, "{verdict} against the base"},
    {ReasonCode::kFloorNoReference, "its floor of {floor} cannot be checked: these runs have no {of}"},
    {ReasonCode::kFloorReferenceFailed, "its floor of {floor} cannot be checked: {of} failed"},
    {ReasonCode::kFloorNoSharedRounds,
     "its floor of {floor} cannot be checked: {of} has no '{metric}' in the same rounds"},
    {ReasonCode::kFloorPeakUnknown,
     "its floor of {floor} cannot be checked: the theoretical peak of this device is not known"},
    {ReasonCode::kFloorNoWork, "its floor of {floor} cannot be checked: it states neither bytes nor FLOPs"},
    {ReasonCode::kFloorZeros, "its floor of {floor} cannot be checked: some of its values are zero"},
    {ReasonCode::kFloorOneInvocation,
     "its floor of {floor} cannot be judged: one invocation shows no noise of its own"},
    {ReasonCode::kFloorNoiseUnknown, "its floor of {floor} cannot be judged: the noise is not known"},
    {ReasonCode::kFloorNoiseHides, "its floor of {floor} cannot be judged: the noise hides what it reaches"},
    {ReasonCode::kTooFewPairs, "but in only {#pairs} pairs; a failure needs {#needed}"},
    {ReasonCode::kTooManyRounds, "more than {#rounds} rounds would be needed"},
    {ReasonCode::kNoMoreResults, "measuring it gave no more results"},
    {ReasonCode::kNoResults, "measuring it side by side gave no results"},
    {ReasonCode::kNotConfirmed, "not confirmed"},
    {ReasonCode::kNotMeasuredAgain, "it was not measured side by side: {text}"},
};

// What the words of the others depend on, beside their arguments.

std::string no_value_in_both(const Comparison& c, const Reason& r) {
  return filled(c.verdict == Verdict::kFailed
                    ? "it failed in the base as well: the candidate has no value above zero of '{metric}'"
                    : "neither side has a value of '{metric}'",
                c, r);
}

std::string held_down(const Comparison& c, const Reason& r) {
  std::string words = "cannot be judged: the {side}'s board";
  if (r.text("side") == "both") words = "cannot be judged: the board of both sides";
  words += r.has("low") ? " ran at {mhz} in {#low} of {#invocations} invocations"
                        : " ran at {mhz} in {#invocations} of {#invocations} invocations";
  if (!r.text("held_by").empty()) words += ", held down ({held_by})";
  return filled(words, c, r);
}

std::string one_invocation(const Comparison& c, const Reason& r) {
  constexpr const char* kNoNoise = "one invocation a side shows no noise of its own";
  if (!r.has("change")) return std::string(kNoNoise) + ": measure at least two";
  return filled(
      "{change}, but " + std::string(kNoNoise) +
          ": its {#repetitions} repetitions scatter by {%spread} and share one process, and another "
          "process may be faster or slower; measure several side by side",
      c, r);
}

const char* how_to_have_the_same(const Reason& reason) {
  if (reason.number("copies") != 0) return "give each benchmark a name of its own";
  if (reason.number("same_job") != 0) return "measure each benchmark alone (--isolate)";
  return "measure both sides with the same set (--measure), or each benchmark alone (--isolate)";
}

std::string other_neighbours(const Comparison& c, const Reason& r) {
  const std::string words = r.has("resolvable")
                                ? "{text}, so that changes below {%resolvable} cannot be seen: "
                                : "{text}, so that no change can be seen: ";
  return filled(words, c, r) + how_to_have_the_same(r);
}

std::string more_needed(const Comparison& c, const Reason& r) {
  constexpr double kPatienceMax = 200;  // hours, as a rule
  const double invocations = r.number("invocations");
  return std::string(invocations > kPatienceMax ? "not on this machine: " : "") +
         filled(invocations == 1 ? "about {#invocations} more invocation a side would decide it"
                                 : "about {#invocations} more invocations a side would decide it",
                c, r);
}

std::string outlier(const Comparison& c, const Reason& r) {
  const double distance = r.number("distance");
  return filled("round {#round}, where the ", c, r) + (r.number("in_candidate") != 0 ? "candidate" : "base") +
         " is " + format_share(std::abs(distance)) + (distance > 0 ? " above" : " below") +
         " its usual value";
}

std::string share_with(int decimals, double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.*f %%", decimals, value * 100);
  return text.data();
}

// "82.1 % of copy, below its floor of 90 %"; both with as many decimals as tell them apart: "89.98 %" and
// "90.00 %".
std::string below_reference(const Comparison& /*c*/, const Reason& r) {
  const double reached = r.number("reached");
  const double limit = r.number("limit");
  std::pair<std::string, std::string> texts{format_share(reached), format_share(limit)};
  for (int decimals = 2; texts.first == texts.second && decimals <= 6; ++decimals)
    texts = {share_with(decimals, reached), share_with(decimals, limit)};
  return texts.first + " of " + r.text("of") + ", below its floor of " + texts.second;
}

std::string why_waiver_fails(const Comparison& c, const Reason& r) {
  return filled(r.code == ReasonCode::kWaiverExpired
                    ? "expired on {until}"
                    : "{%worse} worse is more than its ceiling of {%ceiling}",
                c, r);
}

std::string waiver_fails(const Comparison& c, const Reason& r) {
  return filled("its waiver ({text}) does not hold: ", c, r) + why_waiver_fails(c, r);
}

struct SpecialSentence {
  ReasonCode code;
  std::string (*words)(const Comparison& c, const Reason& r);
};
const SpecialSentence kSpecialSentences[] = {
    {ReasonCode::kNoValueInBoth, no_value_in_both},
    {ReasonCode::kHeldDown, held_down},
    {ReasonCode::kOneInvocation, one_invocation},
    {ReasonCode::kOtherNeighbours, other_neighbours},
    {ReasonCode::kMoreNeeded, more_needed},
    {ReasonCode::kOutlier, outlier},
    {ReasonCode::kBelowReference, below_reference},
    {ReasonCode::kWaiverExpired, waiver_fails},
    {ReasonCode::kWaiverExceeded, waiver_fails},
    {ReasonCode::kFailedInBase,
     [](const Comparison& c, const Reason& r) {
       return filled(r.has("skipped") ? "the base skipped it: {text}" : "it failed in the base: {text}", c,
                     r);
     }},
    {ReasonCode::kExactCount,
     [](const Comparison& c, const Reason& r) {
       return format_plain(r.number("base")) + " → " + format_plain(r.number("candidate")) + " " +
              c.metric.name + " in every invocation";
     }},
    {ReasonCode::kMeasuredOtherwise,
     [](const Comparison& c, const Reason& r) {
       return filled(
           r.has("because") ? "measured otherwise: {text}, {because}" : "measured otherwise: {text}", c, r);
     }},
    {ReasonCode::kImpossibleTime,
     [](const Comparison& c, const Reason& r) {
       return filled("the work was optimised away in the {side}: ", c, r) +
              format_quantity(r.number("time_ns") * 1e-9, "s") + " an iteration is less than a clock cycle";
     }},
    {ReasonCode::kTooFewAmongPeers,
     [](const Comparison& c, const Reason& r) {
       return filled("{change}, but so few invocations cannot tell it from {#peers}", c, r) +
              (r.number("peers") == 1 ? " other that moves" : " others that move") + " as far by chance";
     }},
    {ReasonCode::kMoreOutliers,
     [](const Comparison& /*c*/, const Reason& r) {
       return "and " + count_of(std::llround(r.number("count")), "more round");
     }},
    {ReasonCode::kBelowFloor,
     [](const Comparison& c, const Reason& r) {
       return filled(r.number("higher") != 0 ? "{%short_by} below its floor of {floor}"
                                             : "{%short_by} past its floor of {floor}",
                     c, r);
     }},
    {ReasonCode::kFloorUnclear,
     [](const Comparison& c, const Reason& r) {
       return filled("its floor of {floor} cannot be judged: it reaches between {%low} and {%high}", c, r) +
              (r.number("of_floor") != 0 ? " of it" : "");
     }},
};

std::string words_of(const Comparison& c, const Reason& r) {
  for (const auto& row : kSentences)
    if (row.code == r.code) return filled(row.words, c, r);
  for (const auto& row : kSpecialSentences)
    if (row.code == r.code) return row.words(c, r);
  return "";
}

// What is counted are builds, where each side was built several times.
std::string of_builds(std::string words) {
  replace_every(words, "invocation", "build");
  replace_every(words, "round ", "build ");
  return words;
}

// What stands between a reason and the one before it.
const char* link_between(const Reason& before, const Reason& reason) {
  if (before.code == ReasonCode::kNotConfirmed || before.code == ReasonCode::kAtSameClock) return ": ";
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
  const auto excluded = std::ranges::count_if(reasons, [](const Reason& one) {
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

std::string take_shared_obstacle(ComparisonReport& report) {
  std::map<std::string, std::vector<std::string>> sentences;  // by what ran beside them
  const auto is_of_neighbours = [](const Reason& reason) {
    return reason.code == ReasonCode::kOtherNeighbours;
  };
  const auto is_single = [](const Reason& reason) { return reason.code == ReasonCode::kOneInvocation; };
  std::size_t single = 0;
  for (const auto& row : report.comparisons)
    for (const auto& reason : row.reasons)
      if (is_single(reason))
        ++single;
      else if (is_of_neighbours(reason))
        sentences[reason.text("text")].push_back(other_neighbours(row, reason));
  std::erase_if(sentences, [](const auto& one) { return one.second.size() < kSharedRows; });
  std::vector<std::string> parts;
  for (const auto& [text, all] : sentences) {
    std::string words = count_of(all.size(), "benchmark") + ": " + merge_sentences(all);
    replace_every(words, "beside it", "beside them");
    parts.push_back(std::move(words));
  }
  if (single >= kSharedRows)
    parts.insert(
        parts.begin(),
        "no verdict on " + count_of(single, "benchmark") +
            ": each side is one invocation, whose repetitions share one process, and another process may "
            "be faster or slower; measure several side by side");
  for (auto& row : report.comparisons)
    std::erase_if(row.reasons, [&](const Reason& reason) {
      if (is_single(reason)) return single >= kSharedRows;
      return is_of_neighbours(reason) && sentences.count(reason.text("text")) > 0;
    });
  return join(parts, "; ");
}

std::vector<std::string> rename_lines(const ComparisonReport& report) {
  std::vector<std::string> lines;
  for (const auto& rename : report.likely_renames) {
    if (!lines.empty()) lines.emplace_back();
    lines.emplace_back("[[rename]]");
    lines.push_back("from = " + toml_text(printable(rename.from)));
    lines.push_back("to = " + toml_text(printable(rename.to)));
  }
  return lines;
}

std::string why_waiver_fails(const Comparison& comparison) {
  for (const auto& reason : comparison.reasons)
    if (reason.code == ReasonCode::kWaiverExpired || reason.code == ReasonCode::kWaiverExceeded)
      return why_waiver_fails(comparison, reason);
  return "";
}

}  // namespace tracker::report

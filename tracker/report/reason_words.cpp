
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
         " and share one process, and another process may be faster or slower; measure several side by side";
}

const char* how_to_have_the_same(const Reason& reason) {
  if (reason.number("copies") != 0) return "give each benchmark a name of its own";
  if (reason.number("same_job") != 0) return "measure each benchmark alone (--isolate)";
  return "measure both sides with the same set (--measure), or each benchmark alone (--isolate)";
}

std::string other_neighbours(const Reason& reason) {
  return reason.text("text") +
         (reason.has("resolvable")
              ? ", so that changes below " + share(reason, "resolvable") + " cannot be seen"
              : std::string(", so that no change can be seen")) +
         ": " + how_to_have_the_same(reason);
}

std::string outlier(const Reason& reason) {
  const double distance = reason.number("distance");
  return "round " + count(reason, "round") + ", where the " +
         (reason.number("in_candidate") != 0 ? "candidate" : "base") + " is " +
         format_share(std::abs(distance)) + (distance > 0 ? " above" : " below") + " its usual value";
}

constexpr std::size_t kSharedRows = 3;  // that say the same say it once

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
  const auto [reached, limit] = told_apart(reason.number("reached"), reason.number("limit"));
  return reached + " of " + reason.text("of") + ", below its floor of " + limit;
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
  return floor_cannot("judged", reason,
                      "it reaches between " + share(reason, "low") + " and " + share(reason, "high") +
                          (reason.number("of_floor") != 0 ? " of it" : ""));
}

std::string why_waiver_fails(const Reason& reason) {
  if (reason.code == ReasonCode::kWaiverExpired) return "expired on " + reason.text("until");
  return share(reason, "worse") + " worse is more than its ceiling of " + share(reason, "ceiling");
}

// The words of a reason whose figures say nothing, and of the others: without what joins it to the one
// before.
struct PlainWords {
  ReasonCode code;
  const char* words;
};
constexpr PlainWords kPlainWords[] = {
    {ReasonCode::kZeroOnBothSides, "zero on both sides"},
    {ReasonCode::kMissingInCandidate, "it is in the base, and missing in the candidate"},
    {ReasonCode::kMissingInBase, "the base has none to compare with"},
    {ReasonCode::kSameProgram, "same code: nothing to measure"},
    {ReasonCode::kZeroOnOneSide, "one side is zero, so there is no ratio to judge by"},
    {ReasonCode::kNoPairs,
     "no round measured both sides: pairs are needed, as the job drifts between rounds"},
    {ReasonCode::kMaybeSecondSpeed,
     "unchanged except for outliers, which may be a second speed that only the candidate has"},
    {ReasonCode::kNoiseHidesAll, "the noise hides any change"},
    {ReasonCode::kOneReading,
     "all times are the same, so that the step of their clock is not known, and hides any change: let a "
     "repetition take longer, with more iterations"},
    {ReasonCode::kJobsDiffer, "jobs differ by more than that: measure both side by side with --measure"},
    {ReasonCode::kAtSameClock, "at the same clock"},
    {ReasonCode::kSameCode, "its machine code is identical"},
    {ReasonCode::kSameCodeButSlower, "but its machine code is identical"},
    {ReasonCode::kNothingElseDiffers, "and nothing recorded differs"},
    {ReasonCode::kNoMoreResults, "measuring it gave no more results"},
    {ReasonCode::kNoResults, "measuring it side by side gave no results"},
    {ReasonCode::kNotConfirmed, "not confirmed"},
};

struct WordsOfFigures {
  ReasonCode code;
  std::string (*words)(const Comparison& c, const Reason& r);
};
const WordsOfFigures kWordsOfFigures[] = {
    {ReasonCode::kPastThreshold,
     [](const Comparison& c, const Reason& r) {
       return change(c, r) + ", past the threshold of " + share(r, "threshold") + " and more than noise";
     }},
    {ReasonCode::kWithinThreshold,
     [](const Comparison& /*c*/, const Reason& r) {
       return "the whole interval lies within ±" + share(r, "threshold");
     }},
    {ReasonCode::kSkippedInCandidate,
     [](const Comparison& /*c*/, const Reason& r) {
       return "it is in the base, and the candidate skipped it: " + r.text("text");
     }},
    {ReasonCode::kFailed, [](const Comparison& /*c*/, const Reason& r) { return r.text("text"); }},
    {ReasonCode::kStopped, [](const Comparison& /*c*/, const Reason& r) { return r.text("text"); }},
    {ReasonCode::kFailedInBoth,
     [](const Comparison& /*c*/, const Reason& r) { return kFailedToo + r.text("text"); }},
    {ReasonCode::kFailedInBase,
     [](const Comparison& /*c*/, const Reason& r) {
       return (r.has("skipped") ? "the base skipped it: " : "it failed in the base: ") + r.text("text");
     }},
    {ReasonCode::kNoValueInCandidate,
     [](const Comparison& /*c*/, const Reason& r) { return no_value("candidate", r); }},
    {ReasonCode::kNoValueInBase,
     [](const Comparison& /*c*/, const Reason& r) { return no_value("base", r); }},
    {ReasonCode::kNoValueInBoth,
     [](const Comparison& c, const Reason& r) {
       if (c.verdict == Verdict::kFailed) return kFailedToo + no_value("candidate", r);
       return "neither side has a value of '" + r.text("metric") + "'";
     }},
    {ReasonCode::kExactCount,
     [](const Comparison& c, const Reason& r) {
       return format_plain(r.number("base")) + " → " + format_plain(r.number("candidate")) + " " +
              c.metric.name + " in every invocation";
     }},
    {ReasonCode::kMeasuredOtherwise,
     [](const Comparison& /*c*/, const Reason& r) {
       return "measured otherwise: " + r.text("text") + (r.has("because") ? ", " + r.text("because") : "");
     }},
    {ReasonCode::kOtherMachine,
     [](const Comparison& /*c*/, const Reason& r) {
       return "measured on another machine: " + r.text("text");
     }},
    {ReasonCode::kHeldDown,
     [](const Comparison& /*c*/, const Reason& r) {
       const bool is_both = r.text("side") == "both";
       return "cannot be judged: the " + (is_both ? "board of both sides" : r.text("side") + "'s board") +
              " ran at " + r.text("mhz") + " in " + count(r, r.has("low") ? "low" : "invocations") + " of " +
              count(r, "invocations") + " invocations" +
              (r.text("held_by").empty() ? "" : ", held down (" + r.text("held_by") + ")");
     }},
    {ReasonCode::kSharedBoard,
     [](const Comparison& /*c*/, const Reason& r) {
       return "cannot be judged: another process was on the GPU in " + count(r, "shared") + " of " +
              count(r, "invocations") + " invocations of the " + r.text("side") + ", and in " +
              count(r, "other") + " of the other side";
     }},
    {ReasonCode::kImpossibleTime,
     [](const Comparison& /*c*/, const Reason& r) {
       return "the work was optimised away in the " + r.text("side") + ": " +
              format_quantity(r.number("time_ns") * 1e-9, "s") + " an iteration is less than a clock cycle";
     }},
    {ReasonCode::kOneInvocation, [](const Comparison& c, const Reason& r) { return one_invocation(c, r); }},
    {ReasonCode::kOtherNeighbours,
     [](const Comparison& /*c*/, const Reason& r) { return other_neighbours(r); }},
    {ReasonCode::kClockStep,
     [](const Comparison& /*c*/, const Reason& r) {
       return "the clock's step of " + share(r, "step") + " hides changes below " + share(r, "resolvable") +
              ": let a repetition take longer, with more iterations";
     }},
    {ReasonCode::kOneOrder,
     [](const Comparison& /*c*/, const Reason& r) {
       return "the same side ran first in every pair, and what one execution leaves behind for the next "
              "hides "
              "changes below " +
              share(r, "resolvable") + ": let the other side run first in every second pair";
     }},
    {ReasonCode::kEitherSide,
     [](const Comparison& c, const Reason& r) {
       return change(c, r) + ", but it may lie on either side of the threshold";
     }},
    {ReasonCode::kNoiseHides,
     [](const Comparison& /*c*/, const Reason& r) {
       return "the noise hides changes below " + share(r, "resolvable");
     }},
    {ReasonCode::kTooFewForTwoSpeeds,
     [](const Comparison& c, const Reason& r) {
       return change(c, r) + ", but so few invocations cannot rule out that it runs at two speeds";
     }},
    {ReasonCode::kSecondSpeed,
     [](const Comparison& c, const Reason& r) {
       return count(r, "count") + " of " + count(r, "invocations") + " invocations of the candidate are " +
              change(c, r) + ", and none of the base's";
     }},
    {ReasonCode::kTooFewForUnchanged,
     [](const Comparison& /*c*/, const Reason& r) {
       return "within ±" + share(r, "threshold") +
              ", but so few invocations cannot rule out two speeds that hide a change";
     }},
    {ReasonCode::kTooFewAmongPeers,
     [](const Comparison& c, const Reason& r) {
       return change(c, r) + ", but so few invocations cannot tell it from " + count(r, "peers") +
              (r.number("peers") == 1 ? " other that moves" : " others that move") + " as far by chance";
     }},
    {ReasonCode::kTooManyNeeded,
     [](const Comparison& /*c*/, const Reason& r) {
       return "not on this machine: more than " + count(r, "invocations") +
              " more invocations would be needed";
     }},
    {ReasonCode::kMoreNeeded,
     [](const Comparison& /*c*/, const Reason& r) {
       constexpr double kPatienceMax = 200;  // hours, as a rule
       return (r.number("invocations") > kPatienceMax ? "not on this machine: about " : "about ") +
              count(r, "invocations") + " more invocation" + (r.number("invocations") == 1 ? "" : "s") +
              " a side would decide it";
     }},
    {ReasonCode::kOutlier, [](const Comparison& /*c*/, const Reason& r) { return outlier(r); }},
    {ReasonCode::kMoreOutliers,
     [](const Comparison& /*c*/, const Reason& r) {
       return "and " + count(r, "count") + " more round" + (r.number("count") == 1 ? "" : "s");
     }},
    {ReasonCode::kClocksDiffer,
     [](const Comparison& /*c*/, const Reason& r) {
       return "the clocks differ by more than chance (base " + count(r, "base_mhz") + " MHz, candidate " +
              count(r, "candidate_mhz") + " MHz), so that they are part of the change";
     }},
    {ReasonCode::kAccepted,
     [](const Comparison& /*c*/, const Reason& r) { return "accepted: " + r.text("text"); }},
    {ReasonCode::kWaived,
     [](const Comparison& /*c*/, const Reason& r) {
       return "waived until " + r.text("until") + ": " + r.text("text");
     }},
    {ReasonCode::kWaiverExpired,
     [](const Comparison& /*c*/, const Reason& r) {
       return "its waiver (" + r.text("text") + ") does not hold: " + why_waiver_fails(r);
     }},
    {ReasonCode::kWaiverExceeded,
     [](const Comparison& /*c*/, const Reason& r) {
       return "its waiver (" + r.text("text") + ") does not hold: " + why_waiver_fails(r);
     }},
    {ReasonCode::kBelowReference,
     [](const Comparison& /*c*/, const Reason& r) { return below_reference(r); }},
    {ReasonCode::kBelowFloor, [](const Comparison& /*c*/, const Reason& r) { return below_floor(r); }},
    {ReasonCode::kOwnVerdict,
     [](const Comparison& /*c*/, const Reason& r) { return r.text("verdict") + " against the base"; }},
    {ReasonCode::kFloorNoReference,
     [](const Comparison& /*c*/, const Reason& r) {
       return floor_cannot("checked", r, "these runs have no " + r.text("of"));
     }},
    {ReasonCode::kFloorReferenceFailed,
     [](const Comparison& /*c*/, const Reason& r) {
       return floor_cannot("checked", r, r.text("of") + " failed");
     }},
    {ReasonCode::kFloorNoSharedRounds,
     [](const Comparison& /*c*/, const Reason& r) {
       return floor_cannot("checked", r,
                           r.text("of") + " has no '" + r.text("metric") + "' in the same rounds");
     }},
    {ReasonCode::kFloorPeakUnknown,
     [](const Comparison& /*c*/, const Reason& r) {
       return floor_cannot("checked", r, "the theoretical peak of this device is not known");
     }},
    {ReasonCode::kFloorNoWork,
     [](const Comparison& /*c*/, const Reason& r) {
       return floor_cannot("checked", r, "it states neither bytes nor FLOPs");
     }},
    {ReasonCode::kFloorZeros,
     [](const Comparison& /*c*/, const Reason& r) {
       return floor_cannot("checked", r, "some of its values are zero");
     }},
    {ReasonCode::kFloorOneInvocation,
     [](const Comparison& /*c*/, const Reason& r) {
       return floor_cannot("judged", r, "one invocation shows no noise of its own");
     }},
    {ReasonCode::kFloorNoiseUnknown,
     [](const Comparison& /*c*/, const Reason& r) {
       return floor_cannot("judged", r, "the noise is not known");
     }},
    {ReasonCode::kFloorNoiseHides,
     [](const Comparison& /*c*/, const Reason& r) {
       return floor_cannot("judged", r, "the noise hides what it reaches");
     }},
    {ReasonCode::kFloorUnclear, [](const Comparison& /*c*/, const Reason& r) { return floor_unclear(r); }},
    {ReasonCode::kTooFewPairs,
     [](const Comparison& /*c*/, const Reason& r) {
       return "but in only " + count(r, "pairs") + " pairs; a failure needs " + count(r, "needed");
     }},
    {ReasonCode::kTooManyRounds,
     [](const Comparison& /*c*/, const Reason& r) {
       return "more than " + count(r, "rounds") + " rounds would be needed";
     }},
    {ReasonCode::kNotMeasuredAgain,
     [](const Comparison& /*c*/, const Reason& r) {
       return "it was not measured side by side: " + r.text("text");
     }},
};

std::string words_of(const Comparison& c, const Reason& r) {
  for (const auto& row : kPlainWords)
    if (row.code == r.code) return row.words;
  for (const auto& row : kWordsOfFigures)
    if (row.code == r.code) return row.words(c, r);
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
        sentences[reason.text("text")].push_back(other_neighbours(reason));
  std::erase_if(sentences, [](const auto& one) { return one.second.size() < kSharedRows; });
  std::vector<std::string> parts;
  for (const auto& [text, all] : sentences) {
    std::string words = count_of(all.size(), "benchmark") + ": " + merge_sentences(all);
    for (auto at = words.find("beside it"); at != std::string::npos; at = words.find("beside it", at))
      words.replace(at, std::string("beside it").size(), "beside them");
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
      return why_waiver_fails(reason);
  return "";
}

}  // namespace tracker::report

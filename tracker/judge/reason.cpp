#include "tracker/judge/reason.hpp"

#include <cmath>

#include "tracker/base/text.hpp"
#include "tracker/model/change_words.hpp"

namespace tracker {
namespace {

// Why the data does not decide, as far as the interval shows it.
std::string what_is_open(const Comparison& c, const Hindrance& hindrance) {
  if (c.interval->low > 0 || c.interval->high < 0)
    return change_in_words(c.metric, *c.change) + ", but it may lie on either side of the threshold";
  if (hindrance.obstacle == Obstacle::kSlowMode)
    return "unchanged but for outliers, which may be a second speed of the candidate";
  if (noise_hides_everything(c)) return "the noise hides any change";
  if (hindrance.obstacle != Obstacle::kHiddenModes)
    return "the noise hides changes below " + format_share(*c.resolvable);
  const std::string too_few = change_in_words(c.metric, *c.change) + ", but so few invocations cannot ";
  if (hindrance.peers == 0) return too_few + "rule out that it runs at two speeds";
  return too_few + "tell it from " + std::to_string(hindrance.peers) +
         (hindrance.peers == 1 ? " other that moves" : " others that move") + " as far by chance";
}

std::string change_of_one_invocation(const Comparison& c, const Repetitions& repetitions) {
  const std::string head = "one invocation a side shows no noise of its own";
  if (repetitions.count < 2 || !c.change || !std::isfinite(*c.change)) return head + ": measure at least two";
  return change_in_words(c.metric, *c.change) + ", but " + head + ": its " +
         std::to_string(repetitions.count) + " repetitions scatter by " + format_share(repetitions.spread) +
         " and share one process, and another one may lie elsewhere; measure several side by side";
}

std::string why_inconclusive(const Comparison& c, const Hindrance& hindrance) {
  if (hindrance.obstacle == Obstacle::kNoPairs)
    return "no round measured both sides: pairs are needed, as the job drifts between rounds";
  if (!c.interval || !std::isfinite(c.interval->low) || !std::isfinite(c.interval->high))
    return change_of_one_invocation(c, hindrance.repetitions);
  if (hindrance.obstacle == Obstacle::kCompanions)
    return hindrance.companions +
           (noise_hides_everything(c)
                ? ", so that no change can be told"
                : ", so that changes below " + format_share(*c.resolvable) + " cannot be told") +
           ": measure both sides with the same set (--measure), or each benchmark alone (--isolate)";
  if (hindrance.obstacle == Obstacle::kClockStep)
    return "the clock's step of " + format_share(hindrance.clock_step) + " hides changes below " +
           format_share(*c.resolvable) + ": let a repetition take longer, with more iterations";
  const std::string open = what_is_open(c, hindrance);
  if (hindrance.obstacle == Obstacle::kJobs && !c.more_invocations)
    return open + "; jobs differ by more than that: measure both side by side with --measure";
  if (!c.more_invocations)
    return open + "; more than " + std::to_string(kMoreInvocationsMax) + " more invocations would be needed";
  return open + "; about " + std::to_string(*c.more_invocations) + " more invocations a side would settle it";
}

// "excluded as an outlier: round 4, where the candidate is 200 % above its usual value".
std::string left_out(const std::vector<Outlier>& outliers) {
  constexpr std::size_t kNamedMax = 3;
  std::string text = outliers.size() == 1 ? "excluded as an outlier: " : "excluded as outliers: ";
  for (std::size_t i = 0; i < outliers.size() && i < kNamedMax; ++i) {
    const Outlier& one = outliers[i];
    text += (i > 0 ? "; " : "") + std::string("round ") + std::to_string(one.round) + ", where the " +
            (one.in_candidate ? "candidate" : "base") + " is " +
            format_share(std::abs(std::expm1(one.distance))) + (one.distance > 0 ? " above" : " below") +
            " its usual value";
  }
  if (outliers.size() > kNamedMax)
    text += "; and " + std::to_string(outliers.size() - kNamedMax) + " more rounds";
  return text;
}

std::string reason_of_verdict(const Comparison& c, const Hindrance& hindrance) {
  switch (c.verdict) {
    case Verdict::kRegressed:
    case Verdict::kSameCode:
    case Verdict::kImproved:
      return change_in_words(c.metric, *c.change) + ", past the threshold of " + format_share(c.threshold) +
             " and more than noise";
    case Verdict::kUnchanged:
      return "the whole interval lies within ±" + format_share(c.threshold);
    case Verdict::kMissing:
      return "it is in the base, and missing in the candidate";
    case Verdict::kNew:
      return "the base has none to compare with";
    case Verdict::kInconclusive:
      return why_inconclusive(c, hindrance);
    case Verdict::kBelowFloor:
    case Verdict::kFailed:
      break;
  }
  return c.reason;
}

}  // namespace

std::string reason_for(const Comparison& c, const Hindrance& hindrance) {
  const std::string reason = reason_of_verdict(c, hindrance);
  return hindrance.outliers.empty() ? reason : reason + "; " + left_out(hindrance.outliers);
}

}  // namespace tracker

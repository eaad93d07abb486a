#include "tracker/judge/reason.hpp"

#include <cmath>

#include "tracker/base/text.hpp"

namespace tracker {
namespace {

// "4.2 % slower", "1.1 % less bandwidth": the change in the words of its metric.
std::string change_in_words(const Metric& metric, double change) {
  const std::string size = format_share(change);
  const bool up = change > 0;
  if (metric.unit == "s") return size + (up ? " slower" : " faster");
  if (metric.name == "bytes_per_second") return size + (up ? " more" : " less") + " bandwidth";
  return size + (up ? " higher" : " lower");
}

std::string why_inconclusive(const Comparison& c, Obstacle obstacle) {
  if (!c.interval || !std::isfinite(c.interval->low) || !std::isfinite(c.interval->high))
    return "one invocation a side shows no noise of its own: measure at least two";
  const bool excludes_none = c.interval->low > 0 || c.interval->high < 0;
  std::string why = excludes_none ? change_in_words(c.metric, *c.change) +
                                        ", but it may lie on either side of the threshold"
                                  : "the noise hides changes below " + format_share(*c.resolvable);
  if (c.more_invocations)
    why += "; about " + std::to_string(*c.more_invocations) + " more invocations a side would settle it";
  else if (obstacle == Obstacle::kJobs)
    why += "; jobs differ by more than that: measure both in turn with --measure";
  else
    why += "; more than " + std::to_string(kMoreInvocationsMax) + " more invocations would be needed";
  return why;
}

}  // namespace

std::string reason_for(const Comparison& c, Obstacle obstacle) {
  switch (c.verdict) {
    case Verdict::kRegressed:
    case Verdict::kImproved:
      return change_in_words(c.metric, *c.change) + ", past the threshold of " + format_share(c.threshold) +
             " and more than noise";
    case Verdict::kUnchanged:
      return "the whole interval lies within ±" + format_share(c.threshold);
    case Verdict::kMissing:
      return "the base has it, the candidate has not";
    case Verdict::kNew:
      return "the base has none to compare with";
    case Verdict::kInconclusive:
      return why_inconclusive(c, obstacle);
    case Verdict::kBelowFloor:
    case Verdict::kFailed:
      break;
  }
  return c.reason;
}

}  // namespace tracker

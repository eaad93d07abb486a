#include "tracker/judge/waiver.hpp"

#include <algorithm>

#include "tracker/base/text.hpp"

namespace tracker {
namespace {

bool can_be_waived(const Comparison& c) {
  return fails_gate(c) || (c.failed_before && !c.report_only);
}

// How much worse than the base, or than a floor that is broken; what is missing or failed has no size.
double worse_by(const Comparison& c) {
  double worse = 0;
  if ((c.verdict == Verdict::kRegressed || c.verdict == Verdict::kSameCode) && c.change)
    worse = c.metric.better == Better::kHigher ? -*c.change : *c.change;
  if (c.floor && c.floor->broken) worse = std::max(worse, 1 - c.floor->reached);
  return worse;
}

// An accepted change of speed says nothing of a benchmark that is missing or failed.
bool is_meant(const Waiver& waiver, const Comparison& c) {
  return !waiver.expires.empty() || c.verdict == Verdict::kRegressed || c.verdict == Verdict::kSameCode;
}

WaiverCheck check_of(const Waiver& waiver, const Comparison& c, const std::string& today) {
  WaiverCheck check{waiver.reason, waiver.expires, true, ""};
  const double worse = worse_by(c);
  if (!today.empty() && !waiver.expires.empty() && today > waiver.expires)
    check.why_not = "expired on " + waiver.expires;
  else if (worse > waiver.ceiling)
    check.why_not = format_share(worse) + " worse is past its ceiling of " + format_share(waiver.ceiling);
  check.holds = check.why_not.empty();
  return check;
}

}  // namespace

void apply_waivers(ComparisonReport& report, const std::vector<Waiver>& waivers, const std::string& today) {
  for (auto& comparison : report.comparisons) {
    if (!can_be_waived(comparison)) continue;
    std::optional<WaiverCheck> best;
    for (const auto& waiver : waivers) {
      if (!glob_match(waiver.match, comparison.benchmark) || !is_meant(waiver, comparison)) continue;
      const WaiverCheck check = check_of(waiver, comparison, today);
      if (check.holds || !best || !best->holds) best = check;
    }
    if (!best) continue;
    if (!best->holds)
      comparison.reason += "; its waiver (" + best->reason + ") does not hold: " + best->why_not;
    else
      comparison.reason +=
          (best->expires.empty() ? "; accepted: " : "; waived until " + best->expires + ": ") + best->reason;
    comparison.waiver = std::move(best);
  }
}

}  // namespace tracker

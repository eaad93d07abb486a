#include "tracker/judge/verdict/waiver.hpp"

#include <algorithm>
#include <utility>

#include "tracker/base/text.hpp"
#include "tracker/model/benchmark_name.hpp"

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

// What it comes to, and why.
std::pair<WaiverCheck, Reason> check_of(const Waiver& waiver, const Comparison& c, const std::string& today) {
  WaiverCheck check{waiver.reason, waiver.expires, true};
  Reason reason{waiver.expires.empty() ? ReasonCode::kAccepted : ReasonCode::kWaived,
                {{"text", waiver.reason}}};
  if (!waiver.expires.empty()) reason.arguments.push_back({"until", waiver.expires});
  const double worse = worse_by(c);
  if (!today.empty() && !waiver.expires.empty() && today > waiver.expires) {
    reason.code = ReasonCode::kWaiverExpired;
    check.holds = false;
  } else if (worse > waiver.ceiling) {
    reason.code = ReasonCode::kWaiverExceeded;
    reason.arguments.push_back({"worse", worse});
    reason.arguments.push_back({"ceiling", waiver.ceiling});
    check.holds = false;
  }
  return {check, reason};
}

}  // namespace

void apply_waivers(ComparisonReport& report, const std::vector<Waiver>& waivers, const std::string& today) {
  for (auto& comparison : report.comparisons) {
    if (!can_be_waived(comparison)) continue;
    std::optional<std::pair<WaiverCheck, Reason>> best;
    for (const auto& waiver : waivers) {
      if (!means_benchmark(waiver.match, comparison.benchmark, comparison.printed_name) ||
          !is_meant(waiver, comparison))
        continue;
      auto check = check_of(waiver, comparison, today);
      if (check.first.holds || !best || !best->first.holds) best = std::move(check);
    }
    if (!best) continue;
    comparison.waiver = std::move(best->first);
    comparison.reasons.push_back(std::move(best->second));
  }
}

}  // namespace tracker

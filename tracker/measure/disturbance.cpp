#include "tracker/measure/disturbance.hpp"

#include <cmath>

#include "tracker/base/text.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker {
namespace {

Exclusion seen(const Conditions& conditions) {
  if (!conditions.disturbed()) return {};
  if (conditions.other_processes.value_or(0) > 0) return {ExclusionReason::kOtherProcess, ""};
  auto reasons = conditions.throttle_reasons;
  std::erase(reasons, "power_cap");
  return {ExclusionReason::kThrottled, join(reasons, ", ")};
}

Exclusion low_clocks(const std::vector<const Invocation*>& invocations, std::size_t which) {
  const auto clock_mhz = invocations[which]->conditions.core_clock_mhz_min;
  std::vector<double> others;
  for (std::size_t i = 0; i < invocations.size(); ++i)
    if (const auto other = invocations[i]->conditions.core_clock_mhz_min; other && i != which)
      others.push_back(*other);
  const double usual_mhz = stats::median(others);
  if (!clock_mhz || !(*clock_mhz < (1 - kLowClockShare) * usual_mhz)) return {};
  return {ExclusionReason::kLowClocks, std::to_string(std::llround(*clock_mhz)) + " MHz, usually " +
                                           std::to_string(std::llround(usual_mhz))};
}

}  // namespace

std::vector<Exclusion> disturbances(const std::vector<const Invocation*>& invocations) {
  std::vector<Exclusion> reasons;
  for (std::size_t i = 0; i < invocations.size(); ++i) {
    reasons.push_back(seen(invocations[i]->conditions));
    if (!reasons.back()) reasons.back() = low_clocks(invocations, i);
  }
  return reasons;
}

}  // namespace tracker

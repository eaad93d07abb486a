#include "tracker/measure/retake.hpp"

#include <algorithm>
#include <set>

#include "tracker/measure/disturbance.hpp"

namespace tracker {

void exclude_disturbed(const std::vector<Taken>& taken) {
  std::map<std::size_t, std::vector<const Taken*>> by_target;
  for (const auto& one : taken) by_target[one.step.target].push_back(&one);
  std::set<int> rounds;
  for (const auto& [target, here] : by_target) {
    std::vector<const Invocation*> invocations;
    for (const Taken* one : here) invocations.push_back(one->invocation);
    const auto reasons = disturbances(invocations);
    for (std::size_t i = 0; i < here.size(); ++i) {
      if (!reasons[i] || here[i]->invocation->excluded) continue;
      here[i]->invocation->excluded = reasons[i];
      rounds.insert(here[i]->step.round);
    }
  }
  for (const auto& one : taken)
    if (!one.invocation->excluded && rounds.count(one.step.round) != 0)
      one.invocation->excluded = {ExclusionReason::kPairDisturbed, ""};
}

int clean_rounds(const std::vector<Taken>& taken) {
  std::set<int> clean;
  for (const auto& one : taken)
    if (!one.invocation->excluded) clean.insert(one.step.round);
  return static_cast<int>(clean.size());
}

int rounds_to_retake(int asked, int clean, int retaken, int retakes_max) {
  if (clean == 0) return retaken == 0 ? 1 : 0;
  return std::clamp(asked - clean, 0, std::max(retakes_max - retaken, 0));
}

int count_again_if_few(const std::vector<Taken>& taken, int asked) {
  const int clean = clean_rounds(taken);
  if (2 * clean >= asked && clean >= std::min(asked, 2)) return 0;
  int count = 0;
  for (const auto& one : taken) {
    if (!one.invocation->excluded || one.invocation->excluded.reason == ExclusionReason::kWarmUp) continue;
    one.invocation->excluded = {};
    ++count;
  }
  return count;
}

std::map<std::string, int> excluded_for(const std::vector<Taken>& taken) {
  std::map<std::string, int> reasons;
  for (const auto& one : taken)
    if (one.invocation->excluded) ++reasons[exclusion_in_words(one.invocation->excluded)];
  return reasons;
}

}  // namespace tracker

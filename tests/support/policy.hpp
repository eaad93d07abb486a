// Policies for tests.
#pragma once

#include "tracker/model/policy.hpp"

namespace tracker::test {

// One threshold for every benchmark.
inline Policy policy_at(double threshold, double confidence = 0.99) {
  Policy policy;
  policy.confidence = confidence;
  PolicyRule rule;
  rule.match = "*";
  rule.threshold = threshold;
  policy.rules.push_back(rule);
  return policy;
}

}  // namespace tracker::test

// How whole families of benchmarks changed. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tracker/model/comparison.hpp"

namespace tracker {

// The changes of a family's benchmarks on one device: those that were measured on both sides, and whose noise
// does not hide everything.
struct FamilyMean {
  double change = 0;  // their geometric mean: that of candidate / base, less 1
  Interval range;     // the least and the largest change
  int benchmarks = 0;
};

// A family that is judged by several metrics has a row for each, as their changes have no common direction.
struct FamilyMeans {
  std::string family;
  Metric metric;
  bool has_other_metrics = false;                // so that its metric needs to be named
  std::vector<std::optional<FamilyMean>> means;  // one for each report, in their order
};

// What changed most, in either direction, first.
std::vector<FamilyMeans> family_means(const std::vector<ComparisonReport>& reports);

}  // namespace tracker

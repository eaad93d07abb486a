// Where a series changed its level, and by more than its noise.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tracker/stats/moderated.hpp"

namespace tracker::stats {

// A level shorter than this between two others is a spike, and no level. The newest one may be shorter: it is
// what somebody waits to hear about.
inline constexpr std::size_t kSettledMin = 3;

struct Step {
  std::size_t at = 0;    // the first value of the new level
  double before = 0;     // the level that it left: the median of its values
  double after = 0;      // the one that it went to
  bool settled = false;  // the new level has kSettledMin values
};

// The steps of `logs` (logarithms of the values, oldest first), in order, which are at least `least` high (a
// difference of logarithms) and which noise alone makes in few series (docs/statistics.md). What a single
// value's noise is, is learned from the series; `usual` counts where that is too short, and weighs in while
// it is short. After Kovács, Bühlmann, Li and Munk 2023, "Seeded binary segmentation". n log n.
std::vector<Step> find_steps(std::span<const double> logs, double least, const Variance& usual);

}  // namespace tracker::stats

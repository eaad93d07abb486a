// Values that lie too far from all others to be of the same kind: a process that something held up.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace tracker::stats {

// The places of the outliers, in rising order: the k values farthest from the median, for the largest k (up
// to a third of the values) whose nearest one lies so far from the mean of the rest that a normal rest would
// show it in one of a thousand lists (Student's t of a deleted residual; Rosner 1983, "Percentage points for
// a generalized ESD many-outlier procedure"). `rounding`: the variance that rounding gives one value, of
// which few values may show less. None where the rest neither scatters nor is rounded.
std::vector<std::size_t> find_outliers(std::span<const double> values, double rounding = 0);

// What the variance of the rest is to be multiplied by, because the outliers were chosen from the ends: as if
// each had been as far out as the rest goes (Tukey and McLaughlin 1963, the winsorized variance). At least 1.
double variance_factor_without(std::span<const double> values, std::span<const std::size_t> outliers);

}  // namespace tracker::stats

// Summaries of a list of numbers. Pure; spans may be in any order. A NaN among the values gives NaN.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace tracker::stats {

double mean(std::span<const double> values);              // NaN where there are none
double median(std::span<const double> values);            // NaN where there are none
double variance(std::span<const double> values);          // of the sample (n − 1); NaN below two values
double robust_deviation(std::span<const double> values);  // 1.4826 × the median absolute deviation

// A series in at most `count` values, oldest first, for a small line: the medians of as many equal stretches.
// Where there are more values than that, the last of them is the newest value alone, so that what has just
// changed is seen.
std::vector<double> shortened(std::span<const double> values, std::size_t count);

// Values that lie too far from all others to be of the same kind: a process that something held up.

// The places of the outliers, in rising order: the k values farthest from the median, for the largest k (up
// to a third of the values) whose nearest one lies so far from the mean of the rest that a normal rest would
// show it in one of a thousand lists (Student's t of a deleted residual; Rosner 1983, "Percentage points for
// a generalized ESD many-outlier procedure"). `rounding`: the variance that rounding gives one value, of
// which few values may show less. None where the rest neither scatters nor is rounded.
std::vector<std::size_t> find_outliers(std::span<const double> values, double rounding = 0);

// What the variance of the rest is to be multiplied by, because the outliers were chosen from the ends: as if
// each had been as far out as the rest goes (Tukey and McLaughlin 1963, the winsorized variance). At least 1.
double variance_factor_without(std::span<const double> values, std::span<const std::size_t> outliers);

// Analysis of covariance: what of a quantity follows another one that was measured beside it.

// The slope of the line of least squares through points (x, y); one beyond these limits becomes the nearest
// of them. 0 where all x are equal. Lists as long as one another, not empty.
double slope_between(std::span<const double> x, std::span<const double> y, double slope_min,
                     double slope_max);

}  // namespace tracker::stats

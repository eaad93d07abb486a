// Analysis of covariance: what of a quantity follows another one that was measured beside it.
#pragma once

#include <span>

namespace tracker::stats {

// The slope of the line of least squares through points (x, y); one beyond these limits becomes the nearest
// of them. 0 where all x are equal. Lists as long as one another, not empty.
double slope_between(std::span<const double> x, std::span<const double> y, double slope_min,
                     double slope_max);

}  // namespace tracker::stats

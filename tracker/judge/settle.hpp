// From a difference with its noise to a verdict.
#pragma once

#include "tracker/model/comparison.hpp"
#include "tracker/stats/ratio.hpp"

namespace tracker {

// Fills in the change, its interval, the verdict and the reason. `comparison` has its metric, threshold and
// numbers of invocations. `confidence` is that of this one interval. Where `noise_known` is false, the
// verdict stays inconclusive.
void settle(Comparison& comparison, const stats::Difference& difference, bool noise_known, double confidence);

}  // namespace tracker

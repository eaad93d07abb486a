// Levels of a series by optimal partitioning with a bounded loss.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace tracker::stats {

struct PartitionCost {
  double deviation = 1;  // of one value about its level
  double bound = 3;      // deviations beyond which a value costs no more, so that a spike buys no level
  double penalty = 30;   // of each change of level, in squared deviations
};

// Where the levels begin, but the first: the segmentation of least cost, Σ min((x − level)² / deviation²,
// bound²) + penalty × changes. Fearnhead and Rigaill 2019, "Changepoint detection in the presence of
// outliers" (arXiv 1609.07363), over levels that the series itself names instead of all real numbers: time n
// × levels, and at most a few hundred of them.
std::vector<std::size_t> partition(std::span<const double> values, const PartitionCost& cost);

}  // namespace tracker::stats

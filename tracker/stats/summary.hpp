// Summaries of a list of numbers. Pure; spans may be in any order. A NaN among the values gives NaN.
#pragma once

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

}  // namespace tracker::stats

// Summaries of a list of numbers. Pure; spans may be in any order. A NaN among the values gives NaN.
#pragma once

#include <span>

namespace tracker::stats {

double mean(std::span<const double> values);              // NaN where there are none
double median(std::span<const double> values);            // NaN where there are none
double variance(std::span<const double> values);          // of the sample (n − 1); NaN below two values
double robust_deviation(std::span<const double> values);  // 1.4826 × the median absolute deviation

}  // namespace tracker::stats

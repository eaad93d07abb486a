// Summaries of a list of numbers, in the unit of the numbers, and the distributions that intervals need.
// Pure. Spans may be in any order; a NaN among the values gives NaN.
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

// The distributions that intervals need.

// The t that a Student variable with `degrees` of freedom (> 0, may be infinite) stays within, on both
// sides, with this confidence (0 < confidence < 1).
double student_t_within(double confidence, double degrees);

// The share of cases in which a ratio of two variances (F), with these degrees of freedom (> 0), is larger
// than this one (>= 0).
double fisher_f_above(double ratio, double numerator_degrees, double denominator_degrees);

// The chance of at least so many successes (1 to `trials`) in so many trials, each with this chance (0 to 1).
double binomial_at_least(int successes, int trials, double chance);

// The logarithm of the gamma function, for x > 0; unlike the standard library's, it leaves no sign behind.
double log_gamma(double x);

// Logarithmic derivatives of the gamma function, and the inverse of the second, for x > 0.
double digamma(double x);
double trigamma(double x);
double trigamma_inverse(double value);

// What a few values cannot have shown: that a benchmark runs at two speeds.

// The largest chance that a benchmark which takes one of two speeds in every invocation, with whatever
// shares, showed only one of them in `first` invocations and only the other in `second`: then it looks quiet,
// and changed. Both > 0, and may be fractions. 4^-n for n invocations a side.
double chance_of_a_mode_each(double first, double second);

// Likewise, that `first` invocations showed only one of the speeds, and at least `seen` of `second` (1 to
// all) the other.
double chance_of_unseen_mode(double first, int second, int seen);

// The share of invocations that have the other speed, where `seen` of `all` (1 to all − 1) have it: between
// these two with this confidence (Clopper and Pearson 1934).
struct Shares {
  double low = 0;
  double high = 1;
};
Shares share_of_mode(int seen, int all, double confidence);

}  // namespace tracker::stats

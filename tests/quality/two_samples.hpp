// The arithmetic of other people's rules: tests on two samples, from their published definitions.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace tracker::quality {

// How many orderings of two samples of m and n values have U = 0, 1, …, m·n (Mann and Whitney 1947, "On a
// test of whether one of two random variables is stochastically larger than the other"): the coefficients of
// the Gaussian binomial (m+n over m). Exact up to 2^53.
std::vector<double> u_orderings(std::size_t m, std::size_t n);

// Pairs in which the value of `a` is the larger one, and pairs of equals.
struct PairCount {
  double larger = 0;
  double equal = 0;
};
PairCount count_pairs(std::span<const double> a, std::span<const double> b);

// The two-sided p-value of scipy.stats.mannwhitneyu with its defaults (SciPy ≥ 1.7): exact where one sample
// has eight values or fewer and no value occurs twice; otherwise the normal approximation, corrected for
// ties and for continuity.
double mann_whitney_as_scipy(std::span<const double> a, std::span<const double> b);

// The two-sided p-value of asv_runner.statistics.mann_whitney_u: exact where neither sample has more than
// 20 values, otherwise the normal approximation without corrections; ties are broken the way that makes p
// largest.
double mann_whitney_as_asv(std::span<const double> a, std::span<const double> b);

// Whether Welch's t-test tells the means apart at this level; two values a side at least, else false.
bool welch_differs(std::span<const double> a, std::span<const double> b, double level);

// With linear interpolation between the neighbours (R's type 7, numpy's default); 0 ≤ q ≤ 1.
double quantile(std::vector<double> values, double q);

}  // namespace tracker::quality

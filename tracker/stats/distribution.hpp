// The distributions that intervals need.
#pragma once

namespace tracker::stats {

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

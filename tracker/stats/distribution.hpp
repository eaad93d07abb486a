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

}  // namespace tracker::stats

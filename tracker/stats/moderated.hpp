// Borrowing strength: with five invocations, one benchmark's own variance is a poor estimate, but all
// benchmarks of a run together say what variances are usual there. Smyth, "Linear models and empirical
// Bayes methods for assessing differential expression", 2004 (limma's moderated t).
#pragma once

#include <span>

namespace tracker::stats {

// A variance with the degrees of freedom that stand behind it.
struct Variance {
  double value = 0;
  double degrees = 0;
};

// A usual variance never weighs more than this, so that a loud benchmark among quiet ones stays loud.
inline constexpr double kUsualDegreesMax = 8;

// What is usual: as if `degrees` observations had shown variance `value`.
// degrees = 0: nothing is known (too few benchmarks, or they have nothing in common).
Variance fit_usual_variance(std::span<const Variance> observed);

// The same for variances as shares of what was expected of each: by how much all of them are larger, and how
// well the expectation tells one of them, as if it had been seen with so many degrees (`degrees_max` at
// most). That the shares are few, and their usual size therefore uncertain, counts against those degrees.
Variance fit_usual_share(std::span<const Variance> shares, double degrees_max);

// Whether `own` is larger than chance makes it (F test, one in twenty) where `usual` is the truth, as far as
// its degrees tell. Both have degrees.
bool is_louder(const Variance& own, const Variance& usual);

// A benchmark's own variance, drawn towards the usual one by the weight of the evidence for each.
Variance moderate(const Variance& own, const Variance& usual);

}  // namespace tracker::stats

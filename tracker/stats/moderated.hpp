// Borrowing strength: with five invocations, one benchmark's own variance is a poor estimate, but all
// benchmarks of a run together say what variances are usual there. Smyth, "Linear models and empirical
// Bayes methods for assessing differential expression", 2004 (limma's moderated t).
#pragma once

#include <cstddef>
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

// Variances that scatter around a usual one. How well few of them tell the usual value, and the degrees with
// which it tells one of them, is part of it.
struct Scattered {
  Variance usual;      // degrees 0: too few to say
  double log_sum = 0;  // of those that were seen
  double count = 0;

  // What the others say is usual: what one of them shows itself would count twice.
  Variance without(const Variance& own) const;
};

struct ScatterOptions {
  double error = 0.002;  // the chance that an interval made with it misses
  double degrees_max = kUsualDegreesMax;
  std::size_t count_min = 5;  // from two on
  double copies = 1;          // number of variances that say no more than one, as one cause moves them
};

// Each number of degrees up to `degrees_max` counts by its likelihood. The result has those whose tail, at
// this error and beside as many degrees of one's own as are usual, is the tail of all of them together.
// Without much evidence that is the tail of the fewest that are likely.
Scattered fit_scatter(std::span<const Variance> observed, const ScatterOptions& options);

// Whether `own` is larger than chance makes it (F test, at this level) where `usual` is the truth, as far as
// its degrees tell. Both have degrees.
bool is_louder(const Variance& own, const Variance& usual, double level = 0.05);

// A benchmark's own variance, drawn towards the usual one by the weight of the evidence for each.
Variance moderate(const Variance& own, const Variance& usual);

}  // namespace tracker::stats

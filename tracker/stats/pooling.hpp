// What related series share: changes that are too small for any one of them. docs/changepoints.md,
// "Together".
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace tracker::stats {

// For every place the mean over the series, each in deviations of its own noise from its own level, without
// the quarter of them at either end: what happens to a few of them is not what all share. NaN where fewer
// than half of the series have a value. All are as long; NaN where one has no value.
std::vector<double> pooled_deviations(const std::vector<std::vector<double>>& deviations);

// The same of series as they were measured: sqrt(series) times smaller changes can be seen in it, as far as
// the series do not share their noise.
std::vector<double> pooled(const std::vector<std::vector<double>>& series);

// A change of what series share: a lasting step, or a drift.
struct SharedChange {
  bool drifts = false;
  std::size_t at = 0;     // the first value of the new level, likeliest; of a drift its first value
  std::size_t first = 0;  // and the places it may as well have been at: [first, last]; of a drift its ends
  std::size_t last = 0;
  double size = 0;        // in deviations of one series
  double half_width = 0;  // of its interval (95 %)
  double chance = 1;      // that what the series share otherwise looks like this anywhere in them
  // The variance of a mean of many pooled values, times their number: 1.2 / series where the series are
  // independent, up to 1 where all of them are one, and more where what they share lasts.
  double variance = 0;
};

// The changes that the other values do not explain. Related series share noise as well: a day's load, a warm
// room, a board. So the error of a level is taken from how far the means of stretches of values lie about
// the levels, for stretches of all lengths up to a fifth of the values and 36, and that in which the change
// stands out least counts; where it leaves little doubt, a model of levels that wander decides. A level has
// five values at least. `tests`: of how many pooled series this is one; all of them together have an error of
// 1 %.
std::vector<SharedChange> shared_changes(std::span<const double> pooled, double tests = 1);

}  // namespace tracker::stats

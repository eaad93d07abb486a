// A stretch of a series taken as one level: where it is, and how its values lie about it. Levels, changes and
// noise (the standard deviation of a value) are in the unit of the values. Inner parts of change_points.hpp.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tracker/stats/change_points.hpp"

namespace tracker::stats {

// Deviations from its level beyond which a value counts no more: lone spikes, and the rarer one of two
// speeds.
inline constexpr double kBound = 2;

// The deviation of one value about its level, from the differences of neighbours: steps, of which there are
// few, have no say. > 0 where any two neighbours among four differ.
double difference_noise(std::span<const double> values);

struct Level {
  std::size_t from = 0;  // [from, to)
  std::size_t to = 0;
  double middle = 0;   // the mean of the values, cut at kBound deviations from their median
  double squares = 0;  // sums over the cut values' residuals: squared,
  double lagged = 0;   // times their neighbour,
  double tilted = 0;   // and times their distance from the level's middle place
  double cost = 0;     // of all values, in squared deviations of the series, each kBound² at most

  double count() const { return static_cast<double>(to - from); }
};

// How neighbours within levels with these sums correlate: 0 where they do not. Drawn towards none, and up by
// what short levels hide.
double correlation_of(double squares, double lagged, double count);

// The level of values[from, to), which has one value at least.
Level level_of(std::span<const double> values, std::size_t from, std::size_t to, double noise);

// min((residual / noise)², kBound²)
double bounded_cost(double residual, double noise);

// The change between two levels, with what noise makes of it.
struct LevelChange {
  double change = 0;
  double half_width = 0;  // of its interval of 95 %
  double chance = 1;      // that noise alone makes two levels so different
};

// A t-test on the middles. The variance is moderated by the series' noise; values that follow one another
// count as fewer; and as levels wander by themselves, none is known better than by a few dozen values.
LevelChange compare_levels(const Level& before, const Level& after, double noise);

// The levels of a partition that noise does not explain: the weakest change is taken back, one after the
// other.
void take_back_weak(std::span<const double> values, double noise, std::vector<Level>& levels);

// The places the change from one level to the next may as well have been at, with 95 %: where the cost is at
// most 7.35 more (Eo and Morley 2015, "Likelihood-ratio-based confidence sets for the timing of structural
// breaks").
struct PlaceInterval {
  std::size_t first = 0;
  std::size_t last = 0;
};
PlaceInterval place_interval(std::span<const double> values, const Level& before, const Level& after,
                             double noise);

// All series together: the chance that a series without a step shows one.
inline constexpr double kSeriesError = 0.01;

// Runs of values outside a level: the newest ones, for which nobody should wait, and excursions that came
// back.

// How many of the newest values (8 at most) are a new level, after `before_min` values or more; 0: none. They
// must all lie on one side, farther than a t-test allows for noise, and farther than stretches of as many
// values of the level itself did, as many levels have two speeds or tails that no t-test knows. A single one
// must be much farther away, as it is a spike in most histories.
std::size_t newest_run(std::span<const double> level, double noise, std::size_t before_min);

// Where values left the level, and where they were back, for runs that are too loud or too short to be a
// level of a partition with a bounded loss. Values beyond four deviations are marked; a run has more marks in
// a row than their share in the level explains (maximal scoring segments: Karlin and Altschul 1990). `series`
// values were looked through in all. Places count from the level's first value.
std::vector<std::size_t> excursions(std::span<const double> level, double noise, std::size_t series);

}  // namespace tracker::stats

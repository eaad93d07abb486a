// A stretch of a series taken as one level: where it is, and how its values lie about it. Inner parts of
// change_points.hpp.
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

// The variance of a mean of so many values, as a multiple of one value's, where neighbours correlate and the
// others by way of them.
double variance_of_mean(double count, double correlation);

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

}  // namespace tracker::stats

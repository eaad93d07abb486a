// A level that wanders by itself, seen with independent noise: how likely it makes values. Inner part of
// local_level.hpp and pooling.hpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "tracker/stats/drift.hpp"

namespace tracker::stats {

// Noise of which a part wanders: that follows itself by `persistence`, and has this share of the variance of
// one value; of a walk (persistence 1) of that of a value and one of its steps.
struct Wandering {
  double persistence = 0;
  double share = 0;
};

// Row by row: what values may be made of, a column each (of ones, of a step, …), and the values last.
struct Table {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<double> cells;

  Table(std::size_t row_count, std::size_t column_count)
      : rows(row_count), columns(column_count), cells(row_count * column_count, 0) {}
  double* row(std::size_t i) { return &cells[i * columns]; }
  const double* row(std::size_t i) const { return &cells[i * columns]; }
};

// The squares and products of a table's columns as such noise makes them independent, swept about all columns
// but the values (Goodnight 1979, "A tutorial on the SWEEP operator"): what is left of the values' squares,
// the coefficients, and what it would cost to leave one out.
class LocalLevelFit {
 public:
  // Nothing where a column is one of the others.
  static std::optional<LocalLevelFit> make(const Table& table, const Wandering& noise);

  void leave_out(std::size_t column) { sweep(column); }
  double log_likelihood() const { return likelihood_of(at(last(), last())); }
  double log_likelihood_without(std::size_t column) const {
    const double coefficient = at(column, last());
    return likelihood_of(at(last(), last()) + coefficient * coefficient / at(column, column));
  }

 private:
  LocalLevelFit(std::size_t rows, std::size_t columns)
      : rows_(static_cast<double>(rows)), columns_(columns), products_(columns * columns, 0) {}

  void filter(const Table& table, const Wandering& noise);
  void sweep(std::size_t column);
  double likelihood_of(double squares) const {
    constexpr double kLeast = 1e-9;
    return -0.5 * (rows_ * std::log(std::max(squares, kLeast) / rows_) + log_variances_);
  }
  std::size_t last() const { return columns_ - 1; }
  double& at(std::size_t i, std::size_t j) { return products_[i * columns_ + j]; }
  double at(std::size_t i, std::size_t j) const { return products_[i * columns_ + j]; }

  double rows_;
  std::size_t columns_;
  std::vector<double> products_;
  double log_variances_ = 0;
};

// The fits of all kinds of wandering noise.
std::vector<LocalLevelFit> local_level_fits(const Table& table);

// The largest of what a function says of them; −∞ of none.
template <typename Function>
double most_of(const std::vector<LocalLevelFit>& fits, const Function& function) {
  double most = -std::numeric_limits<double>::infinity();
  for (const auto& fit : fits) most = std::max(most, function(fit));
  return most;
}

// Steps that a level which wanders by itself explains as well. Inner part of change_points.hpp.

// For each place where two of these stretches meet (one fewer than there are): whether a step there is
// likelier than that the level wandered. Two explanations of the values are compared: steps with noise about
// them, and noise with a level of its own, which walks or returns (a local level model: Harvey 1989,
// "Forecasting, structural time series models and the Kalman filter"). Steps are left out from the weakest
// on, how the noise wanders is estimated anew each time, and those stay that raise the likelihood by more
// than their number costs. Bends and the slopes of lines stay. Values are cut at two deviations of their
// stretch, and steps at eight.
std::vector<bool> steps_beside_wandering(std::span<const double> values, double noise,
                                         std::span<const Stretch> stretches);

// What comes back every so many values: days of the week, months of the year, machines that take turns. Inner
// part of change_points.hpp.

// Added to a level, at the places with this remainder: offsets[place % period].
struct Season {
  std::size_t period = 0;       // 0: there is none
  std::vector<double> offsets;  // their median is 0
};

// The season of these values, which stand at these places (ascending; gaps have none). It is there where the
// differences of neighbours depend on the phase more than chance explains (an F-test), and where neighbours
// differ less without it. Assumption: a shape that stays the same, seen four times at least; a step, a trend
// or a walk has no say, as only differences of neighbours tell the period, and the shape is taken from
// medians about a moving mean.
Season find_season(std::span<const double> values, std::span<const std::size_t> places);

}  // namespace tracker::stats

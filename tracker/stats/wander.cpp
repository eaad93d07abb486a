#include "tracker/stats/wander.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "tracker/stats/summary.hpp"

namespace tracker::stats {
namespace {

constexpr double kStepCost = 1.2;        // times log n: of one step, in log likelihood
constexpr std::size_t kCostedMin = 60;   // fewer values count as so many
constexpr std::size_t kRowsMax = 400;    // more values are averaged in blocks, which keeps how they wander
constexpr std::size_t kGroupMax = 12;    // steps that are looked at together, with the values beside them
constexpr double kCutValue = 2;          // deviations of a stretch
constexpr double kCutStep = 8;           // likewise: no step is clearer than that
constexpr double kLoudest = 20;          // times the noise of the series: a stretch's deviation at most
constexpr double kQuietestOwn = 0.25;    // and at least
constexpr std::size_t kOwnNoiseMin = 8;  // values that tell a stretch's own deviation
constexpr std::size_t kJumpReach = 5;    // values on either side, among which a wandering level jumped
constexpr std::size_t kJumpAverage = 5;  // values that tell the direction of a step

// Noise of which a part wanders: that follows itself by `persistence`, and has this share of the variance of
// one value; of a walk (persistence 1) of that of a value and one of its steps.
struct Wandering {
  double persistence = 0;
  double share = 0;
};

constexpr Wandering kWanderings[] = {
    {0, 0},      {1, 0.001}, {1, 0.003},  {1, 0.01},   {1, 0.03}, {1, 0.1},
    {1, 0.3},    {1, 1},     {0.6, 0.3},  {0.6, 0.6},  {0.6, 1},  {0.85, 0.3},
    {0.85, 0.6}, {0.85, 1},  {0.95, 0.3}, {0.95, 0.6}, {0.95, 1},
};

struct Place {
  std::size_t at = 0;
  std::size_t jump = 0;  // the largest change of neighbours that way near by: where a wandering level jumped
  bool can_be_none = true;
};

// [from, to)
struct Range {
  std::size_t from = 0;
  std::size_t to = 0;
};

// The values in deviations of their stretches: neither a far value, nor a step that is clear anyway, nor a
// loud stretch decides.
std::vector<double> standardised(std::span<const double> values, double noise,
                                 std::span<const Stretch> stretches) {
  std::vector<double> all(values.size());
  double level = 0;
  double end_before = 0;
  double deviation_before = 0;
  for (const auto& stretch : stretches) {
    const std::size_t from = stretch.level.from;
    const auto own = values.subspan(from, stretch.level.to - from);
    const double deviation = own.size() < kOwnNoiseMin
                                 ? noise
                                 : std::clamp(robust_deviation(own), noise * kQuietestOwn, noise * kLoudest);
    const double start = stretch.line ? stretch.line->start : stretch.level.middle;
    const double slope = stretch.line ? stretch.line->slope : 0;
    if (from > 0)
      level +=
          std::clamp((start - end_before) / std::sqrt(deviation * deviation_before), -kCutStep, kCutStep);
    for (std::size_t i = 0; i < own.size(); ++i) {
      const double expected = start + slope * static_cast<double>(i);
      all[from + i] = level + (expected - start) / deviation +
                      std::clamp((own[i] - expected) / deviation, -kCutValue, kCutValue);
    }
    level += slope * stretch.level.count() / deviation;
    end_before = start + slope * stretch.level.count();
    deviation_before = deviation;
  }
  return all;
}

// Where the level may have jumped, if it wanders: what makes a step likeliest where noise is independent need
// not be the value at which it happened.
std::size_t largest_jump(std::span<const double> values, Range around, std::size_t at) {
  const auto before = std::min(kJumpAverage, at - around.from);
  const auto after = std::min(kJumpAverage, around.to - at);
  const double side = mean(values.subspan(at, after)) > mean(values.subspan(at - before, before)) ? 1 : -1;
  std::size_t jump = at;
  double largest = 0;
  const std::size_t first = std::max(around.from + 1, at - std::min(at, kJumpReach));
  for (std::size_t i = first; i < std::min(around.to, at + kJumpReach + 1); ++i) {
    const double change = side * (values[i] - values[i - 1]);
    if (change <= largest) continue;
    largest = change;
    jump = i;
  }
  return jump;
}

// A column of ones, one for each step, one for each slope, and the values: row by row.
struct Table {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<double> cells;

  double* row(std::size_t i) { return &cells[i * columns]; }
  const double* row(std::size_t i) const { return &cells[i * columns]; }
};

Table make_table(std::span<const double> values, Range range, std::span<const Place> places,
                 std::span<const Range> lines, bool at_jumps) {
  const std::size_t block = (range.to - range.from + kRowsMax - 1) / kRowsMax;
  Table table;
  table.rows = (range.to - range.from) / block;
  table.columns = places.size() + lines.size() + 2;
  table.cells.assign(table.rows * table.columns, 0);
  const double share = 1 / static_cast<double>(block);
  const double center = mean(values.subspan(range.from, range.to - range.from));
  for (std::size_t i = 0; i < table.rows * block; ++i) {
    const std::size_t at = range.from + i;
    double* row = table.row(i / block);
    *row++ += share;
    for (const auto& place : places) *row++ += at >= (at_jumps ? place.jump : place.at) ? share : 0;
    for (const auto& line : lines)
      *row++ += share * std::clamp((static_cast<double>(at) - static_cast<double>(line.from)) /
                                       static_cast<double>(line.to - line.from),
                                   0.0, 1.0);
    *row += share * (values[at] - center);
  }
  return table;
}

// The squares and products of a table's columns as such noise makes them independent, swept about all columns
// but the values (Goodnight 1979, "A tutorial on the SWEEP operator"): what is left of the values' squares,
// the coefficients, and what it would cost to leave one out.
class Fit {
 public:
  // Nothing where a column is one of the others.
  static std::optional<Fit> make(const Table& table, const Wandering& noise);

  void leave_out(std::size_t column) { sweep(column); }
  double log_likelihood() const { return likelihood_of(at(last(), last())); }
  double log_likelihood_without(std::size_t column) const {
    const double coefficient = at(column, last());
    return likelihood_of(at(last(), last()) + coefficient * coefficient / at(column, column));
  }

 private:
  Fit(std::size_t rows, std::size_t columns)
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

std::optional<Fit> Fit::make(const Table& table, const Wandering& noise) {
  constexpr double kLeastPivot = 1e-9;
  Fit fit(table.rows, table.columns);
  fit.filter(table, noise);
  for (std::size_t column = 0; column < fit.last(); ++column) {
    if (fit.at(column, column) < kLeastPivot) return {};
    fit.sweep(column);
  }
  return fit;
}

// The Kalman filter of a level that wanders, seen with independent noise, over all columns at once.
void Fit::filter(const Table& table, const Wandering& noise) {
  const bool walks = noise.persistence == 1;
  const double independent = 1 - noise.share;
  const double step = walks ? noise.share : noise.share * (1 - noise.persistence * noise.persistence);
  double variance = walks && independent > 0 ? 0 : noise.share;  // of the level, before a value is seen
  std::vector<double> level(columns_, 0);
  std::vector<double> news(columns_, 0);
  for (std::size_t i = 0; i < table.rows; ++i) {
    const double whole = variance + independent;
    const double gain = noise.persistence * variance / whole;
    const double scale = 1 / std::sqrt(whole);
    const double* row = table.row(i);
    for (std::size_t c = 0; c < columns_; ++c) {
      const double change = row[c] - level[c];
      level[c] = noise.persistence * level[c] + gain * change;
      news[c] = change * scale;
    }
    for (std::size_t a = 0; a < columns_; ++a)
      for (std::size_t b = a; b < columns_; ++b) at(a, b) += news[a] * news[b];
    log_variances_ += std::log(whole);
    variance = noise.persistence * noise.persistence * variance + step - gain * gain * whole;
  }
  for (std::size_t a = 0; a < columns_; ++a)
    for (std::size_t b = 0; b < a; ++b) at(a, b) = at(b, a);
}

void Fit::sweep(std::size_t column) {
  const double pivot = at(column, column);
  for (std::size_t j = 0; j < columns_; ++j) at(column, j) /= pivot;
  for (std::size_t i = 0; i < columns_; ++i) {
    if (i == column) continue;
    const double factor = at(i, column);
    for (std::size_t j = 0; j < columns_; ++j) at(i, j) -= factor * at(column, j);
    at(i, column) = -factor / pivot;
  }
  at(column, column) = 1 / pivot;
}

// Whether each of these steps stays.
std::vector<bool> steps_of_group(std::span<const double> values, Range range, std::span<const Place> places,
                                 std::span<const Range> lines) {
  std::vector<Fit> fits;
  const auto add_fits = [&](bool at_jumps) {
    const Table table = make_table(values, range, places, lines, at_jumps);
    for (const auto& noise : kWanderings)
      if (auto fit = Fit::make(table, noise)) fits.push_back(std::move(*fit));
  };
  add_fits(false);
  if (std::any_of(places.begin(), places.end(), [](const Place& place) { return place.jump != place.at; }))
    add_fits(true);
  std::vector<bool> kept(places.size(), true);
  if (fits.empty()) return kept;
  const auto most = [&](const auto& likelihood) {
    double best = -std::numeric_limits<double>::infinity();
    for (const auto& fit : fits) best = std::max(best, likelihood(fit));
    return best;
  };
  const double cost =
      kStepCost * std::log(static_cast<double>(std::clamp(range.to - range.from, kCostedMin, kRowsMax)));
  std::vector<bool> best = kept;
  auto count = static_cast<double>(places.size());
  double best_score = most([](const Fit& fit) { return fit.log_likelihood(); }) - cost * count;
  for (;;) {
    std::size_t weakest = places.size();
    double likelihood = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (!kept[i] || !places[i].can_be_none) continue;
      const double without = most([&](const Fit& fit) { return fit.log_likelihood_without(1 + i); });
      if (without <= likelihood) continue;
      likelihood = without;
      weakest = i;
    }
    if (weakest == places.size()) return best;
    kept[weakest] = false;
    for (auto& fit : fits) fit.leave_out(1 + weakest);
    count -= 1;
    if (likelihood - cost * count < best_score) continue;
    best_score = likelihood - cost * count;
    best = kept;
  }
}

}  // namespace

std::vector<bool> steps_beside_wandering(std::span<const double> values, double noise,
                                         std::span<const Stretch> stretches) {
  if (stretches.size() < 2) return {};
  const std::vector<double> all = standardised(values, noise, stretches);
  std::vector<Place> places;
  std::vector<Range> lines;
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    const Level& level = stretches[i].level;
    if (stretches[i].line) lines.push_back({level.from, level.to});
    if (i == 0) continue;
    const Range around{stretches[i - 1].level.from, level.to};
    places.push_back({level.from, largest_jump(all, around, level.from), !stretches[i].bend_chance});
  }
  std::vector<bool> stay;
  for (std::size_t first = 0; first < places.size(); first += kGroupMax) {
    const std::size_t end = std::min(places.size(), first + kGroupMax);
    const Range range{first == 0 ? 0 : places[first - 1].at,
                      end == places.size() ? values.size() : places[end].at};
    std::vector<Range> inside;
    for (const auto& line : lines)
      if (line.from < range.to && range.from < line.to)
        inside.push_back({std::max(line.from, range.from), std::min(line.to, range.to)});
    const auto some = steps_of_group(all, range, std::span(places).subspan(first, end - first), inside);
    stay.insert(stay.end(), some.begin(), some.end());
  }
  return stay;
}

}  // namespace tracker::stats

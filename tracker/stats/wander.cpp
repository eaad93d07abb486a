#include "tracker/stats/wander.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "tracker/stats/local_level.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker::stats {
namespace {

constexpr double kStepCost = 1.2;        // times log n: of one step, in log likelihood
constexpr std::size_t kCostedMin = 60;   // fewer values count as so many
constexpr std::size_t kRowsMax = 250;    // more values are averaged in blocks, which keeps how they wander
constexpr std::size_t kGroupMax = 12;    // steps that are looked at together, with the values beside them
constexpr double kCutValue = 2;          // deviations of a stretch
constexpr double kCutStep = 8;           // likewise: no step is clearer than that
constexpr double kLoudest = 20;          // times the noise of the series: a stretch's deviation at most
constexpr double kQuietestOwn = 0.25;    // and at least
constexpr std::size_t kOwnNoiseMin = 8;  // values that tell a stretch's own deviation
constexpr std::size_t kJumpReach = 5;    // values on either side, among which a wandering level jumped

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
std::size_t largest_jump(std::span<const double> values, Range around, std::size_t at, double side) {
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

// A column of ones, one for each step, one for each slope, and the values.
Table make_table(std::span<const double> values, Range range, std::span<const Place> places,
                 std::span<const Range> lines, bool at_jumps) {
  const std::size_t block = (range.to - range.from + kRowsMax - 1) / kRowsMax;
  Table table((range.to - range.from) / block, places.size() + lines.size() + 2);
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

// Whether each of these steps stays.
std::vector<bool> steps_of_group(std::span<const double> values, Range range, std::span<const Place> places,
                                 std::span<const Range> lines) {
  auto fits = local_level_fits(make_table(values, range, places, lines, false));
  if (std::any_of(places.begin(), places.end(), [](const Place& place) { return place.jump != place.at; })) {
    auto more = local_level_fits(make_table(values, range, places, lines, true));
    std::move(more.begin(), more.end(), std::back_inserter(fits));
  }
  std::vector<bool> kept(places.size(), true);
  if (fits.empty()) return kept;
  const double cost =
      kStepCost * std::log(static_cast<double>(std::clamp(range.to - range.from, kCostedMin, kRowsMax)));
  std::vector<bool> best = kept;
  auto count = static_cast<double>(places.size());
  double best_score = most_of(fits, [](const auto& fit) { return fit.log_likelihood(); }) - cost * count;
  for (;;) {
    std::size_t weakest = places.size();
    double likelihood = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (!kept[i] || !places[i].can_be_none) continue;
      const double without =
          most_of(fits, [&](const auto& fit) { return fit.log_likelihood_without(1 + i); });
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
    const Level& before = stretches[i - 1].level;
    const double side = level.middle > before.middle ? 1 : -1;
    places.push_back({level.from, largest_jump(all, {before.from, level.to}, level.from, side),
                      !stretches[i].bend_chance});
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

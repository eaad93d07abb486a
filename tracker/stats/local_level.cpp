#include "tracker/stats/local_level.hpp"

#include <iterator>
#include <utility>

#include "tracker/stats/level.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker::stats {
namespace {

// From none, over levels that return, to a random walk.
constexpr Wandering kWanderings[] = {
    {0, 0},      {1, 0.001}, {1, 0.003},  {1, 0.01},   {1, 0.03}, {1, 0.1},
    {1, 0.3},    {1, 1},     {0.6, 0.3},  {0.6, 0.6},  {0.6, 1},  {0.85, 0.3},
    {0.85, 0.6}, {0.85, 1},  {0.95, 0.3}, {0.95, 0.6}, {0.95, 1},
};

}  // namespace

std::optional<LocalLevelFit> LocalLevelFit::make(const Table& table, const Wandering& noise) {
  constexpr double kLeastPivot = 1e-9;
  LocalLevelFit fit(table.rows, table.columns);
  fit.filter(table, noise);
  for (std::size_t column = 0; column < fit.last(); ++column) {
    if (fit.at(column, column) < kLeastPivot) return {};
    fit.sweep(column);
  }
  return fit;
}

// The Kalman filter of a level that wanders, seen with independent noise, over all columns at once.
void LocalLevelFit::filter(const Table& table, const Wandering& noise) {
  const bool walks = noise.persistence == 1;
  const double independent = 1 - noise.share;
  const double step = walks ? noise.share : noise.share * (1 - noise.persistence * noise.persistence);
  double variance = walks && independent > 0 ? 0 : noise.share;  // of the level, before a value is seen
  std::vector<double> level(columns_, 0);
  std::vector<double> news(columns_, 0);
  double gain = 0;
  double scale = 0;
  double log_whole = 0;
  bool is_settled = false;  // the variance changes no more, as it does after a few dozen values
  for (std::size_t i = 0; i < table.rows; ++i) {
    if (!is_settled) {
      constexpr double kSettled = 1e-9;
      const double whole = variance + independent;
      gain = noise.persistence * variance / whole;
      scale = 1 / std::sqrt(whole);
      log_whole = std::log(whole);
      const double next = noise.persistence * noise.persistence * variance + step - gain * gain * whole;
      is_settled = std::abs(next - variance) < kSettled * whole;
      variance = next;
    }
    log_variances_ += log_whole;
    const double* row = table.row(i);
    for (std::size_t c = 0; c < columns_; ++c) {
      const double change = row[c] - level[c];
      level[c] = noise.persistence * level[c] + gain * change;
      news[c] = change * scale;
    }
    for (std::size_t a = 0; a < columns_; ++a) {
      const double factor = news[a];
      double* products = &at(a, 0);
      for (std::size_t b = a; b < columns_; ++b) products[b] += factor * news[b];
    }
  }
  for (std::size_t a = 0; a < columns_; ++a)
    for (std::size_t b = 0; b < a; ++b) at(a, b) = at(b, a);
}

void LocalLevelFit::sweep(std::size_t column) {
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

std::vector<LocalLevelFit> local_level_fits(const Table& table) {
  std::vector<LocalLevelFit> fits;
  for (const auto& noise : kWanderings)
    if (auto fit = LocalLevelFit::make(table, noise)) fits.push_back(std::move(*fit));
  return fits;
}

namespace {

constexpr double kStepCost = 1.2;       // times log n: of one step, in log likelihood
constexpr std::size_t kCostedMin = 60;  // fewer values count as so many
constexpr std::size_t kWanderRowsMax =
    250;                                 // more values are averaged in blocks, which keeps how they wander
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
  const std::size_t block = (range.to - range.from + kWanderRowsMax - 1) / kWanderRowsMax;
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
  if (std::ranges::any_of(places, [](const Place& place) { return place.jump != place.at; })) {
    auto more = local_level_fits(make_table(values, range, places, lines, true));
    std::move(more.begin(), more.end(), std::back_inserter(fits));
  }
  std::vector<bool> kept(places.size(), true);
  if (fits.empty()) return kept;
  const double cost =
      kStepCost *
      std::log(static_cast<double>(std::clamp(range.to - range.from, kCostedMin, kWanderRowsMax)));
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

namespace {

constexpr std::size_t kPeriodMax = 60;
constexpr std::size_t kTimesMin = 4;     // that a season is seen
constexpr double kSeasonError = 1e-5;    // that values without a season show one
constexpr double kDifferenceMax = 4;     // deviations: farther differences are steps and spikes
constexpr double kQuieterWithout = 0.9;  // times the noise: a season that explains less is none

// Differences of neighbours, without what is too large to be of a season, with the remainders' places.
struct Differences {
  std::vector<double> values;
  std::vector<std::size_t> places;
};

Differences differences_of(std::span<const double> values, std::span<const std::size_t> places) {
  Differences all;
  for (std::size_t i = 1; i < values.size(); ++i) {
    if (places[i] != places[i - 1] + 1) continue;
    all.values.push_back(values[i] - values[i - 1]);
    all.places.push_back(places[i]);
  }
  if (all.values.empty()) return all;
  const double center = median(all.values);
  const double reach = kDifferenceMax * robust_deviation(all.values);
  for (double& value : all.values) value = std::clamp(value, center - reach, center + reach);
  return all;
}

// The part of the squares that phases explain, of one period.
double explained_by(const Differences& differences, std::size_t period, double center) {
  std::vector<double> sums(period, 0);
  std::vector<double> counts(period, 0);
  std::size_t phase = differences.places.front() % period;
  std::size_t next = differences.places.front();
  for (std::size_t i = 0; i < differences.values.size(); ++i, ++phase, ++next) {
    if (differences.places[i] != next) {
      next = differences.places[i];
      phase = next;
    }
    if (phase >= period) phase %= period;
    sums[phase] += differences.values[i] - center;
    counts[phase] += 1;
  }
  double explained = 0;
  for (std::size_t i = 0; i < period; ++i)
    if (counts[i] > 0) explained += sums[i] * sums[i] / counts[i];
  return explained;
}

// The period whose phases explain most for their number; 0 where chance explains as much.
std::size_t best_period(const Differences& differences) {
  const auto count = static_cast<double>(differences.values.size());
  const double center = mean(differences.values);
  double squares = 0;
  for (const double value : differences.values) squares += (value - center) * (value - center);
  const std::size_t longest = std::min(kPeriodMax, differences.values.size() / kTimesMin);
  std::size_t best = 0;
  double best_explained = 0;
  double least = count * std::log(squares / count);
  for (std::size_t period = 2; period <= longest; ++period) {
    const double explained = explained_by(differences, period, center);
    const auto phases = static_cast<double>(period);
    const double rest = std::max(squares - explained, 1e-12 * squares);
    const double cost = count * std::log(rest / count) + (phases - 1) * std::log(count);
    if (cost >= least) continue;
    least = cost;
    best = period;
    best_explained = explained;
  }
  if (best == 0) return 0;
  const auto phases = static_cast<double>(best);
  const double rest = std::max(squares - best_explained, 1e-12 * squares);
  // Differences of independent values have no slow part, so that the phases share their squares without it.
  const double ratio = best_explained / phases / (rest / (count - phases));
  const double chance = fisher_f_above(ratio, phases - 1, count - phases) * static_cast<double>(longest);
  return chance <= kSeasonError ? best : 0;
}

// The median of each phase about a moving mean over one period.
std::vector<double> shape_of(std::span<const double> values, std::span<const std::size_t> places,
                             std::size_t period) {
  std::vector<std::vector<double>> phases(period);
  std::vector<double> sums{0};
  for (const double value : values) sums.push_back(sums.back() + value);
  const std::size_t half = period / 2;
  for (std::size_t i = half; i + half < values.size(); ++i) {
    if (places[i + half] - places[i - half] != 2 * half) continue;  // a gap
    // Over an even period both ends count half.
    const double whole = sums[i + half + 1] - sums[i - half];
    const double ends = period % 2 == 0 ? (values[i - half] + values[i + half]) / 2 : 0;
    phases[places[i] % period].push_back(values[i] - (whole - ends) / static_cast<double>(period));
  }
  std::vector<double> offsets;
  for (const auto& phase : phases) {
    if (phase.size() + 1 < kTimesMin) return {};
    offsets.push_back(median(phase));
  }
  const double center = median(offsets);
  for (double& offset : offsets) offset -= center;
  return offsets;
}

}  // namespace

Season find_season(std::span<const double> values, std::span<const std::size_t> places) {
  const Differences differences = differences_of(values, places);
  if (differences.values.size() < 2 * kTimesMin) return {};
  if (!(variance(differences.values) > 0)) return {};
  const std::size_t period = best_period(differences);
  if (period == 0) return {};
  Season season{period, shape_of(values, places, period)};
  if (season.offsets.empty()) return {};
  std::vector<double> rest;
  for (std::size_t i = 0; i < values.size(); ++i)
    rest.push_back(values[i] - season.offsets[places[i] % period]);
  if (difference_noise(rest) > kQuieterWithout * difference_noise(values)) return {};
  return season;
}

}  // namespace tracker::stats

#include "tracker/stats/change_points.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "tracker/stats/drift.hpp"
#include "tracker/stats/level.hpp"
#include "tracker/stats/local_level.hpp"
#include "tracker/stats/pooling.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker::stats {
namespace {

constexpr double kPenalty = 2;      // a change of level, times (log n)^1.5: more places, and longer wandering
constexpr double kNoiseMin = 1e-4;  // of the typical value: no series is taken to be quieter
constexpr double kGoingSomewhere =
    0.8;                                // the correlation of neighbours about a level, above which it is none
constexpr std::size_t kNearDrift = 15;  // values of a drift that tell the level at its end
constexpr double kConfidence = 0.95;
constexpr std::size_t kBeforeNewestMin = 8;  // values of the level before the newest ones
constexpr std::size_t kBeforeNewestOfKnownNoise = 2;

using Span = std::span<const double>;

// The values that are not gaps, as logarithms, or as multiples of the typical one where some have none.
struct Scaled {
  bool logarithms = false;
  double typical = 0;
  std::vector<double> values;
  std::vector<std::size_t> places;  // in the series
  double least_noise = 0;           // the values' own known spread, or what no series is quieter than
  double noise = 0;                 // of one value: no less

  double original(double value) const { return logarithms ? typical * std::exp(value) : typical * value; }
};

Scaled scale(Span raw, Span spread) {
  Scaled scaled;
  std::vector<double> spreads;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    if (!std::isfinite(raw[i])) continue;
    scaled.values.push_back(raw[i]);
    scaled.places.push_back(i);
    scaled.typical += std::abs(raw[i]);
    if (!spread.empty()) spreads.push_back(spread[i]);
  }
  scaled.typical /= static_cast<double>(scaled.values.size());
  if (!(scaled.typical > 0) || !std::isfinite(scaled.typical)) return {};
  std::vector<double> logs;
  for (double& value : scaled.values) {
    value /= scaled.typical;
    if (value > 0) logs.push_back(std::log(value));
  }
  for (double& one : spreads) one /= scaled.typical;
  if (logs.size() == scaled.values.size()) {
    scaled.logarithms = true;
    for (std::size_t i = 0; i < spreads.size(); ++i) spreads[i] /= scaled.values[i];
    scaled.values = std::move(logs);
  }
  const Season season = find_season(scaled.values, scaled.places);
  if (season.period > 0)
    for (std::size_t i = 0; i < scaled.values.size(); ++i)
      scaled.values[i] -= season.offsets[scaled.places[i] % season.period];
  scaled.least_noise = kNoiseMin;
  if (!spreads.empty()) scaled.least_noise = std::max(scaled.least_noise, median(spreads));
  scaled.noise = std::max(scaled.least_noise, difference_noise(scaled.values));
  return scaled;
}

constexpr double kGridStep = 0.25;  // of a deviation: finer levels change no partition
constexpr std::size_t kLevelsMax = 256;
constexpr std::size_t kDwellReach =
    2;  // values on each side of one, whose median is a level that may be meant

// Medians of neighbours: where the series dwells. Levels a spike reaches alone are not among them.
std::vector<float> levels_of(Span values, double deviation) {
  std::vector<double> medians;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t from = i > kDwellReach ? i - kDwellReach : 0;
    const std::size_t to = std::min(values.size(), i + kDwellReach + 1);
    std::array<double, 2 * kDwellReach + 1> near{};
    std::copy(values.begin() + static_cast<std::ptrdiff_t>(from),
              values.begin() + static_cast<std::ptrdiff_t>(to), near.begin());
    const auto middle = near.begin() + static_cast<std::ptrdiff_t>((to - from) / 2);
    std::nth_element(near.begin(), middle, near.begin() + static_cast<std::ptrdiff_t>(to - from));
    medians.push_back(*middle);
  }
  std::ranges::sort(medians);
  std::vector<float> levels;
  double last = 0;
  for (const double value : medians) {
    if (!levels.empty() && value - last < kGridStep * deviation) continue;
    last = value;
    levels.push_back(static_cast<float>(value / deviation));
  }
  if (levels.size() <= kLevelsMax) return levels;
  std::vector<float> thinned;
  for (std::size_t i = 0; i < kLevelsMax; ++i)
    thinned.push_back(levels[i * (levels.size() - 1) / (kLevelsMax - 1)]);
  return thinned;
}

// Where the levels begin, but the first: the segmentation of least cost,
// Σ min((x − level)² / deviation², kBound²) + penalty × changes, so that a spike buys no level. Fearnhead and
// Rigaill 2019, "Changepoint detection in the presence of outliers" (arXiv 1609.07363), over levels that the
// series itself names instead of all real numbers: time n × levels, and at most a few hundred of them.
std::vector<std::size_t> partition(Span values, double deviation, double change_penalty) {
  if (values.empty()) return {};
  const double center = median(values);  // keeps the numbers small
  std::vector<double> centered;
  for (const double value : values) centered.push_back(value - center);
  const std::vector<float> levels = levels_of(centered, deviation);
  const std::size_t count = levels.size();
  std::vector<float> costs(count, 0);  // of the best segmentation up to here whose newest level is this one
  std::vector<int> starts(count, 0);   // where that level began
  std::vector<int> start_at(values.size());
  const auto bound = static_cast<float>(kBound * kBound);
  const auto penalty = static_cast<float>(change_penalty);
  float least = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto value = static_cast<float>(centered[i] / deviation);
    const float change = least + penalty;
    const int now = static_cast<int>(i);
    for (std::size_t l = 0; l < count; ++l) {
      const bool other = costs[l] > change;
      const float distance = value - levels[l];
      starts[l] = other ? now : starts[l];
      costs[l] = (other ? change : costs[l]) + std::min(distance * distance, bound);
    }
    const auto best = std::ranges::min_element(costs);
    start_at[i] = starts[static_cast<std::size_t>(best - costs.begin())];
    least = *best;
    for (auto& one : costs) one -= least;  // only differences count, and floats stay exact enough
    least = 0;
  }
  std::vector<std::size_t> places;
  for (auto start = static_cast<std::size_t>(start_at.back()); start > 0;
       start = static_cast<std::size_t>(start_at[start - 1]))
    places.push_back(start);
  std::reverse(places.begin(), places.end());
  return places;
}

std::vector<Stretch> fit(const Scaled& scaled) {
  const Span values = scaled.values;
  const double penalty = kPenalty * std::pow(std::log(static_cast<double>(values.size())), 1.5);
  auto places = partition(values, scaled.noise, penalty);
  places.push_back(values.size());
  std::vector<Level> levels;
  std::size_t from = 0;
  for (const std::size_t to : places) {
    levels.push_back(level_of(values, from, to, scaled.noise));
    from = to;
  }
  take_back_weak(values, scaled.noise, levels);
  std::vector<Stretch> stretches;
  for (const auto& level : levels) stretches.push_back({level, {}, {}});
  join_drifts(values, scaled.noise, stretches);
  return stretches;
}

void split(Span values, double noise, std::vector<Stretch>& stretches, std::size_t which, std::size_t at) {
  Stretch& front = stretches[which];
  const Stretch back{level_of(values, at, front.level.to, noise), {}, {}};
  front.level = level_of(values, front.level.from, at, noise);
  stretches.insert(stretches.begin() + static_cast<std::ptrdiff_t>(which) + 1, back);
}

// Where two levels meet, by how far values lie from both, whatever their distance: with a bounded loss a few
// values far from both levels may belong to either, and the nearer one is theirs. A slow rise has no such
// place, and keeps the one that it has.
void refine_places(const Scaled& scaled, std::vector<Stretch>& stretches) {
  constexpr std::size_t kReach = 15;  // values on either side
  constexpr double kGainMin = 4;      // deviations, in all
  constexpr double kClear = 0.75;     // of the step, a value: so much nearer to the other level on average
  for (std::size_t i = 0; i + 1 < stretches.size(); ++i) {
    Stretch& before = stretches[i];
    Stretch& after = stretches[i + 1];
    if (before.line || after.line) continue;
    const std::size_t at = after.level.from;
    const std::size_t first = std::max(before.level.from + kSettledLength, at - std::min(at, kReach));
    const std::size_t last = std::min(after.level.to - std::min(after.level.to, kSettledLength), at + kReach);
    const auto nearer_to_after = [&](std::size_t place) {
      return std::abs(scaled.values[place] - before.level.middle) -
             std::abs(scaled.values[place] - after.level.middle);
    };
    std::size_t best = at;
    double gain = kGainMin * scaled.noise;
    double sum = 0;
    const auto look = [&](std::size_t place) {
      if (sum <= gain) return;
      gain = sum;
      best = place;
    };
    for (std::size_t place = at; place < last; ++place) {
      sum -= nearer_to_after(place);
      look(place + 1);
    }
    sum = 0;
    for (std::size_t place = at; place-- > first;) {
      sum += nearer_to_after(place);
      look(place);
    }
    const double moved = static_cast<double>(best > at ? best - at : at - best);
    const double step = std::abs(after.level.middle - before.level.middle);
    if (best == at || gain < kClear * step * moved) continue;
    before.level = level_of(scaled.values, before.level.from, best, scaled.noise);
    after.level = level_of(scaled.values, best, after.level.to, scaled.noise);
  }
}

void split_excursions(const Scaled& scaled, std::vector<Stretch>& stretches) {
  for (std::size_t i = stretches.size(); i-- > 0;) {
    if (stretches[i].line) continue;
    const Level& level = stretches[i].level;
    const std::size_t from = level.from;
    auto places =
        excursions(Span(scaled.values).subspan(from, level.to - from), scaled.noise, scaled.values.size());
    for (; !places.empty(); places.pop_back())
      split(scaled.values, scaled.noise, stretches, i, from + places.back());
  }
}

// Levels of values that crowd on one side, or have two speeds, lie about their mean so widely that a step in
// the crowd is not seen: the ranks see it.
void split_by_ranks(const Scaled& scaled, std::vector<Stretch>& stretches) {
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    if (stretches[i].line) continue;
    const Level& level = stretches[i].level;
    const std::size_t at = rank_step(Span(scaled.values).subspan(level.from, level.to - level.from),
                                     scaled.least_noise, static_cast<double>(scaled.values.size()));
    if (at > 0) split(scaled.values, scaled.noise, stretches, i--, level.from + at);
  }
}

// Values that follow one another so closely are no level: they go somewhere, in one line or a row of them.
void split_bends(const Scaled& scaled, std::vector<Stretch>& stretches) {
  for (std::size_t i = stretches.size(); i-- > 0;) {
    const Level level = stretches[i].level;
    if (!(level.lagged > kGoingSomewhere * level.squares)) continue;
    auto bends = find_bends(Span(scaled.values).subspan(level.from, level.to - level.from), scaled.noise,
                            static_cast<double>(scaled.values.size()));
    if (bends.empty()) continue;
    stretches[i].line.reset();
    for (auto bend = bends.rbegin(); bend != bends.rend(); ++bend) {
      split(scaled.values, scaled.noise, stretches, i, level.from + bend->at);
      stretches[i + 1].bend_chance = bend->chance;
    }
    for (std::size_t k = i; k <= i + bends.size(); ++k)
      add_slope_between_bends(scaled.values, scaled.noise, stretches[k]);
  }
}

// The run of newest values with those just before it that are nearer to its level than to the one before:
// what makes a test the surest need not be all of the new level.
std::size_t whole_run(Span level, std::size_t length, std::size_t before_min) {
  const double before = median(level.first(level.size() - length));
  const double after = median(level.last(length));
  while (level.size() - length > before_min) {
    const double value = level[level.size() - length - 1];
    if (std::abs(value - after) >= std::abs(value - before)) break;
    ++length;
  }
  return length;
}

// Whether the newest values are split off as a level of their own.
bool split_newest(const Scaled& scaled, std::size_t before_min, std::vector<Stretch>& stretches) {
  const Stretch& last = stretches.back();
  std::vector<double> level(scaled.values.begin() + static_cast<std::ptrdiff_t>(last.level.from),
                            scaled.values.end());
  if (last.line)
    for (std::size_t i = 0; i < level.size(); ++i) level[i] -= last.line->slope * static_cast<double>(i);
  std::size_t length = newest_run(level, scaled.noise, before_min);
  if (length == 0) return false;
  length = whole_run(level, length, before_min);
  split(scaled.values, scaled.noise, stretches, stretches.size() - 1, scaled.values.size() - length);
  return true;
}

// A difference on the scale → a ratio of values, about a level `before`.
Estimate as_ratio(const Scaled& scaled, double before, double change, double half_width) {
  if (scaled.logarithms)
    return {std::exp(change), std::exp(change - half_width), std::exp(change + half_width)};
  const double nan = std::numeric_limits<double>::quiet_NaN();
  if (before <= 0 || before + change <= 0) return {nan, nan, nan};
  return {(before + change) / before, std::max(0.0, before + change - half_width) / before,
          (before + change + half_width) / before};
}

ChangePoint describe(const Scaled& scaled, const Stretch& before, const Stretch& after, bool newest) {
  // Beside a drift the end of its line is the level, known by the nearest values.
  Level left = before.level;
  Level right = after.level;
  if (before.line && left.to - left.from > kNearDrift)
    left = level_of(scaled.values, left.to - kNearDrift, left.to, scaled.noise);
  if (after.line && right.to - right.from > kNearDrift)
    right = level_of(scaled.values, right.from, right.from + kNearDrift, scaled.noise);
  if (before.line) left.middle = before.line->at(before.level.count() - 1);
  if (after.line) right.middle = after.line->start;
  const LevelChange change = compare_levels(left, right, scaled.noise);
  const PlaceInterval places = place_interval(scaled.values, left, right, scaled.noise);
  ChangePoint point;
  point.at = scaled.places[right.from];
  point.first = scaled.places[places.first];
  point.last = scaled.places[places.last];
  point.before = scaled.original(left.middle);
  point.after = scaled.original(right.middle);
  point.ratio = as_ratio(scaled, left.middle, change.change, change.half_width);
  constexpr double kNewestLengths = 8;
  const double looked = newest ? kNewestLengths : static_cast<double>(scaled.values.size());
  point.sure = 1 - std::min(kSeriesError, change.chance * looked);
  if (after.bend_chance) {
    point.bends = change.chance * static_cast<double>(scaled.values.size()) > kSeriesError;
    point.sure = 1 - std::min(kSeriesError, *after.bend_chance * static_cast<double>(scaled.values.size()));
  }
  point.settled = right.to - right.from >= kSettledLength;
  return point;
}

Drift describe_drift(const Scaled& scaled, const Stretch& stretch) {
  const Line& line = *stretch.line;
  const double half = line.slope_deviation * student_t_within(kConfidence, line.degrees);
  const double length = stretch.level.count() - 1;
  const auto share = [](Estimate ratio) { return Estimate{ratio.value - 1, ratio.low - 1, ratio.high - 1}; };
  Drift drift;
  drift.from = scaled.places[stretch.level.from];
  drift.to = scaled.places[stretch.level.to - 1] + 1;
  drift.before = scaled.original(line.start);
  drift.after = scaled.original(line.at(length));
  drift.slope = share(as_ratio(scaled, stretch.level.middle, line.slope, half));
  drift.total = as_ratio(scaled, line.start, line.slope * length, half * length);
  drift.is_exponential = scaled.logarithms;
  return drift;
}

// Steps that a wandering level explains as well are none; they are returned.
std::vector<ChangePoint> take_back_wandering(const Scaled& scaled, std::vector<Stretch>& stretches) {
  std::vector<ChangePoint> wandered;
  const auto stays = steps_beside_wandering(scaled.values, scaled.noise, stretches);
  for (std::size_t i = 0; i < stays.size(); ++i)
    if (!stays[i]) wandered.push_back(describe(scaled, stretches[i], stretches[i + 1], false));
  for (std::size_t i = stays.size(); i-- > 0;) {
    if (stays[i]) continue;
    stretches[i].level =
        level_of(scaled.values, stretches[i].level.from, stretches[i + 1].level.to, scaled.noise);
    stretches[i].line.reset();
    stretches.erase(stretches.begin() + static_cast<std::ptrdiff_t>(i) + 1);
  }
  return wandered;
}

}  // namespace

Changes find_changes(Span raw, Span spread) {
  Changes changes;
  const Scaled scaled = scale(raw, spread);
  // How noisy a short series is only its known spread can tell.
  const std::size_t before_min = spread.empty() ? kBeforeNewestMin : kBeforeNewestOfKnownNoise;
  if (scaled.values.size() <= std::min(before_min, kSettledLength)) return changes;
  std::vector<Stretch> stretches = fit(scaled);
  split_excursions(scaled, stretches);
  join_drifts(scaled.values, scaled.noise, stretches);
  refine_places(scaled, stretches);
  split_by_ranks(scaled, stretches);
  add_slopes(scaled.values, scaled.noise, stretches);
  split_bends(scaled, stretches);
  changes.wandered = take_back_wandering(scaled, stretches);
  const bool newest = split_newest(scaled, before_min, stretches);
  for (std::size_t i = 0; i + 1 < stretches.size(); ++i)
    changes.points.push_back(
        describe(scaled, stretches[i], stretches[i + 1], newest && i + 2 == stretches.size()));
  for (const auto& stretch : stretches)
    if (stretch.line) changes.drifts.push_back(describe_drift(scaled, stretch));
  return changes;
}

std::vector<double> pooled(const std::vector<std::vector<double>>& series) {
  std::vector<std::vector<double>> deviations;
  for (const auto& one : series) {
    deviations.emplace_back(one.size(), std::numeric_limits<double>::quiet_NaN());
    const Scaled scaled = scale(one, {});
    if (scaled.values.empty()) continue;
    const double center = median(scaled.values);
    for (std::size_t i = 0; i < scaled.values.size(); ++i)
      deviations.back()[scaled.places[i]] = (scaled.values[i] - center) / scaled.noise;
  }
  return pooled_deviations(deviations);
}

namespace {

constexpr std::size_t kPartMin = 12;  // values
constexpr double kRankError = 0.003;  // that noise makes such a step anywhere in a series
constexpr double kWeakest = 3;        // standard errors of independent values: less is none
constexpr double kErrorsMin = 4;      // of the mean of a part, as far as its noise is known
constexpr std::size_t kTableSize = 2048;

// The normal quantiles of (i + ½) / kTableSize, by Tukey's lambda distribution: within 0.01 of them.
std::array<double, kTableSize> make_quantiles() {
  constexpr double kScale = 4.91;
  constexpr double kPower = 0.14;
  std::array<double, kTableSize> table{};
  for (std::size_t i = 0; i < kTableSize; ++i) {
    const double share = (static_cast<double>(i) + 0.5) / static_cast<double>(kTableSize);
    table[i] = kScale * (std::pow(share, kPower) - std::pow(1 - share, kPower));
  }
  return table;
}

// Equal values share the middle of their ranks.
std::vector<double> normal_scores(std::span<const double> values) {
  static const std::array<double, kTableSize> quantiles = make_quantiles();
  std::vector<std::pair<double, std::size_t>> sorted;
  sorted.reserve(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) sorted.emplace_back(values[i], i);
  std::ranges::sort(sorted);
  std::vector<double> scores(values.size());
  for (std::size_t from = 0; from < sorted.size();) {
    std::size_t to = from;
    while (to < sorted.size() && sorted[to].first == sorted[from].first) ++to;
    const std::size_t place = (from + to) * kTableSize / (2 * sorted.size());
    for (; from < to; ++from) scores[sorted[from].second] = quantiles[std::min(place, kTableSize - 1)];
  }
  return scores;
}

}  // namespace

std::size_t rank_step(std::span<const double> level, double least_noise, double series) {
  if (level.size() < 2 * kPartMin) return 0;
  const std::vector<double> scores = normal_scores(level);
  const auto count = static_cast<double>(scores.size());
  double whole = 0;
  for (const double score : scores) whole += score;
  std::size_t at = 0;
  double largest = kWeakest;
  double sum = 0;
  for (std::size_t i = 0; i + kPartMin < scores.size(); ++i) {
    sum += scores[i];
    const auto before = static_cast<double>(i + 1);
    const double errors =
        std::abs(sum - whole * before / count) * std::sqrt(count / (before * (count - before)));
    if (i + 1 < kPartMin || errors <= largest) continue;
    largest = errors;
    at = i + 1;
  }
  // Where the shortest part allowed is the best one, the true place is farther out, and not for the ranks to
  // find.
  if (at <= kPartMin || at + kPartMin >= scores.size()) return 0;
  const double step = median(level.subspan(at)) - median(level.first(at));
  if (std::abs(step) < kErrorsMin * least_noise / std::sqrt(static_cast<double>(kPartMin))) return 0;
  const double chance =
      compare_levels(level_of(scores, 0, at, 1), level_of(scores, at, scores.size(), 1), 1).chance;
  return chance * series > kRankError ? 0 : at;
}

const std::vector<Detector>& detectors() {
  static const std::vector<Detector> table{
      {"tracker", "bounded loss, tests back, a test of the newest values", find_changes},
  };
  return table;
}

}  // namespace tracker::stats

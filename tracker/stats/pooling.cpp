#include "tracker/stats/pooling.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tracker/stats/level.hpp"
#include "tracker/stats/local_level.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker::stats {
namespace {

constexpr std::size_t kPooledMin = 80;      // values: fewer say too little of how what is shared wanders
constexpr std::size_t kSharedLevelMin = 5;  // values
constexpr double kBlocksMin = 5;            // stretches side by side that tell how far their means wander
constexpr std::size_t kBlockMax = 36;       // values of a stretch
constexpr double kPriorDegrees = 2.5;       // of what shorter stretches say, beside what longer ones show
constexpr double kOverlapGain = 1.5;        // as all stretches of a length tell more than those side by side
constexpr double kPlacesShare = 1.5;  // times the values: the places that one end of a level is looked for at
constexpr double kCutAt = 3;          // deviations of the pooled values: the farthest that one counts
constexpr double kStretchCost = 4;    // times log n and the noise, squared: of the second end of a stretch
constexpr std::size_t kStretchesMax = 2000;  // values: of more, stretches that ended are not looked for
constexpr double kSharedConfidence = 0.95;

using Values = std::vector<double>;

Values running_sums(std::span<const double> values) {
  Values sums{0};
  for (const double value : values) sums.push_back(sums.back() + value);
  return sums;
}

// What one value may do to a mean is bounded; steps, of which there are few, are not cut off.
Values without_far_values(std::span<const double> values) {
  const double reach = kCutAt * std::max(robust_deviation(values), difference_noise(values));
  const double center = median(values);
  Values all;
  for (const double value : values) all.push_back(std::clamp(value, center - reach, center + reach));
  return all;
}

// What all values may be: a step, a stretch at another level, or a line.
struct Shape {
  bool is_line = false;
  std::size_t at = 0;  // the other level is [at, to)
  std::size_t to = 0;
  double change = 0;  // its height, or the line's rise from its first value to its last
  double gain = 0;    // the square root of what it takes off the squares
  Values residuals;
};

double square_sum(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value * value;
  return sum;
}

// The level that differs most from all other values. Of a stretch both ends have to be found, so that it has
// to take off more.
Shape best_level(const Values& values, double noise) {
  const Values sums = running_sums(values);
  const std::size_t count = values.size();
  const auto n = static_cast<double>(count);
  const double level = sums.back() / n;
  Shape best;
  double least = 0;  // of the square of a gain
  const auto look = [&](std::size_t from, std::size_t to, double cost) {
    const auto length = static_cast<double>(to - from);
    const double excess = sums[to] - sums[from] - length * level;
    const double square = excess * excess * n / (length * (n - length));
    if (square - cost <= least) return;
    least = square - cost;
    best.at = from;
    best.to = to;
    best.change = excess * n / (length * (n - length));
    best.gain = std::sqrt(square);
  };
  for (std::size_t at = kSharedLevelMin; at + kSharedLevelMin <= count; ++at) look(at, count, 0);
  const double more = kStretchCost * std::log(n) * noise * noise;
  if (count <= kStretchesMax)
    for (std::size_t at = kSharedLevelMin; at + 2 * kSharedLevelMin <= count; ++at)
      for (std::size_t to = at + kSharedLevelMin; to + kSharedLevelMin <= count; ++to) look(at, to, more);
  for (std::size_t i = 0; i < count; ++i) {
    const bool inside = i >= best.at && i < best.to;
    const double share = static_cast<double>(best.to - best.at) / n;
    best.residuals.push_back(values[i] - level - best.change * ((inside ? 1 : 0) - share));
  }
  return best;
}

Shape best_line(const Values& values) {
  const auto n = static_cast<double>(values.size());
  const double center = (n - 1) / 2;
  const double level = mean(values);
  const double spread = n * (n * n - 1) / 12;
  double product = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    product += (static_cast<double>(i) - center) * (values[i] - level);
  const double slope = product / spread;
  Shape line;
  line.is_line = true;
  line.change = slope * (n - 1);
  line.gain = std::abs(slope) * std::sqrt(spread);
  for (std::size_t i = 0; i < values.size(); ++i)
    line.residuals.push_back(values[i] - level - slope * (static_cast<double>(i) - center));
  return line;
}

// The variance of the mean of so many neighbouring residuals, times their number. Residuals lie about zero,
// so that stretches as long as all of them would not vary.
double stretch_variance(const Values& sums, std::size_t length) {
  const std::size_t count = sums.size() - 1;
  double squares = 0;
  for (std::size_t i = 0; i + length <= count; ++i)
    squares += (sums[i + length] - sums[i]) * (sums[i + length] - sums[i]);
  const auto l = static_cast<double>(length);
  return squares / static_cast<double>(count - length + 1) / l / (1 - l / static_cast<double>(count));
}

// What noise makes of a shape: the chance, and the variance behind it, for the length of stretches in which
// it stands out least. The variance of each length is drawn towards that of the shorter ones, which are more.
struct Doubt {
  double chance = 0;
  double variance = 0;
  double degrees = 1;
};

Doubt doubt_about(const Shape& shape, double tests) {
  const Values sums = running_sums(shape.residuals);
  const std::size_t count = shape.residuals.size();
  const auto n = static_cast<double>(count);
  const std::size_t longest = std::min(kBlockMax, static_cast<std::size_t>(n / kBlocksMin));
  const bool is_stretch = !shape.is_line && shape.to < count;
  Doubt doubt;
  double variance = 0;
  for (std::size_t length = 1; length <= longest;) {
    const auto l = static_cast<double>(length);
    const double own = (length == 1 ? 1 : kOverlapGain) * n / l - 2;
    const double seen = stretch_variance(sums, length);
    variance = length == 1 ? seen : (own * seen + kPriorDegrees * variance) / (own + kPriorDegrees);
    const double degrees = own + kPriorDegrees;
    const double places = kPlacesShare * n / std::sqrt(l) * (is_stretch ? n : 1);
    const double chance =
        variance > 0 ? fisher_f_above(shape.gain * shape.gain / variance, 1, degrees) * places * tests : 1;
    if (chance >= doubt.chance) doubt = {chance, variance, degrees};
    length = length < longest ? std::min(longest, 2 * length) : longest + 1;
  }
  doubt.chance = std::min(1.0, doubt.chance);
  return doubt;
}

// The columns of a table: ones, the shape, the values; more values are averaged in blocks, which keeps how
// they wander.
Table table_of(const Values& values, const Shape& shape) {
  constexpr std::size_t kRowsMax = 400;
  const std::size_t block = (values.size() + kRowsMax - 1) / kRowsMax;
  const double share = 1 / static_cast<double>(block);
  Table table(values.size() / block, 3);
  for (std::size_t i = 0; i < table.rows * block; ++i) {
    double* row = table.row(i / block);
    const bool inside = i >= shape.at && i < shape.to;
    row[0] += share;
    row[1] += share * (shape.is_line ? static_cast<double>(i) / static_cast<double>(values.size())
                                     : (inside ? 1 : 0));
    row[2] += share * values[i];
  }
  return table;
}

// By how much a shape raises the log likelihood of values whose level may wander by itself.
double gain_beside_wandering(const Values& values, const Shape& shape) {
  const auto fits = local_level_fits(table_of(values, shape));
  if (fits.empty()) return 0;
  return most_of(fits, [](const auto& fit) { return fit.log_likelihood(); }) -
         most_of(fits, [](const auto& fit) { return fit.log_likelihood_without(1); });
}

// Whether a shape is a change. Long stretches are few, and say little of how far their means go; a model of
// how levels wander says more, where it is right. So either they leave hardly a doubt, or they leave little,
// and the shape is likely beside a wandering level, and likelier by far than anything else in the values:
// days that jump are a row of shapes.
bool is_change(const Values& values, const Shape& shape, const Doubt& doubt, double noise, double tests) {
  constexpr double kCertain = 0.001;
  constexpr double kDoubtMax = 0.05;
  constexpr double kGainMin = 6.5;  // of log likelihood: what noise makes somewhere in 1 of 100 pools
  constexpr double kAheadMin = 3;
  if (!(shape.gain > 0) || doubt.chance > kDoubtMax) return false;
  if (doubt.chance <= kCertain) return true;
  const double gain = gain_beside_wandering(values, shape);
  if (gain < kGainMin + std::log(tests)) return false;
  return gain - gain_beside_wandering(shape.residuals, best_level(shape.residuals, noise)) > kAheadMin;
}

// Pooled values without gaps, and where they are in the whole.
struct Shared {
  Values values;
  std::vector<std::size_t> places;
};

// Between two levels of the pooled values, [from, at) and [at, to).
SharedChange describe_shared(const Shared& shared, std::size_t from, std::size_t at, std::size_t to,
                             const Shape& shape, const Doubt& doubt) {
  SharedChange change;
  change.size = shape.change;
  change.half_width = std::abs(shape.change) / shape.gain * std::sqrt(doubt.variance) *
                      student_t_within(kSharedConfidence, doubt.degrees);
  change.chance = std::min(doubt.chance, kSeriesError);  // what is_change() allows all together
  change.variance = doubt.variance;
  if (shape.is_line) {
    change.drifts = true;
    change.at = change.first = shared.places[from];
    change.last = shared.places[to - 1];
    return change;
  }
  const double noise = std::sqrt(doubt.variance);
  const PlaceInterval interval = place_interval(shared.values, level_of(shared.values, from, at, noise),
                                                level_of(shared.values, at, to, noise), noise);
  change.at = shared.places[at];
  change.first = shared.places[interval.first];
  change.last = shared.places[interval.last];
  return change;
}

void add_changes(const Shared& shared, std::size_t from, std::size_t to, double tests,
                 std::vector<SharedChange>& changes) {
  if (to - from < kPooledMin) return;
  const Values values = without_far_values(std::span(shared.values).subspan(from, to - from));
  const double noise = difference_noise(values);
  const Shape level = best_level(values, noise);
  const Shape line = best_line(values);
  // A line has one number fewer to fit than a step, so that a tie is a drift.
  const Shape& shape = square_sum(line.residuals) <= square_sum(level.residuals) ? line : level;
  const Doubt doubt = doubt_about(shape, tests);
  if (!is_change(values, shape, doubt, noise, tests)) return;
  if (shape.is_line) {
    changes.push_back(describe_shared(shared, from, from, to, shape, doubt));
    return;
  }
  const std::size_t begins = from + shape.at;
  const std::size_t ends = from + shape.to;
  changes.push_back(describe_shared(shared, from, begins, ends, shape, doubt));
  add_changes(shared, from, begins, tests, changes);
  add_changes(shared, begins, ends, tests, changes);
  if (ends == to) return;
  changes.push_back(describe_shared(shared, begins, ends, to, shape, doubt));
  changes.back().size = -shape.change;
  add_changes(shared, ends, to, tests, changes);
}

}  // namespace

std::vector<double> pooled_deviations(const std::vector<std::vector<double>>& series) {
  constexpr double kTrimmed = 0.25;
  std::vector<double> shared;
  for (std::size_t i = 0; !series.empty() && i < series.front().size(); ++i) {
    std::vector<double> here;
    for (const auto& one : series)
      if (std::isfinite(one[i])) here.push_back(one[i]);
    if (here.empty() || 2 * here.size() < series.size()) {
      shared.push_back(std::numeric_limits<double>::quiet_NaN());
      continue;
    }
    const auto trimmed = static_cast<std::ptrdiff_t>(kTrimmed * static_cast<double>(here.size()));
    const auto first = here.begin() + trimmed;
    const auto last = here.end() - trimmed;
    std::nth_element(here.begin(), first, here.end());
    if (last != here.end()) std::nth_element(first, last, here.end());
    shared.push_back(mean(std::span(first, last)));
  }
  return shared;
}

std::vector<SharedChange> shared_changes(std::span<const double> pooled, double tests) {
  Shared shared;
  for (std::size_t i = 0; i < pooled.size(); ++i) {
    if (!std::isfinite(pooled[i])) continue;
    shared.values.push_back(pooled[i]);
    shared.places.push_back(i);
  }
  std::vector<SharedChange> changes;
  add_changes(shared, 0, shared.values.size(), tests, changes);
  std::ranges::sort(changes, {}, &SharedChange::at);
  return changes;
}

}  // namespace tracker::stats

#include "tracker/stats/drift.hpp"

#include <algorithm>
#include <cmath>

#include "tracker/stats/distribution.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker::stats {
namespace {

constexpr double kStepPenalty = 3;  // a step, times the logarithm of the series' length
constexpr double kLinePenalty = 4;
constexpr std::size_t kDriftMin = 15;  // values
constexpr std::size_t kSlopeMin = 7;   // likewise, of a line between bends
constexpr double kExplainedMin = 0.9;  // by a line between bends, where a bow hides how sure its slope is
constexpr std::size_t kRowMax = 6;     // steps that a line is compared with at once; rows of rows follow
constexpr int kTurns = 3;
constexpr double kCutSlack = 0.5;  // a value, in squared deviations: what cutting may hide of a line

struct Row {
  std::size_t first = 0;  // stretches
  std::size_t last = 0;
  double gain = 0;
  Line line;
};

// How much worse one line is than the levels, in squared deviations of the values as the levels cut them:
// from the levels' sums alone, so that most rows need no look at their values.
double misfit(const std::vector<Stretch>& all, std::size_t first, std::size_t last, double noise) {
  const auto place = [](const Level& level) { return static_cast<double>(level.from + level.to) / 2; };
  double weight = 0;
  double x_mean = 0;
  double y_mean = 0;
  for (std::size_t i = first; i <= last; ++i) {
    const Level& level = all[i].level;
    weight += level.count();
    x_mean += level.count() * place(level);
    y_mean += level.count() * level.middle;
  }
  x_mean /= weight;
  y_mean /= weight;
  double xx = 0;
  double xy = 0;
  double yy = 0;
  for (std::size_t i = first; i <= last; ++i) {
    const Level& level = all[i].level;
    const double count = level.count();
    const double x = place(level) - x_mean;
    const double y = level.middle - y_mean;
    xx += count * (x * x + (count * count - 1) / 12);
    xy += count * x * y + level.tilted;
    yy += count * y * y;
  }
  return (yy - xy * xy / xx) / (noise * noise);
}

double cost_of(const Stretch& stretch, double unit) {
  return stretch.line ? stretch.line->cost + kLinePenalty * unit : stretch.level.cost;
}

Row best_row(std::span<const double> values, double noise, const std::vector<Stretch>& all) {
  const double unit = std::log(static_cast<double>(values.size()));
  Row best;
  for (std::size_t i = 0; i + 1 < all.size(); ++i) {
    double steps_cost = cost_of(all[i], unit);
    bool has_line = all[i].line.has_value();
    for (std::size_t j = i + 1; j < std::min(all.size(), i + kRowMax + 1); ++j) {
      steps_cost += cost_of(all[j], unit);
      has_line = has_line || all[j].line;
      const std::size_t from = all[i].level.from;
      const std::size_t to = all[j].level.to;
      const double allowed = kStepPenalty * unit * static_cast<double>(j - i);
      if (to - from < kDriftMin ||
          (!has_line && misfit(all, i, j, noise) > allowed + kCutSlack * static_cast<double>(to - from)))
        continue;
      const Line line = line_of(values.subspan(from, to - from), noise);
      const double gain = steps_cost + allowed - line.cost - kLinePenalty * unit;
      if (gain > best.gain) best = {i, j, gain, line};
    }
  }
  return best;
}

// Whether a level's slope is more than noise makes, and its whole rise more than one deviation.
bool is_sloped(const Line& line, double count, double noise, double series) {
  const double t = line.slope / line.slope_deviation;
  return std::abs(line.slope) * count > noise &&
         fisher_f_above(t * t, 1, line.degrees) < kSeriesError / series;
}

// What the level's own sums say of its slope: most levels need no look at their values.
bool is_flat(const Level& level, double noise) {
  constexpr double kSureOfFlat = 0.5;  // of the rise that is_sloped() asks for: values are cut otherwise here
  const double count = level.count();
  const double spread = count * (count * count - 1) / 12;
  return std::abs(level.tilted) / spread * count < kSureOfFlat * noise;
}

void add_slope(std::span<const double> values, double noise, Stretch& stretch) {
  const std::size_t count = stretch.level.to - stretch.level.from;
  if (count < kSlopeMin || is_flat(stretch.level, noise)) return;
  const Line line = line_of(values.subspan(stretch.level.from, count), noise);
  if (is_sloped(line, stretch.level.count(), noise, static_cast<double>(values.size()))) stretch.line = line;
}

}  // namespace

Line line_of(std::span<const double> values, double noise) {
  const auto count = static_cast<double>(values.size());
  const double center = (count - 1) / 2;
  const double spread = count * (count * count - 1) / 12;  // Σ (x − center)²
  std::vector<double> cut(values.begin(), values.end());
  std::vector<double> residuals(values.size());
  Line line;
  double lagged = 0;
  double squares = 0;
  for (int turn = 0; turn < kTurns; ++turn) {
    const double middle = mean(cut);
    double product = 0;
    for (std::size_t i = 0; i < cut.size(); ++i)
      product += (static_cast<double>(i) - center) * (cut[i] - middle);
    line.slope = product / spread;
    line.start = middle - line.slope * center;
    for (std::size_t i = 0; i < cut.size(); ++i)
      residuals[i] = values[i] - line.start - line.slope * static_cast<double>(i);
    const double reach = kBound * std::max(noise, robust_deviation(residuals));
    line.cost = lagged = squares = 0;
    double before = 0;
    for (std::size_t i = 0; i < cut.size(); ++i) {
      const double residual = std::clamp(residuals[i], -reach, reach);
      line.cost += bounded_cost(residuals[i], noise);
      cut[i] = values[i] - residuals[i] + residual;
      squares += residual * residual;
      lagged += residual * before;
      before = residual;
    }
  }
  constexpr double kCorrelationMax = 0.95;
  const double correlation = squares > 0 ? std::clamp(lagged / squares + 4 / count, 0.0, kCorrelationMax) : 0;
  const double inflation = (1 + correlation) / (1 - correlation);
  line.degrees = std::max(2.0, (count - 2) / inflation);
  const double variance = std::max(squares / (count - 2), noise * noise / 4);
  line.slope_deviation = std::sqrt(variance * inflation / spread);
  return line;
}

void join_drifts(std::span<const double> values, double noise, std::vector<Stretch>& all) {
  for (;;) {
    const Row row = best_row(values, noise, all);
    if (row.gain <= 0) return;
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(row.first);
    const auto last = all.begin() + static_cast<std::ptrdiff_t>(row.last);
    *first = {level_of(values, first->level.from, last->level.to, noise), row.line, {}};
    all.erase(first + 1, last + 1);
  }
}

void add_slope_between_bends(std::span<const double> values, double noise, Stretch& stretch) {
  add_slope(values, noise, stretch);
  const std::size_t count = stretch.level.to - stretch.level.from;
  if (stretch.line || count < kSlopeMin) return;
  const Line line = line_of(values.subspan(stretch.level.from, count), noise);
  const double t = line.slope / line.slope_deviation;
  const double explained = t * t / (t * t + line.degrees);  // of the variance
  if (explained >= kExplainedMin) stretch.line = line;
}

void add_slopes(std::span<const double> values, double noise, std::vector<Stretch>& all) {
  for (auto& stretch : all) {
    if (!stretch.line && stretch.level.to - stretch.level.from >= 2 * kDriftMin)
      add_slope(values, noise, stretch);
  }
}

}  // namespace tracker::stats

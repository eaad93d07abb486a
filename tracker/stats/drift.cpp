#include "tracker/stats/drift.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

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

namespace {

constexpr std::size_t kLineMin = 7;         // values of a line
constexpr std::size_t kNewestLineMin = 10;  // of the newest one: fewer have a test of their own
constexpr std::size_t kBendGridMax = 160;   // places that are looked at
constexpr double kBendPenalty = 6;          // of a line, times log n and the noise, squared
constexpr double kLineLengthMin = 20;       // on average: shorter ones follow the noise
constexpr double kLinesMin = 3;             // so many are no sign of it, however short the series
constexpr double kLineNoiseGrowth = 1.4;
constexpr double kBendError = 0.001;  // that noise makes one anywhere in a series
constexpr double kLineCorrelationMax = 0.97;
constexpr double kSpikeAt =
    4;  // deviations from the median of five neighbours: farther, a value says nothing

// Sums up to a place, of which the squares about the best line follow.
struct Sums {
  double n = 0;
  double x = 0;
  double y = 0;
  double xx = 0;
  double xy = 0;
  double yy = 0;

  void add(double at, double value) {
    n += 1;
    x += at;
    y += value;
    xx += at * at;
    xy += at * value;
    yy += value * value;
  }
  Sums operator-(const Sums& o) const { return {n - o.n, x - o.x, y - o.y, xx - o.xx, xy - o.xy, yy - o.yy}; }
  double squares() const {
    const double spread = xx - x * x / n;
    const double both = xy - x * y / n;
    return std::max(0.0, yy - y * y / n - (spread > 0 ? both * both / spread : 0));
  }
};

std::vector<double> without_spikes(std::span<const double> values, double noise) {
  constexpr std::size_t kSpikeReach = 2;
  std::vector<double> calm(values.begin(), values.end());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t from = i > kSpikeReach ? i - kSpikeReach : 0;
    const std::size_t to = std::min(values.size(), i + kSpikeReach + 1);
    const double near = median(values.subspan(from, to - from));
    calm[i] = std::clamp(values[i], near - kSpikeAt * noise, near + kSpikeAt * noise);
  }
  return calm;
}

class Lines {
 public:
  explicit Lines(const std::vector<double>& values) {
    sums_.resize(values.size() + 1);
    const double center = mean(values);
    const double middle = static_cast<double>(values.size()) / 2;  // keeps the numbers small
    for (std::size_t i = 0; i < values.size(); ++i) {
      sums_[i + 1] = sums_[i];
      sums_[i + 1].add(static_cast<double>(i) - middle, values[i] - center);
    }
  }

  double squares(std::size_t from, std::size_t to) const { return (sums_[to] - sums_[from]).squares(); }

  std::size_t size() const { return sums_.size() - 1; }

 private:
  std::vector<Sums> sums_;
};

// The ends of the lines of least cost, the last of them the number of values.
std::vector<std::size_t> partition_in_lines(const Lines& lines, double noise) {
  const std::size_t count = lines.size();
  const std::size_t step = (count + kBendGridMax - 1) / kBendGridMax;
  std::vector<std::size_t> grid;
  for (std::size_t i = 0; i < count; i += step) grid.push_back(i);
  grid.push_back(count);
  const double penalty = kBendPenalty * std::log(static_cast<double>(count)) * noise * noise;
  std::vector<double> costs(grid.size(), std::numeric_limits<double>::infinity());
  std::vector<std::size_t> starts(grid.size(), 0);
  costs[0] = 0;
  for (std::size_t j = 1; j < grid.size(); ++j) {
    if (j + 1 < grid.size() && count - grid[j] < kNewestLineMin) continue;
    for (std::size_t i = 0; i < j && grid[j] - grid[i] >= kLineMin; ++i) {
      if (!std::isfinite(costs[i])) continue;
      const double cost = costs[i] + penalty + lines.squares(grid[i], grid[j]);
      if (cost >= costs[j]) continue;
      costs[j] = cost;
      starts[j] = i;
    }
  }
  std::vector<std::size_t> ends;
  for (std::size_t j = grid.size() - 1; j > 0; j = starts[j]) ends.push_back(grid[j]);
  std::reverse(ends.begin(), ends.end());
  return ends;
}

// The place within the grid's reach where two lines fit best.
void refine(const Lines& lines, std::vector<std::size_t>& ends) {
  const std::size_t reach = lines.size() / kBendGridMax + 1;
  for (std::size_t k = 0; k + 1 < ends.size(); ++k) {
    const std::size_t from = k == 0 ? 0 : ends[k - 1];
    const std::size_t to = ends[k + 1];
    std::size_t best = ends[k];
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t at = std::max(from + kLineMin, ends[k] - std::min(ends[k], reach));
         at <= std::min(to - kLineMin, ends[k] + reach); ++at) {
      const double squares = lines.squares(from, at) + lines.squares(at, to);
      if (squares >= least) continue;
      least = squares;
      best = at;
    }
    ends[k] = best;
  }
}

// What the best polynomial of this degree leaves, by orthogonal polynomials (Forsythe 1957).
std::vector<double> left_by_curve(std::span<const double> values, std::size_t degree) {
  const auto count = static_cast<double>(values.size());
  std::vector<double> rest(values.begin(), values.end());
  std::vector<double> last(values.size(), 0);
  std::vector<double> now(values.size(), 1);
  double last_norm = 1;
  for (std::size_t k = 0; k <= degree; ++k) {
    double norm = 0;
    double product = 0;
    double first_moment = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double x = (2 * static_cast<double>(i) + 1 - count) / count;
      norm += now[i] * now[i];
      product += now[i] * rest[i];
      first_moment += x * now[i] * now[i];
    }
    if (!(norm > 0)) break;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double x = (2 * static_cast<double>(i) + 1 - count) / count;
      rest[i] -= product / norm * now[i];
      const double next = (x - first_moment / norm) * now[i] - (k == 0 ? 0 : norm / last_norm * last[i]);
      last[i] = now[i];
      now[i] = next;
    }
    last_norm = norm;
  }
  return rest;
}

double squares_about_curve(std::span<const double> values, std::size_t degree) {
  double squares = 0;
  for (const double value : left_by_curve(values, degree)) squares += value * value;
  return squares;
}

// What two neighbours and one curve in place of both leave of the squares.
struct Joint {
  double two = 0;
  double one = 0;
  double count = 0;
};

constexpr std::size_t kPartDegree = 2;   // a part may bow a little,
constexpr std::size_t kWholeDegree = 3;  // and what one smooth curve explains is no bend

Joint joint_at(std::span<const double> values, const std::vector<std::size_t>& ends, std::size_t which) {
  const std::size_t from = which == 0 ? 0 : ends[which - 1];
  const std::size_t at = ends[which];
  const std::size_t to = ends[which + 1];
  return {squares_about_curve(values.subspan(from, at - from), kPartDegree) +
              squares_about_curve(values.subspan(at, to - at), kPartDegree),
          squares_about_curve(values.subspan(from, to - from), kWholeDegree), static_cast<double>(to - from)};
}

// How the residuals of a part follow one another.
struct Following {
  double squares = 0;
  double lagged = 0;
};

// About the curve that a part may be: a bow that a test allows is no sign that values follow one another.
Following following_in(std::span<const double> values, const std::vector<std::size_t>& ends,
                       std::size_t which) {
  const std::size_t from = which == 0 ? 0 : ends[which - 1];
  Following found;
  double before = 0;
  for (const double residual : left_by_curve(values.subspan(from, ends[which] - from), kPartDegree)) {
    found.squares += residual * residual;
    found.lagged += residual * before;
    before = residual;
  }
  return found;
}

// Of all parts, with what short ones hide of it.
double correlation_of(const std::vector<Following>& parts, double count) {
  double squares = 0;
  double lagged = 0;
  for (const auto& part : parts) {
    squares += part.squares;
    lagged += part.lagged;
  }
  if (!(squares > 0)) return 0;
  const double seen = lagged / squares;
  const double fitted = static_cast<double>((kPartDegree + 1) * parts.size());
  const double hidden = (1 + 3 * std::max(0.0, seen)) * fitted / count;
  return std::clamp(seen + hidden + std::sqrt((1 - seen * seen) / count), 0.0, kLineCorrelationMax);
}

// The chance that noise makes two parts fit so much better than one.
double chance_of(const Joint& joint, double noise, double correlation) {
  constexpr double kQuietestJoint = 0.25;
  constexpr double kMore = 2 * (kPartDegree + 1) - (kWholeDegree + 1);  // numbers that two parts have more
  constexpr double kAll = 2 * (kPartDegree + 1);
  const double inflation = (1 + correlation) / (1 - correlation);
  const double degrees = std::max(2.0, (joint.count - kAll) / inflation);
  const double variance =
      std::max(joint.two / std::max(1.0, joint.count - kAll), kQuietestJoint * noise * noise);
  return fisher_f_above(std::max(0.0, joint.one - joint.two) / kMore / variance / inflation, kMore, degrees);
}

// The places that stand, each with its chance.
std::vector<Bend> take_back_weak_bends(std::span<const double> values, double noise, double limit,
                                       std::vector<std::size_t> ends) {
  std::vector<Joint> joints;
  std::vector<Following> parts;
  for (std::size_t k = 0; k < ends.size(); ++k) parts.push_back(following_in(values, ends, k));
  for (std::size_t k = 0; k + 1 < ends.size(); ++k) joints.push_back(joint_at(values, ends, k));
  for (;;) {
    const double correlation = correlation_of(parts, static_cast<double>(values.size()));
    std::vector<Bend> bends;
    for (std::size_t k = 0; k < joints.size(); ++k)
      bends.push_back({ends[k], chance_of(joints[k], noise, correlation)});
    const auto weakest = std::ranges::max_element(bends, {}, &Bend::chance);
    if (weakest == bends.end() || weakest->chance <= limit) return bends;
    const auto at = weakest - bends.begin();
    ends.erase(ends.begin() + at);
    joints.erase(joints.begin() + at);
    const auto place = static_cast<std::size_t>(at);
    parts.erase(parts.begin() + at);
    parts[place] = following_in(values, ends, place);
    if (place > 0) joints[place - 1] = joint_at(values, ends, place - 1);
    if (place < joints.size()) joints[place] = joint_at(values, ends, place);
  }
}

}  // namespace

std::vector<Bend> find_bends(std::span<const double> values, double noise, double series) {
  if (values.size() < kLineMin + kNewestLineMin) return {};
  const std::vector<double> calm = without_spikes(values, noise);
  const Lines lines(calm);
  const auto count = static_cast<double>(values.size());
  for (;; noise *= kLineNoiseGrowth) {
    std::vector<std::size_t> ends = partition_in_lines(lines, noise);
    if (static_cast<double>(ends.size()) > std::max(kLinesMin, count / kLineLengthMin + 2)) continue;
    refine(lines, ends);
    return take_back_weak_bends(calm, noise, kBendError / series, std::move(ends));
  }
}

}  // namespace tracker::stats

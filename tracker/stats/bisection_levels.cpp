#include "tracker/stats/bisection_levels.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace tracker::stats {
namespace {

constexpr std::size_t kGridMax = 48;
constexpr double kGridReach = 3;       // deviations about a commit's mean that the grid covers,
constexpr double kGridSpacing = 0.75;  // and how finely
// For one slow-down so many speed-ups are expected, and so many changes too small to look for.
constexpr double kFasterShare = 0.4;
constexpr double kSmallShare = 0.7;
constexpr double kStayMin = 0.01;
// Deviations of a build's own offset, as shares of the smallest slow-down, and how likely each is.
struct Offset {
  double share = 0;
  double prior = 0;
};
constexpr Offset kOffsets[] = {{0, 0.45}, {0.12, 0.22}, {0.25, 0.16}, {0.5, 0.1}, {1, 0.045}, {2, 0.025}};

using LevelRow = std::vector<float>;

// Where levels may lie; level 0 is exactly one of them.
struct LevelGrid {
  std::vector<double> at;
  std::vector<double> low;  // the cell about each
  std::vector<double> high;
  std::size_t zero = 0;
};

std::vector<double> thinned(const std::vector<double>& sorted, double spacing) {
  std::vector<double> kept;
  for (const double x : sorted) {
    const bool is_near = !kept.empty() && x - kept.back() <= spacing;
    if (!is_near)
      kept.push_back(x);
    else if (x == 0)
      kept.back() = 0;
  }
  return kept;
}

LevelGrid make_level_grid(const std::vector<SeenLevel>& seen) {
  std::vector<double> points{0};
  for (const auto& one : seen)
    for (double z = -kGridReach; z <= kGridReach; z += kGridSpacing)
      points.push_back(one.mean + z * std::sqrt(one.variance));
  std::ranges::sort(points);
  const double span = points.back() - points.front();
  double spacing = span / 2000;
  std::vector<double> kept = thinned(points, spacing);
  while (kept.size() > kGridMax) kept = thinned(points, spacing *= 1.25);
  LevelGrid grid;
  grid.at = kept;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const double left =
        i > 0 ? kept[i] - kept[i - 1] : kept[std::min<std::size_t>(1, kept.size() - 1)] - kept[0];
    const double right = i + 1 < kept.size() ? kept[i + 1] - kept[i] : left;
    // A cell at the edge of a cluster does not stand for the empty room beside it.
    grid.low.push_back(kept[i] - std::min(left, 2 * right) / 2);
    grid.high.push_back(kept[i] + std::min(right, 2 * left) / 2);
    if (kept[i] == 0) grid.zero = i;
  }
  return grid;
}

// How a level goes on to another one, by what changed.
struct Moves {
  std::vector<LevelRow> slower;
  std::vector<LevelRow> other;  // faster, or too small to look for
};

// The share of slow-downs up to this size: large ones are rarer, as 1 / size² (Pareto).
double slower_up_to(double size, double smallest) {
  return size <= smallest ? 0 : 1 - smallest / size;
}

Moves make_moves(const LevelGrid& grid, double smallest) {
  const std::size_t n = grid.at.size();
  Moves moves{std::vector<LevelRow>(n, LevelRow(n)), std::vector<LevelRow>(n, LevelRow(n))};
  const auto small_up_to = [&](double size) {
    return std::clamp((size + smallest) / (2 * smallest), 0.0, 1.0);
  };
  constexpr double kOther = kFasterShare + kSmallShare;
  for (std::size_t x = 0; x < n; ++x)
    for (std::size_t y = 0; y < n; ++y) {
      const double low = grid.low[y] - grid.at[x];
      const double high = grid.high[y] - grid.at[x];
      moves.slower[x][y] = static_cast<float>(slower_up_to(high, smallest) - slower_up_to(low, smallest));
      const double faster = slower_up_to(-low, smallest) - slower_up_to(-high, smallest);
      const double small = small_up_to(high) - small_up_to(low);
      moves.other[x][y] = static_cast<float>((kFasterShare * faster + kSmallShare * small) / kOther);
    }
  return moves;
}

// Of one gap.
struct Chances {
  float slower = 0;
  float other = 0;
  float stay = 1;
};

Chances chances_of(double weight, double expected) {
  Chances chances;
  chances.slower = static_cast<float>(1 - std::exp(-expected * weight));
  chances.other = static_cast<float>(1 - std::exp(-expected * (kFasterShare + kSmallShare) * weight));
  chances.stay = std::max(static_cast<float>(kStayMin), 1 - chances.slower - chances.other);
  return chances;
}

class LevelPass {
 public:
  LevelPass(const LevelGrid& grid, const Moves& moves, const std::vector<SeenLevel>& seen, double expected,
            double degrees, double offset_variance)
      : grid_(grid), moves_(moves), size_(grid.at.size()) {
    for (const auto& one : seen) {
      chances_.push_back(chances_of(one.weight, expected));
      emissions_.push_back(emission(one, degrees, offset_variance));
    }
  }

  // The logarithm of the likelihood; where `slower` is false, of there being no slow-down.
  double forward(bool slower, std::vector<LevelRow>* rows) const {
    LevelRow at(size_);
    at[grid_.zero] = 1;
    double logarithm = 0;
    if (rows != nullptr) rows->push_back(at);
    for (std::size_t place = 0; place < chances_.size(); ++place) {
      const Chances& chances = chances_[place];
      const float weight = slower ? chances.slower : 0;
      LevelRow next(size_);
      for (std::size_t x = 0; x < size_; ++x) {
        if (at[x] < 1e-12F) continue;
        const float one = at[x] * weight;
        const float two = at[x] * chances.other;
        const float* up = moves_.slower[x].data();
        const float* other = moves_.other[x].data();
        for (std::size_t y = 0; y < size_; ++y) next[y] += one * up[y] + two * other[y];
        next[x] += at[x] * chances.stay;
      }
      double sum = 0;
      for (std::size_t y = 0; y < size_; ++y) sum += next[y] *= emissions_[place][y];
      if (!(sum > 0)) return -1e9;
      for (auto& value : next) value = static_cast<float>(value / sum);
      logarithm += std::log(sum);
      at = std::move(next);
      if (rows != nullptr) rows->push_back(at);
    }
    return logarithm;
  }

  // Adds the probability of a slow-down in each gap, and its size times that, by this share.
  void add_slower(const std::vector<LevelRow>& forward, double share, LevelPosterior& posterior) const {
    LevelRow after(size_, 1);  // the likelihood of what follows, given the level
    for (std::size_t place = chances_.size(); place-- > 0;) {
      const Chances& chances = chances_[place];
      LevelRow seen(size_);
      for (std::size_t y = 0; y < size_; ++y) seen[y] = after[y] * emissions_[place][y];
      LevelRow before(size_);
      double all = 0;
      double slower = 0;
      double sized = 0;
      for (std::size_t x = 0; x < size_; ++x) {
        double up = 0;
        double up_sized = 0;
        double other = 0;
        for (std::size_t y = 0; y < size_; ++y) {
          const double one = static_cast<double>(moves_.slower[x][y]) * seen[y];
          up += one;
          up_sized += one * (grid_.at[y] - grid_.at[x]);
          other += static_cast<double>(moves_.other[x][y]) * seen[y];
        }
        const double total = chances.slower * up + chances.other * other + chances.stay * seen[x];
        before[x] = static_cast<float>(total);
        all += forward[place][x] * total;
        slower += forward[place][x] * chances.slower * up;
        sized += forward[place][x] * chances.slower * up_sized;
      }
      if (!(all > 0)) return;
      posterior.slower[place] += share * slower / all;
      posterior.size[place] += share * sized / all;
      for (auto& value : before) value = static_cast<float>(value / all);
      after = std::move(before);
    }
  }

 private:
  // Student's t: the variances are estimates.
  LevelRow emission(const SeenLevel& seen, double degrees, double offset_variance) const {
    const double variance = seen.variance + offset_variance;
    LevelRow row(size_);
    for (std::size_t y = 0; y < size_; ++y) {
      const double square = (seen.mean - grid_.at[y]) * (seen.mean - grid_.at[y]) / variance;
      row[y] = static_cast<float>(std::pow(1 + square / degrees, -(degrees + 1) / 2) / std::sqrt(variance));
    }
    return row;
  }

  const LevelGrid& grid_;
  const Moves& moves_;
  std::size_t size_;
  std::vector<Chances> chances_;
  std::vector<LevelRow> emissions_;
};

}  // namespace

LevelPosterior infer_levels(const std::vector<SeenLevel>& seen, double rest, double smallest, double expected,
                            double degrees) {
  const LevelGrid grid = make_level_grid(seen);
  const Moves moves = make_moves(grid, smallest);
  struct Case {
    double logarithm = 0;
    double none = 0;
    double variance = 0;
    std::vector<LevelRow> rows;
  };
  std::vector<Case> cases;
  std::vector<LevelPass> passes;
  double best = -1e300;
  for (const auto& offset : kOffsets) {
    Case one;
    one.variance = offset.share * smallest * offset.share * smallest;
    passes.emplace_back(grid, moves, seen, expected, degrees, one.variance);
    const double all = passes.back().forward(true, &one.rows);
    one.none = std::exp(std::min(0.0, passes.back().forward(false, nullptr) - all));
    one.logarithm = all + std::log(offset.prior);
    best = std::max(best, one.logarithm);
    cases.push_back(std::move(one));
  }
  double sum = 0;
  for (const auto& one : cases) sum += std::exp(one.logarithm - best);
  LevelPosterior posterior;
  posterior.slower.resize(seen.size());
  posterior.size.resize(seen.size());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const double share = std::exp(cases[i].logarithm - best) / sum;
    if (share < 1e-6) continue;
    posterior.none += share * cases[i].none;
    posterior.offset_variance += share * cases[i].variance;
    passes[i].add_slower(cases[i].rows, share, posterior);
  }
  posterior.none *= std::exp(-expected * rest);
  for (std::size_t place = 0; place < seen.size(); ++place)
    if (posterior.slower[place] > 0) posterior.size[place] /= posterior.slower[place];
  return posterior;
}

}  // namespace tracker::stats

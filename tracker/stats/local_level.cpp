#include "tracker/stats/local_level.hpp"

#include <utility>

namespace tracker::stats {
namespace {

constexpr Wandering kWanderings[] = {
    {0, 0},      {1, 0.001}, {1, 0.003},  {1, 0.01},   {1, 0.03}, {1, 0.1},
    {1, 0.3},    {1, 1},     {0.6, 0.3},  {0.6, 0.6},  {0.6, 1},  {0.85, 0.3},
    {0.85, 0.6}, {0.85, 1},  {0.95, 0.3}, {0.95, 0.6}, {0.95, 1},
};

}  // namespace

std::span<const Wandering> wanderings() {
  return kWanderings;
}

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

}  // namespace tracker::stats

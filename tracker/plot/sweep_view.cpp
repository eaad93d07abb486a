#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "tracker/plot/views.hpp"

namespace tracker {
namespace {

constexpr std::size_t kSweepRowsMax = 60;  // what still fits a picture
constexpr std::size_t kSweepColumnsMax = 60;
// Values closer than this are not driven apart to the ends of the colours: it would show noise.
constexpr double kContrastMin = 0.1;

bool faster(const Metric& metric, double a, double b) {
  return metric.better == Better::kHigher ? a > b : a < b;
}

// What is shaded: a time of half the length is twice as fast.
double speed(const Metric& metric, double value) {
  return metric.better == Better::kHigher ? value : 1 / value;
}

bool is_as_good(const Metric& metric, double value, double best, double threshold) {
  return metric.better == Better::kHigher ? value >= best * (1 - threshold) : value <= best * (1 + threshold);
}

std::optional<double> value_of(const SweepGrid& grid, std::size_t row, std::size_t column) {
  const auto& cell = grid.cells[row][column];
  return cell && drawable(*cell) && *cell > 0 ? cell : std::nullopt;
}

SweepRow view_row(const SweepGrid& grid, std::size_t index, std::size_t columns, const Scale& scale) {
  SweepRow row;
  row.name = grid.rows[index];
  row.cells.resize(columns);
  for (std::size_t i = 0; i < columns; ++i) {
    const auto value = value_of(grid, index, i);
    if (!value) continue;
    row.cells[i] = SweepCell{.value = *value / scale.factor};
    if (!row.best || faster(grid.metric, row.cells[i]->value, row.cells[*row.best]->value)) row.best = i;
    if (!row.worst || faster(grid.metric, row.cells[*row.worst]->value, row.cells[i]->value)) row.worst = i;
  }
  for (auto& cell : row.cells)
    if (cell)
      cell->as_good =
          is_as_good(grid.metric, cell->value, row.cells[*row.best]->value, grid.thresholds[index]);
  return row;
}

void shade(SweepView& view, const Metric& metric) {
  double low = speed(metric, view.darkest);
  const double high = speed(metric, view.lightest);
  low = std::min(low, high * (1 - kContrastMin));
  view.darkest = metric.better == Better::kHigher ? low : 1 / low;
  for (auto& row : view.rows)
    for (auto& cell : row.cells)
      if (cell) cell->shade = std::clamp((speed(metric, cell->value) - low) / (high - low), 0.0, 1.0);
}

}  // namespace

SweepView view_sweep(const SweepGrid& grid) {
  SweepView view;
  const std::size_t rows = std::min(grid.rows.size(), kSweepRowsMax);
  const std::size_t columns = std::min(grid.columns.size(), kSweepColumnsMax);
  view.cut = rows < grid.rows.size() || columns < grid.columns.size();
  view.columns.assign(grid.columns.begin(), grid.columns.begin() + static_cast<std::ptrdiff_t>(columns));
  double size_max = 0;
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t column = 0; column < columns; ++column)
      size_max = std::max(size_max, value_of(grid, row, column).value_or(0));
  if (size_max <= 0) return view;
  view.scale = choose_scale(size_max, grid.metric.unit);
  bool first = true;
  for (std::size_t i = 0; i < rows; ++i) {
    view.rows.push_back(view_row(grid, i, columns, view.scale));
    const SweepRow& row = view.rows.back();
    if (!row.best) continue;
    const double best = row.cells[*row.best]->value;
    const double worst = row.cells[*row.worst]->value;
    if (first || faster(grid.metric, best, view.lightest)) view.lightest = best;
    if (first || faster(grid.metric, view.darkest, worst)) view.darkest = worst;
    first = false;
  }
  shade(view, grid.metric);
  return view;
}

std::string cell_number(double value) {
  if (value >= 999.5 || value < 0.000995) return plain_number(value, 3);
  const int whole_digits = static_cast<int>(std::floor(std::log10(value / 0.9995))) + 1;
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                 std::chars_format::fixed, std::clamp(3 - whole_digits, 0, 5));
  return {buffer.data(), end.ptr};
}

}  // namespace tracker

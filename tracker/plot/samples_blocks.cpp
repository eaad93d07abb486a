#include "tracker/plot/samples_blocks.hpp"

#include <cmath>

#include "tracker/plot/axis.hpp"

namespace tracker {
namespace {

constexpr double kHeightMin = 0.004;   // of a distribution: below it is nothing to see
constexpr double kDotsWidth = 0.78;    // of a column
constexpr double kSamplesTop = 0.999;  // of the height
constexpr double kBreakMin = 0.03;     // of the height: what is farther apart is not connected

}  // namespace

std::string pair_rows(const SamplesView& view) {
  std::string rows;
  for (const auto& [base, candidate] : view.pairs) {
    for (const std::size_t i : {base, candidate})
      rows += plain_number(view.columns[i].place, 6) + " " +
              plain_number(view.place(view.columns[i].median), 5) + "\n";
    rows += "\n";
  }
  return rows;
}

// The repetitions of an invocation side by side in their order, so that a drift shows.
std::string dot_rows(const SamplesView& view, bool candidate, bool counts) {
  std::string rows;
  for (const auto& column : view.columns) {
    if (column.candidate != candidate || column.counts != counts) continue;
    const auto count = static_cast<double>(column.values.size());
    for (std::size_t i = 0; i < column.values.size(); ++i) {
      if (!view.holds(column.values[i])) continue;
      const double x = column.place + ((static_cast<double>(i) + 0.5) / count - 0.5) * kDotsWidth;
      rows += plain_number(x, 6) + " " + plain_number(view.place(column.values[i]), 5) + "\n";
    }
  }
  return rows;
}

std::string beyond_rows(const SamplesView& view, bool candidate, bool above) {
  std::string rows;
  for (const auto& column : view.columns) {
    if (column.candidate != candidate) continue;
    for (const double value : column.values) {
      const double place = view.place(value);
      if (view.holds(value) || (place > kSamplesTop) != above) continue;
      rows += plain_number(column.place, 6) + " " + plain_number(place + (above ? -0.015 : 0.015), 5) + "\n";
    }
  }
  return rows;
}

std::string median_rows(const SamplesView& view, bool candidate) {
  std::string rows;
  for (const auto& column : view.columns) {
    if (column.candidate != candidate || !column.counts) continue;
    rows += plain_number(column.place - kMedianWidth / 2, 6) + " " +
            plain_number(view.place(column.median), 5) + "\n";
  }
  return rows;
}

// Back to back: the base to the left of the middle, the candidate to the right of it.
std::string density_rows(const SamplesView& view, bool candidate) {
  std::string rows;
  const auto& density = candidate ? view.candidate : view.base;
  double last = 0;
  for (const auto& [value, height] : density) {
    const double place = view.place(value);
    if (height < kHeightMin) continue;
    if (!rows.empty() && place - last > kBreakMin) rows += "\n";  // nothing in between, or the axis is broken
    last = place;
    rows += plain_number(candidate ? height : -height, 5) + " " + plain_number(place, 5) + "\n";
  }
  return rows;
}

}  // namespace tracker

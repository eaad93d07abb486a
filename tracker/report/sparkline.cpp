#include "tracker/report/sparkline.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "tracker/stats/summary.hpp"

namespace tracker {

std::string sparkline(const std::vector<SeriesPoint>& points, std::size_t from, std::size_t to,
                      std::size_t width, double span_min) {
  static constexpr std::array kHeights{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  std::vector<double> medians;
  for (std::size_t i = from; i < to; ++i) medians.push_back(points[i].median);
  const auto values = stats::shortened(medians, width);
  if (values.empty()) return "";
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  const double missing = std::max(0.0, span_min * std::abs(*most) - (*most - *least));
  const double low = *least - missing / 2;
  const double span = *most - *least + missing;
  std::string line;
  for (const double value : values) {
    const double share = span > 0 ? (value - low) / span : 0;
    line += kHeights.at(static_cast<std::size_t>(std::lround(share * (kHeights.size() - 1))));
  }
  return line;
}

}  // namespace tracker

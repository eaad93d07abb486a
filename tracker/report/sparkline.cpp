#include "tracker/report/sparkline.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace tracker {
namespace {

std::vector<double> binned(const std::vector<SeriesPoint>& points, std::size_t from, std::size_t to,
                           std::size_t width) {
  const std::size_t count = std::min(width, to - from);
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<double> bin;
    for (std::size_t p = from + i * (to - from) / count; p < from + (i + 1) * (to - from) / count; ++p)
      bin.push_back(points[p].median);
    std::nth_element(bin.begin(), bin.begin() + static_cast<std::ptrdiff_t>(bin.size() / 2), bin.end());
    values.push_back(bin[bin.size() / 2]);
  }
  return values;
}

}  // namespace

std::string sparkline(const std::vector<SeriesPoint>& points, std::size_t from, std::size_t to,
                      std::size_t width, double span_min) {
  static constexpr std::array kHeights{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  const auto values = binned(points, from, to, width);
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

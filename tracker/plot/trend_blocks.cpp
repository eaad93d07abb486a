#include "tracker/plot/trend_blocks.hpp"

#include <algorithm>

#include "tracker/plot/axis.hpp"
#include "tracker/plot/trend_panel.hpp"

namespace tracker {
namespace {

std::string trend_block(const std::string& name, const std::string& rows) {
  return rows.empty() ? "" : "$" + name + " << EOD\n" + rows + "EOD\n";
}

std::string row(const SeriesPoint& point) {
  return std::to_string(point.position) + " " + plain_number(point.median, 7) + " " +
         plain_number(point.spread.low, 7) + " " + plain_number(point.spread.high, 7) + "\n";
}

}  // namespace

double gap_of(const std::vector<SeriesPoint>& points) {
  std::vector<int> distances;
  for (std::size_t i = 1; i < points.size(); ++i)
    distances.push_back(points[i].position - points[i - 1].position);
  if (distances.empty()) return 0;
  const auto middle = distances.begin() + static_cast<std::ptrdiff_t>((distances.size() - 1) / 2);
  std::nth_element(distances.begin(), middle, distances.end());
  const bool all_drawn = points.size() <= trend::kPointsMax;
  if (*middle == 1 && all_drawn) return 1;
  return std::max(3.0 * *middle, 0.04 * (points.back().position - points.front().position));
}

bool has_gap(const std::vector<SeriesPoint>& points) {
  const double gap_max = gap_of(points);
  const auto is_gap = [&](const auto& a, const auto& b) { return b.position - a.position > gap_max; };
  return std::adjacent_find(points.begin(), points.end(), is_gap) != points.end();
}

TrendBlocks trend_blocks(const std::vector<SeriesPoint>& points, double gap_max, std::size_t panel) {
  std::string line;
  std::string gaps;
  std::string clean;
  std::string disturbed;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (i > 0 && points[i].position - points[i - 1].position > gap_max) {
      line += "\n";  // a blank row breaks gnuplot's line
      gaps += row(points[i - 1]) + row(points[i]) + "\n";
    }
    line += row(points[i]);
    (points[i].disturbed ? disturbed : clean) += row(points[i]);
  }
  TrendBlocks blocks;
  const std::string ending = std::to_string(panel);
  blocks.data = trend_block("line" + ending, line) + trend_block("gaps" + ending, gaps) +
                trend_block("clean" + ending, clean) + trend_block("disturbed" + ending, disturbed);
  blocks.gaps = !gaps.empty();
  blocks.clean = !clean.empty();
  blocks.disturbed = !disturbed.empty();
  return blocks;
}

}  // namespace tracker

#include "tracker/plot/trend_blocks.hpp"

#include <algorithm>

#include "tracker/plot/axis.hpp"

namespace tracker {
namespace {

std::string block(const std::string& name, const std::string& rows) {
  return rows.empty() ? "" : "$" + name + " << EOD\n" + rows + "EOD\n";
}

std::string row(const SeriesPoint& point) {
  return std::to_string(point.position) + " " + plain_number(point.median, 7) + " " +
         plain_number(point.spread.low, 7) + " " + plain_number(point.spread.high, 7) + "\n";
}

// A distance without runs that is worth showing: three times the usual one, and some width on the chart.
double long_gap(const std::vector<SeriesPoint>& points) {
  std::vector<int> gaps;
  for (std::size_t i = 1; i < points.size(); ++i) gaps.push_back(points[i].position - points[i - 1].position);
  if (gaps.empty()) return 0;
  std::nth_element(gaps.begin(), gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() / 2), gaps.end());
  return std::max(3.0 * gaps[gaps.size() / 2], 0.04 * (points.back().position - points.front().position));
}

}  // namespace

TrendBlocks trend_blocks(const std::vector<SeriesPoint>& points, std::size_t panel) {
  const double gap_max = long_gap(points);
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
  blocks.data = block("line" + ending, line) + block("gaps" + ending, gaps) + block("clean" + ending, clean) +
                block("disturbed" + ending, disturbed);
  blocks.gaps = !gaps.empty();
  blocks.clean = !clean.empty();
  blocks.disturbed = !disturbed.empty();
  return blocks;
}

}  // namespace tracker

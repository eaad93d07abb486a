#include "tracker/plot/trend_blocks.hpp"

#include <algorithm>

#include "tracker/plot/axis.hpp"
#include "tracker/plot/trend_panel.hpp"

namespace tracker {
namespace {

std::string trend_block(const std::string& name, const std::string& rows) {
  return rows.empty() ? "" : "$" + name + " << EOD\n" + rows + "EOD\n";
}

std::string row(const SeriesPoint& point, const CommitAxis& axis) {
  return plain_number(axis.place(point.position)) + " " + plain_number(point.median, 7) + " " +
         plain_number(point.spread.low, 7) + " " + plain_number(point.spread.high, 7) + "\n";
}

}  // namespace

TrendGaps::TrendGaps(const std::vector<SeriesPoint>& points, const CommitAxis& axis) : axis_(axis) {
  std::vector<int> distances;
  for (std::size_t i = 1; i < points.size(); ++i)
    distances.push_back(points[i].position - points[i - 1].position);
  if (distances.empty()) return;
  const auto middle = distances.begin() + static_cast<std::ptrdiff_t>((distances.size() - 1) / 2);
  std::nth_element(distances.begin(), middle, distances.end());
  dense_max_ = std::max(3.0 * *middle, 0.04 * (points.back().position - points.front().position));
  const bool has_marks = points.size() <= kMarkedPointsMax || axis.is_split();
  marked_max_ = *middle == 1 && has_marks ? 1 : dense_max_;
}

bool TrendGaps::between(const SeriesPoint& a, const SeriesPoint& b) const {
  const bool is_dense = axis_.is_split() && a.position < axis_.knee;
  return b.position - a.position > (is_dense ? dense_max_ : marked_max_);
}

bool TrendGaps::any(const std::vector<SeriesPoint>& points) const {
  const auto is_gap = [&](const auto& a, const auto& b) { return between(a, b); };
  return std::adjacent_find(points.begin(), points.end(), is_gap) != points.end();
}

TrendBlocks trend_blocks(const std::vector<SeriesPoint>& points, const CommitAxis& axis, bool dense,
                         const TrendGaps& gaps, std::size_t panel) {
  std::string line;
  std::string without_runs;
  std::string band;
  std::string marks;
  std::string clean;
  std::string disturbed;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const std::string own = row(points[i], axis);
    const bool has_mark = !dense || (axis.is_split() && points[i].position >= axis.knee);
    if (i > 0 && gaps.between(points[i - 1], points[i])) {
      line += "\n";  // a blank row breaks gnuplot's line
      if (!band.empty()) band += "\n";
      without_runs += row(points[i - 1], axis) + own + "\n";
    }
    line += own;
    (has_mark ? marks : band) += own;
    if (has_mark) (points[i].disturbed ? disturbed : clean) += own;
  }
  TrendBlocks blocks;
  const auto add = [&](const char* name, const std::string& rows) {
    blocks.data += trend_block(name + std::to_string(panel), rows);
    return !rows.empty();
  };
  add("line", line);
  blocks.gaps = add("gaps", without_runs);
  blocks.band = add("band", band);
  blocks.marks = add("marks", marks);
  blocks.clean = add("clean", clean);
  blocks.disturbed = add("disturbed", disturbed);
  return blocks;
}

}  // namespace tracker

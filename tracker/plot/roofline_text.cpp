#include <algorithm>
#include <cmath>

#include "tracker/base/text.hpp"
#include "tracker/model/run.hpp"
#include "tracker/plot/axis.hpp"
#include "tracker/plot/font.hpp"
#include "tracker/plot/plot.hpp"
#include "tracker/plot/roofline_view.hpp"

namespace tracker {
namespace {

constexpr int kRooflineColumnsMin = 40;
constexpr int kLimitMax = 24;
constexpr int kNameMin = 8;

struct Line {
  std::string benchmark;
  std::string intensity;
  std::string rate;
  std::string share;
  std::string limit;
};

std::string pad(const std::string& text, int columns, bool left) {
  const std::string blanks(
      static_cast<std::size_t>(std::max(columns - static_cast<int>(display_width(text)), 0)), ' ');
  return left ? blanks + text : text + blanks;
}

Line line_of(const PlacedPoint& placed) {
  const RooflinePoint& point = placed.point;
  const bool moves_only = point.flops_per_second <= 0;
  return {point.benchmark, moves_only ? "–" : format_number(point.intensity()),
          moves_only ? rate_text(point.bytes_per_second, "B/s") : rate_text(point.flops_per_second, "FLOP/s"),
          placed.share ? share_text(*placed.share) : "–",
          placed.share ? fit_columns(placed.limit, kLimitMax) : ""};
}

// The fastest of a group and shape first.
std::vector<Line> lines_of(const RooflineView& view) {
  std::vector<Line> lines;
  for (auto at = view.points.begin(); at != view.points.end();) {
    const auto end =
        std::find_if_not(at, view.points.end(), [&](const auto& one) { return same_place(one, *at); });
    for (auto one = end; one != at;) lines.push_back(line_of(*--one));
    at = end;
  }
  for (const auto& row : view.rows)
    for (auto one = row.points.rbegin(); one != row.points.rend(); ++one) lines.push_back(line_of(*one));
  return lines;
}

std::string roofs_text(const RooflineView& view, int columns) {
  std::vector<std::string> roofs;
  if (view.bandwidth) roofs.push_back("bandwidth " + rate_text(view.bandwidth->value, "B/s"));
  if (view.measured)
    roofs.push_back("measured " + rate_text(view.measured->value, "B/s") + ", " + view.measured->label);
  for (const auto& peak : view.peaks) roofs.push_back(peak.label + " " + rate_text(peak.value, "FLOP/s"));
  if (roofs.empty()) roofs.push_back("no roof is known: the device states no theoretical peak");
  std::string text;
  for (const auto& roof : roofs) text += fit_columns(roof, columns) + "\n";
  return text;
}

}  // namespace

std::string draw_roofline_text(const Roofline& roofline, int columns) {
  columns = std::max(columns, kRooflineColumnsMin);
  const RooflineView view = view_roofline(roofline);
  if (view.points.empty() && view.rows.empty()) return "";
  std::string state = roofline.device;
  if (!roofline.commit.empty()) state += " · " + short_id(roofline.commit);
  if (const std::string clocks = clocks_note(roofline); !clocks.empty()) state += " · " + clocks;
  std::string text = fit_columns(state, columns) + "\n" + roofs_text(view, columns) + "\n";

  std::vector<Line> lines = lines_of(view);
  lines.insert(lines.begin(), {"benchmark", "FLOP/B", "rate", "of roof", "under"});
  const auto width = [&](std::string Line::*cell) {
    int most = 0;
    for (const auto& line : lines)
      most = std::max(most, static_cast<int>(display_width(printable(line.*cell))));
    return most;
  };
  const int numbers = width(&Line::intensity) + width(&Line::rate) + width(&Line::share) + 6;
  const int limit = width(&Line::limit) + 2;
  // The roof's name is left out where it would leave a benchmark's too little.
  const bool with_limit = columns - numbers - limit >= kRooflineColumnsMin / 2;
  const int names =
      std::clamp(columns - numbers - (with_limit ? limit : 0), kNameMin, width(&Line::benchmark));
  for (const auto& line : lines) {
    std::string shown = pad(fit_columns(line.benchmark, names), names, false) +
                        pad(line.intensity, width(&Line::intensity) + 2, true) +
                        pad(line.rate, width(&Line::rate) + 2, true) +
                        pad(line.share, width(&Line::share) + 2, true);
    if (with_limit) shown += "  " + line.limit;
    shown.erase(shown.find_last_not_of(' ') + 1);
    text += shown + "\n";
  }
  return text;
}

}  // namespace tracker

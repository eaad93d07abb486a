#include <algorithm>
#include <cmath>

#include "tracker/base/text.hpp"
#include "tracker/plot/charts.hpp"
#include "tracker/plot/font.hpp"
#include "tracker/plot/trend_blocks.hpp"
#include "tracker/plot/views.hpp"

namespace tracker {
namespace {

constexpr int kWidthPx = 1200;
constexpr int kHeightPx = 580;
constexpr Box kPlot{84, 122, 1130, 504};
constexpr std::size_t kMarkersMax = 80;  // more points than this are a line and a band
constexpr std::size_t kPointsMax = 520;  // one for two pixels
constexpr double kTicSpacingPx = 86;
constexpr std::size_t kShortId = 7;

const TextStyle kSmall{14, colour::kGrey};
const TextStyle kSmallRight{14, colour::kGrey, Align::kRight};
const TextStyle kSmallCenter{14, colour::kGrey, Align::kCenter};
const TextStyle kSpike{14, colour::kBlue, Align::kCenter};

class TrendChart {
 public:
  TrendChart(const Series& series, TrendView view);
  Chart draw();

 private:
  double x_px(double position) const {
    return kPlot.left + (position - view_.first) / (view_.last - view_.first) * kPlot.width();
  }
  double y_px(double value) const {
    return kPlot.bottom - (value - view_.low) / (view_.high - view_.low) * kPlot.height();
  }
  bool dense() const { return view_.points.size() > kMarkersMax; }
  void heading();
  void legend();
  void off_chart_notes();
  void axes();
  void commit_tics();
  void threshold_band();
  void base_mark();
  void references();
  void occupy_data();
  void plot();

  const Series& series_;
  TrendView view_;
  std::vector<SeriesPoint> shown_;  // thinned out
  double heading_right_ = kWidthPx - 24;
  Canvas canvas_{kWidthPx, kHeightPx};
  std::vector<Box> taken_;  // by data and labels
  std::string data_;
};

TrendChart::TrendChart(const Series& series, TrendView view)
    : series_(series), view_(std::move(view)), shown_(thin_out(view_.points, kPointsMax)) {}

std::string with_unit(double value, const Scale& scale) {
  return format_number(value) + (scale.unit.empty() ? "" : " " + scale.unit);
}

void TrendChart::heading() {
  const double left = 24;
  const SeriesPoint& latest = view_.points.back();
  const TextStyle big{22, colour::kInk, Align::kRight, true};
  const std::string value = with_unit(latest.median, view_.scale);
  canvas_.text(heading_right_, 34, value, big);
  std::string note = "at " + latest.commit.substr(0, kShortId);
  if (view_.base && *view_.base + 1 != view_.points.size()) {
    const double base = view_.points[*view_.base].median;
    if (base != 0) note += ", " + format_percent(latest.median / base - 1) + " from base";
  }
  const double value_left = heading_right_ - text_width_px(value, big.size_px, true) - 10;
  canvas_.text(value_left, 35, note, {15, colour::kGrey, Align::kRight});
  const double room = value_left - text_width_px(note, 15) - 30 - left;
  canvas_.text(left, 34, fit_text(series_.benchmark, room, 22, true), {22, colour::kInk, Align::kLeft, true});
  legend();
  const std::string subtitle = metric_title(series_.metric) + ", " + better_text(series_.metric);
  const double device_room = heading_right_ - left - 20 - text_width_px("  ·  " + subtitle, 15);
  canvas_.text(
      left, 66,
      fit_text(series_.device, std::max(device_room, 120.0), 15) + "  ·  " + fit_text(subtitle, 400, 15),
      {15, colour::kGrey});
}

// Right to left, on the line of the subtitle.
void TrendChart::legend() {
  const auto disturbed =
      std::count_if(view_.points.begin(), view_.points.end(), [](const auto& p) { return p.disturbed; });
  double x = heading_right_;
  const auto entry = [&](const std::string& words) {
    canvas_.text(x, 66, words, kSmallRight);
    x -= text_width_px(words, kSmallRight.size_px) + 22;
  };
  if (disturbed > 0 && !dense()) entry("○ disturbed: dirty, throttled or shared");
  if (disturbed > 0 && dense()) entry(std::to_string(disturbed) + " disturbed");
  const bool intervals = std::any_of(view_.points.begin(), view_.points.end(),
                                     [](const auto& point) { return point.spread.low < point.spread.high; });
  if (shown_.size() < view_.points.size())
    entry("median and range of every " + std::to_string((view_.points.size() + kPointsMax - 1) / kPointsMax) +
          " runs");
  else if (intervals)
    entry(dense() ? "line: median, band: interval" : "● median with interval");
  else
    entry(dense() ? "line: median" : "● median");
  heading_right_ = x;
}

void TrendChart::off_chart_notes() {
  canvas_.text(kPlot.left, kPlot.top - 16, view_.scale.unit, kSmall);
  const std::vector<std::string> notes = off_axis_notes(view_);
  for (const auto& point : view_.points) {
    if (point.median > view_.high) canvas_.text(x_px(point.position), kPlot.top + 6, "▲", kSpike);
    if (point.median < view_.low) canvas_.text(x_px(point.position), kPlot.bottom - 6, "▼", kSpike);
  }
  if (notes.empty()) return;
  const TextStyle style{14, colour::kVermilion, Align::kRight};
  canvas_.text(kPlot.right, kPlot.top - 16, fit_text(join(notes, "     "), kPlot.width() - 120, 14), style);
}

void TrendChart::axes() {
  canvas_.command("set xrange [" + plain_number(view_.first) + ":" + plain_number(view_.last) + "]");
  canvas_.command("set yrange [" + plain_number(view_.low) + ":" + plain_number(view_.high) + "]");
  canvas_.command("set border 1 back lc " + rgb(colour::kMidGrey) + " lw 1");
  std::string tics;
  for (const auto& tic : make_tics(view_.low, view_.high, 6)) {
    tics += (tics.empty() ? "'" : ", '") + tic.label + "' " + plain_number(tic.value);
  }
  canvas_.command("set ytics scale 0 nomirror (" + tics + ") tc " + rgb(colour::kGrey));
  canvas_.command("set grid ytics back lt 1 lw 1 lc " + rgb(colour::kGrid));
}

// From the right, so that the latest commit is always named.
void TrendChart::commit_tics() {
  std::string tics;
  double free_to = kWidthPx;
  for (std::size_t i = view_.points.size(); i-- > 0;) {
    const SeriesPoint& point = view_.points[i];
    const double x = x_px(point.position);
    if (x > free_to) continue;
    free_to = x - kTicSpacingPx;
    tics += (tics.empty() ? "'' " : ", '' ") + std::to_string(point.position);
    canvas_.text(x, kPlot.bottom + 24, point.commit.substr(0, kShortId), {15, colour::kInk, Align::kCenter});
    canvas_.text(x, kPlot.bottom + 46, point.date.substr(0, 10), kSmallCenter);
  }
  canvas_.command("set xtics scale 0.6 nomirror out (" + tics + ")");
}

void TrendChart::threshold_band() {
  if (!view_.base || !(series_.threshold > 0)) return;
  const double median = view_.points[*view_.base].median;
  const double x = kPlot.right + 8;
  double low = median * (1 - series_.threshold);
  double high = median * (1 + series_.threshold);
  if (low > high) std::swap(low, high);
  if (high < view_.low || low > view_.high) return;
  canvas_.rectangle(
      {kPlot.left, y_px(std::min(high, view_.high)), kPlot.right, y_px(std::max(low, view_.low))},
      colour::kBand);
  canvas_.line(kPlot.left, y_px(median), kPlot.right, y_px(median), {colour::kMidGrey, 1, "(2,4)"});
  const bool roomy = std::abs(y_px(low) - y_px(high)) > 3 * 15;
  const std::string share = format_share(series_.threshold);
  canvas_.text(x, y_px(median), roomy ? "base" : "±" + share, kSmall);
  if (!roomy) return;
  if (high <= view_.high) canvas_.text(x, y_px(high), "+" + share, kSmall);
  if (low >= view_.low) canvas_.text(x, y_px(low), "−" + share, kSmall);
}

void TrendChart::base_mark() {
  if (!view_.base) return;
  const SeriesPoint& point = view_.points[*view_.base];
  const double x = x_px(point.position);
  canvas_.line(x, kPlot.top, x, kPlot.bottom, {colour::kMidGrey, 1.2, "(6,4)"});
  const std::string words = "base " + point.commit.substr(0, kShortId);
  TextStyle style{14, colour::kGrey};
  double at = x + 7;
  if (at + text_width_px(words, style.size_px) > kPlot.right) {
    style.align = Align::kRight;
    at = x - 7;
  }
  canvas_.text(at, kPlot.top + 10, words, style);
  taken_.push_back(text_box(at, kPlot.top + 10, words, style));
  taken_.push_back({x - 3, kPlot.top, x + 3, kPlot.bottom});
}

void TrendChart::occupy_data() {
  for (std::size_t i = 0; i < shown_.size(); ++i) {
    const double x = x_px(shown_[i].position);
    taken_.push_back({x - 5, y_px(shown_[i].spread.high) - 5, x + 5, y_px(shown_[i].spread.low) + 5});
    if (i == 0) continue;
    // The line between two points, in short pieces.
    const double x0 = x_px(shown_[i - 1].position);
    const double y0 = y_px(shown_[i - 1].median);
    const double y1 = y_px(shown_[i].median);
    const int pieces = std::max(1, static_cast<int>((x - x0) / 20));
    for (int piece = 0; piece < pieces; ++piece) {
      const auto part = [&](double from, double to, int k) { return from + (to - from) * k / pieces; };
      const double a = part(y0, y1, piece);
      const double b = part(y0, y1, piece + 1);
      taken_.push_back({part(x0, x, piece), std::min(a, b) - 2, part(x0, x, piece + 1), std::max(a, b) + 2});
    }
  }
}

void TrendChart::references() {
  const TextStyle style{14, colour::kVermilion, Align::kRight};
  for (const auto& line : view_.lines) {
    const double y = y_px(line.value);
    canvas_.line(kPlot.left, y, kPlot.right, y, {colour::kVermilion, 1.5});
    taken_.push_back({kPlot.left, y - 1, kPlot.right, y + 1});
  }
  for (const auto& line : view_.lines) {
    const std::string words = fit_text(reference_text(line, view_.scale), kPlot.width() / 2, style.size_px);
    const double width = text_width_px(words, style.size_px);
    const double y = y_px(line.value);
    std::vector<Box> places;
    for (double right = kPlot.right - 2; right - width > kPlot.left; right -= 40)
      for (const double middle : {y - 12, y + 13})
        places.push_back({right - width, middle - 8, right, middle + 8});
    const Box place = first_free(places, taken_, {kPlot.left, kPlot.top - 4, kPlot.right, kPlot.bottom});
    taken_.push_back(place);
    canvas_.text(place.right, (place.top + place.bottom) / 2, words, style);
  }
}

void TrendChart::plot() {
  const TrendBlocks blocks = trend_blocks(shown_);
  data_ = blocks.data;
  const std::string blue = " lc " + rgb(colour::kBlue);
  std::vector<std::string> parts;
  if (dense())
    parts.push_back("$line using 1:3:4 with filledcurves fc " + rgb(colour::kHazeBlue) +
                    " fs solid noborder");
  if (blocks.gaps) parts.push_back("$gaps using 1:2 with lines lw 1.5 dt (5,5)" + blue);
  parts.push_back("$line using 1:2 with lines lw " + std::string(dense() ? "1.6" : "2") + blue);
  if (!dense()) {
    parts.push_back("$line using 1:2:3:4 with yerrorbars pt 0 lw 1.3" + blue);
    if (blocks.clean) parts.push_back("$clean using 1:2 with points pt 7 ps 1" + blue);
    if (blocks.disturbed) {
      parts.push_back("$disturbed using 1:2 with points pt 7 ps 1 lc " + rgb(colour::kGround));
      parts.push_back("$disturbed using 1:2 with points pt 6 ps 1 lw 1.6" + blue);
    }
  }
  canvas_.command("plot " + join(parts, ", \\\n     "));
}

Chart TrendChart::draw() {
  canvas_.command("reset");
  canvas_.command("unset key");
  canvas_.command("set bars 0.6");
  canvas_.plot_area(kPlot);
  heading();
  off_chart_notes();
  axes();
  commit_tics();
  threshold_band();
  base_mark();
  occupy_data();
  references();
  plot();
  return {{}, kWidthPx, kHeightPx, data_, canvas_.commands()};
}

}  // namespace

std::optional<Chart> trend_chart(const Series& series) {
  TrendView view = view_trend(series);
  if (view.points.empty()) return std::nullopt;
  return TrendChart(series, std::move(view)).draw();
}

}  // namespace tracker

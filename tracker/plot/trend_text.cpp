#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "tracker/base/text.hpp"
#include "tracker/model/change_event.hpp"
#include "tracker/model/run.hpp"
#include "tracker/plot/canvas.hpp"
#include "tracker/plot/plot.hpp"
#include "tracker/plot/views.hpp"

namespace tracker::plot {
namespace {

// A rectangle of characters, each one column wide: what text charts are drawn on.

class TextGrid {
 public:
  TextGrid() = default;
  TextGrid(int columns, int rows)
      : columns_(columns),
        rows_(rows),
        cells_(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows), " ") {}

  // What lies outside is left out.
  void put(int column, int row, std::string_view character);
  void write(int column, int row, std::string_view text);
  // Whether `width` cells from there on hold nothing, or only a light line.
  bool free(int column, int row, int width) const;
  // Rows ended by "\n", without blanks at their ends.
  std::string text() const;

 private:
  bool inside(int column, int row) const {
    return column >= 0 && column < columns_ && row >= 0 && row < rows_;
  }
  std::size_t index(int column, int row) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) +
           static_cast<std::size_t>(column);
  }

  int columns_ = 0;
  int rows_ = 0;
  std::vector<std::string> cells_;
};

void TextGrid::put(int column, int row, std::string_view character) {
  if (inside(column, row)) cells_[index(column, row)] = character;
}

void TextGrid::write(int column, int row, std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++column) {
    std::size_t length = 1;
    while (at + length < text.size() && (static_cast<unsigned char>(text[at + length]) & 0xC0) == 0x80)
      ++length;
    put(column, row, text.substr(at, length));
    at += length;
  }
}

bool TextGrid::free(int column, int row, int width) const {
  for (int at = column; at < column + width; ++at) {
    if (!inside(at, row)) return false;
    const std::string& cell = cells_[index(at, row)];
    if (cell != " " && cell != "┈") return false;
  }
  return true;
}

std::string TextGrid::text() const {
  std::string result;
  for (int row = 0; row < rows_; ++row) {
    std::string line;
    for (int column = 0; column < columns_; ++column) line += cells_[index(column, row)];
    line.erase(line.find_last_not_of(' ') + 1);
    result += line + "\n";
  }
  return result;
}

constexpr int kTrendColumnsMin = 40;
constexpr int kPlotRowsMin = 6;
constexpr int kTrendRightMargin = 8;  // "±12.5 %"
constexpr int kTicSpacing = 13;       // a date and some air
constexpr int kFootRows = 3;          // the axis, commits and dates
constexpr int kPlotRowsWanted = 8;    // before steps are listed
constexpr int kStepLinesMax = 4;

const char* mark_of(const TrendStep& step) {
  if (step.other_conditions || step.accepted) return step.worse ? "▽" : "△";
  return step.worse ? "▼" : "▲";
}

class TrendText {
 public:
  TrendText(const Series& series, TrendView view, int columns, int rows);
  std::string draw();

 private:
  int column_of(double position) const {
    const CommitAxis& axis = view_.axis;
    const double share = (axis.place(position) - axis.first) / (axis.last - axis.first);
    return static_cast<int>(std::lround(share * (plot_columns_ - 1)));
  }
  // Far outside stays outside: a row of any double would not fit an int.
  int row_of(double value) const {
    const double row = (view_.high - value) / (view_.high - view_.low) * (plot_rows_ - 1);
    return static_cast<int>(std::lround(std::clamp(row, -1e6, 1e6)));
  }
  bool dense() const { return static_cast<int>(shown_.size()) > plot_columns_ / 3; }
  std::vector<std::string> heading(int rows) const;
  std::string step_line(const TrendStep& step) const;
  void axes();
  void commit_tics();
  void base();
  void data();
  void steps();
  void references();

  const Series& series_;
  TrendView view_;
  int columns_;
  std::vector<std::string> heading_;
  std::vector<Tic> tics_;
  int left_ = 0;  // the first column of the plot
  int plot_columns_ = 0;
  int plot_rows_ = 0;
  std::vector<SeriesPoint> shown_;
  TextGrid grid_;
};

TrendText::TrendText(const Series& series, TrendView view, int columns, int rows)
    : series_(series),
      view_(std::move(view)),
      columns_(std::max(columns, kTrendColumnsMin)),
      heading_(heading(rows)) {
  plot_rows_ = std::max(rows - static_cast<int>(heading_.size()) - kFootRows, kPlotRowsMin);
  tics_ = make_tics(view_.low, view_.high, std::clamp(plot_rows_ / 3, 2, 6));
  for (const auto& tic : tics_) left_ = std::max(left_, static_cast<int>(display_width(tic.label)) + 2);
  plot_columns_ = std::max(columns_ - left_ - (view_.base ? kTrendRightMargin : 2), 10);
  shown_ = shown_points(view_, static_cast<std::size_t>(plot_columns_));
  grid_ = TextGrid(columns_, plot_rows_ + kFootRows);
}

std::vector<std::string> TrendText::heading(int rows) const {
  const std::string unit = view_.scale.unit.empty() ? "" : " " + view_.scale.unit;
  const SeriesPoint& latest = view_.points.back();
  std::string state = format_number(newest_value(view_)) + unit + " at " + short_id(latest.commit);
  if (view_.base && *view_.base + 1 == view_.points.size())
    state += ", the base";
  else if (const auto change = newest_change(view_))
    state += ", " + format_percent(change->share) + " from " + change->from;
  const auto disturbed = std::count_if(view_.points.begin(), view_.points.end(),
                                       [](const SeriesPoint& point) { return point.disturbed; });
  if (disturbed > 0) state += "   ○ disturbed";
  const auto marked = [&](bool worse) {
    return std::any_of(view_.steps.begin(), view_.steps.end(), [&](const TrendStep& step) {
      return !step.other_conditions && !step.accepted && step.worse == worse;
    });
  };
  if (marked(true)) state += "   ▼ regressed";
  if (marked(false)) state += "   ▲ improved";
  const auto any_step = [&](bool TrendStep::*fact) {
    return std::any_of(view_.steps.begin(), view_.steps.end(),
                       [&](const TrendStep& step) { return step.*fact; });
  };
  if (any_step(&TrendStep::other_conditions)) state += "   △▽ under other conditions";
  if (any_step(&TrendStep::accepted)) state += "   ▽ accepted";
  std::vector<std::string> lines{series_.benchmark,
                                 series_.device + " · " + metric_title(series_.metric) + ", " +
                                     better_text(series_.metric) +
                                     (view_.low > 0 || view_.high < 0 ? " · ≈ axis cut" : ""),
                                 state};
  for (const auto& drift : view_.drifts)
    lines.push_back("drift: " + change_in_words(series_.metric, drift.change) + " from " +
                    short_id(view_.points[drift.from].commit) + " to " +
                    short_id(view_.points[drift.to - 1].commit) + ", no single commit" +
                    (drift.other_conditions ? ", under other conditions" : ""));
  const std::vector<std::string> notes = off_axis_notes(view_);
  if (!notes.empty()) lines.push_back(join(notes, "   "));
  const auto rows_left = rows - static_cast<int>(lines.size()) - kPlotRowsWanted - kFootRows;
  for (auto step = view_.steps.rbegin(); step != view_.steps.rend(); ++step)
    if (step - view_.steps.rbegin() < std::min(rows_left, kStepLinesMax)) lines.push_back(step_line(*step));
  for (auto& line : lines) line = fit_columns(line, columns_);
  return lines;
}

// "▼ 4.9 % less bandwidth at 1a2b3c4 2026-11-20 Take the padding out"
std::string TrendText::step_line(const TrendStep& step) const {
  const SeriesPoint& point = view_.points[step.point];
  const std::string state = step.other_conditions ? " (other conditions)"
                            : step.accepted       ? " (accepted)"
                            : step.settled        ? ""
                                                  : " (new, not settled)";
  return std::string(mark_of(step)) + " " + change_in_words(series_.metric, step_change(view_, step)) +
         " at " + short_id(point.commit) + " " + point.date.substr(0, 10) + " " + point.subject.str() + state;
}

void TrendText::axes() {
  for (int row = 0; row < plot_rows_; ++row) grid_.put(left_ - 1, row, "│");
  for (const auto& tic : tics_) {
    const int row = row_of(tic.value);
    grid_.write(left_ - 2 - static_cast<int>(display_width(tic.label)), row, tic.label);
    grid_.put(left_ - 1, row, "┤");
  }
  grid_.put(left_ - 1, plot_rows_, view_.low > 0 || view_.high < 0 ? "≈" : "└");
  for (int column = 0; column < plot_columns_; ++column) grid_.put(left_ + column, plot_rows_, "─");
}

// The newest and the commits of steps before all others, which are named from the right.
void TrendText::commit_tics() {
  std::vector<std::size_t> order{view_.points.size() - 1};
  for (auto step = view_.steps.rbegin(); step != view_.steps.rend(); ++step) order.push_back(step->point);
  for (std::size_t i = view_.points.size(); i-- > 0;) order.push_back(i);
  std::vector<int> taken;
  for (const std::size_t i : order) {
    const SeriesPoint& point = view_.points[i];
    const int column = left_ + column_of(point.position);
    if (std::any_of(taken.begin(), taken.end(), [&](int at) { return std::abs(at - column) < kTicSpacing; }))
      continue;
    taken.push_back(column);
    grid_.put(column, plot_rows_, "┬");
    const auto write = [&](int row, const std::string& text) {
      const int width = static_cast<int>(display_width(text));
      grid_.write(std::clamp(column - width / 2, 0, std::max(columns_ - width, 0)), row, text);
    };
    write(plot_rows_ + 1, fit_columns(short_id(point.commit), 7));
    write(plot_rows_ + 2, fit_columns(point.date.substr(0, 10), 10));
  }
}

// A row across the plot, with its name in the right margin.
void TrendText::base() {
  if (!view_.base) return;
  const SeriesPoint& point = view_.points[*view_.base];
  const auto mark = [&](double value, const char* line, const std::string& name) {
    if (value < view_.low || value > view_.high) return;
    const int row = row_of(value);
    for (int column = 0; column < plot_columns_; ++column) grid_.put(left_ + column, row, line);
    grid_.write(left_ + plot_columns_ + 1, row, name);
  };
  if (series_.threshold > 0) {
    const std::string share = format_share(series_.threshold);
    const double low = point.median * (1 - series_.threshold);
    const double high = point.median * (1 + series_.threshold);
    const bool roomy = row_of(low) != row_of(point.median) && row_of(high) != row_of(point.median);
    if (roomy) {
      mark(low, "┈", "−" + share);
      mark(high, "┈", "+" + share);
    }
    mark(point.median, " ", roomy ? "base" : "±" + share);
  }
  const int column = left_ + column_of(point.position);
  for (int row = 0; row < plot_rows_; ++row) grid_.put(column, row, "┊");
}

void TrendText::data() {
  const auto inside = [&](int row) { return std::clamp(row, 0, plot_rows_ - 1); };
  for (std::size_t i = 0; i < shown_.size(); ++i) {
    const int column = column_of(shown_[i].position);
    const int row = inside(row_of(shown_[i].median));
    if (!dense())
      for (int at = inside(row_of(shown_[i].spread.high)); at <= inside(row_of(shown_[i].spread.low)); ++at)
        grid_.put(left_ + column, at, "│");
    if (i == 0) continue;
    const int column0 = column_of(shown_[i - 1].position);
    int before = inside(row_of(shown_[i - 1].median));
    const int first = before;
    for (int at = column0 + 1; at <= column; ++at) {
      const double part = static_cast<double>(at - column0) / (column - column0);
      const int here = static_cast<int>(std::lround(first + (row - first) * part));
      // A steep piece is filled downwards or upwards, so that the line stays one.
      const int step = here > before ? 1 : -1;
      for (int fill = before + (here == before ? 0 : step); fill != here; fill += step)
        grid_.put(left_ + at, fill, "·");
      if (at < column) grid_.put(left_ + at, here, "·");
      before = here;
    }
  }
  for (const auto& point : shown_) {
    const int row = row_of(point.median);
    const char* outside = row < 0 ? "↑" : row >= plot_rows_ ? "↓" : nullptr;
    const char* mark = point.disturbed ? "○" : dense() ? "•" : "●";
    grid_.put(left_ + column_of(point.position), inside(row), outside != nullptr ? outside : mark);
  }
}

// Beside the first point of each new level, on the side that the value moved to.
void TrendText::steps() {
  for (const auto& step : view_.steps) {
    const SeriesPoint& point = view_.points[step.point];
    const int row = row_of(point.median) + (step.after < step.before ? 1 : -1);
    if (row < 0 || row >= plot_rows_) continue;
    grid_.put(left_ + column_of(point.position), row, mark_of(step));
  }
}

// A line through what is free in its row, with its label where no data is.
void TrendText::references() {
  for (const auto& line : view_.lines) {
    const int row = row_of(line.value);
    const std::string label = fit_columns(" " + reference_text(line, view_.scale) + " ", plot_columns_ / 2);
    const int width = static_cast<int>(display_width(label));
    int place = plot_columns_ - width - 2;
    for (int at = place; at > 0; --at) {
      if (!grid_.free(left_ + at, row, width)) continue;
      place = at;
      break;
    }
    for (int column = 0; column < plot_columns_; ++column)
      if (grid_.free(left_ + column, row, 1)) grid_.put(left_ + column, row, "─");
    grid_.write(left_ + place, row, label);
  }
}

std::string TrendText::draw() {
  axes();
  commit_tics();
  base();
  data();
  steps();
  references();
  return join(heading_, "\n") + "\n" + grid_.text();
}

}  // namespace

std::string draw_trend_text(const Series& series, int columns, int rows) {
  TrendView view = view_trend(series);
  if (view.points.empty()) return "";
  const int width = std::max(columns, kTrendColumnsMin);
  std::vector<std::string> lines = short_history(series, view);
  if (!lines.empty()) {
    lines.insert(lines.begin(), {series.benchmark, series.device + " · " + metric_title(series.metric) +
                                                       ", " + better_text(series.metric)});
    for (auto& line : lines) line = fit_columns(line, width);
    return join(lines, "\n") + "\n";
  }
  return TrendText(series, std::move(view), columns, rows).draw();
}

}  // namespace tracker::plot

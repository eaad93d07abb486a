#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "tracker/base/terminal.hpp"
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
  void put(int column, int row, std::string_view character) {
    if (inside(column, row)) cells_[index(column, row)] = character;
  }
  void write(int column, int row, std::string_view text) {
    for (const std::string_view character : characters(text)) put(column++, row, character);
  }
  void fill(int column, int row, int width, std::string_view character) {
    for (int at = column; at < column + width; ++at) put(at, row, character);
  }
  // Whether `width` cells from there on hold nothing, or only a light line.
  bool free(int column, int row, int width) const {
    for (int at = column; at < column + width; ++at) {
      if (!inside(at, row)) return false;
      const std::string& cell = cells_[index(at, row)];
      if (cell != " " && cell != "┈") return false;
    }
    return true;
  }
  // Rows ended by "\n", without blanks at their ends.
  std::string text() const {
    std::string result;
    for (int row = 0; row < rows_; ++row) {
      std::string line;
      for (int column = 0; column < columns_; ++column) line += cells_[index(column, row)];
      result += without_trailing_blanks(line) + "\n";
    }
    return result;
  }

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

constexpr int kPlotRowsMin = 6;
constexpr int kTrendRightMargin = 8;  // "±12.5 %"
constexpr int kTicSpacing = 13;       // a date and some air
constexpr int kFootRows = 3;          // the axis, commits and dates
constexpr int kPlotRowsWanted = 8;    // before steps are listed
constexpr int kStepLinesMax = 4;

const char* mark_of(const SeriesStep& step) {
  if (!is_plain(step)) return step.worse ? "▽" : "△";
  return step.worse ? "▼" : "▲";
}

class TrendText {
 public:
  TrendText(const Series& series, TrendView view, int columns, int rows)
      : series_(series),
        view_(std::move(view)),
        columns_(static_cast<int>(text_columns(columns))),
        heading_(heading(rows)) {
    plot_rows_ = std::max(rows - static_cast<int>(heading_.size()) - kFootRows, kPlotRowsMin);
    tics_ = make_tics(view_.low, view_.high, std::clamp(plot_rows_ / 3, 2, 6));
    for (const auto& tic : tics_) left_ = std::max(left_, static_cast<int>(display_width(tic.label)) + 2);
    plot_columns_ = std::max(columns_ - left_ - (view_.base ? kTrendRightMargin : 2), 10);
    shown_ = shown_points(view_, static_cast<std::size_t>(plot_columns_));
    grid_ = TextGrid(columns_, plot_rows_ + kFootRows);
  }

  std::string draw() {
    axes();
    commit_tics();
    base();
    data();
    steps();
    references();
    return join(heading_, "\n") + "\n" + grid_.text();
  }

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

  std::vector<std::string> heading(int rows) const {
    std::string state = format_number(newest_value(view_)) + unit_after(view_.scale) + " at " +
                        short_id(view_.points.back().commit);
    if (view_.base && *view_.base + 1 == view_.points.size())
      state += ", the base";
    else if (const auto change = newest_change(view_))
      state += ", " + format_percent(change->share) + " from " + change->from;
    if (std::ranges::any_of(view_.points, &SeriesPoint::disturbed)) state += "   ○ disturbed";
    const auto marked = [&](bool worse) {
      return std::ranges::any_of(
          view_.steps, [&](const SeriesStep& step) { return is_plain(step) && step.worse == worse; });
    };
    if (marked(true)) state += "   ▼ regressed";
    if (marked(false)) state += "   ▲ improved";
    const auto any_step = [&](std::string SeriesStep::*reason) {
      return std::ranges::any_of(view_.steps,
                                 [&](const SeriesStep& step) { return !(step.*reason).empty(); });
    };
    if (any_step(&SeriesStep::other_conditions)) state += "   △▽ under other conditions";
    if (any_step(&SeriesStep::accepted)) state += "   ▽ accepted";
    std::vector<std::string> lines{
        series_.benchmark,
        series_.device + " · " + metric_words(series_.metric) + (is_cut(view_) ? " · ≈ axis cut" : ""),
        state};
    for (const auto& drift : view_.drifts)
      lines.push_back("drift: " + change_in_words(series_.metric, drift_change(drift)) + " from " +
                      short_id(view_.points[drift.from].commit) + " to " +
                      short_id(view_.points[drift.to - 1].commit) + ", no single commit" +
                      (drift.other_conditions.empty() ? "" : ", under other conditions"));
    const std::vector<std::string> notes = off_axis_notes(view_);
    if (!notes.empty()) lines.push_back(join(notes, "   "));
    const auto rows_left = rows - static_cast<int>(lines.size()) - kPlotRowsWanted - kFootRows;
    for (auto step = view_.steps.rbegin(); step != view_.steps.rend(); ++step)
      if (step - view_.steps.rbegin() < std::min(rows_left, kStepLinesMax)) lines.push_back(step_line(*step));
    for (auto& line : lines) line = shorten_middle(line, static_cast<std::size_t>(columns_));
    return lines;
  }

  // "▼ 4.9 % less bandwidth at 1a2b3c4 2026-11-20 Take the padding out"
  std::string step_line(const SeriesStep& step) const {
    const SeriesPoint& point = view_.points[step.point];
    const std::string state = !step.other_conditions.empty() ? " (other conditions)"
                              : !step.accepted.empty()       ? " (accepted)"
                              : step.settled                 ? ""
                                                             : " (new, not settled)";
    return std::string(mark_of(step)) + " " + change_in_words(series_.metric, step_change(view_, step)) +
           " at " + short_id(point.commit) + " " + point.date.substr(0, 10) + " " + point.subject.str() +
           state;
  }

  void axes() {
    for (int row = 0; row < plot_rows_; ++row) grid_.put(left_ - 1, row, "│");
    for (const auto& tic : tics_) {
      const int row = row_of(tic.value);
      grid_.write(left_ - 2 - static_cast<int>(display_width(tic.label)), row, tic.label);
      grid_.put(left_ - 1, row, "┤");
    }
    grid_.put(left_ - 1, plot_rows_, is_cut(view_) ? "≈" : "└");
    grid_.fill(left_, plot_rows_, plot_columns_, "─");
  }

  // The newest and the commits of steps before all others, which are named from the right.
  void commit_tics() {
    std::vector<std::size_t> order{view_.points.size() - 1};
    for (auto step = view_.steps.rbegin(); step != view_.steps.rend(); ++step) order.push_back(step->point);
    for (std::size_t i = view_.points.size(); i-- > 0;) order.push_back(i);
    std::vector<int> taken;
    for (const std::size_t i : order) {
      const SeriesPoint& point = view_.points[i];
      const int column = left_ + column_of(point.position);
      if (std::ranges::any_of(taken, [&](int at) { return std::abs(at - column) < kTicSpacing; })) continue;
      taken.push_back(column);
      grid_.put(column, plot_rows_, "┬");
      const auto write = [&](int row, const std::string& text) {
        const int width = static_cast<int>(display_width(text));
        grid_.write(std::clamp(column - width / 2, 0, std::max(columns_ - width, 0)), row, text);
      };
      write(plot_rows_ + 1, shorten_middle(short_id(point.commit), 7));
      write(plot_rows_ + 2, shorten_middle(point.date.substr(0, 10), 10));
    }
  }

  // A row across the plot, with its name in the right margin.
  void base() {
    if (!view_.base) return;
    const SeriesPoint& point = view_.points[*view_.base];
    const auto mark = [&](double value, const char* line, const std::string& name) {
      if (value < view_.low || value > view_.high) return;
      const int row = row_of(value);
      grid_.fill(left_, row, plot_columns_, line);
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

  void data() {
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
  void steps() {
    for (const auto& step : view_.steps) {
      const SeriesPoint& point = view_.points[step.point];
      const int row = row_of(point.median) + (step.after < step.before ? 1 : -1);
      if (row < 0 || row >= plot_rows_) continue;
      grid_.put(left_ + column_of(point.position), row, mark_of(step));
    }
  }

  // A line through what is free in its row, with its label where no data is.
  void references() {
    for (const auto& line : view_.lines) {
      const int row = row_of(line.value);
      const std::string label = shorten_middle(" " + reference_text(line, view_.scale) + " ",
                                               static_cast<std::size_t>(plot_columns_) / 2);
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

}  // namespace

std::string draw_trend_text(const Series& series, int columns, int rows) {
  TrendView view = view_trend(series);
  if (view.points.empty()) return "";
  const std::vector<std::string> lines = short_history(series, view);
  if (!lines.empty()) {
    std::string text =
        text_heading(series.benchmark, series.device, {metric_words(series.metric)}, text_columns(columns));
    for (const auto& line : lines) text += shorten_middle(line, text_columns(columns)) + "\n";
    return text;
  }
  return TrendText(series, std::move(view), columns, rows).draw();
}

}  // namespace tracker::plot

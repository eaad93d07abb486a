#include <algorithm>
#include <cmath>

#include "tracker/base/terminal.hpp"
#include "tracker/base/text.hpp"
#include "tracker/model/run.hpp"
#include "tracker/plot/canvas.hpp"
#include "tracker/plot/plot.hpp"
#include "tracker/plot/views.hpp"

namespace tracker::plot {
namespace {

constexpr double kSweepEdge = 28;  // around the picture
constexpr double kSweepHeading = 104;
constexpr double kCellHeight = 30;
constexpr double kCellWidthMin = 40;
constexpr double kCellWidthMax = 88;
constexpr double kWidth = 1240;         // aimed at, for the cells that it takes
constexpr double kSweepWidthMin = 790;  // what the legend takes
constexpr double kCellPadding = 10;
constexpr double kSweepNamesMax = 330;
constexpr double kColumnNamesMax = 170;  // where they stand upright
constexpr double kAxisTitle = 26;
constexpr double kSweepFoot = 62;
constexpr double kSweepGap = 1;  // half the ground between two cells
constexpr double kRamp = 200;
constexpr int kRampSteps = 50;

const TextStyle kSweepName{16, colour::kInk, Align::kRight};

struct SweepLayout {
  double names = 0;         // width of the rows' names, with their distance to the cells
  double column_names = 0;  // height
  double axis_title = 0;    // height of the line above them
  bool upright = false;     // columns' names that are too wide for a cell
  double cell = 0;          // width
  std::size_t rows = 0;
  std::size_t columns = 0;

  Box grid() const {
    Box box;
    box.left = kSweepEdge + names;
    box.top = kSweepHeading + axis_title + column_names;
    box.right = box.left + cell * static_cast<double>(columns);
    box.bottom = box.top + kCellHeight * static_cast<double>(rows);
    return box;
  }
  int width_px() const {
    return static_cast<int>(std::ceil(std::max(grid().right + kSweepEdge, kSweepWidthMin)));
  }
  int height_px() const { return static_cast<int>(std::ceil(grid().bottom + kSweepFoot)); }
};

SweepLayout lay_out(const SweepGrid& grid, const SweepView& view) {
  SweepLayout layout;
  layout.rows = view.rows.size();
  layout.columns = view.columns.size();
  double value = 0;
  double bold = text_width_px(grid.row_title, kNote.size_px);
  for (const auto& row : view.rows) {
    bold = std::max(bold, fitted_width_px(row.name, kSweepNamesMax, kSweepName.size_px));
    for (const auto& cell : row.cells)
      if (cell) value = std::max(value, text_width_px(cell_number(cell->value), 15, true));
  }
  layout.names = std::min(bold, kSweepNamesMax) + 12;
  const double room = (kWidth - 2 * kSweepEdge - layout.names) / static_cast<double>(layout.columns);
  layout.cell = std::round(std::max(std::clamp(room, kCellWidthMin, kCellWidthMax), value + kCellPadding));
  double title = 0;
  for (const auto& name : view.columns) title = std::max(title, text_width_px(printable(name), 15));
  layout.upright = title + kCellPadding > layout.cell;
  layout.column_names = layout.upright ? std::min(title, kColumnNamesMax) + 12 : 26;
  layout.axis_title = grid.column_title.empty() ? 0 : kAxisTitle;
  return layout;
}

// What is said of the whole grid.
std::vector<std::string> facts_of(const SweepGrid& grid, const SweepView& view) {
  std::vector<std::string> facts{metric_words(grid.metric, view.scale.unit)};
  if (!grid.commit.empty()) facts.push_back(short_id(grid.commit));
  if (view.cut) facts.emplace_back("not all fits");
  return facts;
}

class SweepChart {
 public:
  SweepChart(const SweepGrid& grid, const SweepView& view)
      : grid_(grid),
        view_(view),
        layout_(lay_out(grid, view)),
        area_(layout_.grid()),
        canvas_(layout_.width_px(), layout_.height_px()) {}

  Chart draw() {
    canvas_.begin({"unset border", "unset tics"});
    draw_heading(grid_.title, grid_.device, facts_of(grid_, view_), kSweepEdge, 70, canvas_);
    names();
    numbers();
    legend();
    canvas_.plot_area(area_);
    canvas_.range('x', -0.5, static_cast<double>(layout_.columns) - 0.5);
    canvas_.row_range(layout_.rows);
    canvas_.part_of(
        "cells", cells(),
        "using 1:2:3:4:(" + colour_in_column(5) + ") with boxxyerror lc rgb variable fs solid noborder");
    // A frame in ink on the ground between cells, and one of the ground inside it: seen on any colour.
    canvas_.data("best", best_cells());
    canvas_.part("best",
                 "using 1:2:(0.5):(0.5) with boxxyerror lc " + rgb(colour::kInk) + " lw 2.5 fs empty");
    canvas_.part("best", "using 1:2:(" + plain_number(0.5 - 3 / layout_.cell, 4) + "):(" +
                             plain_number(0.5 - 3 / kCellHeight, 4) + ") with boxxyerror lc " +
                             rgb(colour::kGround) + " lw 1.5 fs empty");
    canvas_.plot();
    canvas_.forget();
    return canvas_.chart();
  }

 private:
  double column_x(std::size_t column) const {
    return area_.left + layout_.cell * (static_cast<double>(column) + 0.5);
  }
  double row_y(std::size_t row) const { return area_.top + kCellHeight * (static_cast<double>(row) + 0.5); }

  void names() {
    const double names_right = area_.left - 10;
    for (std::size_t row = 0; row < layout_.rows; ++row)
      canvas_.text_within(names_right, row_y(row), view_.rows[row].name, kSweepNamesMax, kSweepName);
    TextStyle style{15, colour::kInk, layout_.upright ? Align::kLeft : Align::kCenter};
    style.turned_degrees = layout_.upright ? 90 : 0;
    const double y = area_.top - (layout_.upright ? 8 : 13);
    for (std::size_t column = 0; column < layout_.columns; ++column)
      canvas_.text_within(column_x(column), y, view_.columns[column], kColumnNamesMax, style);
    canvas_.text_within(area_.left, kSweepHeading + 10, grid_.column_title, area_.width(), kNote);
    canvas_.text_within(names_right, area_.top - 13, grid_.row_title, kSweepNamesMax, kNoteRight);
  }

  void numbers() {
    for (std::size_t row = 0; row < layout_.rows; ++row)
      for (std::size_t column = 0; column < layout_.columns; ++column) {
        const auto& cell = view_.rows[row].cells[column];
        if (cell)
          canvas_.text(column_x(column), row_y(row), cell_number(cell->value),
                       {15, ink_on_heat(cell->shade), Align::kCenter, cell->as_good});
        else
          canvas_.text(column_x(column), row_y(row), "–", {15, colour::kMidGrey, Align::kCenter});
      }
  }

  // The colours from end to end, and what the marks mean.
  void legend() {
    const double y = area_.bottom + 32;
    double x = kSweepEdge;
    const auto words = [&](const std::string& text, bool bold) {
      canvas_.text(x, y, text, {15, bold ? colour::kInk : colour::kGrey, Align::kLeft, bold});
      x += text_width_px(text, 15, bold) + 8;
    };
    words(cell_number(view_.darkest), false);
    for (int step = 0; step < kRampSteps; ++step) {
      const double width = kRamp / kRampSteps;
      const Box box{x + step * width, y - 8, x + (step + 1) * width + 0.5, y + 8};
      canvas_.rectangle(box, heat_colour((step + 0.5) / kRampSteps).c_str());
    }
    x += kRamp + 8;
    words(cell_number(view_.lightest) + unit_after(view_.scale), false);
    x += 18;
    const Box frame{x, y - 9, x + 26, y + 9};
    for (const double side : {frame.top, frame.bottom})
      canvas_.line(frame.left - 1, side, frame.right + 1, side, {colour::kInk, 2.5});
    for (const double side : {frame.left, frame.right})
      canvas_.line(side, frame.top, side, frame.bottom, {colour::kInk, 2.5});
    x += 36;
    words("best of its row", false);
    x += 18;
    words("bold", true);
    words("as good, by the threshold", false);
  }

  // x, y, half a width and a height of each cell, and its colour.
  std::string cells() const {
    const std::string half_x = plain_number(0.5 - kSweepGap / layout_.cell, 4);
    const std::string half_y = plain_number(0.5 - kSweepGap / kCellHeight, 4);
    std::string rows;
    for (std::size_t row = 0; row < layout_.rows; ++row)
      for (std::size_t column = 0; column < layout_.columns; ++column) {
        const auto& cell = view_.rows[row].cells[column];
        const std::string fill = cell ? "0x" + heat_colour(cell->shade).substr(1) : colour::kNothing;
        rows += std::to_string(column) + " " + std::to_string(row) + " " + half_x + " " + half_y + " " +
                fill + "\n";
      }
    return rows;
  }

  std::string best_cells() const {
    std::string rows;
    for (std::size_t row = 0; row < layout_.rows; ++row)
      if (const auto best = view_.rows[row].best)
        rows += std::to_string(*best) + " " + std::to_string(row) + "\n";
    return rows;
  }

  const SweepGrid& grid_;
  const SweepView& view_;
  SweepLayout layout_;
  Box area_;
  Canvas canvas_;
};

constexpr std::size_t kCellMax = 12;  // of a column's name

// With a mark behind the best.
std::string cell_text(const SweepRow& row, std::size_t column) {
  const auto& cell = row.cells[column];
  return cell ? cell_number(cell->value) + (row.best == column ? "*" : " ") : "– ";
}

TextColumn names_column(const SweepGrid& grid, std::size_t columns) {
  return {.head = printable(grid.row_title), .width_min = 4, .width_max = columns / 3};
}

// As "8x32 and 6 more" where they do not fit.
std::string list_of(const std::vector<std::string>& names, std::size_t width_max) {
  const std::string all = join(names, " ");
  if (display_width(all) <= width_max) return all;
  std::string shown;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string next = shown + (shown.empty() ? "" : " ") + names[i];
    if (display_width(next + and_more(names.size() - i - 1)) > width_max)
      return shown.empty() ? std::to_string(names.size()) : shown + and_more(names.size() - i);
    shown = next;
  }
  return shown;
}

// The row's name, its best column, the value there, and the worst.
std::vector<TextCell> best_line(const SweepView& view, const SweepRow& row) {
  if (!row.best) return {{row.name}, {}, {}, {}};
  const double best = row.cells[*row.best]->value;
  const std::string worst = row.worst == row.best
                                ? ""
                                : shorten_middle(view.columns[*row.worst], kCellMax) + " " +
                                      format_percent(row.cells[*row.worst]->value / best - 1);
  return {{row.name},
          {shorten_middle(view.columns[*row.best], kCellMax)},
          {cell_number(best) + unit_after(view.scale)},
          {worst}};
}

// The columns that are as good as the best, without it.
std::vector<std::string> as_good_in(const SweepView& view, const SweepRow& row) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < row.cells.size(); ++i)
    if (row.cells[i] && row.cells[i]->as_good && i != *row.best)
      names.push_back(shorten_middle(view.columns[i], kCellMax));
  return names;
}

}  // namespace

std::optional<Chart> sweep_chart(const SweepGrid& grid) {
  const SweepView view = view_sweep(grid);
  if (view.rows.empty()) return std::nullopt;
  return SweepChart(grid, view).draw();
}

// Columns that do not fit beside the others come below them.
std::string draw_sweep_text(const SweepGrid& grid, int columns_asked) {
  const SweepView view = view_sweep(grid);
  if (view.rows.empty()) return "";
  const std::size_t columns = text_columns(columns_asked);
  std::vector<TextColumn> table{names_column(grid, columns)};
  TextRows rows;
  for (const auto& row : view.rows) rows.push_back({{row.name}});
  table[0].width_min = table_widths(table, rows)[0];
  std::size_t cell = 0;
  for (std::size_t i = 0; i < view.columns.size(); ++i) {
    cell = std::max(cell, display_width(shorten_middle(view.columns[i], kCellMax)) + 1);
    for (const auto& row : view.rows) cell = std::max(cell, display_width(cell_text(row, i)));
  }
  ++cell;
  const std::size_t at_once = std::max<std::size_t>(1, (columns - table[0].width_min) / cell);
  std::string text = text_heading(grid.title, grid.device, facts_of(grid, view), columns);
  for (std::size_t from = 0; from < view.columns.size(); from += at_once) {
    table.resize(1);
    for (std::size_t r = 0; r < rows.size(); ++r) rows[r].resize(1);
    for (std::size_t i = from; i < std::min(from + at_once, view.columns.size()); ++i) {
      table.push_back({.head = shorten_middle(view.columns[i], kCellMax) + " ",
                       .right = true,
                       .width_min = cell,
                       .gap = 0});
      for (std::size_t r = 0; r < rows.size(); ++r) rows[r].push_back({cell_text(view.rows[r], i)});
    }
    text += "\n" + join(table_lines(table, rows), "\n") + "\n";
  }
  return text;
}

std::string best_of_sweep(const SweepGrid& grid, int columns_asked) {
  const SweepView view = view_sweep(grid);
  if (view.rows.empty()) return "";
  const std::size_t columns = text_columns(columns_asked);
  const std::string best = grid.column_title.empty() ? "best" : "best " + printable(grid.column_title);
  std::vector<TextColumn> table{names_column(grid, columns),
                                {.head = best, .width_max = 2 * kCellMax},
                                {.head = metric_title(grid.metric), .right = true},
                                {.head = "worst"}};
  TextRows rows;
  for (const auto& row : view.rows) rows.push_back(best_line(view, row));
  std::size_t taken = 2 * table.size();
  for (const std::size_t width : table_widths(table, rows)) taken += width;
  table.push_back({.head = "as good"});
  for (std::size_t i = 0; i < rows.size(); ++i)
    rows[i].push_back({list_of(as_good_in(view, view.rows[i]), columns - std::min(columns, taken))});
  std::string text = text_heading(grid.title, grid.device, facts_of(grid, view), columns);
  for (const auto& line : table_lines(table, rows)) text += shorten_middle(line, columns) + "\n";
  return text;
}

}  // namespace tracker::plot

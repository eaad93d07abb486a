#include <algorithm>
#include <cmath>

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
const TextStyle kSweepGreyText{15, colour::kGrey};

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
  double bold = text_width_px(grid.row_title, kSweepGreyText.size_px);
  for (const auto& row : view.rows) {
    bold = std::max(
        bold, text_width_px(fit_text(row.name, kSweepNamesMax, kSweepName.size_px), kSweepName.size_px));
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

class SweepChart {
 public:
  SweepChart(const SweepGrid& grid, const SweepView& view)
      : grid_(grid),
        view_(view),
        layout_(lay_out(grid, view)),
        area_(layout_.grid()),
        canvas_(layout_.width_px(), layout_.height_px()) {}
  Chart draw();

 private:
  void heading();
  void names();
  void numbers();
  void legend();
  std::string cells();
  std::string frames();
  double column_x(std::size_t column) const {
    return area_.left + layout_.cell * (static_cast<double>(column) + 0.5);
  }
  double row_y(std::size_t row) const { return area_.top + kCellHeight * (static_cast<double>(row) + 0.5); }

  const SweepGrid& grid_;
  const SweepView& view_;
  SweepLayout layout_;
  Box area_;
  Canvas canvas_;
};

void SweepChart::heading() {
  const double room = canvas_.width_px() - 2 * kSweepEdge;
  canvas_.text(kSweepEdge, 36, fit_text(grid_.title, room, 26, true), {26, colour::kInk, Align::kLeft, true});
  std::string tail = "  ·  " + metric_title(grid_.metric) +
                     (view_.scale.unit.empty() ? "" : " in " + view_.scale.unit) + ", " +
                     better_text(grid_.metric);
  if (!grid_.commit.empty()) tail += "  ·  " + short_id(grid_.commit);
  if (view_.cut) tail += "  ·  not all fits";
  tail = fit_text(tail, room - 150, 17);
  const std::string device = fit_text(grid_.device, room - text_width_px(tail, 17), 17);
  canvas_.text(kSweepEdge, 70, device + tail, {17, colour::kGrey});
}

void SweepChart::names() {
  const double names_right = area_.left - 10;
  for (std::size_t row = 0; row < layout_.rows; ++row)
    canvas_.text(names_right, row_y(row), fit_text(view_.rows[row].name, kSweepNamesMax, kSweepName.size_px),
                 kSweepName);
  TextStyle style{15, colour::kInk, layout_.upright ? Align::kLeft : Align::kCenter};
  style.turned_degrees = layout_.upright ? 90 : 0;
  const double y = area_.top - (layout_.upright ? 8 : 13);
  for (std::size_t column = 0; column < layout_.columns; ++column)
    canvas_.text(column_x(column), y, fit_text(view_.columns[column], kColumnNamesMax, 15), style);
  const double title_y = kSweepHeading + 10;
  canvas_.text(area_.left, title_y, fit_text(grid_.column_title, area_.width(), kSweepGreyText.size_px),
               kSweepGreyText);
  TextStyle row_title = kSweepGreyText;
  row_title.align = Align::kRight;
  canvas_.text(names_right, area_.top - 13, fit_text(grid_.row_title, kSweepNamesMax, row_title.size_px),
               row_title);
}

void SweepChart::numbers() {
  for (std::size_t row = 0; row < layout_.rows; ++row)
    for (std::size_t column = 0; column < layout_.columns; ++column) {
      const auto& cell = view_.rows[row].cells[column];
      if (!cell) {
        canvas_.text(column_x(column), row_y(row), "–", {15, colour::kMidGrey, Align::kCenter});
        continue;
      }
      canvas_.text(column_x(column), row_y(row), cell_number(cell->value),
                   {15, ink_on_heat(cell->shade), Align::kCenter, cell->as_good});
    }
}

// The colours from end to end, and what the marks mean.
void SweepChart::legend() {
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
  words(cell_number(view_.lightest) + (view_.scale.unit.empty() ? "" : " " + view_.scale.unit), false);
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
std::string SweepChart::cells() {
  const std::string half_x = plain_number(0.5 - kSweepGap / layout_.cell, 4);
  const std::string half_y = plain_number(0.5 - kSweepGap / kCellHeight, 4);
  std::string rows;
  for (std::size_t row = 0; row < layout_.rows; ++row)
    for (std::size_t column = 0; column < layout_.columns; ++column) {
      const auto& cell = view_.rows[row].cells[column];
      const std::string fill = cell ? "0x" + heat_colour(cell->shade).substr(1) : colour::kNothing;
      rows += std::to_string(column) + " " + std::to_string(row) + " " + half_x + " " + half_y + " " + fill +
              "\n";
    }
  return rows;
}

std::string SweepChart::frames() {
  std::string rows;
  for (std::size_t row = 0; row < layout_.rows; ++row)
    if (const auto best = view_.rows[row].best)
      rows += std::to_string(*best) + " " + std::to_string(row) + "\n";
  return rows;
}

Chart SweepChart::draw() {
  const std::string data = "$cells << EOD\n" + cells() + "EOD\n$best << EOD\n" + frames() + "EOD\n";
  canvas_.command("reset");
  canvas_.command("unset key");
  canvas_.command("unset border");
  canvas_.command("unset tics");
  heading();
  names();
  numbers();
  legend();
  canvas_.plot_area(area_);
  canvas_.command("set xrange [-0.5:" + plain_number(static_cast<double>(layout_.columns) - 0.5) + "]");
  canvas_.command("set yrange [" + plain_number(static_cast<double>(layout_.rows) - 0.5) + ":-0.5]");
  // A frame in ink on the ground between cells, and one of the ground inside it: seen on any colour.
  const std::string inner_x = plain_number(0.5 - 3 / layout_.cell, 4);
  const std::string inner_y = plain_number(0.5 - 3 / kCellHeight, 4);
  canvas_.command("plot $cells using 1:2:3:4:(" + colour_in_column(5) +
                  ") with boxxyerror lc rgb variable fs solid noborder, \\\n" +
                  ("     $best using 1:2:(0.5):(0.5) with boxxyerror lc " + rgb(colour::kInk)) +
                  " lw 2.5 fs empty, \\\n     $best using 1:2:(" + inner_x + "):(" + inner_y +
                  ") with boxxyerror lc " + rgb(colour::kGround) + " lw 1.5 fs empty");
  canvas_.command("unset label");
  canvas_.command("unset arrow");
  canvas_.command("unset object");
  return {{}, canvas_.width_px(), canvas_.height_px(), data, canvas_.commands()};
}

}  // namespace

std::optional<Chart> sweep_chart(const SweepGrid& grid) {
  const SweepView view = view_sweep(grid);
  if (view.rows.empty()) return std::nullopt;
  return SweepChart(grid, view).draw();
}

namespace {

constexpr int kSweepColumnsMin = 40;
constexpr int kCellMax = 12;  // of a column's name

std::string heading(const SweepGrid& grid, const SweepView& view, int columns) {
  std::string state = grid.device + " · " + metric_title(grid.metric) +
                      (view.scale.unit.empty() ? "" : " in " + view.scale.unit) + ", " +
                      better_text(grid.metric);
  if (!grid.commit.empty()) state += " · " + short_id(grid.commit);
  if (view.cut) state += " · not all fits";
  return fit_columns(grid.title, columns) + "\n" + fit_columns(state, columns) + "\n";
}

void add_line(std::string& text, std::string line, int columns) {
  line.erase(line.find_last_not_of(' ') + 1);
  text += fit_columns(line, columns) + "\n";
}

std::size_t names_width(const SweepGrid& grid, const SweepView& view, int columns) {
  std::size_t width = display_width(printable(grid.row_title));
  for (const auto& row : view.rows) width = std::max(width, display_width(printable(row.name)));
  return std::clamp<std::size_t>(width, 4, static_cast<std::size_t>(columns) / 3);
}

// With a mark behind the best.
std::string cell_text(const SweepRow& row, std::size_t column) {
  const auto& cell = row.cells[column];
  if (!cell) return "– ";
  return cell_number(cell->value) + (row.best == column ? "*" : " ");
}

std::size_t cell_width(const SweepView& view) {
  std::size_t width = 0;
  for (std::size_t column = 0; column < view.columns.size(); ++column) {
    const std::string name = fit_columns(view.columns[column], kCellMax) + " ";
    width = std::max(width, display_width(name));
    for (const auto& row : view.rows) width = std::max(width, display_width(cell_text(row, column)));
  }
  return width + 1;
}

// As "8x32 and 6 more" where they do not fit.
std::string list_of(const std::vector<std::string>& names, std::size_t width_max) {
  const std::string all = join(names, " ");
  if (display_width(all) <= width_max) return all;
  std::string shown;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string tail = " and " + std::to_string(names.size() - i) + " more";
    const std::string next = shown + (shown.empty() ? "" : " ") + names[i];
    const std::string next_tail =
        i + 1 < names.size() ? " and " + std::to_string(names.size() - i - 1) + " more" : "";
    if (display_width(next + next_tail) > width_max)
      return shown.empty() ? std::to_string(names.size()) : shown + tail;
    shown = next;
  }
  return shown;
}

struct BestLine {
  std::string name, best, value, worst;
  std::vector<std::string> as_good;  // without the best itself
};

BestLine best_line(const SweepView& view, const SweepRow& row) {
  BestLine line;
  line.name = printable(row.name);
  if (!row.best) return line;
  const double best = row.cells[*row.best]->value;
  line.best = fit_columns(view.columns[*row.best], kCellMax);
  line.value = cell_number(best) + (view.scale.unit.empty() ? "" : " " + view.scale.unit);
  for (std::size_t i = 0; i < row.cells.size(); ++i)
    if (row.cells[i] && row.cells[i]->as_good && i != *row.best)
      line.as_good.push_back(fit_columns(view.columns[i], kCellMax));
  if (row.worst != row.best)
    line.worst = fit_columns(view.columns[*row.worst], kCellMax) + " " +
                 format_percent(row.cells[*row.worst]->value / best - 1);
  return line;
}

}  // namespace

// Columns that do not fit beside the others come below them.
std::string draw_sweep_text(const SweepGrid& grid, int columns) {
  columns = std::max(columns, kSweepColumnsMin);
  const SweepView view = view_sweep(grid);
  if (view.rows.empty()) return "";
  std::string text = heading(grid, view, columns);
  const std::size_t names = names_width(grid, view, columns);
  const std::size_t cell = cell_width(view);
  const std::size_t at_once = std::max<std::size_t>(1, (static_cast<std::size_t>(columns) - names) / cell);
  for (std::size_t from = 0; from < view.columns.size(); from += at_once) {
    const std::size_t to = std::min(from + at_once, view.columns.size());
    std::string head = left_aligned(fit_columns(grid.row_title, static_cast<int>(names)), names);
    for (std::size_t i = from; i < to; ++i)
      head += right_aligned(fit_columns(view.columns[i], kCellMax) + " ", cell);
    text += "\n";
    add_line(text, head, columns);
    for (const auto& row : view.rows) {
      std::string line = left_aligned(fit_columns(row.name, static_cast<int>(names)), names);
      for (std::size_t i = from; i < to; ++i) line += right_aligned(cell_text(row, i), cell);
      add_line(text, line, columns);
    }
  }
  return text;
}

std::string best_of_sweep(const SweepGrid& grid, int columns) {
  columns = std::max(columns, kSweepColumnsMin);
  const SweepView view = view_sweep(grid);
  if (view.rows.empty()) return "";
  const std::string what = printable(grid.column_title);
  BestLine head{.name = printable(grid.row_title),
                .best = what.empty() ? "best" : fit_columns("best " + what, 2 * kCellMax),
                .value = metric_title(grid.metric),
                .worst = "worst",
                .as_good = {"as good"}};
  std::vector<BestLine> lines{head};
  for (const auto& row : view.rows) lines.push_back(best_line(view, row));
  const std::size_t name = names_width(grid, view, columns);
  std::size_t best = 0;
  std::size_t value = 0;
  std::size_t worst = 0;
  for (const auto& line : lines) {
    best = std::max(best, display_width(line.best));
    value = std::max(value, display_width(line.value));
    worst = std::max(worst, display_width(line.worst));
  }
  std::string text = heading(grid, view, columns);
  const std::size_t taken = name + best + value + worst + 8;
  const std::size_t room =
      static_cast<std::size_t>(columns) > taken ? static_cast<std::size_t>(columns) - taken : 0;
  for (const auto& line : lines) {
    std::string whole = left_aligned(fit_columns(line.name, static_cast<int>(name)), name) + "  " +
                        left_aligned(line.best, best) + "  " + right_aligned(line.value, value) + "  " +
                        left_aligned(line.worst, worst) + "  ";
    if (!line.as_good.empty()) whole += list_of(line.as_good, room);
    add_line(text, whole, columns);
  }
  return text;
}

}  // namespace tracker::plot

#include <algorithm>

#include "tracker/base/text.hpp"
#include "tracker/model/run.hpp"
#include "tracker/plot/font.hpp"
#include "tracker/plot/plot.hpp"
#include "tracker/plot/views.hpp"

namespace tracker {
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

}  // namespace tracker

#include <algorithm>
#include <array>
#include <cmath>

#include "tracker/base/text.hpp"
#include "tracker/model/run.hpp"
#include "tracker/plot/font.hpp"
#include "tracker/plot/plot.hpp"
#include "tracker/plot/views.hpp"

namespace tracker {
namespace {

constexpr int kColumnsMin = 40;
constexpr int kBarMin = 8;
constexpr int kBestColumns = 2;  // the mark of the best
constexpr std::array<const char*, 8> kEighths{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};

struct OverviewWidths {
  int names = 0;
  int bar = 0;
  int number = 0;
  int share = 0;
};

int width(std::string_view text) {
  return static_cast<int>(display_width(text));
}

std::string pad_left(const std::string& text, int columns) {
  return std::string(static_cast<std::size_t>(std::max(columns - width(text), 0)), ' ') + text;
}

std::string pad_right(const std::string& text, int columns) {
  return text + std::string(static_cast<std::size_t>(std::max(columns - width(text), 0)), ' ');
}

OverviewWidths measure(const OverviewView& view, int columns) {
  OverviewWidths widths;
  for (const auto& name : view.rows) widths.names = std::max(widths.names, width(name));
  for (const auto& panel : view.panels) {
    if (panel.peak) widths.share = 9;
    widths.number = std::max(widths.number, width(panel.scale.unit));
    for (const auto& bar : panel.bars)
      if (bar) widths.number = std::max(widths.number, width(format_number(bar->median)));
  }
  widths.number += 2;
  widths.names = std::clamp(widths.names, 4, std::max(columns / 3, 4));
  widths.bar = std::max(columns - widths.names - 2 - widths.number - widths.share - kBestColumns, kBarMin);
  return widths;
}

// A bar to an eighth of a column, and the reference lines where it does not reach.
std::string draw_bar(double value, const PanelView& panel, int columns) {
  const int eighths_max = columns * 8;
  const int eighths = std::clamp(static_cast<int>(std::lround(value / panel.high * eighths_max)),
                                 value > 0 ? 1 : 0, eighths_max);
  std::vector<std::string> cells(static_cast<std::size_t>(columns), " ");
  for (const auto& line : panel.lines) {
    const int column = std::min(static_cast<int>(line.value / panel.high * columns), columns - 1);
    cells[static_cast<std::size_t>(column)] = "┊";
  }
  const auto whole = static_cast<std::size_t>(eighths / 8);
  for (std::size_t i = 0; i < whole; ++i) cells[i] = "█";
  if (eighths % 8 != 0) cells[whole] = kEighths[static_cast<std::size_t>(eighths % 8)];
  return join(cells, "");
}

std::string draw_panel(const PanelView& panel, const OverviewView& view, const OverviewWidths& widths,
                       int columns) {
  std::vector<std::string> references;
  for (const auto& line : panel.lines) references.push_back("┊ " + reference_text(line, panel.scale));
  for (const auto& line : panel.above) references.push_back("→ " + reference_text(line, panel.scale));
  const int head_width = widths.names + 2 + widths.bar;
  const std::string labels = join(references, "   ");
  std::string head = fit_columns(panel.shape, head_width);
  // The labels stand beside the shape, or above it where there is no room.
  const bool beside = width(head) + 3 + width(labels) <= head_width;
  std::string text = beside || labels.empty() ? "" : fit_columns(labels, columns) + "\n";
  if (beside && !labels.empty()) head += "   " + labels;
  text += pad_right(head, head_width) + pad_left(panel.scale.unit, widths.number) +
          (panel.peak ? pad_left("of peak", widths.share) : "") + "\n";
  for (std::size_t row = 0; row < view.rows.size(); ++row) {
    std::string line = pad_right(fit_columns(view.rows[row], widths.names), widths.names) + "  ";
    if (panel.bars[row]) {
      const double value = panel.bars[row]->median;
      line += draw_bar(value, panel, widths.bar) + pad_left(format_number(value), widths.number);
      if (panel.peak)
        line += pad_left(std::to_string(std::lround(std::min(value / *panel.peak, 99.0) * 100)) + " %",
                         widths.share);
    } else {
      line += pad_left("–", widths.bar + widths.number);
    }
    if (panel.best == row && width(line) + kBestColumns <= columns) line += " ◄";
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace

std::string draw_overview_text(const FamilyOverview& overview, int columns) {
  columns = std::max(columns, kColumnsMin);
  const OverviewView view = view_overview(overview);
  if (view.panels.empty()) return "";
  std::string state =
      overview.device + " · " + metric_title(overview.metric) + ", " + better_text(overview.metric);
  if (!overview.commit.empty()) state += " · " + short_id(overview.commit);
  if (view.cut) state += " · not all variants and shapes fit";
  std::string text = fit_columns(overview.family, columns) + "\n" + fit_columns(state, columns) + "\n";
  const OverviewWidths widths = measure(view, columns);
  for (const auto& panel : view.panels) text += "\n" + draw_panel(panel, view, widths, columns);
  return text;
}

}  // namespace tracker

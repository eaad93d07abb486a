#include <algorithm>
#include <array>
#include <cmath>

#include "tracker/base/terminal.hpp"
#include "tracker/base/text.hpp"
#include "tracker/model/run.hpp"
#include "tracker/plot/canvas.hpp"
#include "tracker/plot/plot.hpp"
#include "tracker/plot/views.hpp"

namespace tracker::plot {
namespace {

constexpr double kOverviewEdge = 28;  // around the picture
constexpr double kHeading = 108;      // above the panels
constexpr double kOverviewRow = 27;   // one bar and its distance to the next
constexpr std::size_t kRowsApart =
    4;  // a faint line after so many leads the eye from the names to the last panel
constexpr double kPanelHead = 40;      // the shape
constexpr double kReferenceLine = 18;  // one label of a reference line, under the shape
constexpr double kLabelHang = 24;      // how far such a label may begin left of its panel
constexpr int kReferenceLinesMax = 6;
constexpr double kPanelFoot = 44;   // the tics
constexpr double kWidthMax = 1200;  // more would be too small to read where a page shows it 900 wide
constexpr double kBarsMin = 130;    // the value axis; names that are long make the picture wider
constexpr double kBarsMax = 320;
constexpr double kBarsAlone = 560;  // where there is one panel
constexpr double kPanelGap = 30;
constexpr double kOverviewNamesMax = 330;
constexpr double kHalfBar = 0.36;  // of a row

const TextStyle kName{17, colour::kInk, Align::kRight};
const TextStyle kOverviewHead{17, colour::kGrey, Align::kRight};
const TextStyle kReference{15, colour::kVermilion};

struct Layout {
  int columns = 1;
  int lines = 1;
  double names = 0;  // width of the variants' names, before each line of panels
  double bars = 0;
  double numbers = 0;  // width of the values beside the bars
  double shares = 0;   // and of their shares of the peak
  int reference_lines = 1;
  double head = 0;  // above the bars of each panel
  double plot_height = 0;

  double panel_width() const { return bars + numbers + shares; }
  double panel_height() const { return head + plot_height + kPanelFoot; }
  int width_px() const {
    return static_cast<int>(
        std::ceil(2 * kOverviewEdge + names + columns * panel_width() + (columns - 1) * kPanelGap));
  }
  int height_px() const {
    return static_cast<int>(std::ceil(kHeading + lines * panel_height() + kOverviewEdge / 2));
  }
};

Layout lay_out(const OverviewView& view) {
  Layout layout;
  const int count = static_cast<int>(view.panels.size());
  layout.columns = count == 4 ? 2 : std::min(count, 3);
  layout.lines = (count + layout.columns - 1) / layout.columns;
  for (const auto& name : view.rows)
    layout.names = std::max(layout.names, fitted_width_px(name, kOverviewNamesMax, kName.size_px));
  layout.names += 12;
  for (const auto& panel : view.panels) {
    layout.reference_lines = std::clamp(static_cast<int>(panel.lines.size() + panel.above.size()),
                                        layout.reference_lines, kReferenceLinesMax);
    if (panel.peak) layout.shares = 66;
    layout.numbers = std::max(layout.numbers, text_width_px(panel.scale.unit, kOverviewHead.size_px) + 12);
    for (const auto& bar : panel.bars)
      if (bar)
        layout.numbers =
            std::max(layout.numbers, text_width_px(format_number(bar->median), kName.size_px) + 16);
  }
  const double room = kWidthMax - 2 * kOverviewEdge - layout.names - (layout.columns - 1) * kPanelGap;
  layout.bars = std::clamp(room / layout.columns - layout.numbers - layout.shares, kBarsMin,
                           count == 1 ? kBarsAlone : kBarsMax);
  layout.head = kPanelHead + kReferenceLine * layout.reference_lines;
  layout.plot_height = kOverviewRow * static_cast<double>(view.rows.size());
  return layout;
}

// What is said of all panels.
std::vector<std::string> facts_of(const FamilyOverview& overview, const OverviewView& view, bool has_shades) {
  std::vector<std::string> facts{metric_words(overview.metric)};
  if (!overview.commit.empty()) facts.push_back(short_id(overview.commit));
  if (has_shades && std::ranges::any_of(view.panels, [](const auto& one) { return one.best.has_value(); }))
    facts.emplace_back("shaded: the best");
  if (view.cut) facts.emplace_back("not all variants and shapes fit");
  return facts;
}

class OverviewChart {
 public:
  OverviewChart(const FamilyOverview& overview, const OverviewView& view)
      : overview_(overview),
        view_(view),
        layout_(lay_out(view)),
        canvas_(layout_.width_px(), layout_.height_px()) {}

  Chart draw() {
    canvas_.begin({"set bars 0.5", "set border 2 back lc " + rgb(colour::kMidGrey) + " lw 1",
                   "set tics font ',15'", "unset ytics",
                   "set grid xtics back lt 1 lw 1 lc " + rgb(colour::kGrid), "set multiplot"});
    draw_heading(overview_.family, overview_.device, facts_of(overview_, view_, true), kOverviewEdge, 72,
                 canvas_);
    for (std::size_t i = 0; i < view_.panels.size(); ++i) panel(i);
    canvas_.command("unset multiplot");
    return canvas_.chart();
  }

 private:
  double row_y(const Box& area, std::size_t row) const {
    return area.top + kOverviewRow * (static_cast<double>(row) + 0.5);
  }

  // Before a line of so many panels.
  void names(const Box& area, int panels) {
    const double right = area.left + panels * layout_.panel_width() + (panels - 1) * kPanelGap;
    for (std::size_t row = 0; row < view_.rows.size(); ++row)
      canvas_.text_within(area.left - 10, row_y(area, row), view_.rows[row], kOverviewNamesMax, kName);
    for (std::size_t row = kRowsApart; row < view_.rows.size(); row += kRowsApart) {
      const double y = area.top + kOverviewRow * static_cast<double>(row);
      canvas_.line(kOverviewEdge, y, right, y, {colour::kGrid, 1});
    }
  }

  // Two columns of numbers beside the bars, under their units.
  void values(const PanelView& panel, const Box& area) {
    const double value_right = area.right + layout_.numbers;
    const double share_right = value_right + layout_.shares;
    canvas_.text(value_right, area.top - 14, panel.scale.unit, kOverviewHead);
    if (panel.peak) canvas_.text(share_right, area.top - 14, "of peak", kOverviewHead);
    for (std::size_t row = 0; row < panel.bars.size(); ++row) {
      const double y = row_y(area, row);
      if (!panel.bars[row]) {
        canvas_.text(value_right, y, "–", kOverviewHead);
        continue;
      }
      TextStyle style = kName;
      style.bold = panel.best == row;
      const double value = panel.bars[row]->median;
      canvas_.text(value_right, y, format_number(value), style);
      if (panel.peak) canvas_.text(share_right, y, share_text(value / *panel.peak), style);
    }
  }

  // Lines down the panel, each with its label to the left of its upper end: so a longer line never crosses
  // the label of one further left, and what does not fit beside it goes one line higher. What is too far to
  // the right to be shown has a label alone.
  void references(const PanelView& panel, const Box& area) {
    std::vector<Box> taken;
    const double left_most = area.left - kLabelHang;
    const Box room{left_most - 4, area.top - layout_.head, area.right + layout_.numbers, area.top};
    const Scale bare{panel.scale.factor, ""};  // the unit stands beside them, over the values
    const auto label = [&](double x, const std::string& text) {
      const std::string words = fit_text(text, area.right - left_most, kReference.size_px);
      const double width = text_width_px(words, kReference.size_px);
      const double left = std::max(x - 6 - width, width < area.width() ? area.left : left_most);
      std::vector<Box> places;
      for (int step = 0; step < layout_.reference_lines; ++step) {
        const double middle = area.top - 14 - kReferenceLine * step;
        places.push_back({left - 4, middle - 8, left + width + 4, middle + 8});
      }
      const Box place = first_free(places, taken, room);
      taken.push_back(place);
      canvas_.text(left, place.middle_y(), words, kReference);
      return place;
    };
    for (const auto& line : panel.lines) {
      const double x = area.left + line.value / panel.high * area.width();
      const Box place = label(x, reference_text(line, bare));
      canvas_.line(x, place.right - 4 < x ? place.top : area.top, x, area.bottom, {colour::kVermilion, 1.5});
    }
    for (const auto& line : panel.above) label(area.right + 6, reference_text(line, bare) + " →");
  }

  void plot(const PanelView& panel, const std::string& block, const Box& area) {
    // Of every bar "row median low high colour"; those that stand back are drawn half as strong.
    std::string strong;
    std::string pale;
    for (std::size_t row = 0; row < panel.bars.size(); ++row) {
      if (!panel.bars[row]) continue;
      const auto& bar = *panel.bars[row];
      const bool stands_out = view_.bounds[row] || panel.best == row;
      const char* fill = view_.bounds[row] ? colour::kMidGrey
                         : stands_out      ? colour::kBlue
                                           : colour::kPaleBlue;
      (stands_out ? strong : pale) += std::to_string(row) + " " + plain_number(bar.median, 7) + " " +
                                      plain_number(bar.spread.low, 7) + " " +
                                      plain_number(bar.spread.high, 7) + " " + fill + "\n";
    }
    canvas_.plot_area(area);
    canvas_.range('x', 0, panel.high);
    canvas_.row_range(view_.rows.size());
    canvas_.tics('x', make_tics(0, panel.high, layout_.columns == 1 ? 8 : 5));
    const std::string half = plain_number(kHalfBar);
    const auto draw_bars = [&](const std::string& name, const std::string& rows, const std::string& fill) {
      if (rows.empty()) return;
      canvas_.part_of(name, rows,
                      "using (0):1:(0):2:($1-" + half + "):($1+" + half + "):(" + colour_in_column(5) +
                          ") with boxxyerror lc rgb variable fs " + fill + " noborder");
      canvas_.part(name, "using 2:1:3:4 with xerrorbars pt 0 lw 1.5 lc " + rgb(colour::kInk));
    };
    draw_bars(block, strong, "solid");
    draw_bars(block + "_pale", pale, "transparent solid 0.65");
    canvas_.plot();
    canvas_.forget();
  }

  void panel(std::size_t index) {
    const PanelView& panel = view_.panels[index];
    const int column = static_cast<int>(index) % layout_.columns;
    const int line = static_cast<int>(index) / layout_.columns;
    Box area;
    area.left = kOverviewEdge + layout_.names + column * (layout_.panel_width() + kPanelGap);
    area.right = area.left + layout_.bars;
    area.top = kHeading + line * layout_.panel_height() + layout_.head;
    area.bottom = area.top + layout_.plot_height;
    if (panel.best) {
      const double y = row_y(area, *panel.best);
      canvas_.rectangle({area.left, y - kOverviewRow / 2, area.right + layout_.numbers + layout_.shares + 4,
                         y + kOverviewRow / 2},
                        colour::kHazeBlue);
    }
    canvas_.text_within(area.left, area.top - layout_.head + 12, panel.shape, layout_.panel_width(),
                        {20, colour::kInk, Align::kLeft, true});
    if (column == 0) names(area, std::min(layout_.columns, static_cast<int>(view_.panels.size() - index)));
    values(panel, area);
    references(panel, area);
    plot(panel, "panel" + std::to_string(index), area);
  }

  const FamilyOverview& overview_;
  const OverviewView& view_;
  Layout layout_;
  Canvas canvas_;
};

constexpr std::size_t kBarMin = 8;
constexpr std::size_t kBestColumns = 2;  // the mark of the best
constexpr std::array<const char*, 8> kEighths{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};

struct OverviewWidths {
  std::size_t names = 0;
  std::size_t bar = 0;
  std::size_t number = 0;
  std::size_t share = 0;
};

OverviewWidths measure(const OverviewView& view, std::size_t columns) {
  OverviewWidths widths;
  for (const auto& name : view.rows) widths.names = std::max(widths.names, display_width(printable(name)));
  for (const auto& panel : view.panels) {
    if (panel.peak) widths.share = 9;
    widths.number = std::max(widths.number, display_width(panel.scale.unit));
    for (const auto& bar : panel.bars)
      if (bar) widths.number = std::max(widths.number, display_width(format_number(bar->median)));
  }
  widths.number += 2;
  widths.names = std::clamp<std::size_t>(widths.names, 4, columns / 3);
  const std::size_t taken = widths.names + 2 + widths.number + widths.share + kBestColumns;
  widths.bar = std::max(columns - std::min(columns, taken), kBarMin);
  return widths;
}

// A bar to an eighth of a column, and the reference lines where it does not reach.
std::string draw_bar(double value, const PanelView& panel, std::size_t columns) {
  const auto width = static_cast<double>(columns);
  const double share = value / panel.high;
  const auto eighths =
      static_cast<std::size_t>(std::clamp(std::round(share * width * 8), value > 0 ? 1.0 : 0.0, width * 8));
  std::vector<std::string> cells(columns, " ");
  for (const auto& line : panel.lines)
    cells[std::min(static_cast<std::size_t>(line.value / panel.high * width), columns - 1)] = "┊";
  std::fill_n(cells.begin(), eighths / 8, "█");
  if (eighths % 8 != 0) cells[eighths / 8] = kEighths[eighths % 8];
  return join(cells, "");
}

std::string draw_panel(const PanelView& panel, const OverviewView& view, const OverviewWidths& widths,
                       std::size_t columns) {
  std::vector<std::string> references;
  for (const auto& line : panel.lines) references.push_back("┊ " + reference_text(line, panel.scale));
  for (const auto& line : panel.above) references.push_back("→ " + reference_text(line, panel.scale));
  const std::size_t head_width = widths.names + 2 + widths.bar;
  const std::string labels = join(references, "   ");
  std::string head = shorten_middle(panel.shape, head_width);
  // The labels stand beside the shape, or above it where there is no room.
  const bool beside = display_width(head) + 3 + display_width(labels) <= head_width;
  std::string text = beside || labels.empty() ? "" : shorten_middle(labels, columns) + "\n";
  if (beside && !labels.empty()) head += "   " + labels;
  text += left_aligned(head, head_width) + right_aligned(panel.scale.unit, widths.number) +
          (panel.peak ? right_aligned("of peak", widths.share) : "") + "\n";
  for (std::size_t row = 0; row < view.rows.size(); ++row) {
    std::string line = left_aligned(shorten_middle(view.rows[row], widths.names), widths.names) + "  ";
    if (panel.bars[row]) {
      const double value = panel.bars[row]->median;
      line += draw_bar(value, panel, widths.bar) + right_aligned(format_number(value), widths.number);
      if (panel.peak) line += right_aligned(share_text(value / *panel.peak), widths.share);
    } else {
      line += right_aligned("–", widths.bar + widths.number);
    }
    if (panel.best == row && display_width(line) + kBestColumns <= columns) line += " ◄";
    text += without_trailing_blanks(line) + "\n";
  }
  return text;
}

}  // namespace

std::optional<Chart> overview_chart(const FamilyOverview& overview) {
  const OverviewView view = view_overview(overview);
  if (view.panels.empty()) return std::nullopt;
  return OverviewChart(overview, view).draw();
}

std::string draw_overview_text(const FamilyOverview& overview, int columns_asked) {
  const OverviewView view = view_overview(overview);
  if (view.panels.empty()) return "";
  const std::size_t columns = text_columns(columns_asked);
  std::string text = text_heading(overview.family, overview.device, facts_of(overview, view, false), columns);
  const OverviewWidths widths = measure(view, columns);
  for (const auto& panel : view.panels) text += "\n" + draw_panel(panel, view, widths, columns);
  return text;
}

}  // namespace tracker::plot

#include <algorithm>
#include <array>
#include <cmath>

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
    layout.names = std::max(layout.names,
                            text_width_px(fit_text(name, kOverviewNamesMax, kName.size_px), kName.size_px));
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

class OverviewChart {
 public:
  OverviewChart(const FamilyOverview& overview, const OverviewView& view)
      : overview_(overview),
        view_(view),
        layout_(lay_out(view)),
        canvas_(layout_.width_px(), layout_.height_px()) {}
  Chart draw();

 private:
  void heading();
  void panel(std::size_t index);
  void names(const Box& area, int panels);
  void values(const PanelView& panel, const Box& area);
  void references(const PanelView& panel, const Box& area);
  void plot(const PanelView& panel, const std::string& block, const Box& area);
  double row_y(const Box& area, std::size_t row) const {
    return area.top + kOverviewRow * (static_cast<double>(row) + 0.5);
  }

  const FamilyOverview& overview_;
  const OverviewView& view_;
  Layout layout_;
  Canvas canvas_;
  std::string data_;
};

void OverviewChart::heading() {
  const double room = canvas_.width_px() - 2 * kOverviewEdge;
  canvas_.text(kOverviewEdge, 36, fit_text(overview_.family, room, 26, true),
               {26, colour::kInk, Align::kLeft, true});
  std::string tail = "  ·  " + metric_title(overview_.metric) + ", " + better_text(overview_.metric);
  if (!overview_.commit.empty()) tail += "  ·  " + short_id(overview_.commit);
  if (std::any_of(view_.panels.begin(), view_.panels.end(), [](const auto& one) { return one.best; }))
    tail += "  ·  shaded: the best";
  if (view_.cut) tail += "  ·  not all variants and shapes fit";
  tail = fit_text(tail, room - 150, 17);
  const std::string device = fit_text(overview_.device, room - text_width_px(tail, 17), 17);
  canvas_.text(kOverviewEdge, 72, device + tail, {17, colour::kGrey});
}

// Before a line of so many panels.
void OverviewChart::names(const Box& area, int panels) {
  const double right = area.left + panels * layout_.panel_width() + (panels - 1) * kPanelGap;
  for (std::size_t row = 0; row < view_.rows.size(); ++row)
    canvas_.text(area.left - 10, row_y(area, row),
                 fit_text(view_.rows[row], kOverviewNamesMax, kName.size_px), kName);
  for (std::size_t row = kRowsApart; row < view_.rows.size(); row += kRowsApart) {
    const double y = area.top + kOverviewRow * static_cast<double>(row);
    canvas_.line(kOverviewEdge, y, right, y, {colour::kGrid, 1});
  }
}

// Two columns of numbers beside the bars, under their units.
void OverviewChart::values(const PanelView& panel, const Box& area) {
  const double value_right = area.right + layout_.numbers;
  const double share_right = value_right + layout_.shares;
  canvas_.text(value_right, area.top - 14, panel.scale.unit, kOverviewHead);
  if (panel.peak) canvas_.text(share_right, area.top - 14, "of peak", kOverviewHead);
  for (std::size_t row = 0; row < panel.bars.size(); ++row) {
    const double y = row_y(area, row);
    TextStyle style = kName;
    style.bold = panel.best == row;
    if (!panel.bars[row]) {
      canvas_.text(value_right, y, "–", kOverviewHead);
      continue;
    }
    const double value = panel.bars[row]->median;
    canvas_.text(value_right, y, format_number(value), style);
    if (panel.peak)
      canvas_.text(share_right, y,
                   std::to_string(std::lround(std::min(value / *panel.peak, 99.0) * 100)) + " %", style);
  }
}

// Lines down the panel, each with its label to the left of its upper end: so a longer line never crosses
// the label of one further left, and what does not fit beside it goes one line higher. What is too far to the
// right to be shown has a label alone.
void OverviewChart::references(const PanelView& panel, const Box& area) {
  std::vector<Box> taken;
  const double left_most = area.left - kLabelHang;
  const Box room{left_most - 4, area.top - layout_.head, area.right + layout_.numbers, area.top};
  const Scale bare{panel.scale.factor, ""};  // the unit stands beside them, over the values
  const auto label = [&](double x, const std::string& text) {
    const std::string words = fit_text(text, area.right - left_most, kReference.size_px);
    const double width = text_width_px(words, kReference.size_px);
    const double left = std::max(x - 6 - width, width < area.width() ? area.left : left_most);
    const double right = left + width;
    std::vector<Box> places;
    for (int step = 0; step < layout_.reference_lines; ++step) {
      const double middle = area.top - 14 - kReferenceLine * step;
      places.push_back({left - 4, middle - 8, right + 4, middle + 8});
    }
    const Box place = first_free(places, taken, room);
    taken.push_back(place);
    canvas_.text(left, (place.top + place.bottom) / 2, words, kReference);
    return place;
  };
  for (const auto& line : panel.lines) {
    const double x = area.left + line.value / panel.high * area.width();
    const Box place = label(x, reference_text(line, bare));
    canvas_.line(x, place.right - 4 < x ? place.top : area.top, x, area.bottom, {colour::kVermilion, 1.5});
  }
  for (const auto& line : panel.above) label(area.right + 6, reference_text(line, bare) + " →");
}

void OverviewChart::plot(const PanelView& panel, const std::string& block, const Box& area) {
  // Of every bar "row median low high colour"; those that stand back are drawn half as strong.
  std::string strong;
  std::string pale;
  for (std::size_t row = 0; row < panel.bars.size(); ++row) {
    if (!panel.bars[row]) continue;
    const auto& bar = *panel.bars[row];
    const bool stands_out = view_.bounds[row] || panel.best == row;
    const char* fill = view_.bounds[row] ? colour::kMidGrey : stands_out ? colour::kBlue : colour::kPaleBlue;
    (stands_out ? strong : pale) += std::to_string(row) + " " + plain_number(bar.median, 7) + " " +
                                    plain_number(bar.spread.low, 7) + " " + plain_number(bar.spread.high, 7) +
                                    " " + fill + "\n";
  }
  canvas_.plot_area(area);
  canvas_.command("set xrange [0:" + plain_number(panel.high) + "]");
  canvas_.command("set yrange [" + plain_number(static_cast<double>(view_.rows.size()) - 0.5) + ":-0.5]");
  std::string tics;
  for (const auto& tic : make_tics(0, panel.high, layout_.columns == 1 ? 8 : 5))
    tics += (tics.empty() ? "'" : ", '") + tic.label + "' " + plain_number(tic.value);
  canvas_.command("set xtics scale 0 nomirror (" + tics + ") tc " + rgb(colour::kGrey));
  const std::string half = plain_number(kHalfBar);
  std::string plots;
  const auto draw_bars = [&](const std::string& name, const std::string& rows, const std::string& fill) {
    if (rows.empty()) return;
    data_ += name + " << EOD\n" + rows + "EOD\n";
    plots += (plots.empty() ? "plot " : ", \\\n     ") + name + " using (0):1:(0):2:($1-" + half + "):($1+" +
             half + "):(" + colour_in_column(5) + ") with boxxyerror lc rgb variable fs " + fill +
             " noborder, \\\n     " + name + " using 2:1:3:4 with xerrorbars pt 0 lw 1.5 lc " +
             rgb(colour::kInk);
  };
  draw_bars("$" + block, strong, "solid");
  draw_bars("$" + block + "_pale", pale, "transparent solid 0.65");
  canvas_.command(plots);
  canvas_.command("unset label");
  canvas_.command("unset arrow");
  canvas_.command("unset object");
}

void OverviewChart::panel(std::size_t index) {
  const PanelView& panel = view_.panels[index];
  const int column = static_cast<int>(index) % layout_.columns;
  const int line = static_cast<int>(index) / layout_.columns;
  Box area;
  area.left = kOverviewEdge + layout_.names + column * (layout_.panel_width() + kPanelGap);
  area.right = area.left + layout_.bars;
  area.top = kHeading + line * layout_.panel_height() + layout_.head;
  area.bottom = area.top + layout_.plot_height;
  const std::string shape = fit_text(panel.shape, layout_.panel_width(), 20, true);
  if (panel.best) {
    const double y = row_y(area, *panel.best);
    canvas_.rectangle({area.left, y - kOverviewRow / 2, area.right + layout_.numbers + layout_.shares + 4,
                       y + kOverviewRow / 2},
                      colour::kHazeBlue);
  }
  canvas_.text(area.left, area.top - layout_.head + 12, shape, {20, colour::kInk, Align::kLeft, true});
  if (column == 0) names(area, std::min(layout_.columns, static_cast<int>(view_.panels.size() - index)));
  values(panel, area);
  references(panel, area);
  plot(panel, "panel" + std::to_string(index), area);
}

Chart OverviewChart::draw() {
  canvas_.command("reset");
  canvas_.command("unset key");
  canvas_.command("set bars 0.5");
  canvas_.command("set border 2 back lc " + rgb(colour::kMidGrey) + " lw 1");
  canvas_.command("set tics font ',15'");
  canvas_.command("unset ytics");
  canvas_.command("set grid xtics back lt 1 lw 1 lc " + rgb(colour::kGrid));
  canvas_.command("set multiplot");
  heading();
  for (std::size_t i = 0; i < view_.panels.size(); ++i) panel(i);
  canvas_.command("unset multiplot");
  return {{}, canvas_.width_px(), canvas_.height_px(), data_, canvas_.commands()};
}

}  // namespace

std::optional<Chart> overview_chart(const FamilyOverview& overview) {
  const OverviewView view = view_overview(overview);
  if (view.panels.empty()) return std::nullopt;
  return OverviewChart(overview, view).draw();
}

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
  for (const auto& name : view.rows) widths.names = std::max(widths.names, width(printable(name)));
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

}  // namespace tracker::plot

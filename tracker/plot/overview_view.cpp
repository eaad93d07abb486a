#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include "tracker/base/text.hpp"
#include "tracker/plot/views.hpp"

namespace tracker {
namespace {

struct Title {
  const char* name;
  const char* title;
};
constexpr std::array<Title, 5> kTitles{{{"real_time", "time"},
                                        {"cpu_time", "CPU time"},
                                        {"bytes_per_second", "bandwidth"},
                                        {"flops", "floating-point rate"},
                                        {"items_per_second", "items per second"}}};

constexpr std::size_t kOverviewRowsMax = 60;  // what still fits a picture
constexpr std::size_t kPanelsMax = 24;
constexpr double kOverviewReachMax = 4;  // how far beyond the longest bar a reference still extends the axis

std::optional<std::size_t> row_of(const std::vector<std::string>& rows, const std::string& variant) {
  const auto found = std::find(rows.begin(), rows.end(), variant);
  if (found == rows.end()) return std::nullopt;
  return static_cast<std::size_t>(found - rows.begin());
}

void add_row(OverviewView& view, const std::string& variant) {
  if (!row_of(view.rows, variant)) view.rows.push_back(variant);
}

bool any_bar(const FamilyPanel& panel) {
  return std::any_of(panel.bars.begin(), panel.bars.end(),
                     [](const auto& bar) { return drawable(bar.median); });
}

void place_references(PanelView& view, const FamilyPanel& panel, const Metric& metric) {
  const double longest = view.high;
  for (const auto& line : panel.references) {
    if (!drawable(line.value) || line.value <= 0) continue;
    const ReferenceLine shown{line.label, line.value / view.scale.factor};
    const bool is_peak = line.label.find("peak") != std::string::npos;
    if (is_peak && metric.better == Better::kHigher) view.peak = shown.value;
    if (shown.value > kOverviewReachMax * longest) {
      view.above.push_back(shown);
      continue;
    }
    view.lines.push_back(shown);
    view.high = std::max(view.high, shown.value);
  }
  std::stable_sort(view.lines.begin(), view.lines.end(),
                   [](const auto& a, const auto& b) { return a.value < b.value; });
}

PanelView view_panel(const FamilyPanel& panel, const Metric& metric, const OverviewView& overview) {
  PanelView view;
  view.shape = panel.shape;
  view.bars.resize(overview.rows.size());
  double size_max = 0;
  for (const auto& bar : panel.bars)
    if (drawable(bar.median)) size_max = std::max(size_max, bar.median);
  view.scale = choose_scale(size_max, metric.unit);
  view.high = 0;
  for (const auto& bar : panel.bars) {
    const auto row = row_of(overview.rows, bar.variant);
    if (!drawable(bar.median) || !row) continue;
    const double median = bar.median / view.scale.factor;
    Interval spread{bar.spread.low / view.scale.factor, bar.spread.high / view.scale.factor};
    if (!drawable(spread.low) || !drawable(spread.high) || spread.low > spread.high)
      spread = {median, median};
    spread = {std::min(spread.low, median), std::max(spread.high, median)};
    view.bars[*row] = FamilyBar{bar.variant, median, spread};
    view.high = std::max({view.high, median, std::min(spread.high, median * 1.5)});
    if (overview.bounds[*row]) continue;
    const bool better =
        !view.best || (metric.better == Better::kHigher) == (median > view.bars[*view.best]->median);
    if (better) view.best = row;
  }
  if (view.high <= 0) view.high = 1;
  place_references(view, panel, metric);
  return view;
}

// How far a variant is behind the best of each panel that has it: the mean of the logarithms, 0 for the best.
double behind_best(const std::string& variant, const std::vector<const FamilyPanel*>& panels,
                   const Metric& metric) {
  const auto is_usable = [](const FamilyBar& bar) { return drawable(bar.median) && bar.median > 0; };
  double sum = 0;
  int count = 0;
  for (const auto* panel : panels) {
    double best = 0;
    double own = 0;
    for (const auto& bar : panel->bars) {
      if (!is_usable(bar)) continue;
      const double speed = metric.better == Better::kHigher ? bar.median : 1 / bar.median;
      best = std::max(best, speed);
      if (bar.variant == variant) own = speed;
    }
    if (own <= 0) continue;
    sum += std::log(best / own);
    ++count;
  }
  return count == 0 ? std::numeric_limits<double>::infinity() : sum / count;
}

// The fastest first: the answer stands on top.
void sort_rows(std::vector<std::string>& rows, const std::vector<const FamilyPanel*>& panels,
               const Metric& metric) {
  std::map<std::string, double> behind;
  for (const auto& row : rows) behind[row] = behind_best(row, panels, metric);
  std::stable_sort(rows.begin(), rows.end(),
                   [&](const std::string& a, const std::string& b) { return behind[a] < behind[b]; });
}

}  // namespace

OverviewView view_overview(const FamilyOverview& overview) {
  OverviewView view;
  std::vector<const FamilyPanel*> panels;
  for (const auto& panel : overview.panels) {
    if (!any_bar(panel)) continue;
    if (panels.size() == kPanelsMax) {
      view.cut = true;
      break;
    }
    panels.push_back(&panel);
    for (const auto& bar : panel.bars) add_row(view, bar.variant);
  }
  sort_rows(view.rows, panels, overview.metric);
  if (view.rows.size() > kOverviewRowsMax) {
    view.rows.resize(kOverviewRowsMax);
    view.cut = true;
  }
  view.bounds.assign(view.rows.size(), false);
  for (const auto* panel : panels)
    for (const auto& line : panel->references)
      for (std::size_t row = 0; row < view.rows.size(); ++row)
        if (view.rows[row] == line.label) view.bounds[row] = true;
  for (const auto* panel : panels) view.panels.push_back(view_panel(*panel, overview.metric, view));
  return view;
}

std::optional<double> peak_in(const FamilyPanel& panel, const Metric& metric) {
  for (const auto& line : panel.references)
    if (metric.better == Better::kHigher && line.label.find("peak") != std::string::npos && line.value > 0)
      return line.value;
  return {};
}

std::vector<FamilyBar> best_first(const FamilyPanel& panel, const Metric& metric) {
  std::vector<FamilyBar> bars = panel.bars;
  std::stable_sort(bars.begin(), bars.end(), [&](const FamilyBar& a, const FamilyBar& b) {
    return metric.better == Better::kHigher ? a.median > b.median : a.median < b.median;
  });
  return bars;
}

std::string metric_title(const Metric& metric) {
  const auto found =
      std::find_if(kTitles.begin(), kTitles.end(), [&](const Title& row) { return metric.name == row.name; });
  return found == kTitles.end() ? metric.name : found->title;
}

std::string better_text(const Metric& metric) {
  return metric.better == Better::kHigher ? "higher is better" : "lower is better";
}

std::string reference_text(const ReferenceLine& line, const Scale& scale) {
  return printable(line.label) + " " + format_number(line.value) +
         (scale.unit.empty() ? "" : " " + scale.unit);
}

}  // namespace tracker

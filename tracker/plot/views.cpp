#include "tracker/plot/views.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include "tracker/base/terminal.hpp"
#include "tracker/base/text.hpp"
#include "tracker/model/run.hpp"

namespace tracker::plot {
namespace {

constexpr double kTrendSpanMin = 0.04;   // of the value: less would make noise look like a cliff
constexpr double kTrendShareMin = 0.34;  // of the axis the data keeps, whatever else is shown
constexpr std::size_t kSpikeRunsMin = 20;
constexpr std::size_t kNewest = 5;
constexpr double kSpikeReach = 2;      // inner ranges beyond which a spike is cut off
constexpr std::size_t kNewSteps = 10;  // points: a step among the newest of them is new
constexpr double kTrendMargin = 0.09;  // of the axis left free at each end

// Around the median, whatever is stated.
Interval drawn_spread(const Interval& spread, double median) {
  const auto [low, high] = spread;
  if (!drawable(low) || !drawable(high) || low > high) return {median, median};
  return {std::min(low, median), std::max(high, median)};
}

// The medians' range. Rare spikes that would squash all else (the "outer" range is several times the
// inner one) do not count, unless they are the newest or the base: those must be seen.
Range median_range(const std::vector<SeriesPoint>& points, std::optional<std::size_t> base) {
  std::vector<double> sorted(points.size());
  std::ranges::transform(points, sorted.begin(), &SeriesPoint::median);
  std::ranges::sort(sorted);
  if (sorted.size() < kSpikeRunsMin) return {sorted.front(), sorted.back()};
  const std::size_t cut = std::max<std::size_t>(sorted.size() / 50, 1);
  Range inner{sorted[cut], sorted[sorted.size() - 1 - cut]};
  for (std::size_t i = points.size() - kNewest; i < points.size(); ++i) inner = inner.with(points[i].median);
  if (base) inner = inner.with(points[*base].median);
  const double size = std::max(std::abs(inner.low), std::abs(inner.high));
  const double reach = kSpikeReach * std::max(inner.span(), kTrendSpanMin * size);
  Range range = inner;
  for (const double value : sorted)
    if (value >= inner.low - reach && value <= inner.high + reach) range = range.with(value);
  return range;
}

// Medians, and intervals as far as they do not squash the medians: one wild interval is cut off.
Range data_range(const std::vector<SeriesPoint>& points, std::optional<std::size_t> base) {
  const Range medians = median_range(points, base);
  const double size = std::max(std::abs(medians.low), std::abs(medians.high));
  const double slack = std::max(medians.span(), size * 0.05);
  Range range = medians;
  for (const auto& point : points) {
    if (point.median < medians.low || point.median > medians.high) continue;
    range = range.with(std::max(point.spread.low, medians.low - slack))
                .with(std::min(point.spread.high, medians.high + slack));
  }
  range = range.widened(size * kTrendSpanMin);
  return range.span() > 0 ? range : Range{range.low - 1, range.high + 1};
}

void count_spikes(TrendView& view) {
  double farthest = 0;
  for (const auto& point : view.points) {
    const double distance = std::max(view.low - point.median, point.median - view.high);
    if (distance <= 0) continue;
    ++view.spikes;
    if (distance > farthest) view.farthest_spike = point.median;
    farthest = std::max(farthest, distance);
  }
}

// Where the view has the series' point; empty where that cannot be drawn.
std::optional<std::size_t> place_in(const TrendView& view, const Series& series, std::size_t point) {
  if (point >= series.points.size()) return {};
  const int position = series.points[point].position;
  const auto found = std::ranges::lower_bound(view.points, position, {}, &SeriesPoint::position);
  if (found == view.points.end() || found->position != position) return {};
  return static_cast<std::size_t>(found - view.points.begin());
}

std::vector<SeriesStep> scaled_steps(const Series& series, const TrendView& view) {
  std::vector<SeriesStep> steps;
  for (SeriesStep step : series.steps) {
    const auto place = place_in(view, series, step.point);
    if (!place || !drawable(step.before) || !drawable(step.after)) continue;
    step.point = *place;
    step.before /= view.scale.factor;
    step.after /= view.scale.factor;
    steps.push_back(std::move(step));
  }
  return steps;
}

std::vector<SeriesDrift> scaled_drifts(const Series& series, const TrendView& view) {
  std::vector<SeriesDrift> drifts;
  for (SeriesDrift drift : series.drifts) {
    const auto first = place_in(view, series, drift.from);
    const auto last = place_in(view, series, drift.to - 1);
    if (!first || !last || *first >= *last || !drawable(drift.before) || !drawable(drift.after)) continue;
    drift.from = *first;
    drift.to = *last + 1;
    drift.before /= view.scale.factor;
    drift.after /= view.scale.factor;
    drifts.push_back(std::move(drift));
  }
  return drifts;
}

constexpr std::array<std::pair<const char*, const char*>, 5> kTitles{
    {{"real_time", "time"},
     {"cpu_time", "CPU time"},
     {"bytes_per_second", "bandwidth"},
     {"flops", "floating-point rate"},
     {"items_per_second", "items per second"}}};

constexpr std::size_t kOverviewRowsMax = 60;  // what still fits a picture
constexpr std::size_t kPanelsMax = 24;
constexpr double kOverviewReachMax = 4;  // how far beyond the longest bar a reference still extends the axis

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
  std::ranges::stable_sort(view.lines, {}, &ReferenceLine::value);
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
    const auto row =
        static_cast<std::size_t>(std::ranges::find(overview.rows, bar.variant) - overview.rows.begin());
    if (!drawable(bar.median) || row == overview.rows.size()) continue;
    const double median = bar.median / view.scale.factor;
    const Interval spread =
        drawn_spread({bar.spread.low / view.scale.factor, bar.spread.high / view.scale.factor}, median);
    view.bars[row] = FamilyBar{bar.variant, median, spread};
    view.high = std::max({view.high, median, std::min(spread.high, median * 1.5)});
    const bool is_better =
        !view.best || (metric.better == Better::kHigher) == (median > view.bars[*view.best]->median);
    if (is_better && !overview.bounds[row]) view.best = row;
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
  std::ranges::stable_sort(rows, {}, [&](const std::string& row) { return behind[row]; });
}

constexpr std::size_t kSweepRowsMax = 60;  // what still fits a picture
constexpr std::size_t kSweepColumnsMax = 60;
// Values closer than this are not driven apart to the ends of the colours: it would show noise.
constexpr double kContrastMin = 0.1;

bool faster(const Metric& metric, double a, double b) {
  return metric.better == Better::kHigher ? a > b : a < b;
}

// What is shaded: a time of half the length is twice as fast.
double speed(const Metric& metric, double value) {
  return metric.better == Better::kHigher ? value : 1 / value;
}

bool is_as_good(const Metric& metric, double value, double best, double threshold) {
  return metric.better == Better::kHigher ? value >= best * (1 - threshold) : value <= best * (1 + threshold);
}

std::optional<double> value_of(const SweepGrid& grid, std::size_t row, std::size_t column) {
  const auto& cell = grid.cells[row][column];
  return cell && drawable(*cell) && *cell > 0 ? cell : std::nullopt;
}

SweepRow view_row(const SweepGrid& grid, std::size_t index, std::size_t columns, const Scale& scale) {
  SweepRow row;
  row.name = grid.rows[index];
  row.cells.resize(columns);
  for (std::size_t i = 0; i < columns; ++i) {
    const auto value = value_of(grid, index, i);
    if (!value) continue;
    row.cells[i] = SweepCell{.value = *value / scale.factor};
    if (!row.best || faster(grid.metric, row.cells[i]->value, row.cells[*row.best]->value)) row.best = i;
    if (!row.worst || faster(grid.metric, row.cells[*row.worst]->value, row.cells[i]->value)) row.worst = i;
  }
  for (auto& cell : row.cells)
    if (cell)
      cell->as_good =
          is_as_good(grid.metric, cell->value, row.cells[*row.best]->value, grid.thresholds[index]);
  return row;
}

void shade(SweepView& view, const Metric& metric) {
  double low = speed(metric, view.darkest);
  const double high = speed(metric, view.lightest);
  low = std::min(low, high * (1 - kContrastMin));
  view.darkest = metric.better == Better::kHigher ? low : 1 / low;
  for (auto& row : view.rows)
    for (auto& cell : row.cells)
      if (cell) cell->shade = std::clamp((speed(metric, cell->value) - low) / (high - low), 0.0, 1.0);
}

}  // namespace

std::string side_name(const Side& side) {
  const std::string id = short_id(side.commit);
  if (id.empty()) return side.label.empty() ? "?" : side.label;
  const bool says_more = !side.label.empty() && !side.commit.starts_with(side.label);
  return says_more ? side.label + " (" + id + ")" : id;
}

TrendView view_trend(const Series& series) {
  TrendView view;
  for (const auto& point : series.points)
    if (drawable(point.median)) view.points.push_back(point);
  if (view.points.empty()) return view;
  std::ranges::stable_sort(view.points, [](const auto& a, const auto& b) { return a.position < b.position; });
  std::vector<int> positions;
  for (const auto& point : view.points) positions.push_back(point.position);
  view.axis = commit_axis(positions);
  double size_max = 0;
  for (const auto& point : view.points) size_max = std::max(size_max, std::abs(point.median));
  view.scale = choose_scale(size_max, series.metric.unit);
  for (auto& point : view.points) {
    const auto [low, high] = drawn_spread(point.spread, point.median);
    point.median /= view.scale.factor;
    point.spread = {low / view.scale.factor, high / view.scale.factor};
  }
  for (std::size_t i = 0; i < view.points.size(); ++i)
    if (series.base && !series.base->empty() && view.points[i].commit == *series.base) view.base = i;

  view.steps = scaled_steps(series, view);
  view.drifts = scaled_drifts(series, view);
  if (series.judged && view.base)
    view.judged = JudgedChange{series.judged->base / view.scale.factor,
                               series.judged->candidate / view.scale.factor, series.judged->change};

  const Range data = data_range(view.points, view.base);
  Range range = data;
  const auto fits = [&](double value) { return data.span() >= kTrendShareMin * range.with(value).span(); };
  if (view.base) {
    const double median = view.points[*view.base].median;
    for (const double edge : {median * (1 - series.threshold), median * (1 + series.threshold)})
      if (drawable(edge) && fits(edge)) range = range.with(edge);
  }
  std::vector<ReferenceLine> references;
  for (const auto& line : series.references)
    if (drawable(line.value)) references.push_back({line.label, line.value / view.scale.factor});
  const auto distance = [&](const ReferenceLine& line) {
    return std::max({0.0, data.low - line.value, line.value - data.high});
  };
  std::ranges::stable_sort(references,
                           [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
  for (const auto& line : references) {
    if (fits(line.value)) {
      range = range.with(line.value);
      view.lines.push_back(line);
    } else {
      (line.value > data.high ? view.above : view.below).push_back(line);
    }
  }
  view.low = range.low - kTrendMargin * range.span();
  view.high = range.high + kTrendMargin * range.span();
  if (range.low >= 0) view.low = std::max(view.low, 0.0);
  count_spikes(view);
  return view;
}

bool is_cut(const TrendView& view) {
  return view.low > 0 || view.high < 0;
}

double newest_value(const TrendView& view) {
  return view.judged ? view.judged->candidate : view.points.back().median;
}

bool is_new(const TrendView& view, const SeriesStep& step) {
  return !step.settled || step.point + kNewSteps >= view.points.size();
}

bool is_plain(const SeriesStep& step) {
  return step.other_conditions.empty() && step.accepted.empty();
}

double drift_change(const SeriesDrift& drift) {
  return std::sqrt((1 + drift.change.low) * (1 + drift.change.high)) - 1;
}

double step_change(const TrendView& view, const SeriesStep& step) {
  const bool is_judged = view.judged && step.point + 1 == view.points.size() && *view.base + 1 == step.point;
  return is_judged ? view.judged->change : step.after / step.before - 1;
}

std::string spike_note(const TrendView& view) {
  if (view.spikes == 0) return "";
  const std::string value = reference_text({"", view.farthest_spike}, view.scale);
  return view.spikes == 1 ? "1 run off the axis, at" + value
                          : std::to_string(view.spikes) + " runs off the axis, the farthest at" + value;
}

std::vector<std::string> off_axis_notes(const TrendView& view) {
  std::vector<std::string> notes;
  if (view.spikes > 0) notes.push_back(spike_note(view));
  for (const auto& line : view.above) notes.push_back(reference_text(line, view.scale) + " ↑");
  for (const auto& line : view.below) notes.push_back(reference_text(line, view.scale) + " ↓");
  return notes;
}

std::vector<SeriesPoint> shown_points(const TrendView& view, std::size_t count_max) {
  if (!view.axis.is_split()) return thin_out(view.points, count_max);
  const auto knee = std::ranges::find_if(
      view.points, [&](const SeriesPoint& point) { return point.position >= view.axis.knee; });
  std::vector<SeriesPoint> shown = thin_out({view.points.begin(), knee}, count_max);
  shown.insert(shown.end(), knee, view.points.end());
  return shown;
}

std::optional<NewestChange> newest_change(const TrendView& view) {
  const std::size_t newest = view.points.size() - 1;
  const bool has_base = view.base && *view.base != newest;
  if (!has_base && newest == 0) return {};
  const SeriesPoint& from = view.points[has_base ? *view.base : newest - 1];
  if (from.median == 0) return {};
  const bool is_judged = has_base && view.judged;
  return NewestChange{is_judged ? view.judged->change : view.points[newest].median / from.median - 1,
                      (has_base ? "base " : "") + short_id(from.commit)};
}

std::vector<std::string> short_history(const Series& series, const TrendView& view) {
  if (view.points.empty() || view.points.size() > 2) return {};
  const auto place = [](const SeriesPoint& point) {
    return short_id(point.commit) + " " + point.subject.str() + " (" + point.date.substr(0, 10) + ")";
  };
  const SeriesPoint& newest = view.points.back();
  std::vector<std::string> lines;
  const auto value_of = [&](const SeriesPoint& point) {
    if (!view.judged) return point.median;
    if (&point == &newest) return view.judged->candidate;
    return &point == &view.points[*view.base] ? view.judged->base : point.median;
  };
  for (const auto& point : view.points)
    lines.push_back(format_number(value_of(point)) + unit_after(view.scale) + " at " + place(point) +
                    (point.disturbed ? ", disturbed" : ""));
  const auto change = newest_change(view);
  if (change) lines.push_back(format_percent(change->share) + " from one to the other.");
  for (const auto& line : series.references)
    if (drawable(line.value) && line.value > 0)
      lines.push_back(format_share(newest_value(view) * view.scale.factor / line.value) + " of " +
                      reference_text({line.label, line.value / view.scale.factor}, view.scale));
  lines.emplace_back(view.points.size() == 1
                         ? "One commit has runs so far. A trend begins with the third."
                         : "Two commits have runs so far. A trend begins with the third.");
  return lines;
}

std::vector<SeriesPoint> thin_out(const std::vector<SeriesPoint>& points, std::size_t count_max) {
  if (points.size() <= count_max || count_max == 0) return points;
  const double first = points.front().position;
  const double stretch = (points.back().position - first + 1.0) / static_cast<double>(count_max);
  std::vector<SeriesPoint> thinned;
  for (std::size_t from = 0; from < points.size();) {
    const auto bucket = std::floor((points[from].position - first) / stretch);
    std::vector<double> medians;
    Interval spread = points[from].spread;
    bool disturbed = true;
    std::size_t to = from;
    for (; to < points.size() && std::floor((points[to].position - first) / stretch) == bucket; ++to) {
      medians.push_back(points[to].median);
      spread = {std::min(spread.low, points[to].spread.low), std::max(spread.high, points[to].spread.high)};
      disturbed = disturbed && points[to].disturbed;
    }
    std::nth_element(medians.begin(), medians.begin() + static_cast<std::ptrdiff_t>(medians.size() / 2),
                     medians.end());
    SeriesPoint point = points[from + (to - from) / 2];
    point.median = medians[medians.size() / 2];
    point.spread = spread;
    point.disturbed = disturbed;
    thinned.push_back(point);
    from = to;
  }
  return thinned;
}

OverviewView view_overview(const FamilyOverview& overview) {
  OverviewView view;
  std::vector<const FamilyPanel*> panels;
  for (const auto& panel : overview.panels) {
    if (std::ranges::none_of(panel.bars, drawable, &FamilyBar::median)) continue;
    if (panels.size() == kPanelsMax) {
      view.cut = true;
      break;
    }
    panels.push_back(&panel);
    for (const auto& bar : panel.bars)
      if (std::ranges::find(view.rows, bar.variant) == view.rows.end()) view.rows.push_back(bar.variant);
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

std::string metric_title(const Metric& metric) {
  for (const auto& [name, title] : kTitles)
    if (metric.name == name) return title;
  return metric.name;
}

std::string better_text(const Metric& metric) {
  return metric.better == Better::kHigher ? "higher is better" : "lower is better";
}

std::string reference_text(const ReferenceLine& line, const Scale& scale) {
  return printable(line.label) + " " + format_number(line.value) + unit_after(scale);
}

std::string metric_words(const Metric& metric, const std::string& unit) {
  return metric_title(metric) + (unit.empty() ? "" : " in " + unit) + ", " + better_text(metric);
}

std::string counts_in_words(const std::map<Verdict, int>& counts) {
  std::vector<std::string> parts;
  for (const auto& [verdict, count] : counts)
    parts.push_back(std::to_string(count) + " " + verdict_name(verdict));
  return join(parts, ", ");
}

std::string share_text(double share) {
  return std::to_string(std::lround(std::min(share, 99.0) * 100)) + " %";
}

std::size_t text_columns(int asked) {
  return std::max(static_cast<std::size_t>(std::max(asked, 0)), kTextColumnsMin);
}

std::string text_heading(const std::string& title, const std::string& device,
                         const std::vector<std::string>& facts, std::size_t columns) {
  return shorten_middle(title, columns) + "\n" +
         shorten_middle(device + " · " + join(facts, " · "), columns) + "\n";
}

std::string without_trailing_blanks(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

SweepView view_sweep(const SweepGrid& grid) {
  SweepView view;
  const std::size_t rows = std::min(grid.rows.size(), kSweepRowsMax);
  const std::size_t columns = std::min(grid.columns.size(), kSweepColumnsMax);
  view.cut = rows < grid.rows.size() || columns < grid.columns.size();
  view.columns.assign(grid.columns.begin(), grid.columns.begin() + static_cast<std::ptrdiff_t>(columns));
  double size_max = 0;
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t column = 0; column < columns; ++column)
      size_max = std::max(size_max, value_of(grid, row, column).value_or(0));
  if (size_max <= 0) return view;
  view.scale = choose_scale(size_max, grid.metric.unit);
  bool first = true;
  for (std::size_t i = 0; i < rows; ++i) {
    view.rows.push_back(view_row(grid, i, columns, view.scale));
    const SweepRow& row = view.rows.back();
    if (!row.best) continue;
    const double best = row.cells[*row.best]->value;
    const double worst = row.cells[*row.worst]->value;
    if (first || faster(grid.metric, best, view.lightest)) view.lightest = best;
    if (first || faster(grid.metric, view.darkest, worst)) view.darkest = worst;
    first = false;
  }
  shade(view, grid.metric);
  return view;
}

}  // namespace tracker::plot

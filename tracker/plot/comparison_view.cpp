#include "tracker/plot/comparison_view.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "tracker/base/text.hpp"
#include "tracker/plot/samples_words.hpp"
#include "tracker/plot/verdict_style.hpp"

namespace tracker {
namespace {

constexpr std::size_t kComparisonRowsMax = 40;
constexpr std::size_t kFilledTo = 24;  // with rows that say little, where fewer say something
constexpr double kLinearMax = 8;  // thresholds that a linear axis holds before they get too narrow to see
constexpr double kThresholdsShown = 1.5;
constexpr double kIntervalReach = 2;  // times the largest change: an interval that is longer is cut off
constexpr double kSpanMin = 0.002;
constexpr double kThresholdMin = 1e-6;  // a share: with less there is no band to see
constexpr double kMargin = 0.05;
constexpr int kTicsMax = 10;

bool faster_is_less(const Comparison& comparison) {
  return comparison.metric.better == Better::kLower;
}

bool has_change(const Comparison& comparison) {
  return comparison.change && drawable(*comparison.change) && is_compared(comparison);
}

// Turned round, so that faster is positive.
Interval as_speed(const Interval& interval, bool turned) {
  return turned ? Interval{-interval.high, -interval.low} : interval;
}

// "3.482 → 1.641 TB/s": both in the unit of the larger.
std::string values_of(const Comparison& comparison) {
  double largest = 0;
  for (const auto& value : {comparison.base, comparison.candidate})
    if (value && drawable(*value)) largest = std::max(largest, std::abs(*value));
  const Scale scale = choose_scale(largest, comparison.metric.unit);
  const auto text = [&](const std::optional<double>& value) {
    return value && drawable(*value) ? format_number(*value / scale.factor) : std::string("–");
  };
  return text(comparison.base) + " → " + text(comparison.candidate) +
         (scale.unit.empty() ? "" : " " + scale.unit);
}

ChangeRow row_of(const Comparison& comparison) {
  ChangeRow row;
  row.benchmark = comparison.benchmark;
  row.verdict = comparison.verdict;
  row.values = values_of(comparison);
  if (drawable(comparison.threshold) && comparison.threshold > kThresholdMin)
    row.threshold = comparison.threshold;
  Comparison strict = comparison;
  strict.report_only = false;
  strict.waiver = {};
  row.excused = fails_gate(strict) && !fails_gate(comparison);
  if (!has_change(comparison)) {
    row.change_text = verdict_name(comparison.verdict);
    return row;
  }
  const bool turned = faster_is_less(comparison);
  row.change = turned ? -*comparison.change : *comparison.change;
  row.change_text = format_percent(*comparison.change);
  row.interval_text = interval_words(comparison);
  constexpr double kUnknown = std::numeric_limits<double>::infinity();
  row.interval = Interval{-kUnknown, kUnknown};
  if (comparison.interval && !noise_hides_everything(comparison)) {
    const auto [low, high] = as_speed(*comparison.interval, turned);
    if (drawable(low)) row.interval->low = std::min(low, *row.change);
    if (drawable(high)) row.interval->high = std::max(high, *row.change);
  }
  return row;
}

// What is decided comes before what is not, and that before what is the same; among equals the largest.
bool chosen_before(const ChangeRow& a, const ChangeRow& b) {
  const auto rank = [](Verdict verdict) {
    return verdict == Verdict::kUnchanged ? 2 : verdict == Verdict::kInconclusive ? 1 : 0;
  };
  if (rank(a.verdict) != rank(b.verdict)) return rank(a.verdict) < rank(b.verdict);
  return std::abs(a.change.value_or(0)) > std::abs(b.change.value_or(0));
}

bool slower(const ChangeRow& a, const ChangeRow& b) {
  if (a.change && b.change) return *a.change < *b.change;
  return a.change.has_value() && !b.change;
}

std::string words_for(const std::vector<ChangeRow>& rows) {
  std::vector<std::string> parts;
  for (const Verdict verdict : all_verdicts()) {
    const auto count =
        std::count_if(rows.begin(), rows.end(), [&](const ChangeRow& row) { return row.verdict == verdict; });
    if (count > 0) parts.push_back(std::to_string(count) + " " + verdict_name(verdict));
  }
  double largest = 0;
  for (const auto& row : rows) largest = std::max(largest, std::abs(row.change.value_or(0)));
  return count_of(rows.size(), "row") + " more: " + join(parts, ", ") + ", none beyond " +
         format_share(std::round(largest * 1e4 + 0.5) / 1e4);
}

void set_range(ComparisonView& view) {
  double size = 0;
  double threshold = 0;
  for (const auto& row : view.rows) {
    size = std::max(size, std::abs(row.change.value_or(0)));
    threshold = std::max(threshold, row.threshold);
  }
  const double least = std::max(threshold * kThresholdsShown, kSpanMin);
  const double reach = kIntervalReach * std::max(size, least);
  view.low = -least;
  view.high = least;
  for (const auto& row : view.rows) {
    if (!row.change) continue;
    view.low = std::min({view.low, *row.change, std::max(row.interval->low, -reach)});
    view.high = std::max({view.high, *row.change, std::min(row.interval->high, reach)});
  }
  // The least threshold, so that all bands can be seen.
  double knee = 0;
  for (const auto& row : view.rows)
    if (row.threshold > 0) knee = knee == 0 ? row.threshold : std::min(knee, row.threshold);
  const double extent = std::max(-view.low, view.high);
  if (knee > 0 && extent > kLinearMax * knee) view.knee = knee;
  const double margin = kMargin * (view.high - view.low);
  if (view.knee == 0) {
    view.low -= margin;
    view.high += margin;
    return;
  }
  const double low = std::asinh(view.low / view.knee);
  const double high = std::asinh(view.high / view.knee);
  view.low = view.knee * std::sinh(low - kMargin * (high - low));
  view.high = view.knee * std::sinh(high + kMargin * (high - low));
}

ChangeSigns signs_of(const ComparisonReport& report) {
  bool any_less = false;
  bool any_more = false;
  for (const auto& comparison : report.comparisons)
    if (has_change(comparison)) (faster_is_less(comparison) ? any_less : any_more) = true;
  if (any_less && any_more) return ChangeSigns::kMirrored;
  return any_less ? ChangeSigns::kTurned : ChangeSigns::kAsDrawn;
}

std::string tic_label(double change, ChangeSigns signs) {
  if (change == 0) return "0";
  const bool negative = (change < 0) != (signs == ChangeSigns::kTurned);
  return (negative ? "−" : "+") + format_share(std::abs(change));
}

}  // namespace

double ComparisonView::place(double change) const {
  const double inside = std::clamp(change, low, high);
  if (knee == 0) return (inside - low) / (high - low);
  const double from = std::asinh(low / knee);
  return (std::asinh(inside / knee) - from) / (std::asinh(high / knee) - from);
}

ComparisonView view_comparison(const ComparisonReport& report) {
  ComparisonView view;
  if (std::none_of(report.comparisons.begin(), report.comparisons.end(), has_change)) return view;
  for (const auto& comparison : report.comparisons) view.rows.push_back(row_of(comparison));
  std::stable_sort(view.rows.begin(), view.rows.end(), chosen_before);
  const auto telling = static_cast<std::size_t>(std::count_if(
      view.rows.begin(), view.rows.end(), [](const ChangeRow& row) { return is_decided(row.verdict); }));
  const std::size_t shown = std::clamp(telling, kFilledTo, kComparisonRowsMax);
  if (view.rows.size() > shown) {
    const auto rest = view.rows.begin() + static_cast<std::ptrdiff_t>(shown);
    view.left_out = words_for({rest, view.rows.end()});
    view.rows.erase(rest, view.rows.end());
  }
  std::stable_sort(view.rows.begin(), view.rows.end(), slower);
  const auto counts = count_verdicts(report);
  for (const Verdict verdict : all_verdicts())
    if (const auto count = counts.find(verdict); count != counts.end()) view.counts.emplace_back(*count);
  view.signs = signs_of(report);
  set_range(view);
  return view;
}

std::vector<Tic> change_tics(const ComparisonView& view, double distance_min) {
  std::vector<Tic> tics;
  if (view.knee == 0) {
    const int count = std::clamp(static_cast<int>(1 / distance_min), 2, kTicsMax);
    for (const auto& tic : make_tics(view.low, view.high, count))
      tics.push_back({tic.value, tic_label(std::abs(tic.value) < 1e-12 ? 0 : tic.value, view.signs)});
    return tics;
  }
  tics.push_back({0, tic_label(0, view.signs)});
  for (const double side : {-1.0, 1.0}) {
    const double end = side < 0 ? view.low : view.high;
    double last = view.place(0);
    for (int power = -6; power <= 6; ++power)
      for (const double step : {1.0, 2.0, 5.0}) {
        const double change = side * step * std::pow(10.0, power);
        if (std::abs(change) > std::abs(end)) break;
        const double place = view.place(change);
        if (std::abs(place - last) < distance_min) continue;
        tics.push_back({change, tic_label(change, view.signs)});
        last = place;
      }
  }
  return tics;
}

}  // namespace tracker

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "tracker/base/text.hpp"
#include "tracker/plot/views.hpp"

namespace tracker::plot {
namespace {

constexpr std::size_t kColumnsMax = 80;  // a side
constexpr double kWidthMin = 8;          // columns: a few do not fill the picture
constexpr double kPairGap = 0.6;         // columns between two rounds
constexpr double kSideGap = 2;
constexpr double kJobGap = 1;
constexpr double kSamplesSpanMin = 0.004;  // of the value: less would make noise look like a cliff
constexpr double kOuterShare = 0.01;       // of the samples at each end, that may be cut off
constexpr double kReach = 1;               // inner spans beyond which they are
constexpr std::size_t kCutMin = 20;        // samples, for that
constexpr double kSamplesMargin = 0.06;    // of the axis left free at each end
constexpr double kShareMin = 0.4;          // of the axis the samples keep beside the threshold
constexpr double kCrowdedShare =
    0.22;                        // of the axis: with less for both sides, what is between them is cut out
constexpr double kBreak = 0.07;  // of the height

// The newest invocations, where there are too many for a picture; of what belongs in pairs both or none.
std::string cut(BenchmarkSamples& samples) {
  if (samples.paired) {
    std::set<int> rounds;
    for (const auto* side : {&samples.base, &samples.candidate})
      for (const auto& one : *side) rounds.insert(one.round);
    if (rounds.size() <= kColumnsMax) return "";
    const int first = *std::prev(rounds.end(), static_cast<std::ptrdiff_t>(kColumnsMax));
    for (auto* side : {&samples.base, &samples.candidate})
      std::erase_if(*side, [&](const InvocationSamples& one) { return one.round < first; });
    return "the last " + std::to_string(kColumnsMax) + " of " + std::to_string(rounds.size()) + " rounds";
  }
  std::size_t most = 0;
  for (auto* side : {&samples.base, &samples.candidate}) {
    most = std::max(most, side->size());
    if (side->size() > kColumnsMax)
      side->erase(side->begin(), side->end() - static_cast<std::ptrdiff_t>(kColumnsMax));
  }
  if (most <= kColumnsMax) return "";
  return "the last " + std::to_string(kColumnsMax) + " of " + std::to_string(most) + " invocations";
}

void drop_undrawable(std::vector<InvocationSamples>& side) {
  for (auto& one : side) std::erase_if(one.values, [](double value) { return !drawable(value); });
  std::erase_if(side, [](const auto& one) { return one.values.empty() || !drawable(one.median); });
}

SampleColumn column_of(const InvocationSamples& one, bool candidate, double place, double factor) {
  SampleColumn column{candidate,           place,         one.job,      one.round, {},
                      one.median / factor, !one.excluded, one.disturbed};
  for (const double value : one.values) column.values.push_back(value / factor);
  return column;
}

// The two sides of a round beside each other, round after round.
void place_pairs(const BenchmarkSamples& samples, double factor, SamplesView& view) {
  std::map<int, std::vector<std::pair<const InvocationSamples*, bool>>> rounds;
  for (const auto& one : samples.base) rounds[one.round].emplace_back(&one, false);
  for (const auto& one : samples.candidate) rounds[one.round].emplace_back(&one, true);
  double place = 0;
  for (const auto& [round, members] : rounds) {
    std::optional<std::size_t> base;
    std::optional<std::size_t> candidate;
    for (const auto& [one, is_candidate] : members) {
      place += 1;
      view.columns.push_back(column_of(*one, is_candidate, place - 0.5, factor));
      if (view.columns.back().counts) (is_candidate ? candidate : base) = view.columns.size() - 1;
    }
    place += kPairGap;
    if (base && candidate) view.pairs.emplace_back(*base, *candidate);
  }
  view.width = std::max(place - kPairGap, 1.0);
}

void place_sides(const BenchmarkSamples& samples, double factor, SamplesView& view) {
  double place = 0;
  for (const bool candidate : {false, true}) {
    const auto& side = candidate ? samples.candidate : samples.base;
    if (candidate && !side.empty() && place > 0) place += kSideGap;
    for (std::size_t i = 0; i < side.size(); ++i) {
      if (i > 0 && side[i].job != side[i - 1].job) place += kJobGap;
      place += 1;
      view.columns.push_back(column_of(side[i], candidate, place - 0.5, factor));
    }
  }
  view.width = std::max(place, 1.0);
}

// Where values lie so far outside the middle half, and are so few, that they would take the room of what is
// to be seen. Nothing where none do.
std::optional<Range> outlier_fence(const std::vector<double>& sorted) {
  constexpr double kFence = 4;          // times the length of the middle half
  constexpr double kOutliersMax = 0.2;  // of all values; more are a speed of their own
  if (sorted.size() < kCutMin) return {};
  const double low = sorted[sorted.size() / 4];
  const double high = sorted[sorted.size() - 1 - sorted.size() / 4];
  const double reach = kFence * (high - low);
  const Range fence{low - reach, high + reach};
  const auto outside =
      std::ranges::count_if(sorted, [&](double value) { return value < fence.low || value > fence.high; });
  const bool is_few = static_cast<double>(outside) <= kOutliersMax * static_cast<double>(sorted.size());
  if (outside == 0 || !is_few || !(high > low)) return {};
  return fence;
}

// What an axis for this side has to hold: the medians, and the samples without rare ones that are far off.
std::optional<Range> range_of(const SamplesView& view, bool candidate) {
  std::vector<double> values;
  std::optional<Range> range;
  for (const auto& column : view.columns) {
    if (column.candidate != candidate) continue;
    values.insert(values.end(), column.values.begin(), column.values.end());
    range = range.value_or(Range{column.median, column.median}).with(column.median);
  }
  if (!range) return range;
  std::ranges::sort(values);
  if (const auto fence = outlier_fence(values)) {
    std::erase_if(values, [&](double value) { return value < fence->low || value > fence->high; });
    return Range{values.front(), values.back()};
  }
  const auto cut =
      values.size() < kCutMin
          ? std::size_t{0}
          : static_cast<std::size_t>(std::ceil(kOuterShare * static_cast<double>(values.size())));
  const Range inner = range->with(Range{values[cut], values[values.size() - 1 - cut]});
  const double reach = kReach * inner.span();
  range = inner;
  for (const double value : values)
    if (value >= inner.low - reach && value <= inner.high + reach) range = range->with(value);
  return range;
}

AxisPart part_of(const Range& range, double margin) {
  return {range.low - margin, range.high + margin, 0, 1};
}

// Both to one scale, with a gap between them.
std::vector<AxisPart> broken_axis(Range low, Range high) {
  const double margin = kSamplesMargin * (low.span() + high.span());
  AxisPart lower = part_of(low, margin);
  AxisPart upper = part_of(high, margin);
  const double both = lower.high - lower.low + upper.high - upper.low;
  lower.top = (1 - kBreak) * (lower.high - lower.low) / both;
  upper.bottom = lower.top + kBreak;
  return {lower, upper};
}

void make_axis(const BenchmarkSamples& samples, SamplesView& view) {
  auto base = range_of(view, false);
  auto candidate = range_of(view, true);
  if (base && view.base_value) base = base->with(*view.base_value);
  if (candidate && view.candidate_value) candidate = candidate->with(*view.candidate_value);
  Range all = base && candidate ? base->with(*candidate) : base ? *base : *candidate;
  const double size = std::max(std::abs(all.low), std::abs(all.high));
  const double span_min = size > 1e-280 ? kSamplesSpanMin * size : 1;
  if (base && candidate) {
    const Range a = base->widened(span_min);
    const Range b = candidate->widened(span_min);
    if (a.span() + b.span() < kCrowdedShare * a.with(b).span()) {
      view.parts = a.low < b.low ? broken_axis(a, b) : broken_axis(b, a);
      return;
    }
  }
  const double threshold = samples.comparison.threshold;
  if (view.base_value && threshold > 0 && drawable(threshold)) {
    const Range band{*view.base_value * (1 - threshold), *view.base_value * (1 + threshold)};
    const Range both = all.with(band);
    if (drawable(both.span()) && all.widened(span_min).span() >= kShareMin * both.span()) {
      all = both;
      view.threshold = Interval{band.low, band.high};
    }
  }
  all = all.widened(span_min);
  view.parts = {part_of(all, kSamplesMargin * all.span())};
}

void count_beyond(SamplesView& view) {
  double distance_max = 0;
  for (const auto& column : view.columns)
    for (const double value : column.values) {
      if (view.holds(value)) continue;
      ++view.beyond;
      double distance = INFINITY;
      for (const auto& part : view.parts)
        distance = std::min(distance, std::max(part.low - value, value - part.high));
      if (distance > distance_max) view.farthest_beyond = value;
      distance_max = std::max(distance_max, distance);
    }
}

std::optional<double> scaled(const std::optional<double>& value, double factor) {
  if (!value || !drawable(*value)) return {};
  return *value / factor;
}

constexpr int kDensitySteps = 150;   // of each part of the axis
constexpr double kSmoothing = 0.65;  // of the width that suits one bell: two modes must stay two

struct Weighted {
  double value = 0;
  double weight = 0;
};

// Every invocation has the same weight, however many repetitions it made.
std::vector<Weighted> weighted_values(const SamplesView& view, bool candidate) {
  std::vector<Weighted> all;
  for (const auto& column : view.columns)
    if (column.candidate == candidate && column.counts)
      for (const double value : column.values)
        all.push_back({value, 1 / static_cast<double>(column.values.size())});
  std::ranges::sort(all, {}, &Weighted::value);
  return all;
}

// Silverman's rule, by the quartiles where they are closer than the deviation says.
double kernel_width(const std::vector<Weighted>& all, double least) {
  double mean = 0;
  for (const auto& one : all) mean += one.value / static_cast<double>(all.size());
  double squares = 0;
  for (const auto& one : all) squares += (one.value - mean) * (one.value - mean);
  const auto count = static_cast<double>(all.size());
  const double deviation = std::sqrt(squares / std::max(count - 1, 1.0));
  const double quartiles = all[all.size() * 3 / 4].value - all[all.size() / 4].value;
  const double spread = quartiles > 0 ? std::min(deviation, quartiles / 1.34) : deviation;
  return std::max(kSmoothing * 0.9 * spread * std::pow(count, -0.2), least);
}

Density density_of(const SamplesView& view, bool candidate) {
  const auto all = weighted_values(view, candidate);
  if (all.empty()) return {};
  double span = 0;
  for (const auto& part : view.parts) span += part.high - part.low;
  const double width = kernel_width(all, span / kDensitySteps);
  double total = 0;
  for (const auto& one : all) total += one.weight;
  const auto height_at = [&](double value) {
    double sum = 0;
    for (const auto& one : all) {
      const double z = (value - one.value) / width;
      sum += one.weight * std::exp(-z * z / 2);
    }
    return sum / width / total;
  };
  Density density;
  for (const auto& part : view.parts)
    for (int i = 0; i <= kDensitySteps; ++i) {
      const double value = part.low + (part.high - part.low) * i / kDensitySteps;
      density.emplace_back(value, height_at(value));
    }
  return density;
}

// Fills the distributions of a view that has its columns and its axis: of the invocations that count, each
// with the same weight, by a Gaussian kernel.
void make_densities(SamplesView& view) {
  view.base = density_of(view, false);
  view.candidate = density_of(view, true);
  double widest = 0;
  for (const auto* side : {&view.base, &view.candidate})
    for (const auto& [at, height] : *side) widest = std::max(widest, height);
  for (auto* side : {&view.base, &view.candidate})
    for (auto& [at, height] : *side) height = widest > 0 ? height / widest : 0;
}

}  // namespace

double SamplesView::place(double value) const {
  for (const auto& part : parts)
    if (value <= part.high || &part == &parts.back()) {
      const double share = (std::clamp(value, part.low, part.high) - part.low) / (part.high - part.low);
      return part.bottom + share * (part.top - part.bottom);
    }
  return 0;
}

bool SamplesView::holds(double value) const {
  return std::ranges::any_of(parts,
                             [&](const AxisPart& part) { return value >= part.low && value <= part.high; });
}

SamplesView view_samples(const BenchmarkSamples& samples) {
  SamplesView view;
  BenchmarkSamples shown = samples;
  drop_undrawable(shown.base);
  drop_undrawable(shown.candidate);
  if (shown.base.empty() && shown.candidate.empty()) return view;
  view.cut = cut(shown);
  double largest = 0;
  for (const auto* side : {&shown.base, &shown.candidate})
    for (const auto& one : *side) largest = std::max(largest, std::abs(one.median));
  view.scale = choose_scale(largest, samples.comparison.metric.unit);
  view.base_value = scaled(samples.comparison.base, view.scale.factor);
  view.candidate_value = scaled(samples.comparison.candidate, view.scale.factor);
  view.paired = shown.paired && !shown.base.empty() && !shown.candidate.empty();
  (view.paired ? place_pairs : place_sides)(shown, view.scale.factor, view);
  if (view.width < kWidthMin) {
    for (auto& column : view.columns) column.place += (kWidthMin - view.width) / 2;
    view.width = kWidthMin;
  }
  view.left_out = static_cast<std::size_t>(std::ranges::count(view.columns, false, &SampleColumn::counts));
  make_axis(samples, view);
  count_beyond(view);
  make_densities(view);
  return view;
}

std::string interval_words(const Comparison& comparison) {
  if (!comparison.interval || !drawable(comparison.interval->low) || !drawable(comparison.interval->high) ||
      noise_hides_everything(comparison))
    return "";
  return format_percent_range(comparison.interval->low, comparison.interval->high);
}

}  // namespace tracker::plot

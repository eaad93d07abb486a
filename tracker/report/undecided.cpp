#include "tracker/report/undecided.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "tracker/base/text.hpp"
#include "tracker/report/cells.hpp"
#include "tracker/report/shared_reason.hpp"

namespace tracker {
namespace {

constexpr std::size_t kSuspiciousMax = 10;
constexpr std::size_t kReasonsMax = 5;

// How far it is to the worse, in units of the smallest change that could have been told.
double suspicion(const Comparison& comparison) {
  if (!comparison.change || !comparison.resolvable || noise_hides_everything(comparison)) return -1;
  const double worse = comparison.metric.better == Better::kHigher ? -*comparison.change : *comparison.change;
  return *comparison.resolvable > 0 ? worse / *comparison.resolvable : worse;
}

double suspicion(const BenchmarkRow& row) {
  double most = -std::numeric_limits<double>::infinity();
  for (const auto* cell : row.cells)
    if (cell != nullptr && cell->verdict == Verdict::kInconclusive) most = std::max(most, suspicion(*cell));
  return most;
}

// "1.7–15 %"
std::string detectable_range(const Interval& range) {
  const std::string low = format_share(range.low);
  const std::string high = format_share(range.high);
  return low == high ? high : low.substr(0, low.find(' ')) + "–" + high;
}

}  // namespace

Undecided undecided_of(const std::vector<ComparisonReport>& reports,
                       const std::vector<const BenchmarkRow*>& rows) {
  Undecided undecided;
  std::optional<Interval> detectable;
  std::map<std::string, std::vector<std::string>> by_shape;
  for (const auto& report : reports)
    for (const auto& comparison : report.comparisons) {
      if (comparison.verdict != Verdict::kInconclusive) continue;
      ++undecided.results;
      const std::string reason = cells_of(comparison).reason;
      by_shape[shape_of(reason)].push_back(reason);
      if (!comparison.resolvable || noise_hides_everything(comparison)) continue;
      const double least = *comparison.resolvable;
      if (!detectable) detectable = Interval{least, least};
      detectable->low = std::min(detectable->low, least);
      detectable->high = std::max(detectable->high, least);
    }
  undecided.summary = std::to_string(undecided.results) + " undecided";
  if (detectable) undecided.summary += "; smallest detectable change " + detectable_range(*detectable);
  undecided.suspicious = rows;
  std::stable_sort(undecided.suspicious.begin(), undecided.suspicious.end(),
                   [](const auto* a, const auto* b) { return suspicion(*a) > suspicion(*b); });
  if (rows.size() > kSuspiciousMax) {
    undecided.other_benchmarks = rows.size() - kSuspiciousMax;
    undecided.suspicious.resize(kSuspiciousMax);
  }
  std::vector<const std::vector<std::string>*> shapes;
  for (const auto& [shape, reasons] : by_shape) shapes.push_back(&reasons);
  std::stable_sort(shapes.begin(), shapes.end(),
                   [](const auto* a, const auto* b) { return a->size() > b->size(); });
  for (std::size_t i = 0; i < std::min(shapes.size(), kReasonsMax); ++i)
    undecided.reasons.push_back(std::to_string(shapes[i]->size()) + ": " + merge_sentences(*shapes[i]));
  if (shapes.size() > kReasonsMax)
    undecided.reasons.push_back(count_of(shapes.size() - kReasonsMax, "more reason") +
                                ": tracker compare --all lists them");
  return undecided;
}

}  // namespace tracker

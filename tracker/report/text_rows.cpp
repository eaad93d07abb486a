#include "tracker/report/text_rows.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "tracker/base/text.hpp"
#include "tracker/report/cells.hpp"

namespace tracker {
namespace {

// A hundred rows that say "cannot tell" hide the one that says more.
constexpr int kInconclusiveRowsMax = 10;
// Fewer rows each keep their own sentence.
constexpr std::size_t kSharedRowsMin = 3;

// The interval says of unchanged rows all that there is to say, but not of their floors.
std::string why_of(const Comparison& comparison, const Cells& cells) {
  const bool says_more =
      comparison.confirmed || comparison.not_measured || (comparison.floor && comparison.floor->unclear);
  return comparison.verdict == Verdict::kUnchanged && !says_more ? "" : cells.reason;
}

// What rows have to have in common to share a sentence; empty where each has one of its own. In those that
// are compared the figures may differ, and the likely cause may not.
std::string sharing_key(const TextRow& row) {
  switch (row.verdict) {
    case Verdict::kInconclusive:
      return shape_of(row.why);
    case Verdict::kRegressed:
    case Verdict::kImproved:
      return shape_of(row.why) + "\n" + row.cells.cause;
    case Verdict::kUnchanged:
      return row.cells.change.empty() ? row.why : "";  // not measured, or each with its own floor
    case Verdict::kMissing:
    case Verdict::kNew:
    case Verdict::kFailed:
    case Verdict::kNotComparable:
      return row.why;
    default:
      return "";
  }
}

// The interval of the change, turned so that worse is positive.
std::optional<Interval> loss_of(const Comparison& comparison) {
  if (!comparison.change || !comparison.interval || noise_hides_everything(comparison)) return {};
  const auto [low, high] = *comparison.interval;
  if (!std::isfinite(low) || !std::isfinite(high)) return {};
  return comparison.metric.better == Better::kHigher ? Interval{-high, -low} : Interval{low, high};
}

// Where nothing can be judged at all, the ratios are what is asked for.
int inconclusive_rows_max(const ComparisonReport& report) {
  constexpr int kRatiosMax = 40;
  const bool only_ratios =
      std::all_of(report.comparisons.begin(), report.comparisons.end(), [](const Comparison& one) {
        const bool is_ratio = one.verdict == Verdict::kInconclusive && one.change && !one.resolvable;
        return !is_compared(one) || is_ratio;
      });
  return only_ratios ? kRatiosMax : kInconclusiveRowsMax;
}

// What is better stands above what nobody knows.
std::vector<const Comparison*> in_order(const ComparisonReport& report) {
  std::vector<const Comparison*> rows;
  for (const auto& comparison : report.comparisons) rows.push_back(&comparison);
  const auto rank = [](const Comparison* row) {
    if (row->verdict == Verdict::kImproved) return 1;
    return row->verdict < Verdict::kInconclusive ? 0 : 2;
  };
  std::stable_sort(rows.begin(), rows.end(),
                   [&](const Comparison* a, const Comparison* b) { return rank(a) < rank(b); });
  return rows;
}

}  // namespace

std::vector<TextRow> rows_of(const ComparisonReport& report, bool all_rows) {
  std::vector<TextRow> rows;
  int inconclusive = 0;
  const int inconclusive_max = inconclusive_rows_max(report);
  for (const Comparison* one : in_order(report)) {
    const Comparison& comparison = *one;
    const Verdict verdict = comparison.verdict;
    const bool hidden = verdict == Verdict::kUnchanged ||
                        (verdict == Verdict::kInconclusive && ++inconclusive > inconclusive_max);
    if (hidden && !all_rows) continue;
    const Cells cells = cells_of(comparison);
    rows.push_back({verdict, cells, why_of(comparison, cells)});
    rows.back().loss = loss_of(comparison);
    rows.back().threshold = comparison.threshold;
  }
  return rows;
}

double bar_span(const std::vector<TextRow>& rows) {
  constexpr double kThresholdsMin = 1.5;
  constexpr double kThresholdsMax = 6;
  double span = 0;
  double threshold = 0;
  for (const auto& row : rows) {
    threshold = std::max(threshold, row.threshold);
    if (row.loss) span = std::max({span, std::abs(row.loss->low), std::abs(row.loss->high)});
  }
  return std::clamp(span, kThresholdsMin * threshold, std::max(kThresholdsMax * threshold, 1e-6));
}

std::string hidden_in_words(const ComparisonReport& report, bool all_rows) {
  if (all_rows) return "";
  std::vector<std::string> parts;
  const int inconclusive = count_verdicts(report)[Verdict::kInconclusive] - inconclusive_rows_max(report);
  if (inconclusive > 0) parts.push_back(std::to_string(inconclusive) + " more that are inconclusive");
  const auto floors = std::count_if(report.comparisons.begin(), report.comparisons.end(), [](const auto& c) {
    return c.verdict == Verdict::kUnchanged && c.floor && c.floor->unclear;
  });
  if (floors > 0) parts.push_back(std::to_string(floors) + " unchanged whose floor cannot be judged");
  return parts.empty() ? "" : "… and " + join(parts, ", ") + ": --all lists them\n";
}

std::vector<TextRow> share_reasons(std::vector<TextRow> rows) {
  std::map<std::pair<Verdict, std::string>, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (const auto key = sharing_key(rows[i]); !key.empty()) groups[{rows[i].verdict, key}].push_back(i);
  std::vector<std::size_t> leader(rows.size());  // the first row of the group, which the others follow
  for (std::size_t i = 0; i < rows.size(); ++i) leader[i] = i;
  for (const auto& [key, members] : groups) {
    if (members.size() < kSharedRowsMin) continue;
    std::vector<std::string> sentences;
    const std::string cause = rows[members.front()].cells.cause;
    const bool one_cause = std::all_of(members.begin(), members.end(),
                                       [&](std::size_t i) { return rows[i].cells.cause == cause; });
    for (const std::size_t i : members) {
      if (one_cause && i != members.back()) rows[i].cells.cause.clear();
      leader[i] = members.front();
      sentences.push_back(std::move(rows[i].why));
      rows[i].why.clear();
      rows[i].shares_why = true;
    }
    rows[members.back()].why = "these " + std::to_string(members.size()) + ": " + merge_sentences(sentences);
  }
  std::vector<std::size_t> order(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return leader[a] < leader[b]; });
  std::vector<TextRow> sorted;
  for (const std::size_t i : order) sorted.push_back(std::move(rows[i]));
  return sorted;
}

}  // namespace tracker

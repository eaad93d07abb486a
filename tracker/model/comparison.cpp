#include "tracker/model/comparison.hpp"

namespace tracker {

const std::vector<Verdict>& all_verdicts() {
  static const std::vector<Verdict> verdicts{
      Verdict::kRegressed, Verdict::kBelowFloor,    Verdict::kFailed,       Verdict::kMissing,
      Verdict::kSameCode,  Verdict::kNotComparable, Verdict::kInconclusive, Verdict::kImproved,
      Verdict::kNew,       Verdict::kUnchanged};
  return verdicts;
}

std::string verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::kRegressed:
      return "regressed";
    case Verdict::kBelowFloor:
      return "below floor";
    case Verdict::kFailed:
      return "failed";
    case Verdict::kMissing:
      return "missing";
    case Verdict::kSameCode:
      return "same code";
    case Verdict::kNotComparable:
      return "incomparable";
    case Verdict::kInconclusive:
      return "inconclusive";
    case Verdict::kImproved:
      return "improved";
    case Verdict::kNew:
      return "new";
    case Verdict::kUnchanged:
      return "unchanged";
  }
  return "unknown";
}

bool fails_gate(const Comparison& comparison) {
  if (comparison.report_only || (comparison.waiver && comparison.waiver->holds)) return false;
  if (comparison.verdict == Verdict::kSameCode) return comparison.same_code_fails;
  if (comparison.failed_before) return false;
  return comparison.verdict == Verdict::kRegressed || comparison.verdict == Verdict::kBelowFloor ||
         comparison.verdict == Verdict::kFailed || comparison.verdict == Verdict::kMissing;
}

bool is_compared(const Comparison& comparison) {
  if (comparison.verdict == Verdict::kBelowFloor) return comparison.base.has_value();  // else it is new
  return comparison.verdict == Verdict::kRegressed || comparison.verdict == Verdict::kSameCode ||
         comparison.verdict == Verdict::kImproved || comparison.verdict == Verdict::kUnchanged ||
         comparison.verdict == Verdict::kInconclusive;
}

bool is_left_open(const Comparison& comparison) {
  if (comparison.report_only) return false;
  const bool waived = comparison.waiver && comparison.waiver->holds;
  return comparison.verdict == Verdict::kInconclusive || comparison.verdict == Verdict::kSameCode ||
         comparison.verdict == Verdict::kNotComparable || (comparison.failed_before && !waived) ||
         (comparison.floor && comparison.floor->unclear);
}

bool noise_hides_everything(const Comparison& comparison) {
  constexpr double kResolvableMax = 10;  // 1000 %
  return comparison.resolvable && *comparison.resolvable > kResolvableMax;
}

bool is_suspicious(const Comparison& comparison) {
  if (comparison.verdict != Verdict::kInconclusive || comparison.report_only) return false;
  if (!comparison.change || !comparison.resolvable || noise_hides_everything(comparison)) return false;
  const double worse = comparison.metric.better == Better::kHigher ? -*comparison.change : *comparison.change;
  return worse > 0 && worse >= comparison.threshold && worse >= *comparison.resolvable / 2;
}

bool matters_more(const Comparison& a, const Comparison& b) {
  const auto worse = [](const Comparison& c) {
    return c.metric.better == Better::kHigher ? -c.change.value_or(0) : c.change.value_or(0);
  };
  if (a.verdict != b.verdict) return a.verdict < b.verdict;
  if (a.verdict == Verdict::kImproved && worse(a) != worse(b)) return worse(a) < worse(b);
  if (worse(a) != worse(b)) return worse(a) > worse(b);
  return a.benchmark < b.benchmark;
}

std::map<Verdict, int> count_verdicts(const ComparisonReport& report) {
  std::map<Verdict, int> counts;
  for (const auto& comparison : report.comparisons) ++counts[comparison.verdict];
  return counts;
}

}  // namespace tracker

#include "tracker/report/cells.hpp"

#include <algorithm>
#include <cmath>

#include "tracker/base/quantity.hpp"
#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/model/run.hpp"
#include "tracker/report/reason_words.hpp"
#include "tracker/report/visible_text.hpp"

namespace tracker {
namespace {
// Every row is as wide as the widest; a whole name is in the JSON.
constexpr std::size_t kNameColumnsMax = 160;
constexpr std::size_t kProseColumnsMax = 2000;

struct Mark {
  Verdict verdict;
  const char* mark;
};
constexpr Mark kMarks[] = {{Verdict::kRegressed, "✗"},    {Verdict::kBelowFloor, "✗"},
                           {Verdict::kFailed, "✗"},       {Verdict::kMissing, "−"},
                           {Verdict::kSameCode, "!"},     {Verdict::kNotComparable, "≠"},
                           {Verdict::kInconclusive, "?"}, {Verdict::kImproved, "✓"},
                           {Verdict::kNew, "+"},          {Verdict::kUnchanged, "="}};

std::string mark_of(Verdict verdict) {
  const auto found = std::find_if(std::begin(kMarks), std::end(kMarks),
                                  [&](const Mark& row) { return row.verdict == verdict; });
  return found == std::end(kMarks) ? " " : found->mark;
}

// "−29.4", for within brackets.
std::string bare_percent(double share) {
  const std::string text = format_percent(share);
  return text.substr(0, text.find(' '));
}

std::string interval_of(const Comparison& comparison) {
  if (!comparison.change || !comparison.interval) return "";
  const auto& [low, high] = *comparison.interval;
  if (!std::isfinite(low) || !std::isfinite(high) || noise_hides_everything(comparison)) return "[unknown]";
  return "[" + bare_percent(low) + ", " + bare_percent(high) + "]";
}

// "5", or "4–5" where the benchmarks differ.
// Of what was compared: "5", "3–5"; "0" where that is nothing.
std::string range_of(const ComparisonReport& report, int Comparison::*invocations) {
  int low = 0;
  int high = 0;
  for (const auto& comparison : report.comparisons) {
    if (!is_compared(comparison) || comparison.not_measured) continue;
    const int count = comparison.*invocations;
    low = high == 0 ? count : std::min(low, count);
    high = std::max(high, count);
  }
  return low == high ? std::to_string(high) : std::to_string(low) + "–" + std::to_string(high);
}

}  // namespace

Cells cells_of(const Comparison& comparison) {
  Cells cells;
  cells.mark = mark_of(comparison.verdict);
  cells.verdict = verdict_name(comparison.verdict);
  cells.benchmark = visible_text(comparison.benchmark, kNameColumnsMax);
  const auto [base, candidate] =
      format_quantities(comparison.base, comparison.candidate, comparison.metric.unit);
  cells.base = printable(base);
  cells.candidate = printable(candidate);
  if (comparison.change) cells.change = format_percent(*comparison.change);
  cells.interval = interval_of(comparison);
  cells.reason = visible_text(reason_in_words(comparison), kProseColumnsMax);
  cells.cause = visible_text(comparison.cause, kProseColumnsMax);
  if (comparison.verdict == Verdict::kSameCode && fails_gate(comparison))
    cells.mark = mark_of(Verdict::kRegressed);
  Comparison strict = comparison;
  strict.report_only = false;
  if (comparison.report_only && fails_gate(strict)) cells.reason += " (only reported)";
  // What stayed open was measured again too, but nothing is confirmed by that.
  if (comparison.confirmed)
    cells.reason += comparison.verdict == Verdict::kInconclusive ? " (measured again)" : " (confirmed)";
  strict.waiver = {};
  strict.failed_before = false;
  cells.is_excused = fails_gate(strict) && !fails_gate(comparison);
  if (cells.is_excused) cells.mark = "~";
  return cells;
}

std::vector<std::string> side_in_words(const Side& side) {
  std::vector<std::string> words;
  const std::string id = printable(short_id(side.commit));
  if (!side.label.empty() && (id.empty() || side.commit.rfind(side.label, 0) != 0))
    words.push_back(printable(side.label));
  if (!id.empty()) words.push_back(id + (side.dirty ? "+dirty" : ""));
  if (!side.subject.empty()) words.push_back(printable(side.subject));
  return words;
}

std::string device_in_words(const ComparisonReport& report) {
  if (report.details.model.empty()) return printable(report.device);
  return printable(report.details.model) + " (" + printable(report.device) + ")";
}

bool has_measured(const ComparisonReport& report) {
  return !report.not_measured ||
         std::any_of(report.comparisons.begin(), report.comparisons.end(),
                     [](const Comparison& comparison) { return !comparison.not_measured; });
}

std::string measuring_in_words(const ComparisonReport& report) {
  if (!has_measured(report)) return "nothing was measured: both sides are the same program";
  const std::string base = range_of(report, &Comparison::base_invocations);
  const std::string candidate = range_of(report, &Comparison::candidate_invocations);
  const bool by_builds = std::any_of(report.comparisons.begin(), report.comparisons.end(),
                                     [](const Comparison& comparison) { return comparison.by_builds; });
  const std::string unit = by_builds ? " build" : " invocation";
  const auto invocations = [&](const std::string& count) { return count + unit + (count == "1" ? "" : "s"); };
  if (report.interleaved && base == candidate)
    return (base == "0" ? "" : invocations(base) + " a side, ") + "measured side by side in one job";
  if (report.interleaved)
    return "base " + invocations(base) + ", candidate " + invocations(candidate) +
           ", measured side by side in one job";
  const auto of_side = [&](const std::string& count, int jobs) {
    return (count == "0" ? "" : invocations(count) + " in ") + count_of(jobs, "job");
  };
  return "base " + of_side(base, report.base.jobs) + ", candidate " +
         of_side(candidate, report.candidate.jobs) +
         (report.effort ? "; what was confirmed side by side" : ", not side by side");
}

std::string counts_in_words(const ComparisonReport& report) {
  const auto counts = count_verdicts(report);
  std::vector<std::string> parts;
  for (const Verdict verdict : all_verdicts())
    if (const auto found = counts.find(verdict); found != counts.end())
      parts.push_back(std::to_string(found->second) + " " + verdict_name(verdict));
  return parts.empty() ? "no benchmarks" : join(parts, ", ");
}

// A time that is saved; less than that is none.
constexpr double kWorthSayingS = 1;

std::string effort_in_words(const ComparisonReport& report) {
  if (!report.effort) return "";
  const Effort& effort = *report.effort;
  std::string words = "confirmed " + count_of(effort.benchmarks, "benchmark") + " in " +
                      count_of(effort.rounds, "round") + ": " + format_duration(effort.measured_s) +
                      " of measuring";
  if (effort.saved_s >= kWorthSayingS) words += ", " + format_duration(effort.saved_s) + " saved";
  if (effort.out_of_budget) words += "; the time ran out with some undecided";
  return words;
}

std::string not_measured_in_words(const ComparisonReport& report) {
  if (!report.not_measured) return "";
  std::string words =
      std::to_string(report.not_measured->benchmarks) + " unchanged without measuring: same code";
  if (report.not_measured->saved_s && *report.not_measured->saved_s >= kWorthSayingS)
    words += "; about " + format_duration(*report.not_measured->saved_s) + " saved";
  return words;
}

std::string confidence_in_words(const ComparisonReport& report) {
  if (!has_measured(report)) return "";
  return "; all intervals together hold with " + format_share(report.confidence) + " confidence";
}

}  // namespace tracker

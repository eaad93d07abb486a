#include "tracker/report/cells.hpp"

#include <algorithm>
#include <cmath>

#include "tracker/base/text.hpp"

namespace tracker {
namespace {

constexpr std::size_t kShortId = 8;

struct Mark {
  Verdict verdict;
  const char* mark;
};
constexpr Mark kMarks[] = {{Verdict::kRegressed, "✗"},    {Verdict::kFailed, "✗"},   {Verdict::kMissing, "−"},
                           {Verdict::kInconclusive, "?"}, {Verdict::kImproved, "✓"}, {Verdict::kNew, "+"},
                           {Verdict::kUnchanged, "="}};

std::string mark_of(Verdict verdict) {
  const auto found = std::find_if(std::begin(kMarks), std::end(kMarks),
                                  [&](const Mark& row) { return row.verdict == verdict; });
  return found == std::end(kMarks) ? " " : found->mark;
}

std::string quantity(const std::optional<double>& value, const Metric& metric) {
  return value ? printable(format_quantity(*value, metric.unit)) : "–";
}

// "−29.4", for within brackets.
std::string bare_percent(double share) {
  const std::string text = format_percent(share);
  return text.substr(0, text.find(' '));
}

std::string interval_of(const Comparison& comparison) {
  if (!comparison.change || !comparison.interval) return "";
  const auto& [low, high] = *comparison.interval;
  if (!std::isfinite(low) || !std::isfinite(high)) return "[unknown]";
  return "[" + bare_percent(low) + ", " + bare_percent(high) + "]";
}

std::string count_of(int count, const std::string& one) {
  return std::to_string(count) + " " + one + (count == 1 ? "" : "s");
}

// "5", or "4–5" where the benchmarks differ.
std::string range_of(const ComparisonReport& report, int Comparison::*invocations) {
  int low = 0;
  int high = 0;
  for (const auto& comparison : report.comparisons) {
    if (!is_compared(comparison)) continue;
    const int count = comparison.*invocations;
    low = high == 0 ? count : std::min(low, count);
    high = std::max(high, count);
  }
  return low == high ? std::to_string(high) : std::to_string(low) + "–" + std::to_string(high);
}

// What of all reports' comparisons counts.
struct Tally {
  int regressed = 0;
  int failed = 0;
  int missing = 0;
  int compared = 0;
  int inconclusive = 0;
  int regressed_report_only = 0;
  bool nothing_compared = false;  // on one device at least
};

Tally tally_of(const std::vector<ComparisonReport>& reports) {
  Tally tally;
  tally.nothing_compared = reports.empty();
  for (const auto& report : reports) {
    const int compared_before = tally.compared;
    for (const auto& comparison : report.comparisons) {
      const bool fails = fails_gate(comparison);
      tally.compared += is_compared(comparison) ? 1 : 0;
      tally.inconclusive += comparison.verdict == Verdict::kInconclusive ? 1 : 0;
      tally.failed += fails && comparison.verdict == Verdict::kFailed ? 1 : 0;
      tally.missing += fails && comparison.verdict == Verdict::kMissing ? 1 : 0;
      if (comparison.verdict == Verdict::kRegressed)
        ++(fails ? tally.regressed : tally.regressed_report_only);
    }
    tally.nothing_compared = tally.nothing_compared || tally.compared == compared_before;
  }
  return tally;
}

std::string failure_in_words(const Tally& tally) {
  std::vector<std::string> parts;
  if (tally.regressed > 0)
    parts.push_back(count_of(tally.regressed, "benchmark") + " regressed past " +
                    (tally.regressed == 1 ? "its" : "their") + " threshold");
  if (tally.failed > 0) parts.push_back(count_of(tally.failed, "benchmark") + " failed");
  if (tally.missing > 0)
    parts.push_back(count_of(tally.missing, "benchmark") + (tally.missing == 1 ? " is" : " are") +
                    " missing");
  return "FAILED: " + join(parts, ", ");
}

}  // namespace

Cells cells_of(const Comparison& comparison) {
  Cells cells;
  cells.mark = mark_of(comparison.verdict);
  cells.verdict = verdict_name(comparison.verdict);
  cells.benchmark = printable(comparison.benchmark);
  cells.base = quantity(comparison.base, comparison.metric);
  cells.candidate = quantity(comparison.candidate, comparison.metric);
  if (comparison.change) cells.change = format_percent(*comparison.change);
  cells.interval = interval_of(comparison);
  cells.reason = printable(comparison.reason);
  const bool would_fail = comparison.report_only && !fails_gate(comparison) &&
                          (comparison.verdict == Verdict::kRegressed ||
                           comparison.verdict == Verdict::kFailed || comparison.verdict == Verdict::kMissing);
  if (would_fail) cells.reason += " (only reported)";
  return cells;
}

std::vector<std::string> side_in_words(const Side& side) {
  std::vector<std::string> words;
  const std::string id = printable(side.commit.substr(0, kShortId));
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

std::string measuring_in_words(const ComparisonReport& report) {
  const std::string base = range_of(report, &Comparison::base_invocations);
  const std::string candidate = range_of(report, &Comparison::candidate_invocations);
  const auto invocations = [](const std::string& count) {
    return count + (count == "1" ? " invocation" : " invocations");
  };
  if (report.interleaved && base == candidate)
    return invocations(base) + " a side, measured in turn in one job";
  if (report.interleaved)
    return "base " + invocations(base) + ", candidate " + invocations(candidate) +
           ", measured in turn in one job";
  return "base " + invocations(base) + " in " + count_of(report.base.jobs, "job") + ", candidate " +
         invocations(candidate) + " in " + count_of(report.candidate.jobs, "job") + ", not in turn";
}

std::string counts_in_words(const ComparisonReport& report) {
  const auto counts = count_verdicts(report);
  std::vector<std::string> parts;
  for (const Verdict verdict : all_verdicts())
    if (const auto found = counts.find(verdict); found != counts.end())
      parts.push_back(std::to_string(found->second) + " " + verdict_name(verdict));
  return parts.empty() ? "no benchmarks" : join(parts, ", ");
}

std::string confidence_in_words(const ComparisonReport& report) {
  return "all intervals together hold with " + format_share(report.confidence) + " confidence";
}

Answer answer_of(const std::vector<ComparisonReport>& reports) {
  const Tally tally = tally_of(reports);
  if (tally.regressed + tally.failed + tally.missing > 0) return Answer::kFailed;
  const bool decided = !tally.nothing_compared && tally.inconclusive < tally.compared;
  return decided ? Answer::kPassed : Answer::kCannotJudge;
}

std::string answer_in_words(const std::vector<ComparisonReport>& reports) {
  const Tally tally = tally_of(reports);
  switch (answer_of(reports)) {
    case Answer::kFailed:
      return failure_in_words(tally);
    case Answer::kCannotJudge:
      if (tally.nothing_compared)
        return std::string("could not judge: no benchmark was measured on both sides") +
               (reports.size() > 1 ? " on one of the devices" : "");
      return "could not judge: " +
             (tally.compared == 1 ? "the one benchmark is"
                                  : "all " + count_of(tally.compared, "benchmark") + " are") +
             " inconclusive";
    case Answer::kPassed:
      break;
  }
  std::string words = "passed: nothing regressed";
  if (tally.regressed_report_only > 0)
    words += " but " + count_of(tally.regressed_report_only, "benchmark") + " that " +
             (tally.regressed_report_only == 1 ? "is" : "are") + " only reported";
  if (tally.inconclusive > 0)
    words += "; " + std::to_string(tally.inconclusive) + " of " + count_of(tally.compared, "benchmark") +
             (tally.inconclusive == 1 ? " is" : " are") + " inconclusive";
  return words;
}

}  // namespace tracker

#include "tracker/report/cells.hpp"

#include <algorithm>
#include <cmath>

#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"

namespace tracker {
namespace {

constexpr std::size_t kShortId = 8;

struct Mark {
  Verdict verdict;
  const char* mark;
};
constexpr Mark kMarks[] = {
    {Verdict::kRegressed, "✗"}, {Verdict::kBelowFloor, "✗"}, {Verdict::kFailed, "✗"},
    {Verdict::kMissing, "−"},   {Verdict::kSameCode, "!"},   {Verdict::kInconclusive, "?"},
    {Verdict::kImproved, "✓"},  {Verdict::kNew, "+"},        {Verdict::kUnchanged, "="}};

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
  if (!std::isfinite(low) || !std::isfinite(high) || noise_hides_everything(comparison)) return "[unknown]";
  return "[" + bare_percent(low) + ", " + bare_percent(high) + "]";
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

bool is_waived(const Comparison& comparison) {
  return comparison.waiver && comparison.waiver->holds;
}

// What of all reports' comparisons counts.
struct Tally {
  int regressed = 0;
  int below_floor = 0;
  int failed = 0;
  int missing = 0;
  int same_code = 0;       // slower with it, and fails the build
  int same_code_only = 0;  // slower with it, which is only said
  int compared = 0;
  int inconclusive = 0;
  int waived = 0;
  int only_reported = 0;  // regressed or below their floor
  int unclear_floors = 0;
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
      const auto fails_as = [&](Verdict verdict) { return fails && comparison.verdict == verdict ? 1 : 0; };
      tally.regressed += fails_as(Verdict::kRegressed);
      tally.below_floor += fails_as(Verdict::kBelowFloor);
      tally.failed += fails_as(Verdict::kFailed);
      tally.missing += fails_as(Verdict::kMissing);
      tally.same_code += fails_as(Verdict::kSameCode);
      tally.same_code_only +=
          !fails && !is_waived(comparison) && comparison.verdict == Verdict::kSameCode ? 1 : 0;
      const bool slow =
          comparison.verdict == Verdict::kRegressed || comparison.verdict == Verdict::kBelowFloor;
      tally.waived += is_waived(comparison) ? 1 : 0;
      tally.only_reported += comparison.report_only && slow ? 1 : 0;
      tally.unclear_floors += comparison.floor && comparison.floor->unclear ? 1 : 0;
    }
    tally.nothing_compared = tally.nothing_compared || tally.compared == compared_before;
  }
  return tally;
}

std::string is_or_are(int count) {
  return count == 1 ? " is " : " are ";
}

std::string slower_with_same_code(int count) {
  return count_of(count, "benchmark") + is_or_are(count) + "slower with the same code";
}

std::string failure_in_words(const Tally& tally) {
  std::vector<std::string> parts;
  if (tally.regressed > 0)
    parts.push_back(count_of(tally.regressed, "benchmark") + " regressed past " +
                    (tally.regressed == 1 ? "its" : "their") + " threshold");
  if (tally.below_floor > 0)
    parts.push_back(count_of(tally.below_floor, "benchmark") + is_or_are(tally.below_floor) + "below " +
                    (tally.below_floor == 1 ? "its" : "their") + " floor");
  if (tally.same_code > 0) parts.push_back(slower_with_same_code(tally.same_code));
  if (tally.failed > 0) parts.push_back(count_of(tally.failed, "benchmark") + " failed");
  if (tally.missing > 0)
    parts.push_back(count_of(tally.missing, "benchmark") + is_or_are(tally.missing) + "missing");
  return "FAILED: " + join(parts, ", ");
}

std::string pass_in_words(const Tally& tally) {
  std::vector<std::string> excused;
  if (tally.only_reported > 0)
    excused.push_back(count_of(tally.only_reported, "benchmark") + " that" + is_or_are(tally.only_reported) +
                      "only reported");
  if (tally.waived > 0)
    excused.push_back((excused.empty() ? count_of(tally.waived, "benchmark") : std::to_string(tally.waived)) +
                      " that" + is_or_are(tally.waived) + "waived");
  std::string words = "passed: nothing regressed";
  if (!excused.empty()) words += " but " + join(excused, " and ");
  if (tally.same_code_only > 0) words += "; " + slower_with_same_code(tally.same_code_only);
  if (tally.inconclusive > 0)
    words += "; " + std::to_string(tally.inconclusive) + " of " + count_of(tally.compared, "benchmark") +
             is_or_are(tally.inconclusive) + "inconclusive";
  if (tally.unclear_floors > 0) words += "; " + count_of(tally.unclear_floors, "floor") + " cannot be told";
  return words;
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
  cells.cause = printable(comparison.cause);
  if (comparison.verdict == Verdict::kSameCode && fails_gate(comparison))
    cells.mark = mark_of(Verdict::kRegressed);
  Comparison strict = comparison;
  strict.report_only = false;
  if (comparison.report_only && fails_gate(strict)) cells.reason += " (only reported)";
  if (comparison.confirmed) cells.reason += " (confirmed)";
  strict.waiver = {};
  cells.is_excused = fails_gate(strict) && !fails_gate(comparison);
  if (cells.is_excused) cells.mark = "~";
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
         invocations(candidate) + " in " + count_of(report.candidate.jobs, "job") +
         (report.effort ? "; what was confirmed in turn" : ", not in turn");
}

std::string counts_in_words(const ComparisonReport& report) {
  const auto counts = count_verdicts(report);
  std::vector<std::string> parts;
  for (const Verdict verdict : all_verdicts())
    if (const auto found = counts.find(verdict); found != counts.end())
      parts.push_back(std::to_string(found->second) + " " + verdict_name(verdict));
  return parts.empty() ? "no benchmarks" : join(parts, ", ");
}

std::string effort_in_words(const ComparisonReport& report) {
  if (!report.effort) return "";
  const Effort& effort = *report.effort;
  std::string words = "confirmed " + count_of(effort.benchmarks, "benchmark") + " in " +
                      count_of(effort.rounds, "round") + ": " + format_duration(effort.measured_s) +
                      " of measuring";
  if (effort.saved_s > 0) words += ", " + format_duration(effort.saved_s) + " saved";
  if (effort.out_of_budget) words += "; the time ran out with some undecided";
  return words;
}

std::string confidence_in_words(const ComparisonReport& report) {
  return "all intervals together hold with " + format_share(report.confidence) + " confidence";
}

Answer answer_of(const std::vector<ComparisonReport>& reports) {
  const Tally tally = tally_of(reports);
  if (tally.regressed + tally.below_floor + tally.failed + tally.missing + tally.same_code > 0)
    return Answer::kFailed;
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
  return pass_in_words(tally);
}

}  // namespace tracker

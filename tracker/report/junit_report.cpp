// JUnit's XML, which every CI shows: one test suite a device, one test case a benchmark.
#include "tracker/base/text.hpp"
#include "tracker/report/cells.hpp"
#include "tracker/report/escape.hpp"
#include "tracker/report/report.hpp"

namespace tracker {
namespace {

enum class Outcome { kPassed, kFailed, kSkipped };

// What is not judged is skipped, and so is what fails nothing though it is bad: neither is a pass.
Outcome outcome_of(const Comparison& comparison) {
  if (fails_gate(comparison)) return Outcome::kFailed;
  const bool is_good = comparison.verdict == Verdict::kImproved || comparison.verdict == Verdict::kUnchanged;
  return is_good ? Outcome::kPassed : Outcome::kSkipped;
}

std::string attribute(const std::string& name, const std::string& value) {
  return " " + name + "=\"" + xml_text(value) + "\"";
}

// The verdict's sentence, and below it the figures.
std::string details_of(const Comparison& comparison, const Cells& cells) {
  std::string text = cells.reason + "\n";
  if (!comparison.not_measured) text += "base " + cells.base + ", head " + cells.candidate;
  if (!cells.change.empty()) text += ", change " + cells.change + " " + cells.interval;
  if (!cells.cause.empty()) text += "\nlikely cause: " + cells.cause;
  return text;
}

std::string xml_lines(const std::string& text) {
  std::vector<std::string> lines;
  for (const auto& line : split(text, '\n')) lines.push_back(xml_text(line));
  return join(lines, "\n");
}

std::string test_case(const ComparisonReport& report, const Comparison& comparison) {
  const Cells cells = cells_of(comparison);
  std::string out =
      "    <testcase" + attribute("name", cells.benchmark) + attribute("classname", report.device);
  if (!comparison.source.empty()) out += attribute("file", comparison.source);
  out += ">\n";
  const std::string message = cells.verdict + ": " + cells.reason;
  switch (outcome_of(comparison)) {
    case Outcome::kFailed:
      out += "      <failure" + attribute("type", cells.verdict) + attribute("message", message) + ">" +
             xml_lines(details_of(comparison, cells)) + "</failure>\n";
      break;
    case Outcome::kSkipped:
      out += "      <skipped" + attribute("message", message) + "/>\n";
      break;
    case Outcome::kPassed:
      out += "      <system-out>" + xml_lines(cells.verdict + ": " + details_of(comparison, cells)) +
             "</system-out>\n";
      break;
  }
  return out + "    </testcase>\n";
}

std::string property(const std::string& name, const std::string& value) {
  return value.empty() ? ""
                       : "      <property" + attribute("name", name) + attribute("value", value) + "/>\n";
}

struct Counts {
  std::size_t tests = 0;
  std::size_t failures = 0;
  std::size_t skipped = 0;
};

std::string counts_in_xml(const Counts& counts) {
  return attribute("tests", std::to_string(counts.tests)) +
         attribute("failures", std::to_string(counts.failures)) + attribute("errors", "0") +
         attribute("skipped", std::to_string(counts.skipped));
}

std::string properties_of(const ComparisonReport& report) {
  const std::string lines =
      property("device", report.device) + property("model", report.details.model) +
      property("driver", report.software.driver.value_or("")) + property("base", report.base.label) +
      property("base.commit", report.base.commit) + property("candidate", report.candidate.label) +
      property("candidate.commit", report.candidate.commit) +
      property("measuring", measuring_in_words(report)) +
      property("not_measured", not_measured_in_words(report)) +
      property("confidence", format_share(report.confidence));
  std::string notes;
  for (const auto& note : report.notes) notes += property("note", note);
  return "    <properties>\n" + lines + notes + "    </properties>\n";
}

std::string suite_of(const ComparisonReport& report, Counts& all) {
  Counts counts;
  std::string cases;
  for (const auto& comparison : report.comparisons) {
    ++counts.tests;
    const Outcome outcome = outcome_of(comparison);
    counts.failures += outcome == Outcome::kFailed ? 1u : 0u;
    counts.skipped += outcome == Outcome::kSkipped ? 1u : 0u;
    cases += test_case(report, comparison);
  }
  all.tests += counts.tests;
  all.failures += counts.failures;
  all.skipped += counts.skipped;
  return "  <testsuite" + attribute("name", report.device) + counts_in_xml(counts) + ">\n" +
         properties_of(report) + cases + "  </testsuite>\n";
}

std::string suite_of(const Unjudged& unjudged, Counts& all) {
  ++all.tests;
  ++all.skipped;
  const std::string device = unjudged.device.empty() ? "tracker" : unjudged.device;
  const std::string hint = unjudged.hint.empty() ? "" : "; next step: " + unjudged.hint;
  return "  <testsuite" + attribute("name", device) + counts_in_xml({1, 0, 1}) + ">\n    <testcase" +
         attribute("name", "could not judge") + attribute("classname", device) + ">\n      <skipped" +
         attribute("message", "could not judge: " + unjudged.reason + hint) +
         "/>\n    </testcase>\n  </testsuite>\n";
}

}  // namespace

std::string write_junit(const std::vector<ComparisonReport>& reports, const ReportOptions& options) {
  Counts counts;
  std::string suites;
  for (const auto& report : reports) suites += suite_of(report, counts);
  for (const auto& unjudged : options.unjudged) suites += suite_of(unjudged, counts);
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" +
         attribute("name", answer_in_words(reports, options)) + counts_in_xml(counts) + ">\n" + suites +
         "</testsuites>\n";
}

}  // namespace tracker

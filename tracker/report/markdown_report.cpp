// For a pull request, a job summary or a wiki.
#include "tracker/base/text.hpp"
#include "tracker/report/cells.hpp"
#include "tracker/report/formats.hpp"
#include "tracker/report/markdown_text.hpp"

namespace tracker {
namespace {

constexpr const char* kTableHead =
    "| verdict | benchmark | base | candidate | change | why |\n"
    "|:--|:--|--:|--:|--:|:--|\n";

std::string table_row(const Comparison& comparison) {
  const Cells cells = cells_of(comparison);
  const bool decided = comparison.verdict == Verdict::kRegressed ||
                       comparison.verdict == Verdict::kSameCode || comparison.verdict == Verdict::kImproved;
  std::string change = markdown_text(cells.change);
  if (decided) change = "**" + change + "**";
  if (!cells.interval.empty()) change += " " + markdown_text(cells.interval);
  std::string why = markdown_text(cells.reason);
  if (!cells.cause.empty()) why += "<br>likely cause: **" + markdown_text(cells.cause) + "**";
  return "| " + cells.mark + " " + cells.verdict + " | <code>" + markdown_text(cells.benchmark) +
         "</code> | " + markdown_text(cells.base) + " | " + markdown_text(cells.candidate) + " | " + change +
         " | " + why + " |\n";
}

// The rows of this kind, as a table; empty where there are none.
std::string table_of(const ComparisonReport& report, bool unchanged) {
  std::string rows;
  for (const auto& comparison : report.comparisons)
    if ((comparison.verdict == Verdict::kUnchanged) == unchanged) rows += table_row(comparison);
  return rows.empty() ? "" : kTableHead + rows;
}

std::string side_line(const std::string& name, const Side& side) {
  std::string line = "- " + name + ":";
  for (const auto& words : side_in_words(side)) line += " " + markdown_text(words) + ",";
  line.pop_back();
  return line + "\n";
}

std::string report_in_markdown(const ComparisonReport& report, bool all_rows) {
  std::string out = "### " + markdown_text(device_in_words(report)) + "\n\n";
  out += side_line("base", report.base) + side_line("candidate", report.candidate);
  out += "- " + markdown_text(measuring_in_words(report)) + "\n";
  if (const std::string effort = effort_in_words(report); !effort.empty()) out += "- " + effort + "\n";
  out += "\n";
  out += "**" + counts_in_words(report) + "**; " + confidence_in_words(report) + ".\n\n";
  if (const std::string table = table_of(report, false); !table.empty()) out += table + "\n";
  if (const std::string table = table_of(report, true); all_rows && !table.empty())
    out += "<details><summary>" + std::to_string(count_verdicts(report)[Verdict::kUnchanged]) +
           " unchanged</summary>\n\n" + table + "\n</details>\n\n";
  if (report.notes.empty()) return out;
  out += "Notes:\n\n";
  for (const auto& note : report.notes) out += "- " + markdown_text(note) + "\n";
  return out + "\n";
}

std::string mark_of(Answer answer) {
  if (answer == Answer::kFailed) return "❌ ";
  return answer == Answer::kPassed ? "✅ " : "❔ ";
}

}  // namespace

std::string write_markdown(const std::vector<ComparisonReport>& reports, const ReportOptions& options) {
  std::string out = "## " + mark_of(answer_of(reports)) + answer_in_words(reports) + "\n\n";
  for (const auto& report : reports) out += report_in_markdown(report, options.all_rows);
  out.pop_back();  // the last blank line
  return out;
}

}  // namespace tracker

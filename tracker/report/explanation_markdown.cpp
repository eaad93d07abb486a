// For a pull request or an issue.
#include "tracker/base/text.hpp"
#include "tracker/report/cells.hpp"
#include "tracker/report/explanation_formats.hpp"
#include "tracker/report/markdown_text.hpp"

namespace tracker {
namespace {

std::string cell(const std::string& text) {
  return text.empty() ? "–" : markdown_text(printable(text));
}

std::string row_of(const Fact& fact) {
  const bool differs = state_of(fact) == FactState::kDiffers;
  const std::string mark = differs ? "**" : "";
  return "| " + mark + cell(fact.name) + mark + " | " + cell(fact.base) + " | " + mark +
         cell(fact.candidate) + mark + " | " + markdown_text(fact.change) + " |\n";
}

std::string table_of(const std::vector<FactGroup>& groups, bool all_rows) {
  std::string rows;
  for (const auto& group : groups) {
    std::string of_group;
    for (const auto& fact : group.facts)
      if (all_rows || state_of(fact) != FactState::kSame) of_group += row_of(fact);
    if (!of_group.empty()) rows += "| *" + markdown_text(group.name) + "* | | | |\n" + of_group;
  }
  return rows.empty() ? "" : "| | base | candidate | change |\n|:--|--:|--:|:--|\n" + rows + "\n";
}

std::string same_of(const std::vector<FactGroup>& groups) {
  std::string lines;
  for (const auto& group : groups)
    if (const std::string words = same_in_words(group, group.facts.size()); !words.empty())
      lines += "- " + markdown_text(group.name) + ": " + markdown_text(words) + "\n";
  return lines.empty()
             ? ""
             : "<details><summary>the same on both sides</summary>\n\n" + lines + "\n</details>\n\n";
}

std::string list_of(const std::string& heading, const std::vector<std::string>& items) {
  if (items.empty()) return "";
  std::string out = markdown_text(heading) + ":\n\n";
  for (const auto& item : items) out += "- " + markdown_text(printable(item)) + "\n";
  return out + "\n";
}

std::string explanation_of(const Comparison& comparison, const Explanation& explanation, bool all_rows) {
  const Cells cells = cells_of(comparison);
  std::string out = "### <code>" + markdown_text(cells.benchmark) + "</code>\n\n";
  out += cells.mark + " **" + cells.verdict + "**: " + markdown_text(cells.reason) + "\n\n";
  out += list_of(causes_heading(comparison), explanation.causes);
  out += list_of("what speaks against it", explanation.contrary);
  out += table_of(explanation.groups, all_rows);
  if (!all_rows) out += same_of(explanation.groups);
  return out + list_of("not known", explanation.unknown);
}

std::string side_line(const std::string& name, const Side& side) {
  return "- " + name + ": " + markdown_text(join(side_in_words(side), ", ")) + "\n";
}

}  // namespace

std::string explain_in_markdown(const std::vector<ExplanationReport>& reports, const ReportOptions& options) {
  std::string out;
  for (const auto& report : reports) {
    out += "## " + markdown_text(device_in_words(report.judged)) + "\n\n";
    out += side_line("base", report.judged.base) + side_line("candidate", report.judged.candidate);
    out += "- " + markdown_text(measuring_in_words(report.judged)) + "\n\n";
    for (std::size_t i = 0; i < report.explanations.size(); ++i)
      out += explanation_of(report.judged.comparisons[i], report.explanations[i], options.all_rows);
    out += list_of("notes", report.judged.notes);
  }
  if (!out.empty()) out.pop_back();  // the last blank line
  return out;
}

}  // namespace tracker

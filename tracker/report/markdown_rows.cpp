#include "tracker/report/markdown_rows.hpp"

#include <algorithm>
#include <vector>

#include "tracker/base/quantity.hpp"
#include "tracker/base/text.hpp"
#include "tracker/report/cells.hpp"
#include "tracker/report/markdown_text.hpp"
#include "tracker/report/visible_text.hpp"

namespace tracker {
namespace {

constexpr std::size_t kMarkdownNameColumnsMax = 160;
constexpr std::size_t kReasonColumnsMax = 400;
constexpr std::size_t kCounterColumnsMax = 40;

std::string mark_of(const Comparison& comparison) {
  if (fails_gate(comparison)) return "❌";
  if (cells_of(comparison).is_excused) return "⚪";
  return comparison.verdict == Verdict::kSameCode ? "⚠️" : "";
}

// Figures stay on one line, however narrow the column.
std::string unbroken(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == ' ' ? std::string("&nbsp;") : std::string(1, c);
  return out;
}

std::string small(const std::string& text) {
  return "<br><sub>" + text + "</sub>";
}

// "3.482 → 2.459 TB/s"; both units where they have to differ, and "–" for what is not there.
std::string from_to(const std::optional<double>& base, const std::optional<double>& candidate,
                    const std::string& unit) {
  const auto [was, is] = format_quantities(base, candidate, unit);
  const std::size_t was_unit = was.rfind(' ');
  const std::size_t is_unit = is.rfind(' ');
  const bool same_unit = was_unit != std::string::npos && is_unit != std::string::npos &&
                         was.substr(was_unit) == is.substr(is_unit);
  return unbroken(markdown_text(same_unit ? was.substr(0, was_unit) : was) + " → " + markdown_text(is));
}

std::string change_cell(const Cells& cells, Verdict verdict) {
  if (cells.change.empty()) return "";
  const bool decided =
      verdict == Verdict::kRegressed || verdict == Verdict::kSameCode || verdict == Verdict::kImproved;
  const std::string change = unbroken(markdown_text(cells.change));
  return (decided ? "**" + change + "**" : change) +
         (cells.interval.empty() ? "" : small(unbroken(markdown_text(cells.interval))));
}

std::string speed_cell(const Comparison& comparison) {
  std::string text = from_to(comparison.base, comparison.candidate, comparison.metric.unit);
  if (comparison.metric.unit.empty())
    text += small(markdown_text(visible_text(comparison.metric.name, kCounterColumnsMax)));
  if (const auto& rate = comparison.rate; rate && (rate->base || rate->candidate))
    text += small(from_to(rate->base, rate->candidate, rate->unit));
  return text;
}

std::string threshold_cell(const Comparison& comparison) {
  if (!comparison.change) return "";
  const std::string text = unbroken(format_share(comparison.threshold));
  if (!comparison.resolvable) return text;
  return text + small(noise_hides_everything(comparison)
                          ? "detects nothing"
                          : unbroken("detects ≥ " + format_share(*comparison.resolvable)));
}

std::string short_reason(const std::string& text) {
  return markdown_text(visible_text(text, kReasonColumnsMax));
}

// Its first fact is what readers look for: the others would drown it.
std::string cause_in_markdown(const std::string& cause) {
  const std::string shown = visible_text(cause, kReasonColumnsMax);
  const std::size_t first = std::min(shown.find("; "), shown.size());
  return "**" + markdown_text(shown.substr(0, first)) + "**" + markdown_text(shown.substr(first));
}

// What the figures do not say: the likely cause, and the reason unless it only repeats them.
std::vector<std::string> words_of(const Comparison& comparison, const Cells& cells) {
  std::vector<std::string> words;
  const bool figures_alone = comparison.verdict == Verdict::kRegressed ||
                             comparison.verdict == Verdict::kImproved ||
                             comparison.verdict == Verdict::kUnchanged;
  const bool says_more = comparison.not_measured || comparison.waiver ||
                         (comparison.floor && (comparison.floor->broken || comparison.floor->unclear));
  if (!figures_alone || says_more)
    words.push_back(short_reason(cells.reason));
  else if (comparison.report_only && cells.is_excused)
    words.emplace_back("only reported");
  else if (comparison.confirmed)
    words.emplace_back("confirmed side by side");
  if (!cells.cause.empty())
    words.push_back("likely cause: " + cause_in_markdown(cells.cause));
  else if (comparison.verdict == Verdict::kRegressed)
    words.emplace_back("likely cause: not known");
  return words;
}

}  // namespace

std::string table_head(bool has_verdicts) {
  const std::string columns = " benchmark | change | base → head | threshold |\n";
  return has_verdicts ? "| |" + columns + "|:--|:--|--:|--:|--:|\n" : "|" + columns + "|:--|--:|--:|--:|\n";
}

std::string table_row(const Comparison& comparison, bool has_verdict) {
  const Cells cells = cells_of(comparison);
  std::string row;
  if (has_verdict) row = "| " + unbroken(mark_of(comparison) + " " + cells.verdict) + " ";
  std::string name =
      "<code>" + markdown_text(visible_text(cells.benchmark, kMarkdownNameColumnsMax)) + "</code>";
  for (const auto& words : words_of(comparison, cells)) name += "<br>" + words;
  for (const auto& cell :
       {name, change_cell(cells, comparison.verdict), speed_cell(comparison), threshold_cell(comparison)})
    row += "| " + cell + " ";
  return row + "|\n";
}

}  // namespace tracker

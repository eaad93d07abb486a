#include <algorithm>

#include "tracker/base/terminal.hpp"
#include "tracker/base/text.hpp"
#include "tracker/report/cells.hpp"
#include "tracker/report/escape.hpp"
#include "tracker/report/json_report.hpp"
#include "tracker/report/report.hpp"

namespace tracker::report {

namespace {

// How one fact stands on the two sides.
enum class FactState { kSame, kDiffers, kUnclear, kHalfKnown };
FactState state_of(const Fact& fact) {
  if (fact.base.empty() != fact.candidate.empty()) return FactState::kHalfKnown;
  if (fact.differs) return FactState::kDiffers;
  return fact.unclear ? FactState::kUnclear : FactState::kSame;
}

// What the differences are, for this verdict: "likely cause" where there is something to explain.
std::string causes_heading(const Comparison& comparison) {
  switch (comparison.verdict) {
    case Verdict::kRegressed:
    case Verdict::kBelowFloor:
    case Verdict::kSameCode:
    case Verdict::kImproved:
      return "likely cause";
    default:
      return "what differs";
  }
}

// "registers 32, temperature 45 °C ≈ 46 °C": those that are the same or nearly so, at most so many.
std::string same_in_words(const FactGroup& group, std::size_t facts_max) {
  std::vector<std::string> words;
  std::size_t more = 0;
  for (const auto& fact : group.facts) {
    if (state_of(fact) != FactState::kSame) continue;
    const bool alike = fact.base == fact.candidate;
    if (words.size() < facts_max)
      words.push_back(printable(fact.name) + " " + printable(fact.base) +
                      (alike ? "" : " ≈ " + printable(fact.candidate)));
    else
      ++more;
  }
  return join(words, ", ") + and_more(more);
}

// For a terminal: what differs stands in rows, what is the same in a line below them.

constexpr std::size_t kColumnsMin = 40;
constexpr std::size_t kColumnsMax = 120;  // a line of prose that is longer is hard to read
constexpr std::size_t kIndent = 2;
constexpr std::size_t kExplanationGap = 2;
constexpr std::size_t kValueWidthMin = 10;  // "3.482 TB/s"
constexpr std::size_t kValueWidthMax = 22;  // longer ones have lines of their own
constexpr std::size_t kNameWidthMin = 8;
constexpr std::size_t kNameWidthMax = 28;  // longer ones stand above their values
constexpr std::size_t kSameFactsMax = 12;

struct Widths {
  std::size_t name = 0;
  std::size_t base = 0;
  std::size_t candidate = 0;
};

struct Page {
  std::size_t columns = 0;
  bool color = false;
  bool all_rows = false;

  // What each of two values beside each other may take.
  std::size_t value_width() const {
    return std::clamp((columns - kIndent - kNameWidthMin - 2 * kExplanationGap) / 2, kValueWidthMin,
                      kValueWidthMax);
  }

  TextCell cell(const std::string& text, const char* style) const {
    return styled_cell(text, color && !text.empty() ? style : "");
  }
  std::string styled(const std::string& text, const char* style) const {
    const TextCell drawn = cell(text, style);
    return drawn.begin + drawn.text + drawn.end;
  }
  std::string lines(const std::string& head, const std::string& text, const char* style) const {
    return wrapped(text, columns, head, color ? style : "");
  }
};

std::string shown(const std::string& value) {
  return value.empty() ? "–" : printable(value);
}

bool is_row(const Fact& fact, const Page& page) {
  return page.all_rows || state_of(fact) != FactState::kSame;
}

// Whether both values have room beside each other.
bool is_short(const Fact& fact, const Page& page) {
  return display_width(shown(fact.base)) <= page.value_width() &&
         display_width(shown(fact.candidate)) <= page.value_width();
}

Widths widths_of(const std::vector<FactGroup>& groups, const Page& page) {
  Widths widths{0, display_width("base"), display_width("candidate")};
  for (const auto& group : groups)
    for (const auto& fact : group.facts) {
      if (!is_row(fact, page) || !is_short(fact, page)) continue;
      widths.name = std::max(widths.name, display_width(printable(fact.name)));
      widths.base = std::max(widths.base, display_width(shown(fact.base)));
      widths.candidate = std::max(widths.candidate, display_width(shown(fact.candidate)));
    }
  const std::size_t values = kIndent + widths.base + widths.candidate + 2 * kExplanationGap;
  const std::size_t left = page.columns > values ? page.columns - values : 1;
  widths.name = std::min({widths.name, std::max(left, kNameWidthMin), kNameWidthMax});
  return widths;
}

std::string mark_of(FactState state, const Page& page) {
  if (state == FactState::kDiffers) return page.styled("≠", kYellow) + " ";
  return state == FactState::kSame ? "  " : "? ";
}

// Values that are too long stand below one another.
std::string long_row(const Fact& fact, const Page& page) {
  const FactState state = state_of(fact);
  const std::string name = printable(fact.name);
  std::string out =
      mark_of(state, page) + (state == FactState::kDiffers ? page.styled(name, kBold) : name) + "\n";
  const auto add = [&](const char* side, const std::string& value, bool is_new) {
    const std::string head = left_aligned(side, display_width("candidate") + kExplanationGap);
    out += page.lines(std::string(2 * kIndent, ' ') + head, shown(value), is_new ? kBold : "");
  };
  add("base", fact.base, false);
  add("candidate", fact.candidate, state == FactState::kDiffers);
  return out;
}

std::string short_row(const Fact& fact, const Widths& widths, const Page& page) {
  const FactState state = state_of(fact);
  const bool differs = state == FactState::kDiffers;
  std::string name = printable(fact.name);
  std::string line = mark_of(state, page);
  if (display_width(name) > widths.name) {
    line +=
        wrapped(name, page.columns, std::string(kIndent, ' ')).substr(kIndent) + std::string(kIndent, ' ');
    name.clear();
  }
  const std::size_t taken = kIndent + widths.name + widths.base + widths.candidate + 2 * kExplanationGap;
  const bool fits = taken + kExplanationGap + display_width(fact.change) <= page.columns;
  return line +
         table_lines({{.width_min = widths.name},
                      {.right = true, .width_min = widths.base},
                      {.right = true, .width_min = widths.candidate},
                      {}},
                     {{{name},
                       {shown(fact.base)},
                       page.cell(shown(fact.candidate), differs ? kBold : ""),
                       page.cell(fits ? fact.change : "", differs ? "" : kDim)}})
             .front() +
         "\n";
}

bool has_rows(const FactGroup& group, const Page& page) {
  return std::ranges::any_of(group.facts, [&](const Fact& fact) { return is_row(fact, page); });
}

void add_same(const std::string& head, const FactGroup& group, const Page& page, std::string& out) {
  const std::string same = same_in_words(group, kSameFactsMax);
  if (!same.empty()) out += page.lines(std::string(kIndent, ' '), head + ": " + same, kDim);
}

// What differs, group by group, and at the end the groups of which all is the same.
std::string facts_of(const std::vector<FactGroup>& groups, const Page& page) {
  std::string out;
  const Widths widths = widths_of(groups, page);
  if (widths.name > 0)
    out += std::string(kIndent + widths.name + kExplanationGap, ' ') +
           page.styled(right_aligned("base", widths.base) + std::string(kExplanationGap, ' ') +
                           right_aligned("candidate", widths.candidate),
                       kDim) +
           "\n";
  for (const auto& group : groups) {
    if (!has_rows(group, page)) continue;
    out += page.styled(group.name, kBold) + "\n";
    for (const auto& fact : group.facts)
      if (is_row(fact, page))
        out += is_short(fact, page) ? short_row(fact, widths, page) : long_row(fact, page);
    if (!page.all_rows) add_same("the same", group, page, out);
  }
  std::string same;
  for (const auto& group : groups)
    if (!has_rows(group, page)) add_same(group.name, group, page, same);
  return same.empty() ? out : out + page.styled("the same", kBold) + "\n" + same;
}

void add_list(const std::string& heading, const std::vector<std::string>& items, const char* style,
              const Page& page, std::string& out) {
  const std::string indent(kIndent, ' ');
  std::string head =
      indent + left_aligned(heading, display_width("likely cause")) + std::string(kExplanationGap, ' ');
  for (const auto& item : items) {
    out += page.lines(head, item, &item == &items.front() ? style : "");
    head.assign(display_width(head), ' ');
  }
}

std::string explanation_of(const Comparison& comparison, const Explanation& explanation, const Page& page) {
  const Cells cells = cells_of(comparison);
  std::string out;
  out += page.lines("", cells.benchmark, kBold);
  const std::string verdict = cells.mark + " " + cells.verdict;
  const Verdict color = cells.is_excused ? Verdict::kInconclusive : comparison.verdict;
  const auto reason = wrap(verdict + ": " + cells.reason, page.columns);
  for (std::size_t i = 0; i < reason.size(); ++i)
    out += i == 0 && reason[0].starts_with(verdict)
               ? colored(verdict, color, page.color) + reason[0].substr(verdict.size()) + "\n"
               : reason[i] + "\n";
  add_list(causes_heading(comparison), explanation.causes, kBold, page, out);
  add_list("against it", explanation.contrary, "", page, out);
  out += "\n" + facts_of(explanation.groups, page);
  if (!explanation.unknown.empty()) out += page.styled("not known", kBold) + "\n";
  for (const auto& unknown : explanation.unknown) out += page.lines(std::string(kIndent, ' '), unknown, "");
  return out;
}

std::string explain_in_text(const std::vector<ExplanationReport>& reports, const Options& options) {
  Page page;
  page.columns = options.columns > 0 ? static_cast<std::size_t>(options.columns) : kColumnsMax;
  page.columns = std::clamp(page.columns, kColumnsMin, kColumnsMax);
  page.color = options.color;
  page.all_rows = options.all_rows;
  std::string out;
  for (const auto& report : reports) {
    if (!out.empty()) out += "\n";
    out += head_of(report.judged, page.columns);
    for (std::size_t i = 0; i < report.explanations.size(); ++i)
      out += "\n" + explanation_of(report.judged.comparisons[i], report.explanations[i], page);
    if (!report.judged.notes.empty()) out += "\n";
    for (const auto& note : report.judged.notes) out += note_of(note, page.columns);
  }
  return out;
}

// For a pull request or an issue.

std::string cell(const std::string& text) {
  return text.empty() ? "–" : markdown_text(text);
}

std::string row_of(const Fact& fact) {
  const bool differs = state_of(fact) == FactState::kDiffers;
  const std::string mark = differs ? "**" : "";
  return markdown_row({mark + cell(fact.name) + mark, cell(fact.base), mark + cell(fact.candidate) + mark,
                       markdown_text(fact.change)});
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
  for (const auto& item : items) out += "- " + markdown_text(item) + "\n";
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

std::string explain_in_markdown(const std::vector<ExplanationReport>& reports, const Options& options) {
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

// For programs: docs/outputs.md says what the keys mean.

Json fact_json(const Fact& fact) {
  return {{"name", fact.name},
          {"base", text_or_null(fact.base)},
          {"candidate", text_or_null(fact.candidate)},
          {"base_value", number_json(fact.base_value)},
          {"candidate_value", number_json(fact.candidate_value)},
          {"unit", fact.unit},
          {"differs", state_of(fact) == FactState::kUnclear ? Json(nullptr)
                                                            : Json(state_of(fact) == FactState::kDiffers)}};
}

Json group_json(const FactGroup& group) {
  return {{"name", group.name}, {"facts", list_json(group.facts, fact_json)}};
}

Json explanation_json(const Comparison& comparison, const Explanation& explanation) {
  return {{"comparison", comparison_json(comparison)},
          {"causes", explanation.causes},
          {"contrary", explanation.contrary},
          {"groups", list_json(explanation.groups, group_json)},
          {"unknown", explanation.unknown}};
}

std::string explain_in_json(const std::vector<ExplanationReport>& reports, const Options&) {
  Json all = Json::array();
  for (const auto& report : reports) {
    const ComparisonReport& judged = report.judged;
    Json explanations = Json::array();
    for (std::size_t i = 0; i < report.explanations.size(); ++i)
      explanations.push_back(explanation_json(judged.comparisons[i], report.explanations[i]));
    all.push_back({{"device", judged.device},
                   {"model", text_or_null(judged.details.model)},
                   {"base", side_json(judged.base)},
                   {"candidate", side_json(judged.candidate)},
                   {"interleaved", judged.interleaved},
                   {"notes", judged.notes},
                   {"explanations", explanations}});
  }
  return json_text({{"schema", "tracker.explanation/1"}, {"reports", all}});
}

}  // namespace

const std::vector<ExplanationFormat>& explanation_formats() {
  static const std::vector<ExplanationFormat> formats{
      {"text", "both sides beside each other, for a terminal", explain_in_text},
      {"markdown", "tables, for a pull request", explain_in_markdown},
      {"json", "for programs: tracker.explanation/1", explain_in_json},
  };
  return formats;
}

}  // namespace tracker::report

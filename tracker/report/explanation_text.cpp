// For a terminal: what differs stands in rows, what is the same in a line below them.
#include <algorithm>

#include "tracker/base/text.hpp"
#include "tracker/report/cells.hpp"
#include "tracker/report/explanation_formats.hpp"
#include "tracker/report/layout.hpp"
#include "tracker/report/terminal_text.hpp"

namespace tracker {
namespace {

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

  std::string styled(const std::string& text, const char* style) const {
    return color && *style != '\0' && !text.empty() ? style + text + kReset : text;
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
    const std::size_t indent = 2 * kIndent + display_width(head);
    const auto lines = wrap(shown(value), page.columns - std::min(page.columns - 1, indent));
    for (std::size_t i = 0; i < lines.size(); ++i)
      out += std::string(2 * kIndent, ' ') + (i == 0 ? head : std::string(display_width(head), ' ')) +
             (is_new ? page.styled(lines[i], kBold) : lines[i]) + "\n";
  };
  add("base", fact.base, false);
  add("candidate", fact.candidate, state == FactState::kDiffers);
  return out;
}

std::string short_row(const Fact& fact, const Widths& widths, const Page& page) {
  const FactState state = state_of(fact);
  const bool differs = state == FactState::kDiffers;
  const std::string gap(kExplanationGap, ' ');
  std::string name = printable(fact.name);
  std::string line = mark_of(state, page);
  if (display_width(name) > widths.name) {
    const auto lines = wrap(name, page.columns - kIndent);
    for (std::size_t i = 0; i < lines.size(); ++i)
      line += (i == 0 ? "" : std::string(kIndent, ' ')) + lines[i] + "\n";
    line += std::string(kIndent, ' ');
    name.clear();
  }
  const std::string candidate = right_aligned(shown(fact.candidate), widths.candidate);
  line += left_aligned(name, widths.name) + gap + right_aligned(shown(fact.base), widths.base) + gap +
          (differs ? page.styled(candidate, kBold) : candidate);
  const std::size_t taken = kIndent + widths.name + widths.base + widths.candidate + 2 * kExplanationGap;
  if (!fact.change.empty() && taken + kExplanationGap + display_width(fact.change) <= page.columns)
    line += gap + (differs ? fact.change : page.styled(fact.change, kDim));
  return line + "\n";
}

void add_lines(const std::string& head, const std::string& text, const char* style, const Page& page,
               std::string& out) {
  const std::size_t indent = kIndent + display_width(head);
  const auto lines = wrap(text, page.columns - std::min(page.columns - 1, indent));
  for (std::size_t i = 0; i < lines.size(); ++i)
    out += std::string(kIndent, ' ') + (i == 0 ? head : std::string(display_width(head), ' ')) +
           page.styled(lines[i], style) + "\n";
}

bool has_rows(const FactGroup& group, const Page& page) {
  return std::any_of(group.facts.begin(), group.facts.end(),
                     [&](const Fact& fact) { return is_row(fact, page); });
}

void add_same(const std::string& head, const FactGroup& group, const Page& page, std::string& out) {
  const std::string same = same_in_words(group, kSameFactsMax);
  if (same.empty()) return;
  for (const auto& line : wrap(head + ": " + same, page.columns - kIndent))
    out += std::string(kIndent, ' ') + page.styled(line, kDim) + "\n";
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
  const std::string head =
      left_aligned(heading, display_width("likely cause")) + std::string(kExplanationGap, ' ');
  for (std::size_t i = 0; i < items.size(); ++i)
    add_lines(i == 0 ? head : std::string(display_width(head), ' '), printable(items[i]), i == 0 ? style : "",
              page, out);
}

std::string explanation_of(const Comparison& comparison, const Explanation& explanation, const Page& page) {
  const Cells cells = cells_of(comparison);
  std::string out;
  for (const auto& line : wrap(cells.benchmark, page.columns)) out += page.styled(line, kBold) + "\n";
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
  for (const auto& unknown : explanation.unknown) add_lines("", unknown, "", page, out);
  return out;
}

}  // namespace

std::string explain_in_text(const std::vector<ExplanationReport>& reports, const ReportOptions& options) {
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

}  // namespace tracker

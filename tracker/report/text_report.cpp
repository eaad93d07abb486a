// What `tracker compare` prints: a table where the terminal is wide enough for one, else a few lines a row.
#include <algorithm>
#include <cmath>
#include <set>

#include "tracker/base/text.hpp"
#include "tracker/report/layout.hpp"
#include "tracker/report/reason_words.hpp"
#include "tracker/report/report.hpp"
#include "tracker/report/text_rows.hpp"

namespace tracker {
namespace {

constexpr std::size_t kCellGap = 2;              // between columns
constexpr std::size_t kVerdictWidth = 14;        // "? inconclusive"
constexpr std::size_t kReportNameWidthMin = 24;  // names cut shorter say too little
constexpr std::size_t kReportColumnsMin = 40;    // narrower terminals wrap by themselves
constexpr std::size_t kStackColumnsMax = 110;    // a change farther from its name is hard to follow
constexpr std::size_t kUnlimited = 100000;
constexpr std::size_t kRowIndent = kVerdictWidth + kCellGap;

constexpr const char* kIntervalHead = "[low, high]";

constexpr std::size_t kBarWidth = 21;
constexpr const char* kBarHead = "better ←  ·  → worse";

constexpr const char* kCauseHead = "likely cause: ";

struct CellWidths {
  std::size_t name = 0;
  std::size_t base = 0;
  std::size_t candidate = 0;
  std::size_t change = 0;
  std::size_t interval = 0;

  std::size_t without_name() const {
    return kVerdictWidth + base + candidate + change + interval + 1 + 4 * kCellGap;
  }
};

// What would fail but for a waiver or the policy has the colour of what is open.
std::string colored(const std::string& text, const TextRow& row, bool color) {
  return colored(text, row.cells.is_excused ? Verdict::kInconclusive : row.verdict, color);
}

// The change is worth a colour where it decided the verdict.
std::string colored_change(const std::string& text, const TextRow& row, bool color) {
  const bool decided = row.verdict == Verdict::kRegressed || row.verdict == Verdict::kSameCode ||
                       row.verdict == Verdict::kImproved;
  return colored(text, row, color && decided);
}

CellWidths widths_of(const std::vector<TextRow>& rows) {
  CellWidths widths{display_width("benchmark"), display_width("base"), display_width("candidate"),
                    display_width("change"), display_width(kIntervalHead)};
  const auto widen = [](std::size_t& width, const std::string& text) {
    width = std::max(width, display_width(text));
  };
  for (const auto& row : rows) {
    const Cells& cells = row.cells;
    widen(widths.name, cells.benchmark);
    widen(widths.base, cells.base);
    widen(widths.candidate, cells.candidate);
    widen(widths.change, cells.change);
    widen(widths.interval, cells.interval);
  }
  return widths;
}

// Whether names cut to this width still say which benchmark is meant.
bool names_stay_apart(const std::vector<TextRow>& rows, std::size_t width) {
  std::set<std::string> names;
  std::set<std::string> shortened;
  for (const auto& row : rows) {
    names.insert(row.cells.benchmark);
    shortened.insert(shorten_middle(row.cells.benchmark, width));
  }
  return names.size() == shortened.size();
}

std::string verdict_cell(const TextRow& row, bool color) {
  const std::string text = row.cells.mark + " " + row.cells.verdict;
  const std::string padding(kVerdictWidth - std::min(kVerdictWidth, display_width(text)), ' ');
  return colored(text, row, color) + padding;
}

std::string without_trailing_spaces(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

void add_wrapped(const std::string& text, std::size_t columns, std::string& out) {
  for (const auto& line : wrap(text, columns - kRowIndent)) out += std::string(kRowIndent, ' ') + line + "\n";
}

void add_cause(const TextRow& row, std::size_t columns, bool color, std::string& out) {
  if (row.cells.cause.empty()) return;
  for (const auto& line : wrap(kCauseHead + row.cells.cause, columns - kRowIndent))
    out += std::string(kRowIndent, ' ') + (color ? kBold + line + kReset : line) + "\n";
}

// What stands in the line of a row that has room for all.
std::string why_in_one_line(const TextRow& row) {
  if (row.cells.cause.empty()) return row.why;
  return row.why + (row.why.empty() ? "" : "; ") + kCauseHead + row.cells.cause;
}

std::string head_row(const CellWidths& widths) {
  const std::string gap(kCellGap, ' ');
  return left_aligned("verdict", kVerdictWidth) + gap + left_aligned("benchmark", widths.name) + gap +
         right_aligned("base", widths.base) + gap + right_aligned("candidate", widths.candidate) + gap +
         right_aligned("change", widths.change) + " " + right_aligned(kIntervalHead, widths.interval);
}

std::string table_row(const TextRow& row, const CellWidths& widths, bool color) {
  const std::string gap(kCellGap, ' ');
  const Cells& cells = row.cells;
  return verdict_cell(row, color) + gap +
         left_aligned(shorten_middle(cells.benchmark, widths.name), widths.name) + gap +
         right_aligned(cells.base, widths.base) + gap + right_aligned(cells.candidate, widths.candidate) +
         gap + colored_change(right_aligned(cells.change, widths.change), row, color) + " " +
         right_aligned(cells.interval, widths.interval);
}

// Whether there is an interval to draw.
bool draws_bars(const std::vector<TextRow>& rows) {
  return std::any_of(rows.begin(), rows.end(), [](const TextRow& row) { return row.loss.has_value(); });
}

// "  │  ·├──●──┤  │": the interval of the change between the thresholds, worse to the right. An end that
// lies farther out is an arrow.
std::string interval_bar(const TextRow& row, double span) {
  if (!row.loss) return std::string(kBarWidth, ' ');
  std::vector<std::string> cells(kBarWidth, " ");
  const auto place = [&](double loss) {
    const double share = std::clamp((loss / span + 1) / 2, 0.0, 1.0);
    return static_cast<std::size_t>(std::lround(share * (kBarWidth - 1)));
  };
  cells[place(0)] = "·";
  for (const double edge : {-row.threshold, row.threshold}) cells[place(edge)] = "│";
  const std::size_t from = place(row.loss->low);
  const std::size_t to = place(row.loss->high);
  for (std::size_t i = from; i <= to; ++i)
    if (cells[i] != "│") cells[i] = "─";
  cells[from] = row.loss->low < -span ? "◂" : "├";
  cells[to] = row.loss->high > span ? "▸" : "┤";
  cells[place((row.loss->low + row.loss->high) / 2)] = "●";
  return join(cells, "");
}

// One line a row. The reason stands in the line where all of them fit and none is shared, else below it, and
// once for all rows that share it.
std::string table_of(const std::vector<TextRow>& rows, const CellWidths& widths, std::size_t columns,
                     bool color) {
  const auto shared = share_reasons(rows);
  const bool any_shared =
      std::any_of(shared.begin(), shared.end(), [](const TextRow& row) { return row.shares_why; });
  std::size_t why_width = 0;
  for (const auto& row : rows) why_width = std::max(why_width, display_width(why_in_one_line(row)));
  const std::size_t width = widths.without_name() + widths.name + kCellGap;
  const bool has_bars = draws_bars(rows) && width + kBarWidth <= columns;
  const bool why_in_line =
      !any_shared && width + why_width + (has_bars ? kBarWidth + kCellGap : 0) <= columns;
  const double span = bar_span(rows);
  std::string out = head_row(widths) + (has_bars ? std::string(kCellGap, ' ') + kBarHead : "") + "\n";
  for (const auto& row : shared) {
    std::string line = table_row(row, widths, color);
    if (has_bars) line += std::string(kCellGap, ' ') + interval_bar(row, span);
    if (why_in_line) line += std::string(kCellGap, ' ') + why_in_one_line(row);
    out += without_trailing_spaces(line) + "\n";
    if (why_in_line) continue;
    if (!row.why.empty()) add_wrapped(row.why, columns, out);
    add_cause(row, columns, color, out);
  }
  return out;
}

// Verdict, name, and the change at the right edge; below them the figures and the reason.
std::string stacked_row(const TextRow& row, std::size_t columns, bool color) {
  const Cells& cells = row.cells;
  const std::string indent(kRowIndent, ' ');
  const std::size_t edge = std::min(columns, kStackColumnsMax);
  const std::size_t change_width = display_width(cells.change) + 1 + display_width(cells.interval);
  const std::string change = colored_change(cells.change, row, color) + " " + cells.interval;
  const auto names = wrap(cells.benchmark, columns - kRowIndent);
  std::string out = verdict_cell(row, color) + std::string(kCellGap, ' ') + names.front();
  for (std::size_t i = 1; i < names.size(); ++i) out += "\n" + indent + names[i];
  if (!cells.change.empty()) {
    const std::size_t taken = kRowIndent + display_width(names.back());
    const bool fits = taken + kCellGap + change_width <= edge;
    if (!fits) out += "\n";
    const std::size_t before = change_width + (fits ? taken : 0);
    out += std::string(edge - std::min(edge, before), ' ') + change;
  }
  out += "\n";
  const std::string figures = cells.base + " → " + cells.candidate;
  if (row.shares_why) add_wrapped(figures, columns, out);
  if (!row.why.empty()) add_wrapped(!row.shares_why ? figures + ": " + row.why : row.why, columns, out);
  add_cause(row, columns, color, out);
  return out;
}

std::string stack_of(const std::vector<TextRow>& rows, std::size_t columns, bool color) {
  std::string out;
  for (const auto& row : share_reasons(rows)) out += stacked_row(row, columns, color);
  return out;
}

std::string rows_in_text(const std::vector<TextRow>& rows, std::size_t columns, bool color) {
  CellWidths widths = widths_of(rows);
  const std::size_t left = columns - std::min(columns, widths.without_name());
  const bool fits = left >= widths.name || (left >= kReportNameWidthMin && names_stay_apart(rows, left));
  if (!fits) return stack_of(rows, columns, color);
  widths.name = std::min(widths.name, left);
  return table_of(rows, widths, columns, color);
}

// What to paste where benchmarks have got other names. The lines stay as they are.
std::string renames_in_text(const ComparisonReport& report, std::size_t columns) {
  const auto lines = rename_lines(report);
  if (lines.empty()) return "";
  std::string out = "\n";
  for (const auto& line : wrap(std::string(kRenamedQuestion), columns)) out += line + "\n";
  for (const auto& line : lines) out += line.empty() ? "\n" : "  " + line + "\n";
  return out;
}

std::string report_in_text(ComparisonReport report, std::size_t columns, const ReportOptions& options) {
  const std::string neighbours = take_shared_obstacle(report);
  std::string out = head_of(report, columns);
  for (const auto& words : {effort_in_words(report), not_measured_in_words(report), neighbours})
    if (!words.empty())
      for (const auto& line : wrap(words, columns)) out += line + "\n";
  const auto rows = rows_of(report, options.all_rows);
  if (!rows.empty()) out += "\n" + rows_in_text(rows, columns, options.color);
  out += hidden_in_words(report, options.all_rows) + renames_in_text(report, columns);
  if (!report.notes.empty()) out += "\n";
  for (const auto& note : report.notes) out += note_of(note, columns);
  out += "\n";
  for (const auto& line : wrap(counts_in_words(report) + confidence_in_words(report), columns))
    out += line + "\n";
  return out;
}

Verdict verdict_like(Answer answer) {
  if (answer == Answer::kFailed) return Verdict::kRegressed;
  return answer == Answer::kPassed ? Verdict::kImproved : Verdict::kInconclusive;
}

}  // namespace

std::string write_text(const std::vector<ComparisonReport>& reports, const ReportOptions& options) {
  const std::size_t columns = options.columns > 0
                                  ? std::max(kReportColumnsMin, static_cast<std::size_t>(options.columns))
                                  : kUnlimited;
  std::string out;
  for (const auto& report : reports) out += report_in_text(report, columns, options) + "\n";
  const auto lines = wrap(answer_in_words(reports, options), columns);
  return out + colored(join(lines, "\n"), verdict_like(answer_of(reports, options)), options.color) + "\n";
}

}  // namespace tracker

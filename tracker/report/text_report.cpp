// What `tracker compare` prints: a table where the terminal is wide enough for one, else a few lines a row.

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "tracker/base/terminal.hpp"
#include "tracker/base/text.hpp"
#include "tracker/report/cells.hpp"
#include "tracker/report/report.hpp"

namespace tracker::report {
namespace {

constexpr std::size_t kCellGap = 2;              // between columns
constexpr std::size_t kVerdictWidth = 14;        // "? inconclusive"
constexpr std::size_t kReportNameWidthMin = 24;  // names cut shorter say too little
constexpr std::size_t kReportColumnsMin = 40;    // narrower terminals wrap by themselves
constexpr std::size_t kStackColumnsMax = 110;    // a change farther from its name is hard to follow
constexpr std::size_t kRowIndent = kVerdictWidth + kCellGap;
const std::string kRowStart(kRowIndent, ' ');

constexpr const char* kIntervalHead = "[low, high]";

constexpr std::size_t kBarWidth = 21;
constexpr const char* kBarHead = "better ←  ·  → worse";

constexpr const char* kCauseHead = "likely cause: ";

// What would fail but for a waiver or the policy has the colour of what is open.
std::string style_of(const TextRow& row, bool color) {
  return color ? verdict_style(row.cells.is_excused ? Verdict::kInconclusive : row.verdict) : "";
}

TextCell verdict_cell(const TextRow& row, bool color) {
  return styled_cell(row.cells.mark + " " + row.cells.verdict, style_of(row, color));
}

// The change is worth a colour where it decided the verdict.
TextCell change_cell(const TextRow& row, bool color) {
  const bool decided = row.verdict == Verdict::kRegressed || row.verdict == Verdict::kSameCode ||
                       row.verdict == Verdict::kImproved;
  return styled_cell(row.cells.change, style_of(row, color && decided));
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

std::string cause_lines(const TextRow& row, std::size_t columns, bool color) {
  if (row.cells.cause.empty()) return "";
  return wrapped(kCauseHead + row.cells.cause, columns, kRowStart, color ? kBold : "");
}

// What stands in the line of a row that has room for all.
std::string why_in_one_line(const TextRow& row) {
  if (row.cells.cause.empty()) return row.why;
  return row.why + (row.why.empty() ? "" : "; ") + kCauseHead + row.cells.cause;
}

// Whether there is an interval to draw.
bool draws_bars(const std::vector<TextRow>& rows) {
  return std::ranges::any_of(rows, [](const TextRow& row) { return row.loss.has_value(); });
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

// Of a table of these rows: verdict, name, the figures of both sides, the change and its interval.
constexpr std::size_t kNameColumn = 1;
std::vector<TextColumn> table_columns(std::size_t name_width) {
  return {{.head = "verdict", .width_min = kVerdictWidth},
          {.head = "benchmark", .width_max = name_width},
          {.head = "base", .right = true},
          {.head = "candidate", .right = true},
          {.head = "change", .right = true},
          {.head = kIntervalHead, .right = true, .gap = 1}};
}

TextRows table_rows(const std::vector<TextRow>& rows, bool color) {
  TextRows table;
  for (const auto& row : rows)
    table.push_back({verdict_cell(row, color),
                     {row.cells.benchmark},
                     {row.cells.base},
                     {row.cells.candidate},
                     change_cell(row, color),
                     {row.cells.interval}});
  return table;
}

// One line a row. The reason stands in the line where all of them fit and none is shared, else below it, and
// once for all rows that share it. `width`: of the table without bars and reasons.
std::string table_of(const std::vector<TextRow>& rows, std::size_t name_width, std::size_t width,
                     std::size_t columns, bool color) {
  const auto shared = share_reasons(rows);
  const bool any_shared = std::ranges::any_of(shared, [](const TextRow& row) { return row.shares_why; });
  std::size_t why_width = 0;
  for (const auto& row : rows) why_width = std::max(why_width, display_width(why_in_one_line(row)));
  const bool has_bars = draws_bars(rows) && width + kBarWidth <= columns;
  const bool why_in_line =
      !any_shared && width + why_width + (has_bars ? kBarWidth + kCellGap : 0) <= columns;
  const double span = bar_span(rows);
  auto shown = table_columns(name_width);
  auto cells = table_rows(shared, color);
  if (has_bars) shown.push_back({.head = kBarHead, .width_min = kBarWidth});
  if (why_in_line) shown.emplace_back();
  for (std::size_t i = 0; i < shared.size(); ++i) {
    if (has_bars) cells[i].push_back({interval_bar(shared[i], span)});
    if (why_in_line) cells[i].push_back({why_in_one_line(shared[i])});
  }
  const auto lines = table_lines(shown, cells);
  std::string out = lines.front() + "\n";
  for (std::size_t i = 0; i < shared.size(); ++i) {
    out += lines[i + 1] + "\n";
    if (!why_in_line)
      out += wrapped(shared[i].why, columns, kRowStart) + cause_lines(shared[i], columns, color);
  }
  return out;
}

// Verdict, name, and the change at the right edge; below them the figures and the reason.
std::string stacked_row(const TextRow& row, std::size_t columns, bool color) {
  const Cells& cells = row.cells;
  const std::size_t edge = std::min(columns, kStackColumnsMax);
  const std::size_t change_width = display_width(cells.change) + 1 + display_width(cells.interval);
  const TextCell styled = change_cell(row, color);
  const std::string change = styled.begin + styled.text + styled.end + " " + cells.interval;
  const auto names = wrap(cells.benchmark, columns - kRowIndent);
  std::string out =
      table_lines({{.width_min = kVerdictWidth}, {}}, {{verdict_cell(row, color), {names.front()}}}).front();
  for (std::size_t i = 1; i < names.size(); ++i) out += "\n" + kRowStart + names[i];
  if (!cells.change.empty()) {
    const std::size_t taken = kRowIndent + display_width(names.back());
    const bool fits = taken + kCellGap + change_width <= edge;
    if (!fits) out += "\n";
    const std::size_t before = change_width + (fits ? taken : 0);
    out += std::string(edge - std::min(edge, before), ' ') + change;
  }
  out += "\n";
  const std::string figures = cells.base + " → " + cells.candidate;
  if (row.shares_why) out += wrapped(figures, columns, kRowStart);
  if (!row.why.empty())
    out += wrapped(!row.shares_why ? figures + ": " + row.why : row.why, columns, kRowStart);
  return out + cause_lines(row, columns, color);
}

std::string stack_of(const std::vector<TextRow>& rows, std::size_t columns, bool color) {
  std::string out;
  for (const auto& row : share_reasons(rows)) out += stacked_row(row, columns, color);
  return out;
}

std::string rows_in_text(const std::vector<TextRow>& rows, std::size_t columns, bool color) {
  const auto shown = table_columns(kTableUnlimited);
  const auto widths = table_widths(shown, table_rows(rows, false));
  std::size_t others = 0;  // all columns but the names
  for (std::size_t c = 0; c < shown.size(); ++c)
    others += (c == kNameColumn ? 0 : widths[c]) + (c == 0 ? 0 : shown[c].gap);
  const std::size_t left = columns - std::min(columns, others);
  const bool fits =
      left >= widths[kNameColumn] || (left >= kReportNameWidthMin && names_stay_apart(rows, left));
  if (!fits) return stack_of(rows, columns, color);
  const std::size_t name_width = std::min(widths[kNameColumn], left);
  return table_of(rows, name_width, others + name_width + kCellGap, columns, color);
}

// What to paste where benchmarks have got other names. The lines stay as they are.
std::string renames_in_text(const ComparisonReport& report, std::size_t columns) {
  const auto lines = rename_lines(report);
  if (lines.empty()) return "";
  std::string out = "\n" + wrapped(kRenamedQuestion, columns);
  for (const auto& line : lines) out += line.empty() ? "\n" : "  " + line + "\n";
  return out;
}

std::string report_in_text(ComparisonReport report, std::size_t columns, const Options& options) {
  const std::string neighbours = take_shared_obstacle(report);
  std::string out = head_of(report, columns);
  for (const auto& words : {effort_in_words(report), not_measured_in_words(report), neighbours})
    out += wrapped(words, columns);
  const auto rows = rows_of(report, options.all_rows);
  if (!rows.empty()) out += "\n" + rows_in_text(rows, columns, options.color);
  out += hidden_in_words(report, options.all_rows) + renames_in_text(report, columns);
  if (!report.notes.empty()) out += "\n";
  for (const auto& note : report.notes) out += note_of(note, columns);
  return out + "\n" + wrapped(counts_in_words(report) + confidence_in_words(report), columns);
}

Verdict verdict_like(Answer answer) {
  if (answer == Answer::kFailed) return Verdict::kRegressed;
  return answer == Answer::kPassed ? Verdict::kImproved : Verdict::kInconclusive;
}

}  // namespace

std::string write_text(const Reports& reports, const Options& options) {
  const std::size_t columns = options.columns > 0
                                  ? std::max(kReportColumnsMin, static_cast<std::size_t>(options.columns))
                                  : kTableUnlimited;
  std::string out;
  for (const auto& report : reports) out += report_in_text(report, columns, options) + "\n";
  const auto lines = wrap(answer_in_words(reports, options), columns);
  return out + colored(join(lines, "\n"), verdict_like(answer_of(reports, options)), options.color) + "\n";
}

namespace {

// A hundred rows that say "cannot tell" hide the one that says more.
constexpr int kInconclusiveRowsMax = 10;
// Fewer rows each keep their own sentence.
constexpr std::size_t kSharedRowsMin = 3;

// The interval says of unchanged rows all that there is to say, but not of their floors.
std::string why_of(const Comparison& comparison, const Cells& cells) {
  const bool says_more =
      comparison.confirmed || comparison.not_measured || (comparison.floor && comparison.floor->unclear);
  return comparison.verdict == Verdict::kUnchanged && !says_more ? "" : cells.reason;
}

// What rows have to have in common to share a sentence; empty where each has one of its own. In those that
// are compared the figures may differ, and the likely cause may not.
std::string sharing_key(const TextRow& row) {
  switch (row.verdict) {
    case Verdict::kInconclusive:
      return shape_of(row.why);
    case Verdict::kRegressed:
    case Verdict::kImproved:
      return shape_of(row.why) + "\n" + row.cells.cause;
    case Verdict::kUnchanged:
      return row.cells.change.empty() ? row.why : "";  // not measured, or each with its own floor
    default:
      return row.verdict == Verdict::kBelowFloor || row.verdict == Verdict::kSameCode ? "" : row.why;
  }
}

// The interval of the change, turned so that worse is positive.
std::optional<Interval> loss_of(const Comparison& comparison) {
  if (!comparison.change || !comparison.interval || noise_hides_everything(comparison)) return {};
  const auto [low, high] = *comparison.interval;
  if (!std::isfinite(low) || !std::isfinite(high)) return {};
  return comparison.metric.better == Better::kHigher ? Interval{-high, -low} : Interval{low, high};
}

// Where nothing can be judged at all, the ratios are what is asked for.
int inconclusive_rows_max(const ComparisonReport& report) {
  constexpr int kRatiosMax = 40;
  const bool only_ratios = std::ranges::all_of(report.comparisons, [](const Comparison& one) {
    const bool is_ratio = one.verdict == Verdict::kInconclusive && one.change && !one.resolvable;
    return !is_compared(one) || is_ratio;
  });
  return only_ratios ? kRatiosMax : kInconclusiveRowsMax;
}

// What is better stands above what nobody knows.
std::vector<const Comparison*> in_order(const ComparisonReport& report) {
  std::vector<const Comparison*> rows;
  for (const auto& comparison : report.comparisons) rows.push_back(&comparison);
  const auto rank = [](const Comparison* row) {
    if (row->verdict == Verdict::kImproved) return 1;
    return row->verdict < Verdict::kInconclusive ? 0 : 2;
  };
  std::ranges::stable_sort(rows, {}, rank);
  return rows;
}

}  // namespace

std::vector<TextRow> rows_of(const ComparisonReport& report, bool all_rows) {
  std::vector<TextRow> rows;
  int inconclusive = 0;
  const int inconclusive_max = inconclusive_rows_max(report);
  for (const Comparison* one : in_order(report)) {
    const Comparison& comparison = *one;
    const Verdict verdict = comparison.verdict;
    const bool hidden = verdict == Verdict::kUnchanged ||
                        (verdict == Verdict::kInconclusive && ++inconclusive > inconclusive_max);
    if (hidden && !all_rows) continue;
    const Cells cells = cells_of(comparison);
    rows.push_back({verdict, cells, why_of(comparison, cells)});
    rows.back().loss = loss_of(comparison);
    rows.back().threshold = comparison.threshold;
  }
  return rows;
}

double bar_span(const std::vector<TextRow>& rows) {
  constexpr double kThresholdsMin = 1.5;
  constexpr double kThresholdsMax = 6;
  double span = 0;
  double threshold = 0;
  for (const auto& row : rows) {
    threshold = std::max(threshold, row.threshold);
    if (row.loss) span = std::max({span, std::abs(row.loss->low), std::abs(row.loss->high)});
  }
  return std::clamp(span, kThresholdsMin * threshold, std::max(kThresholdsMax * threshold, 1e-6));
}

std::string hidden_in_words(const ComparisonReport& report, bool all_rows) {
  if (all_rows) return "";
  std::vector<std::string> parts;
  const int inconclusive = count_verdicts(report)[Verdict::kInconclusive] - inconclusive_rows_max(report);
  if (inconclusive > 0) parts.push_back(std::to_string(inconclusive) + " more that are inconclusive");
  const auto floors = std::ranges::count_if(report.comparisons, [](const auto& c) {
    return c.verdict == Verdict::kUnchanged && c.floor && c.floor->unclear;
  });
  if (floors > 0) parts.push_back(std::to_string(floors) + " unchanged whose floor cannot be judged");
  return parts.empty() ? "" : "… and " + join(parts, ", ") + ": --all lists them\n";
}

std::vector<TextRow> share_reasons(std::vector<TextRow> rows) {
  std::map<std::pair<Verdict, std::string>, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (const auto key = sharing_key(rows[i]); !key.empty()) groups[{rows[i].verdict, key}].push_back(i);
  std::vector<std::size_t> leader(rows.size());  // the first row of the group, which the others follow
  std::iota(leader.begin(), leader.end(), std::size_t{0});
  std::vector<std::size_t> order = leader;
  for (const auto& [key, members] : groups) {
    if (members.size() < kSharedRowsMin) continue;
    std::vector<std::string> sentences;
    const std::string cause = rows[members.front()].cells.cause;
    const bool one_cause =
        std::ranges::all_of(members, [&](std::size_t i) { return rows[i].cells.cause == cause; });
    for (const std::size_t i : members) {
      if (one_cause && i != members.back()) rows[i].cells.cause.clear();
      leader[i] = members.front();
      sentences.push_back(std::move(rows[i].why));
      rows[i].why.clear();
      rows[i].shares_why = true;
    }
    rows[members.back()].why = "these " + std::to_string(members.size()) + ": " + merge_sentences(sentences);
  }
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return leader[i]; });
  std::vector<TextRow> sorted;
  for (const std::size_t i : order) sorted.push_back(std::move(rows[i]));
  return sorted;
}

}  // namespace tracker::report

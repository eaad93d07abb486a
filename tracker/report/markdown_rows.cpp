#include "tracker/report/markdown_rows.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "tracker/base/terminal.hpp"
#include "tracker/base/text.hpp"
#include "tracker/report/escape.hpp"

namespace tracker::report {
namespace {

constexpr std::size_t kMarkdownNameColumnsMax = 160;
constexpr std::size_t kReasonColumnsMax = 400;
constexpr std::size_t kCounterColumnsMax = 40;
constexpr std::size_t kDeviceColumnsMax = 60;
// Fewer rows each keep their own words.
constexpr std::size_t kRowsInCommonMin = 3;

// Never the colour alone: the signs differ in shape as well.
std::string sign_of(const Comparison& comparison) {
  if (fails_gate(comparison)) return "❌ ";
  if (cells_of(comparison).is_excused) return "⚪ ";
  if (comparison.verdict == Verdict::kSameCode) return "⚠️ ";
  if (comparison.verdict == Verdict::kImproved) return "✅ ";
  if (comparison.verdict == Verdict::kNotComparable) return "≠ ";
  return comparison.verdict == Verdict::kInconclusive ? "? " : "";
}

std::string device_in_markdown(const Reports& reports, const ComparisonReport& report) {
  return markdown_text(visible_text(device_name(reports, report), kDeviceColumnsMax));
}

std::string below_it(const std::string& text) {
  return text.empty() ? "" : "<br>" + small_text(text);
}

// "3.482 → 2.459 TB/s"; both units where they have to differ, and "–" for what is not there.
std::string from_to(const std::optional<double>& base, const std::optional<double>& candidate,
                    const std::string& unit) {
  const auto [of_base, of_candidate] = format_quantities(base, candidate, unit);
  const std::size_t was_unit = of_base.rfind(' ');
  const std::size_t is_unit = of_candidate.rfind(' ');
  const bool same_unit = was_unit != std::string::npos && is_unit != std::string::npos &&
                         of_base.substr(was_unit) == of_candidate.substr(is_unit);
  return unbroken(markdown_text(same_unit ? of_base.substr(0, was_unit) : of_base) + " → " +
                  markdown_text(of_candidate));
}

// What the change is, in sight; its verdict where that is another than what the sign says of the change.
std::string change_cell(const Comparison& comparison, const Cells& cells) {
  const std::string sign = sign_of(comparison);
  if (comparison.not_measured) return unbroken("same program");
  const std::string change = unbroken(markdown_text(cells.change));
  const std::string interval = cells.interval.empty() ? "" : unbroken(markdown_text(cells.interval));
  switch (comparison.verdict) {
    case Verdict::kRegressed:
    case Verdict::kSameCode:
    case Verdict::kImproved:
      return unbroken(sign) + "**" + change + "**" + below_it(interval);
    case Verdict::kInconclusive:
    case Verdict::kUnchanged:
      return change.empty() ? unbroken(sign + cells.verdict) : unbroken(sign) + change + below_it(interval);
    default:
      break;
  }
  return unbroken(sign + cells.verdict) + (change.empty() ? "" : below_it(change + " " + interval));
}

std::string speed_lines(const Comparison& comparison, const std::string& separator) {
  std::string text = from_to(comparison.base, comparison.candidate, comparison.metric.unit);
  if (comparison.metric.unit.empty())
    text += separator + markdown_text(visible_text(comparison.metric.name, kCounterColumnsMax));
  if (const auto& rate = comparison.rate; rate && (rate->base || rate->candidate))
    text += separator + from_to(rate->base, rate->candidate, rate->unit);
  return text;
}

bool has_threshold(const Comparison& comparison) {
  return comparison.change && !comparison.not_measured;
}

// `says_threshold`: false where all rows have the same one, which stands at the head of the table.
std::string threshold_of(const Comparison& comparison, bool says_threshold) {
  if (!has_threshold(comparison)) return "";
  std::vector<std::string> lines;
  if (says_threshold) lines.push_back(unbroken("threshold " + format_share(comparison.threshold)));
  if (comparison.resolvable)
    lines.push_back(unbroken(noise_hides_everything(comparison)
                                 ? "detects nothing"
                                 : "detects ≥ " + format_share(*comparison.resolvable)));
  return join(lines, "<br>");
}

// The threshold that all rows of a table on one device have; empty where they differ.
std::string threshold_in_common(const std::vector<const BenchmarkRow*>& rows) {
  std::set<std::string> all;
  for (const auto* row : rows)
    if (has_threshold(*row->cells.front())) all.insert(format_share(row->cells.front()->threshold));
  return all.size() == 1 ? *all.begin() : "";
}

// With several devices: all of it in one column.
std::string device_cell(const Comparison* comparison) {
  if (comparison == nullptr) return "–";
  const std::string change = change_cell(*comparison, cells_of(*comparison));
  if (!comparison->base && !comparison->candidate) return change;
  return change + "<br>" + small_text(speed_lines(*comparison, "<br>"));
}

// The device that a row of a table without a column for each device shows: where it matters most, or gained
// most.
std::size_t shown_device(const BenchmarkRow& row) {
  std::size_t shown = row.cells.size();
  for (std::size_t i = 0; i < row.cells.size(); ++i) {
    const Comparison* cell = row.cells[i];
    if (cell == nullptr || row_kind(*cell) != row.kind) continue;
    if (shown == row.cells.size() || matters_more(*cell, *row.cells[shown])) shown = i;
  }
  return shown;
}

// "❌ 5 regressed, −8.02 % … −7.10 %": a line for each verdict.
std::string across_cell(const BenchmarkRow& row) {
  std::string text;
  for (const Verdict verdict : all_verdicts()) {
    std::size_t count = 0;
    const Comparison* first = nullptr;
    Interval range{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
    for (const Comparison* cell : row.cells) {
      if (cell == nullptr || cell->verdict != verdict) continue;
      ++count;
      if (first == nullptr) first = cell;
      if (!cell->change || noise_hides_everything(*cell)) continue;
      range = {std::min(range.low, *cell->change), std::max(range.high, *cell->change)};
    }
    if (first == nullptr) continue;
    std::string line = sign_of(*first) + std::to_string(count) + " " + verdict_name(verdict);
    if (range.low <= range.high)
      line += ", " + format_percent(range.low) +
              (range.low < range.high ? " … " + format_percent(range.high) : "");
    text += (text.empty() ? "" : "<br>") + unbroken(line);
  }
  return text;
}

// Its beginning, up to the end of a word.
std::string short_reason(const std::string& text) {
  if (display_width(text) <= kReasonColumnsMax) return markdown_text(text);
  return markdown_text(wrap(text, kReasonColumnsMax - 2).front() + " …");
}

// "missing" in the column beside it says the same.
bool is_missing_alone(const Comparison& comparison) {
  return comparison.verdict == Verdict::kMissing && comparison.reasons.size() == 1 &&
         comparison.reasons.front().code == ReasonCode::kMissingInCandidate;
}

// What the figures do not say: the likely cause, and the reason unless it only repeats them.
std::vector<std::string> words_of(const Comparison& comparison, const TableStyle& style) {
  if (!style.has_reasons) return {};
  const Cells cells = cells_of(comparison);
  std::vector<std::string> words;
  const bool figures_alone = comparison.verdict == Verdict::kRegressed ||
                             comparison.verdict == Verdict::kImproved ||
                             comparison.verdict == Verdict::kUnchanged || is_missing_alone(comparison);
  const bool says_more = comparison.not_measured || comparison.waiver ||
                         (comparison.floor && (comparison.floor->broken || comparison.floor->unclear));
  if (!figures_alone || says_more)
    words.push_back(short_reason(cells.reason));
  else if (comparison.report_only && cells.is_excused)
    words.emplace_back("only reported");
  else if (comparison.confirmed)
    words.emplace_back("confirmed side by side");
  if (style.cause_in_sight && comparison.cause == *style.cause_in_sight) return words;
  if (!cells.cause.empty())
    words.push_back("likely cause: " + cause_in_markdown(cells.cause));
  else if (comparison.verdict == Verdict::kRegressed)
    words.emplace_back("likely cause: not known");
  return words;
}

// Words, and the devices that they are true of.
using Said = std::vector<std::pair<std::string, std::vector<std::size_t>>>;

Said said_of(const BenchmarkRow& row, const TableStyle& style) {
  Said said;
  for (std::size_t i = 0; i < row.cells.size(); ++i) {
    if (row.cells[i] == nullptr || row_kind(*row.cells[i]) != row.kind) continue;
    for (const auto& words : words_of(*row.cells[i], style)) {
      auto known = std::ranges::find_if(said, [&](const auto& one) { return one.first == words; });
      if (known == said.end()) known = said.insert(said.end(), {words, {}});
      known->second.push_back(i);
    }
  }
  return said;
}

// The devices that the row is about.
std::size_t devices_about(const BenchmarkRow& row) {
  return static_cast<std::size_t>(std::ranges::count_if(
      row.cells, [&](const auto* cell) { return cell != nullptr && row_kind(*cell) == row.kind; }));
}

// Words that every row has on every device that it is about.
std::vector<std::string> words_in_common(const std::vector<const BenchmarkRow*>& rows,
                                         const std::vector<Said>& said) {
  if (rows.size() < kRowsInCommonMin) return {};
  std::vector<std::string> common;
  for (const auto& first : said.front()) {
    const auto& words = first.first;
    bool everywhere = true;
    for (std::size_t i = 0; i < rows.size() && everywhere; ++i)
      everywhere = std::ranges::any_of(said[i], [&](const auto& one) {
        return one.first == words && one.second.size() == devices_about(*rows[i]);
      });
    if (everywhere) common.push_back(words);
  }
  return common;
}

std::string name_cell(const Reports& reports, const BenchmarkRow& row, const Said& said,
                      const std::vector<std::string>& common) {
  std::string cell = name_in_markdown(row.benchmark, kMarkdownNameColumnsMax);
  for (const auto& [words, devices] : said) {
    if (std::ranges::find(common, words) != common.end()) continue;
    const bool on_all = devices.size() == devices_about(row);
    std::vector<std::string> names;
    for (const std::size_t i : devices) names.push_back(device_in_markdown(reports, reports[i]));
    cell += "<br>" + (on_all ? "" : join(names, ", ") + ": ") + words;
  }
  return cell;
}

std::string head_of_table(const Reports& reports, const TableStyle& style, const std::string& threshold) {
  std::string head = "| " + style.first_column + " |";
  std::string rule = "|:--|";
  if (reports.size() == 1)
    return head + " change" + (threshold.empty() ? "" : ", threshold " + unbroken(threshold)) +
           " | base → head |\n" + rule + "--:|--:|\n";
  if (reports.size() > kDeviceColumnsOfTableMax)
    return head + " most on | all " + count_of(reports.size(), "device") + " |\n" + rule + "--:|:--|\n";
  for (const auto& report : reports) {
    head += " " + device_in_markdown(reports, report) + " |";
    rule += "--:|";
  }
  return head + "\n" + rule + "\n";
}

}  // namespace

std::string unbroken(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == ' ' ? std::string("&nbsp;") : std::string(1, c);
  return out;
}

std::string small_text(const std::string& text) {
  return "<sub>" + text + "</sub>";
}

std::string name_in_markdown(const std::string& benchmark, std::size_t columns_max) {
  const std::string name = markdown_text(visible_text(benchmark, columns_max));
  constexpr std::string_view kUnderscore = "&#95;";
  std::string out;
  for (std::size_t at = 0; at < name.size(); ++at) {
    out += name[at];
    const bool after_underscore = std::string_view(out).ends_with(kUnderscore);
    if ((name[at] == '/' || after_underscore) && at + 1 < name.size()) out += "<wbr>";
  }
  return "<code>" + out + "</code>";
}

std::string cause_in_markdown(const std::string& cause) {
  std::string shown = cause;
  if (display_width(shown) > kReasonColumnsMax) shown = wrap(shown, kReasonColumnsMax - 2).front() + " …";
  const std::size_t first = std::min(shown.find("; "), shown.size());
  return "**" + markdown_text(shown.substr(0, first)) + "**" + markdown_text(shown.substr(first));
}

MarkdownTable markdown_table(const Reports& reports, const std::vector<const BenchmarkRow*>& rows,
                             const TableStyle& style) {
  MarkdownTable table;
  if (rows.empty()) return table;
  const std::string threshold = reports.size() == 1 ? threshold_in_common(rows) : "";
  table.head = head_of_table(reports, style, threshold);
  std::vector<Said> said;
  for (const auto* row : rows) said.push_back(said_of(*row, style));
  const auto common = words_in_common(rows, said);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::vector<std::string> cells{name_cell(reports, *rows[i], said[i], common)};
    if (reports.size() == 1) {
      const Comparison& only = *rows[i]->cells.front();
      cells.push_back(change_cell(only, cells_of(only)));
      cells.push_back(speed_lines(only, "<br>") + below_it(threshold_of(only, threshold.empty())));
    } else if (reports.size() > kDeviceColumnsOfTableMax) {
      const std::size_t device = shown_device(*rows[i]);
      const std::string name = device < reports.size() ? device_in_markdown(reports, reports[device]) +
                                                             "<br>" + device_cell(rows[i]->cells[device])
                                                       : "–";
      cells.insert(cells.end(), {name, across_cell(*rows[i])});
    } else {
      std::ranges::transform(rows[i]->cells, std::back_inserter(cells), device_cell);
    }
    table.rows.push_back(markdown_row(cells));
  }
  if (!common.empty()) table.below = "All of them: " + join(common, "; ") + ".\n";
  return table;
}

namespace {

constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
constexpr std::size_t kSomeOfTheWorst = 10;
constexpr std::size_t kSomeUnjudged = 3;

// What is kept first stands first.
struct Keep {
  Part part;
  std::size_t rows_max;
  const char* what;               // a row of it
  const char* several = nullptr;  // rows of it, where that is not the same with an s
};
constexpr Keep kKept[] = {
    {Part::kUnjudged, kSomeUnjudged, "unjudged device"},
    {Part::kWorst, kSomeOfTheWorst, "failing row"},
    {Part::kTrends, kAll, "trend chart"},
    {Part::kWorst, kAll, "failing row"},
    {Part::kUnjudged, kAll, "unjudged device"},
    {Part::kImproved, kAll, "improved row"},
    {Part::kCode, kAll, "line of machine code"},
    {Part::kSamples, kAll, "verdict chart"},
    {Part::kComparisons, kAll, "comparison chart"},
    {Part::kFamilies, kAll, "family", "families"},
    {Part::kNotes, kAll, "note"},
    {Part::kExcused, kAll, "excused row"},
    {Part::kMoreImproved, kAll, "improved row"},
    {Part::kNew, kAll, "new row"},
    {Part::kInconclusive, kAll, "inconclusive row"},
    {Part::kChartData, kAll, "chart table"},
    {Part::kUnchanged, kAll, "unchanged row"},
};

bool is_fixed(const Piece& piece) {
  return piece.part == Part::kHeadline || piece.part == Part::kFooter;
}

struct Shown {
  std::size_t rows = 0;
  std::size_t below = 0;  // of them, that have what stands below them
};

std::size_t room_below(const Piece& piece, std::size_t row) {
  return row < piece.below.size() ? piece.below[row].size() : 0;
}

// As many rows as fit; false where one does not.
bool add_rows(const Piece& piece, std::size_t rows_max, Shown& shown, std::size_t& bytes) {
  while (shown.rows < std::min(piece.rows.size(), rows_max)) {
    const std::size_t frame = shown.rows == 0 ? piece.open.size() + piece.close.size() : 0;
    const std::size_t needed = frame + piece.rows[shown.rows].size();
    if (needed > bytes) return false;
    bytes -= needed;
    ++shown.rows;
  }
  return true;
}

bool add_below(const Piece& piece, Shown& shown, std::size_t& bytes) {
  for (; shown.below < shown.rows; ++shown.below) {
    const std::size_t needed = room_below(piece, shown.below);
    if (needed > bytes) return false;
    bytes -= needed;
  }
  return true;
}

// How much of each piece fits into so many bytes. Once a row does not, what is less important does not
// either: a reader may rely on the order.
std::vector<Shown> what_fits(const std::vector<Piece>& pieces, std::size_t bytes) {
  std::vector<Shown> shown(pieces.size());
  for (const auto& keep : kKept)
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      if (keep.part == Part::kChartData) {
        if (!add_below(pieces[i], shown[i], bytes)) return shown;
      } else if (pieces[i].part == keep.part && !add_rows(pieces[i], keep.rows_max, shown[i], bytes)) {
        return shown;
      }
    }
  return shown;
}

std::string left_out_in_words(const std::vector<Piece>& pieces, const std::vector<Shown>& shown) {
  std::map<Part, std::size_t> left_out;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (is_fixed(pieces[i])) continue;
    left_out[pieces[i].part] += pieces[i].rows.size() - shown[i].rows;
    for (std::size_t row = shown[i].below; row < pieces[i].below.size(); ++row)
      left_out[Part::kChartData] += pieces[i].below[row].empty() ? 0 : 1;
  }
  std::vector<std::string> words;
  for (const auto& keep : kKept)
    if (auto& count = left_out[keep.part]; count > 0) {
      words.push_back(count > 1 && keep.several != nullptr ? std::to_string(count) + " " + keep.several
                                                           : count_of(count, keep.what));
      count = 0;
    }
  return words.empty() ? "" : "Left out, as this would be too long: " + join(words, ", ") + ".\n\n";
}

}  // namespace

std::string fit_pieces(const std::vector<Piece>& pieces, std::size_t bytes_max) {
  constexpr std::size_t kLeftOutBytes = 512;  // more than the line about it takes
  std::size_t bytes = kAll;
  if (bytes_max > 0) {
    std::size_t fixed = kLeftOutBytes;
    for (const auto& piece : pieces)
      if (is_fixed(piece)) fixed += piece.open.size();
    bytes = bytes_max > fixed ? bytes_max - fixed : 0;
  }
  const auto shown = what_fits(pieces, bytes);
  std::string out;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (pieces[i].part == Part::kFooter) out += left_out_in_words(pieces, shown);
    if (is_fixed(pieces[i])) out += pieces[i].open;
    if (shown[i].rows == 0) continue;
    out += pieces[i].open;
    for (std::size_t row = 0; row < shown[i].rows; ++row) {
      out += pieces[i].rows[row];
      if (row < std::min(shown[i].below, pieces[i].below.size())) out += pieces[i].below[row];
    }
    out += pieces[i].close;
  }
  return out;
}

}  // namespace tracker::report

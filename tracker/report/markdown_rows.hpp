// Benchmarks as rows of Markdown tables.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tracker/report/cells.hpp"
#include "tracker/report/report.hpp"

namespace tracker::report {

struct MarkdownTable {
  std::string head;
  std::vector<std::string> rows;
  std::string below;  // what all rows have in common, said once; may be empty
};

struct TableStyle {
  std::string first_column = "benchmark";
  bool has_reasons = true;                    // below the names: why, and the likely cause
  std::optional<std::string> cause_in_sight;  // stands above the table (empty: that none is known)
};

// More devices than this have no column each: a page has no room for them.
inline constexpr std::size_t kDeviceColumnsOfTableMax = 6;

// One device has columns for the change and for base → head; several have a column each. Of more than
// kDeviceColumnsOfTableMax a row shows the one where the change matters most, and counts the verdicts of all.
MarkdownTable markdown_table(const Reports& reports, const std::vector<const BenchmarkRow*>& rows,
                             const TableStyle& style);

// "<code>…</code>", which a narrow page may break at slashes and underscores.
std::string name_in_markdown(const std::string& benchmark, std::size_t columns_max);

// With the first fact in bold: the others would drown it.
std::string cause_in_markdown(const std::string& cause);

// Figures stay on one line, however narrow the column.
std::string unbroken(const std::string& text);

std::string small_text(const std::string& text);

// A text that may not be longer than so much: made of pieces, of which the least important are left out.

// What a piece is about, in the order of the text.
enum class Part {
  kHeadline,
  kUnjudged,
  kWorst,
  kImproved,
  kMoreImproved,
  kTrends,
  kCode,
  kFamilies,
  kExcused,
  kInconclusive,
  kNew,
  kUnchanged,
  kComparisons,
  kSamples,
  kChartData,  // of no piece: what stands below rows
  kNotes,
  kFooter
};

// Rows between what opens and what closes them; without any row the piece is not there. Headline and footer
// have no rows, and are always there.
struct Piece {
  Part part = Part::kHeadline;
  std::string open;
  std::vector<std::string> rows;
  std::string close;
  std::vector<std::string> below = {};  // of each row: what follows it where there is room; may be shorter
};

// All pieces, or where they are longer than `bytes_max` (0: no limit) the most important rows of them, with a
// line before the footer that says how many are left out. Importance: three devices that are not judged, ten
// rows of the worst, trend charts, all of the worst, all not judged, improved in sight, machine code, verdict
// charts, charts of all changes, families, notes, excused, more improved, new, inconclusive, the numbers of
// charts, unchanged: evidence goes last.
std::string fit_pieces(const std::vector<Piece>& pieces, std::size_t bytes_max);

}  // namespace tracker::report

// A text that may not be longer than so much: made of pieces, of which the least important are left out.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tracker {

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

}  // namespace tracker

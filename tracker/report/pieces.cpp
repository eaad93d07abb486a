#include "tracker/report/pieces.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "tracker/base/text.hpp"

namespace tracker {
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

}  // namespace tracker

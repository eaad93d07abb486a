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
  const char* what;  // a row of it; takes an s where there are several
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
    {Part::kFamilies, kAll, "family"},
    {Part::kNotes, kAll, "note"},
    {Part::kExcused, kAll, "excused row"},
    {Part::kMoreImproved, kAll, "improved row"},
    {Part::kNew, kAll, "new row"},
    {Part::kInconclusive, kAll, "inconclusive row"},
    {Part::kUnchanged, kAll, "unchanged row"},
};

bool is_fixed(const Piece& piece) {
  return piece.part == Part::kHeadline || piece.part == Part::kFooter;
}

// How many rows of each piece fit into so many bytes. Once one does not, what is less important does not
// either: a reader may rely on the order.
std::vector<std::size_t> rows_that_fit(const std::vector<Piece>& pieces, std::size_t bytes) {
  std::vector<std::size_t> shown(pieces.size());
  for (const auto& keep : kKept)
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      const Piece& piece = pieces[i];
      if (piece.part != keep.part) continue;
      while (shown[i] < std::min(piece.rows.size(), keep.rows_max)) {
        const std::size_t frame = shown[i] == 0 ? piece.open.size() + piece.close.size() : 0;
        const std::size_t needed = frame + piece.rows[shown[i]].size();
        if (needed > bytes) return shown;
        bytes -= needed;
        ++shown[i];
      }
    }
  return shown;
}

std::string left_out_in_words(const std::vector<Piece>& pieces, const std::vector<std::size_t>& shown) {
  std::map<Part, std::size_t> left_out;
  for (std::size_t i = 0; i < pieces.size(); ++i)
    left_out[pieces[i].part] += is_fixed(pieces[i]) ? 0 : pieces[i].rows.size() - shown[i];
  std::vector<std::string> words;
  for (const auto& keep : kKept)
    if (auto& count = left_out[keep.part]; count > 0) {
      words.push_back(count_of(count, keep.what));
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
  const auto shown = rows_that_fit(pieces, bytes);
  std::string out;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (pieces[i].part == Part::kFooter) out += left_out_in_words(pieces, shown);
    if (is_fixed(pieces[i])) out += pieces[i].open;
    if (shown[i] == 0) continue;
    out += pieces[i].open;
    for (std::size_t row = 0; row < shown[i]; ++row) out += pieces[i].rows[row];
    out += pieces[i].close;
  }
  return out;
}

}  // namespace tracker

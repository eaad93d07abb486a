#include "tracker/report/terminal_text.hpp"

#include <algorithm>

#include "tracker/base/text.hpp"
#include "tracker/report/cells.hpp"
#include "tracker/report/layout.hpp"

namespace tracker {
namespace {

struct VerdictColor {
  Verdict verdict;
  const char* code;
};
constexpr VerdictColor kColors[] = {
    {Verdict::kRegressed, "\x1b[1;31m"},  {Verdict::kBelowFloor, "\x1b[1;31m"},
    {Verdict::kFailed, "\x1b[1;31m"},     {Verdict::kMissing, "\x1b[1;31m"},
    {Verdict::kSameCode, "\x1b[1;33m"},   {Verdict::kNotComparable, "\x1b[33m"},
    {Verdict::kInconclusive, "\x1b[33m"}, {Verdict::kImproved, "\x1b[1;32m"},
    {Verdict::kNew, "\x1b[36m"}};

}  // namespace

std::string colored(const std::string& text, Verdict verdict, bool color) {
  if (!color) return text;
  for (const auto& row : kColors)
    if (row.verdict == verdict) return row.code + text + kReset;
  return text;
}

std::string head_of(const ComparisonReport& report, std::size_t columns) {
  auto base = side_in_words(report.base);
  auto candidate = side_in_words(report.candidate);
  for (std::size_t i = 0; i + 1 < std::min(base.size(), candidate.size()); ++i) {
    const std::size_t width = std::max(display_width(base[i]), display_width(candidate[i]));
    base[i] = left_aligned(base[i], width);
    candidate[i] = left_aligned(candidate[i], width);
  }
  std::string out = shorten_end(device_in_words(report), columns) + "\n";
  out += shorten_end("base       " + join(base, "  "), columns) + "\n";
  out += shorten_end("candidate  " + join(candidate, "  "), columns) + "\n";
  for (const auto& line : wrap(measuring_in_words(report), columns)) out += line + "\n";
  return out;
}

std::string note_of(const std::string& note, std::size_t columns) {
  const std::string head = "note: ";
  const auto lines = wrap(printable(note), columns - head.size());
  std::string out;
  for (std::size_t i = 0; i < lines.size(); ++i)
    out += (i == 0 ? head : std::string(head.size(), ' ')) + lines[i] + "\n";
  return out;
}

}  // namespace tracker

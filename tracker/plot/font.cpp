#include "tracker/plot/font.hpp"

#include <array>
#include <functional>
#include <vector>

#include "tracker/base/text.hpp"

namespace tracker {
namespace {

// Advance widths of U+0020 … U+007E in thousandths of the font size: Liberation Sans' hmtx table, which
// is metrically that of Arial and Helvetica.
using Widths = std::array<short, 95>;
constexpr Widths kRegular{278,  278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
                          556,  556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
                          1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
                          667,  778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
                          333,  556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
                          556,  556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584};
constexpr Widths kBold{278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278,
                       556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 333, 333, 584, 584, 584, 611,
                       975, 722, 722, 722, 722, 667, 611, 778, 722, 278, 556, 722, 611, 833, 722, 778,
                       667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 333, 278, 333, 584, 556,
                       333, 556, 611, 556, 611, 556, 333, 611, 611, 278, 278, 556, 278, 889, 611, 611,
                       611, 611, 389, 556, 333, 611, 556, 778, 556, 556, 500, 389, 280, 389, 584};
constexpr double kOther = 620;  // letters with accents, arrows, bullets
constexpr double kWide = 1000;  // from Hangul and CJK on, emoji among them

double character_width(std::string_view character, bool bold) {
  const auto first = static_cast<unsigned char>(character[0]);
  if (first < 0x20 || first == 0x7F) return kOther;
  if (first < 0x80) return (bold ? kBold : kRegular)[first - 0x20U];
  return first >= 0xE3 || character == "…" ? kWide : kOther;
}

std::vector<std::string_view> characters(std::string_view text) {
  std::vector<std::string_view> result;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t length = 1;
    while (at + length < text.size() && (static_cast<unsigned char>(text[at + length]) & 0xC0) == 0x80)
      ++length;
    result.push_back(text.substr(at, length));
    at += length;
  }
  return result;
}

using Measure = std::function<double(std::string_view)>;

std::string fit(std::string_view raw, double width_max, const Measure& measure) {
  std::string text = printable(raw);
  const auto parts = characters(text);
  double width = 0;
  for (const auto part : parts) width += measure(part);
  if (width <= width_max) return text;
  std::string head;
  std::string tail;
  double left = width_max - measure("…");
  for (std::size_t i = 0, j = parts.size(); i < j;) {
    const bool from_head = head.size() <= tail.size();
    const auto part = from_head ? parts[i] : parts[j - 1];
    left -= measure(part);
    if (left < 0) break;
    if (from_head) {
      head += part;
      ++i;
    } else {
      tail.insert(0, part);
      --j;
    }
  }
  return head + "…" + tail;
}

}  // namespace

double text_width_px(std::string_view text, double size_px, bool bold) {
  double width = 0;
  for (const auto part : characters(text)) width += character_width(part, bold);
  return width * size_px / 1000;
}

std::string fit_text(std::string_view text, double width_px, double size_px, bool bold) {
  return fit(text, width_px,
             [&](std::string_view part) { return character_width(part, bold) * size_px / 1000; });
}

std::vector<std::string> wrap_text(std::string_view text, double width_px, double size_px,
                                   std::size_t lines_max) {
  std::vector<std::string> lines;
  const auto fits = [&](const std::string& line) { return text_width_px(line, size_px) <= width_px; };
  for (const auto& word : split(printable(text), ' ')) {
    if (word.empty()) continue;
    const std::string longer = lines.empty() ? word : lines.back() + " " + word;
    if (!lines.empty() && (fits(longer) || lines.size() == lines_max))
      lines.back() = longer;
    else
      lines.push_back(word);
  }
  for (auto& line : lines) {
    if (fits(line)) continue;
    std::string head;
    for (const auto part : characters(line)) {
      if (!fits(head + std::string(part) + "…")) break;
      head += part;
    }
    line = head + "…";
  }
  return lines;
}

std::string fit_columns(std::string_view text, int columns) {
  return fit(text, columns, [](std::string_view) { return 1.0; });
}

}  // namespace tracker

#include "tracker/base/invisible.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace tracker {
namespace {

struct Range {
  char32_t first;
  char32_t last;
  bool holds(char32_t c) const { return first <= c && c <= last; }
};

// Control characters (those of JSON are escaped before); Unicode's format characters and the others that
// leave no mark (DerivedCoreProperties.txt, Default_Ignorable_Code_Point), but for the variation selectors of
// emoji; line and paragraph separators; and what XML 1.0 has no place for.
constexpr Range kInvisible[] = {
    {0x007F, 0x009F},   {0x00AD, 0x00AD},   {0x034F, 0x034F},   {0x061C, 0x061C}, {0x115F, 0x1160},
    {0x17B4, 0x17B5},   {0x180B, 0x180F},   {0x200B, 0x200F},   {0x2028, 0x202E}, {0x2060, 0x206F},
    {0x3164, 0x3164},   {0xFEFF, 0xFEFF},   {0xFFA0, 0xFFA0},   {0xFFF9, 0xFFFB}, {0xFFFE, 0xFFFF},
    {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF},
};

// The character at the start of valid UTF-8, and how many bytes it takes.
struct Character {
  char32_t code = 0;
  std::size_t bytes = 1;
};

Character first_of(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return {first, 1};
  const std::size_t bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  char32_t code = first & (0xFFu >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) code = code << 6 | (byte(i) & 0x3Fu);
  return {code, bytes};
}

bool is_invisible(char32_t code) {
  return std::any_of(std::begin(kInvisible), std::end(kInvisible),
                     [&](const Range& range) { return range.holds(code); });
}

std::string printed(const char* format, unsigned value) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

// UTF-16, as JSON has it.
std::string json_escape(char32_t code) {
  const auto value = static_cast<unsigned>(code);
  if (value < 0x10000) return printed("\\u%04x", value);
  return printed("\\u%04x", 0xD800 + ((value - 0x10000) >> 10)) +
         printed("\\u%04x", 0xDC00 + ((value - 0x10000) & 0x3FF));
}

}  // namespace

std::string invisible_in_words(std::string_view character) {
  const char32_t code = first_of(character).code;
  return is_invisible(code) ? "⟨" + printed("U+%04X", static_cast<unsigned>(code)) + "⟩" : "";
}

std::string escape_invisible(const std::string& json) {
  constexpr std::string_view kLogCommand = "##[";  // only a text has it
  const auto is_plain = [](char c) { return static_cast<unsigned char>(c) < 0x7F && c != '#'; };
  if (std::all_of(json.begin(), json.end(), is_plain)) return json;
  std::string result;
  for (std::size_t at = 0; at < json.size();) {
    const auto [code, bytes] = first_of(std::string_view(json).substr(at));
    if (std::string_view(json).substr(at).starts_with(kLogCommand))
      result += json_escape('#');
    else if (is_invisible(code))
      result += json_escape(code);
    else
      result.append(json, at, bytes);
    at += bytes;
  }
  return result;
}

}  // namespace tracker

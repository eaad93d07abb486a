#include "tracker/base/terminal_width.hpp"

#include <utf8proc.h>

#include "tracker/base/text.hpp"

namespace tracker {
namespace {

struct Glyph {
  std::size_t bytes = 1;
  std::size_t columns = 1;
};

// What is no UTF-8 counts as one column a byte, as a terminal shows a replacement for it.
Glyph first_glyph(std::string_view text) {
  if (static_cast<unsigned char>(text.front()) < 0x80) return {};
  utf8proc_int32_t code_point = -1;
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  const auto length = utf8proc_iterate(bytes, static_cast<utf8proc_ssize_t>(text.size()), &code_point);
  if (length <= 0 || code_point < 0) return {};
  const int columns = utf8proc_charwidth(code_point);
  return {static_cast<std::size_t>(length), static_cast<std::size_t>(columns < 0 ? 0 : columns)};
}

}  // namespace

std::size_t display_width(std::string_view text) {
  std::size_t columns = 0;
  while (!text.empty()) {
    const Glyph glyph = first_glyph(text);
    columns += glyph.columns;
    text.remove_prefix(glyph.bytes);
  }
  return columns;
}

std::size_t bytes_within(std::string_view text, std::size_t columns) {
  std::size_t at = 0;
  for (std::size_t used = 0; at < text.size();) {
    const Glyph glyph = first_glyph(text.substr(at));
    if (used + glyph.columns > columns) break;
    used += glyph.columns;
    at += glyph.bytes;
  }
  return at;
}

std::size_t bytes_past(std::string_view text, std::size_t columns) {
  std::size_t at = 0;
  for (std::size_t used = 0; at < text.size();) {
    const Glyph glyph = first_glyph(text.substr(at));
    if (used >= columns && glyph.columns > 0) break;
    used += glyph.columns;
    at += glyph.bytes;
  }
  return at;
}

}  // namespace tracker

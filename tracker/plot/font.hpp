// How wide text is, so that labels can be placed without asking the terminal that draws them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tracker {

inline constexpr const char* kFontFamily = "Liberation Sans";

// An estimate in pixels at a font size in pixels: exact for ASCII, generous for the rest.
double text_width_px(std::string_view text, double size_px, bool bold = false);

// Cut in the middle with "…" where it is wider: a benchmark's name says most at its two ends.
// The text is made printable first.
std::string fit_text(std::string_view text, double width_px, double size_px, bool bold = false);

// Lines of whole words, at most so many; what does not fit is cut at the end with "…".
std::vector<std::string> wrap_text(std::string_view text, double width_px, double size_px,
                                   std::size_t lines_max);

// As fit_text() where every character is one wide: a terminal.
std::string fit_columns(std::string_view text, int columns);

}  // namespace tracker

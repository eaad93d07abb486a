// Strangers' text, before any sink's own escaping.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tracker {

constexpr std::size_t kTextColumnsMax = 1000;

// The text as what it is: on one line, valid UTF-8, with characters that cannot be seen, or that turn the
// direction of others, as "⟨U+202E⟩"; its middle left out where it is wider than so many columns.
std::string visible_text(std::string_view text, std::size_t columns_max = kTextColumnsMax);

}  // namespace tracker

// Columns of text on a terminal, as Unicode has them: a wide character takes two, a combining one none. The
// one place that knows; display_width() (text.hpp) is of it.
#pragma once

#include <cstddef>
#include <string_view>

namespace tracker {

// The length in bytes of the longest beginning that takes no more than so many columns, with what combines
// with its last character.
std::size_t bytes_within(std::string_view text, std::size_t columns);

// The length in bytes of the shortest beginning that takes at least so many columns, likewise; all where
// there are fewer.
std::size_t bytes_past(std::string_view text, std::size_t columns);

}  // namespace tracker

// Google Benchmark prints a number that is none as it is, and JSON has neither NaN nor infinity: a counter
// that divides by zero, or the cv of one that is always zero.
#pragma once

#include <string>
#include <string_view>

namespace tracker {

// The same text, as long, with "" in place of every bare NaN or infinity that is the value of a key.
std::string without_bare_nans(std::string_view text);

}  // namespace tracker

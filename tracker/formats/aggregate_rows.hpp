// Aggregate rows (mean, median, cv, …) are not read, but they stand between the rows that are. The cv of a
// counter that is always zero is 0 / 0, which Google Benchmark prints as a bare NaN, and JSON has none.
#pragma once

#include <string>
#include <string_view>

namespace tracker {

// The same text, as long, with a number or null in place of every bare NaN or infinity in an aggregate row.
// Those in iteration rows stay: they are samples, and the parser shall name them.
std::string without_aggregate_nans(std::string_view text);

}  // namespace tracker

// Two values of one unit, to be read side by side.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace tracker {

// As format_quantity() (text.hpp), but both with the prefix of the larger: (1.307e12, 872.6e9, "B/s") →
// "1.307 TB/s", "0.8726 TB/s". One that is less than a hundredth in it keeps its own; "–" for what is not
// there.
std::pair<std::string, std::string> format_quantities(const std::optional<double>& a,
                                                      const std::optional<double>& b, std::string_view unit);

}  // namespace tracker

// Lists of whole numbers as short text: most small numbers are one character. Pure. docs/site.md has the
// form, and assets/text.js reads it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tracker {

// Printable ASCII without '"', '\' and '<', so that it stands in a script's string as it is.
std::string write_column(const std::vector<std::uint64_t>& numbers);

// Each number's difference to the one before it: for what hardly changes from point to point.
std::string write_differences(const std::vector<std::int64_t>& numbers);

}  // namespace tracker

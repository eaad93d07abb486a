// JSON of Google Benchmark's that is none for one byte: what a locale, or a text that was not escaped, made
// of it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tracker {

struct MendedJson {
  std::string text;
  std::vector<std::string> what;  // was mended, in words; empty: nothing was
};

// Whole numbers lose the thousands separators of a locale ("1,848,201"), and in texts raw control characters
// are escaped and bytes that are no UTF-8 replaced. What could mean two things stays as it is: 272,215 where
// a fraction may stand.
MendedJson mend_json(std::string_view text);

// Puts a failed row in place of the object that begins at this byte: its name and place stay, with `why` as
// its error. Empty where the object has no end or no name. `name`: set to what the row was called.
std::optional<std::string> without_row(std::string_view text, std::size_t begin, const std::string& why,
                                       std::string& name);

// A byte order mark at the beginning is skipped. kUsage, naming what the file is, for UTF-16 and for text
// before the JSON.
std::string_view json_of_file(std::string_view text, const std::string& source);

}  // namespace tracker

// tracker.toml → Config, strictly: an unknown key is an error with a suggestion.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "tracker/model/policy.hpp"

namespace tracker::formats {

// kUsage, naming file, line and column, for what is no TOML, an unknown key, another type, or a value
// out of its range.
Config parse_config(std::string_view text, const std::string& source);

// Reads and parses a file. Gives the defaults where there is no such file, or it is empty.
Config read_config(const std::filesystem::path& path);

// "2%", "2 %", "0.5%" → a share. Empty for what is none, or not above 0 and below 1000 %.
std::optional<double> parse_share(std::string_view text);

// The text with an [[accepted]] table at its end; all else stays as it is, comments and order included. The
// ceiling is written with two decimals of a per cent, rounded up. kUsage where the text with it is no
// tracker.toml any more; `source` names it.
std::string with_accepted_table(const std::string& toml, const Waiver& accepted, const std::string& source);

}  // namespace tracker::formats

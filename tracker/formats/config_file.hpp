// tracker.toml ↔ Config. Read strictly: an unknown key is an error with a suggestion.
#pragma once

#include <filesystem>
#include <optional>
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

// What a policy's floor says: "3.2 TB/s", "450 GFLOP/s", "2 M1/s", "2.5 ms", "12" (a counter), or a share of
// another benchmark, "90% of copy/{2}". SI prefixes that the unit is used with: n, µ (or u), m of seconds; k,
// M, G, T, P of rates. Empty for what is none of these, or not above 0.
std::optional<Floor> parse_floor(std::string_view text);

// "2%", or an amount in the metric's unit: "5 ns", "50ms". False for what is neither, or not above 0.
bool parse_threshold(std::string_view text, PolicyRule& rule);

// The text with an [[accepted]] table at its end; all else stays as it is, comments and order included. The
// ceiling is written with two decimals of a per cent, rounded up. kUsage where the text with it is no
// tracker.toml any more; `source` names it.
std::string with_accepted_table(const std::string& toml, const Waiver& accepted, const std::string& source);

}  // namespace tracker::formats

// JSON from strangers and for people: parsing with errors that name the place, printing that can be reviewed.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace tracker {

// `source` is named in errors: "'out.json': not valid JSON at byte 812 (in benchmark 'x'): …" (kUsage).
// Google Benchmark prints bare NaN and Infinity, which JSON has not: the message says so. Two equal keys
// in one object are refused, unless the first is to count: Google Benchmark's own context stands before what
// a program adds under the same name. Nesting deeper than any document here has is refused.
enum class EqualKeys { kFirstCounts, kRefused };
nlohmann::json parse_json(std::string_view text, const std::string& source,
                          EqualKeys equal_keys = EqualKeys::kRefused);

// Objects over several lines, arrays of numbers on one: short, and a change of one value is one line. What
// lies directly in a list or object of the name of one of `tables` is a row: it takes one line, whatever is
// in it.
std::string print_json(const nlohmann::ordered_json& value, std::span<const std::string_view> tables = {});

}  // namespace tracker

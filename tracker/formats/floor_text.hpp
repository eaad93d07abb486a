// What a policy's floor says: a quantity, or a share of another benchmark.
#pragma once

#include <optional>
#include <string_view>

#include "tracker/model/policy.hpp"

namespace tracker {

// "3.2 TB/s", "450 GFLOP/s", "2 M1/s", "2.5 ms", "12" (a counter), "90% of copy/{2}". SI prefixes that the
// unit is used with: n, µ (or u), m of seconds; k, M, G, T, P of rates. Empty for what is none of these, or
// not above 0.
std::optional<Floor> parse_floor(std::string_view text);

// "2%", or an amount in the metric's unit: "5 ns", "50ms". False for what is neither, or not above 0.
bool parse_threshold(std::string_view text, PolicyRule& rule);

// "Passed = 1", "errors <= 0", "verified >= 1": a counter's name may hold blanks.
std::optional<Requirement> parse_requirement(std::string_view text);

}  // namespace tracker

// What the JSON documents of this module have in common. Only its writers see the JSON library.
#pragma once

#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "tracker/model/comparison.hpp"

namespace tracker::report {

using Json = nlohmann::ordered_json;

// JSON has neither NaN nor infinity: null, as for what is absent.
Json number_json(const std::optional<double>& value);
Json text_or_null(const std::string& text);

Json side_json(const Side& side);
Json comparison_json(const Comparison& comparison);
// Verdicts as keys and values of programs have no spaces.
std::string verdict_json(Verdict verdict);

// The document as text; bytes that are not UTF-8 become U+FFFD.
std::string json_text(const Json& document);

}  // namespace tracker::report

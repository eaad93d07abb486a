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

// An array of what make_json() gives for each.
template <typename All, typename MakeJson>
Json list_json(const All& all, MakeJson make_json) {
  Json list = Json::array();
  for (const auto& one : all) list.push_back(make_json(one));
  return list;
}

Json side_json(const Side& side);
Json comparison_json(const Comparison& comparison);

// The document as text; bytes that are not UTF-8 become U+FFFD.
std::string json_text(const Json& document);

}  // namespace tracker::report

#include "tracker/formats/json_fields.hpp"

#include <charconv>
#include <cmath>
#include <limits>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"

namespace tracker {

using nlohmann::json;

void refuse_schema(const std::string& name, const std::string& schema, const std::string& expected,
                   const std::string& newest) {
  const std::size_t number_at = newest.find('/') + 1;
  int known = 0;
  int number = 0;
  const auto read = [&](const std::string& text, int& value) {
    const auto [end, failure] = std::from_chars(text.data() + number_at, text.data() + text.size(), value);
    return failure == std::errc{} && end == text.data() + text.size();
  };
  if (schema.starts_with(newest.substr(0, number_at)) && read(newest, known) && read(schema, number) &&
      number > known)
    throw NewerDocument(ExitCode::kUsage,
                        name + " is of a newer tracker: its schema is '" + printable(schema) + "'",
                        "to read it: update tracker");
  throw Error(ExitCode::kUsage, name + ": schema '" + printable(schema) + "' is not '" + expected + "'");
}

namespace json_value {

bool convert(const json& node, bool& value) {
  if (!node.is_boolean()) return false;
  value = node.get<bool>();
  return true;
}

bool convert(const json& node, std::int64_t& value) {
  constexpr auto kMax = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (!node.is_number_integer()) return false;
  if (node.is_number_unsigned() && node.get<std::uint64_t>() > kMax) return false;
  value = node.get<std::int64_t>();
  return true;
}

bool convert(const json& node, int& value) {
  std::int64_t wide = 0;
  if (!convert(node, wide) || wide < std::numeric_limits<int>::min() ||
      wide > std::numeric_limits<int>::max())
    return false;
  value = static_cast<int>(wide);
  return true;
}

bool convert(const json& node, double& value) {
  if (!node.is_number()) return false;
  value = node.get<double>();
  return std::isfinite(value);
}

bool convert(const json& node, std::string& value) {
  if (!node.is_string()) return false;
  value = node.get<std::string>();
  return true;
}

}  // namespace json_value

JsonFields::JsonFields(const json& object, std::string place) : object_(&object), place_(std::move(place)) {
  if (!object.is_object()) throw Error(ExitCode::kUsage, place_ + ": expected an object");
}

JsonFields JsonFields::object(const char* name) const {
  return {at(name), place_of(name)};
}

std::vector<JsonFields> JsonFields::objects(const char* name) const {
  const json& list = at(name);
  if (!list.is_array()) fail(name, "a list");
  std::vector<JsonFields> all;
  for (std::size_t i = 0; i < list.size(); ++i)
    all.emplace_back(list[i], place_of(name) + "[" + std::to_string(i) + "]");
  return all;
}

std::vector<JsonFields> JsonFields::objects_if_any(const char* name) const {
  const json* found = find(name);
  return found == nullptr || found->is_null() ? std::vector<JsonFields>() : objects(name);
}

std::map<std::string, JsonFields> JsonFields::named_objects(const char* name) const {
  const json& object = at(name);
  if (!object.is_object()) fail(name, "an object");
  std::map<std::string, JsonFields> all;
  for (const auto& [key, value] : object.items())
    all.emplace(key, JsonFields(value, place_of(name) + "['" + printable(key) + "']"));
  return all;
}

void JsonFields::fail(const std::string& name, const std::string& expected) const {
  throw Error(ExitCode::kUsage, place_of(name) + ": expected " + expected);
}

const json* JsonFields::find(const char* name) const {
  const auto found = object_->find(name);
  return found == object_->end() ? nullptr : &*found;
}

const json& JsonFields::at(const char* name) const {
  const json* found = find(name);
  if (found == nullptr) throw Error(ExitCode::kUsage, place_ + ": no '" + std::string(name) + "'");
  return *found;
}

// "'run.json': device" + "model" → "'run.json': device.model"; the file itself takes a colon.
std::string JsonFields::place_of(const std::string& name) const {
  return place_ + (place_.ends_with("'") ? ": " : ".") + name;
}

}  // namespace tracker

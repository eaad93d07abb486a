// Strict reading of JSON objects: every error names the place and what was expected there.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tracker/base/error.hpp"

namespace tracker {

// A document of ours that a newer tracker wrote: nothing is wrong with it, and this one cannot read it.
class NewerDocument : public Error {
 public:
  using Error::Error;
};
// kUsage, for a document whose schema ("tracker.run/3") is not the one expected; NewerDocument where it is
// ours, with a higher number than the newest that this tracker reads. `name` is the document's, quoted.
[[noreturn]] void refuse_schema(const std::string& name, const std::string& schema,
                                const std::string& expected, const std::string& newest);

namespace json_value {

// Each says whether `node` is such a value, and takes it over. Numbers are finite, whole numbers in the
// range of their type; an optional is also null.
bool convert(const nlohmann::json& node, bool& value);
bool convert(const nlohmann::json& node, int& value);
bool convert(const nlohmann::json& node, std::int64_t& value);
bool convert(const nlohmann::json& node, double& value);
bool convert(const nlohmann::json& node, std::string& value);

template <typename T>
bool convert(const nlohmann::json& node, std::optional<T>& value) {
  if (node.is_null()) return value.reset(), true;
  return convert(node, value.emplace());
}

template <typename T>
bool convert(const nlohmann::json& node, std::vector<T>& values) {
  if (!node.is_array()) return false;
  values.clear();
  values.reserve(node.size());
  for (const auto& item : node)
    if (!convert(item, values.emplace_back())) return false;
  return true;
}

template <typename T>
bool convert(const nlohmann::json& node, std::map<std::string, T>& values) {
  if (!node.is_object()) return false;
  values.clear();
  for (const auto& [name, item] : node.items())
    if (!convert(item, values[name])) return false;
  return true;
}

// The same types in words, for messages.
inline std::string words(const bool&) {
  return "true or false";
}
inline std::string words(const int&) {
  return "a whole number";
}
inline std::string words(const std::int64_t&) {
  return "a whole number";
}
inline std::string words(const double&) {
  return "a number";
}
inline std::string words(const std::string&) {
  return "a text";
}

template <typename T>
std::string words(const std::optional<T>&) {
  return words(T{}) + " or null";
}
template <typename T>
std::string words(const std::vector<T>&) {
  return "a list, each " + words(T{});
}
template <typename T>
std::string words(const std::map<std::string, T>&) {
  return "an object, each " + words(T{});
}

}  // namespace json_value

// One JSON object. `place` is how errors call it: "'run.json': device" gives
// "'run.json': device.core_count: expected a whole number" (kUsage). It refers to the JSON it was made from.
class JsonFields {
 public:
  JsonFields(const nlohmann::json& object, std::string place);

  // An absent field leaves the value as it was.
  template <typename T>
  void operator()(const char* name, T& value) const {
    const nlohmann::json* found = find(name);
    if (found != nullptr && !json_value::convert(*found, value)) fail(name, json_value::words(value));
  }

  template <typename T>
  T required(const char* name) const {
    T value{};
    if (!json_value::convert(at(name), value)) fail(name, json_value::words(value));
    return value;
  }

  bool has(const char* name) const { return find(name) != nullptr; }
  JsonFields object(const char* name) const;
  std::vector<JsonFields> objects(const char* name) const;                  // of a list
  std::vector<JsonFields> objects_if_any(const char* name) const;           // none where it is null or absent
  std::map<std::string, JsonFields> named_objects(const char* name) const;  // of an object

  [[noreturn]] void fail(const std::string& name, const std::string& expected) const;

 private:
  const nlohmann::json* find(const char* name) const;
  const nlohmann::json& at(const char* name) const;
  std::string place_of(const std::string& name) const;

  const nlohmann::json* object_;
  std::string place_;
};

}  // namespace tracker

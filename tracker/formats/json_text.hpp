// JSON from strangers and for people: parsing with errors that name the place, printing that can be reviewed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "tracker/base/error.hpp"

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

// Strict reading of JSON objects: every error names the place and what was expected there.

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
// range of their type; an optional is also null. Units are those of the field that is read.
bool convert(const nlohmann::json& node, bool& value);
bool convert(const nlohmann::json& node, int& value);
bool convert(const nlohmann::json& node, std::int64_t& value);
bool convert(const nlohmann::json& node, double& value);
bool convert(const nlohmann::json& node, std::string& value);

// Null, or such a value.
template <typename T>
bool convert(const nlohmann::json& node, std::optional<T>& value) {
  if (node.is_null()) return value.reset(), true;
  return convert(node, value.emplace());
}

// A list of such values.
template <typename T>
bool convert(const nlohmann::json& node, std::vector<T>& values) {
  if (!node.is_array()) return false;
  values.clear();
  values.reserve(node.size());
  for (const auto& item : node)
    if (!convert(item, values.emplace_back())) return false;
  return true;
}

// An object of such values.
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

// The same for what may be null or holds several values.
template <typename T>
std::string words(const std::optional<T>&) {
  return words(T{}) + " or null";
}
// "a list, each a text"
template <typename T>
std::string words(const std::vector<T>&) {
  return "a list, each " + words(T{});
}
// "an object, each a number"
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

  // The value of a field that has to be there; kUsage where it is not.
  template <typename T>
  T required(const char* name) const {
    T value{};
    if (!json_value::convert(at(name), value)) fail(name, json_value::words(value));
    return value;
  }

  bool has(const char* name) const { return find(name) != nullptr; }
  // Fields that are objects themselves; kUsage where they are something else.
  JsonFields object(const char* name) const;
  std::vector<JsonFields> objects(const char* name) const;                  // of a list
  std::vector<JsonFields> objects_if_any(const char* name) const;           // none where it is null or absent
  std::map<std::string, JsonFields> named_objects(const char* name) const;  // of an object

  // Throws the error of a field (kUsage).
  [[noreturn]] void fail(const std::string& name, const std::string& expected) const;

 private:
  const nlohmann::json* find(const char* name) const;
  const nlohmann::json& at(const char* name) const;
  std::string place_of(const std::string& name) const;

  const nlohmann::json* object_;
  std::string place_;
};

// JSON of Google Benchmark's that is none for one byte: what a locale, or a text that was not escaped, made
// of it.

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

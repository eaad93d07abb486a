// JSON from strangers and for people: parsing with errors that name the place, printing that can be reviewed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"

namespace tracker::formats {

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

// What a reader of fields asks of a JSON value, whichever library parsed it.
template <typename Node>
struct JsonAccess;

// A value that nlohmann's library parsed. It refers to it.
struct JsonNode {
  JsonNode(const nlohmann::json& value) : json(&value) {}  // NOLINT(google-explicit-constructor)
  const nlohmann::json* json;
};

// Of those.
template <>
struct JsonAccess<JsonNode> {
  static bool is_null(JsonNode node) { return node.json->is_null(); }
  static bool is_object(JsonNode node) { return node.json->is_object(); }
  // Whether it is such a value, which is then taken over; in the unit of the field that is read.
  static bool take(JsonNode node, bool& value);
  static bool take(JsonNode node, std::int64_t& value);
  static bool take(JsonNode node, double& value);
  static bool take(JsonNode node, std::string& value);
  // A member; empty where it is not there.
  static std::optional<JsonNode> find(JsonNode object, const char* name);
  // How many items a list has; 0 for what is none.
  static std::size_t size(JsonNode node) { return node.json->is_array() ? node.json->size() : 0; }
  // False where it is no list, or a visit says so, which ends it.
  template <typename Visit>
  static bool each_item(JsonNode node, Visit&& visit) {
    return node.json->is_array() && std::all_of(node.json->begin(), node.json->end(), visit);
  }
  // Likewise of an object's members, by name.
  template <typename Visit>
  static bool each_member(JsonNode node, Visit&& visit) {
    if (!node.json->is_object()) return false;
    for (auto member = node.json->begin(); member != node.json->end(); ++member)
      if (!visit(member.key(), JsonNode(*member))) return false;
    return true;
  }
};

namespace json_value {

// Each says whether `node` is such a value, and takes it over. Numbers are finite, whole numbers in the
// range of their type; an optional is also null. Units are those of the field that is read.
template <typename Node, typename T>
bool convert(Node node, T& value) {
  return JsonAccess<Node>::take(node, value);
}

// A whole number of a smaller range.
template <typename Node>
bool convert(Node node, int& value) {
  std::int64_t wide = 0;
  if (!convert(node, wide) || !std::in_range<int>(wide)) return false;
  value = static_cast<int>(wide);
  return true;
}

// Null, or such a value.
template <typename Node, typename T>
bool convert(Node node, std::optional<T>& value) {
  if (JsonAccess<Node>::is_null(node)) return value.reset(), true;
  return convert(node, value.emplace());
}

// A list of such values.
template <typename Node, typename T>
bool convert(Node node, std::vector<T>& values) {
  values.clear();
  values.reserve(JsonAccess<Node>::size(node));
  return JsonAccess<Node>::each_item(node, [&](Node item) { return convert(item, values.emplace_back()); });
}

// An object of lists of numbers, of which null is not a number.
struct NumbersWithGaps {
  std::map<std::string, std::vector<double>>& lists;  // in the unit of the field that is read
};
template <typename Node>
bool convert(Node node, NumbersWithGaps& numbers) {
  return JsonAccess<Node>::each_member(node, [&](std::string_view name, Node list) {
    auto& values = numbers.lists.try_emplace(numbers.lists.end(), std::string(name))->second;
    values.reserve(JsonAccess<Node>::size(list));
    return JsonAccess<Node>::each_item(list, [&](Node item) {
      double& value = values.emplace_back(std::numeric_limits<double>::quiet_NaN());
      return JsonAccess<Node>::is_null(item) || convert(item, value);
    });
  });
}

// An object of such values.
template <typename Node, typename T>
bool convert(Node node, std::map<std::string, T>& values) {
  values.clear();
  return JsonAccess<Node>::each_member(node, [&](std::string_view name, Node item) {
    return convert(item, values.try_emplace(values.end(), std::string(name))->second);
  });
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
inline std::string words(const NumbersWithGaps&) {
  return "an object, each a list, each a number or null";
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
template <typename Node>
class NodeFields {
 public:
  using Access = JsonAccess<Node>;  // how its values are asked

  NodeFields(Node object, std::string place) : object_(object), place_(std::move(place)) { require_object(); }

  // An absent field leaves the value as it was.
  template <typename T>
  void operator()(const char* name, T& value) const {
    const auto found = Access::find(object_, name);
    if (found && !json_value::convert(*found, value)) fail(name, json_value::words(value));
  }

  // The value of a field that has to be there; kUsage where it is not.
  template <typename T>
  T required(const char* name) const {
    T value{};
    if (!json_value::convert(at(name), value)) fail(name, json_value::words(value));
    return value;
  }

  bool has(const char* name) const { return Access::find(object_, name).has_value(); }
  // Fields that are objects themselves; kUsage where they are something else.
  NodeFields object(const char* name) const { return {at(name), place_of(name)}; }
  // Those of a list.
  std::vector<NodeFields> objects(const char* name) const {
    std::vector<NodeFields> all;
    const std::string begin = place_of(name) + "[";
    const bool is_list = Access::each_item(at(name), [&](Node item) {
      all.emplace_back(item, begin + std::to_string(all.size()) + "]");
      return true;
    });
    if (!is_list) fail(name, "a list");
    return all;
  }
  // The same; none where it is null or absent.
  std::vector<NodeFields> objects_if_any(const char* name) const {
    const auto found = Access::find(object_, name);
    return !found || Access::is_null(*found) ? std::vector<NodeFields>() : objects(name);
  }
  // Those of an object.
  std::map<std::string, NodeFields> named_objects(const char* name) const {
    std::map<std::string, NodeFields> all;
    const std::string begin = place_of(name) + "['";
    const bool is_object = Access::each_member(at(name), [&](std::string_view key, Node value) {
      all.emplace_hint(all.end(), key, NodeFields(value, begin + std::string(key) + "']"));
      return true;
    });
    if (!is_object) fail(name, "an object");
    return all;
  }

  // Visits those of an object one after the other, by name: for many of them.
  template <typename Visit>
  void each_object(const char* name, Visit&& visit) const {
    const bool is_object = Access::each_member(at(name), [&](std::string_view key, Node value) {
      visit(key, NodeFields(value, *this, name, key));
      return true;
    });
    if (!is_object) fail(name, "an object");
  }

  // Throws the error of a field (kUsage).
  [[noreturn]] void fail(const std::string& name, const std::string& expected) const {
    throw Error(ExitCode::kUsage, place_of(name) + ": expected " + expected);
  }

 private:
  NodeFields(Node object, const NodeFields& above, const char* list, std::string_view key)
      : object_(object), above_(&above), list_(list), key_(key) {
    require_object();
  }
  void require_object() const {
    if (!Access::is_object(object_)) throw Error(ExitCode::kUsage, place() + ": expected an object");
  }
  Node at(const char* name) const {
    const auto found = Access::find(object_, name);
    if (!found) throw Error(ExitCode::kUsage, place() + ": no '" + std::string(name) + "'");
    return *found;
  }
  // "'run.json': device" + "model" → "'run.json': device.model"; the file itself takes a colon.
  std::string place_of(const std::string& name) const {
    const std::string own = place();
    return own + (own.ends_with("'") ? ": " : ".") + name;
  }
  // In words only where it is asked for, if it is one of many.
  std::string place() const {
    return above_ == nullptr ? place_ : above_->place_of(list_) + "[" + in_quotes(key_) + "]";
  }

  Node object_;
  std::string place_;
  const NodeFields* above_ = nullptr;  // while it is visited
  const char* list_ = "";
  std::string_view key_;
};
using JsonFields = NodeFields<JsonNode>;

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

}  // namespace tracker::formats

#include "tracker/formats/json_text.hpp"

#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdio>

#include <simdjson.h>

namespace tracker::formats {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

// Builds the document: it bounds the nesting, keeps the first of two equal keys, and knows which benchmark it
// is in. (The JSON library's own callbacks look through a whole list at the end of each object in it.)
class Builder : public nlohmann::json_sax<json> {
 public:
  Builder(const std::string& source, EqualKeys equal_keys) : source_(source), equal_keys_(equal_keys) {}

  json take() { return std::move(document_); }
  // Counted from 1; of what stopped the parser.
  std::size_t error_byte() const { return error_byte_; }
  bool is_out_of_range() const { return out_of_range_; }

  std::string place() const {
    return benchmark_.empty() ? "" : " (in benchmark '" + shown(benchmark_) + "')";
  }

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t& /*text*/) override { return add(value); }
  bool binary(binary_t& /*value*/) override { return false; }
  bool string(string_t& value) override {
    if (named_) benchmark_ = value;
    return add(std::move(value));
  }
  bool start_object(std::size_t /*size*/) override { return open(json::object()); }
  bool start_array(std::size_t /*size*/) override { return open(json::array()); }
  bool end_array() override { return close(); }
  bool end_object() override {
    if (depth() <= kRowDepth) benchmark_.clear();
    return close();
  }

  bool key(string_t& name) override {
    named_ = depth() == kRowDepth && name == "name";
    if (skipped_ > 0) return true;
    auto& members = open_.back()->get_ref<json::object_t&>();
    const auto [member, is_first] = members.try_emplace(std::move(name));
    if (!is_first && equal_keys_ == EqualKeys::kRefused)
      throw Error(ExitCode::kUsage,
                  in_quotes(source_) + ": '" + shown(member->first) + "' stands twice" + place());
    place_ = is_first ? &member->second : nullptr;
    return true;
  }

  bool parse_error(std::size_t byte, const std::string& /*token*/,
                   const nlohmann::detail::exception& error) override {
    constexpr int kNumberOverflow = 406;
    error_byte_ = byte;
    out_of_range_ = error.id == kNumberOverflow;
    return false;
  }

 private:
  static constexpr std::size_t kDepthMax = 100;
  static constexpr std::size_t kRowDepth = 3;  // of the keys in {"benchmarks": [{…}]}

  // As much of a name as a message needs.
  static std::string shown(const std::string& name) {
    constexpr std::size_t kShownBytesMax = 200;
    return name.substr(0, kShownBytesMax) + (name.size() > kShownBytesMax ? "…" : "");
  }

  std::size_t depth() const { return open_.size() + skipped_; }

  // Where the value goes; null where it is left out, as its key stands twice.
  json* put(json value) {
    named_ = false;
    if (skipped_ > 0) return nullptr;
    if (open_.empty()) return &(document_ = std::move(value));
    if (open_.back()->is_array()) {
      auto& items = open_.back()->get_ref<json::array_t&>();
      items.push_back(std::move(value));
      return &items.back();
    }
    if (place_ != nullptr) *place_ = std::move(value);
    return place_;
  }

  bool add(json value) {
    put(std::move(value));
    return true;
  }

  bool open(json value) {
    if (depth() >= kDepthMax)
      throw Error(ExitCode::kUsage,
                  in_quotes(source_) + ": nested more than " + std::to_string(kDepthMax) + " levels deep");
    json* const opened = put(std::move(value));
    if (opened == nullptr)
      ++skipped_;
    else
      open_.push_back(opened);
    return true;
  }

  bool close() {
    if (skipped_ > 0)
      --skipped_;
    else
      open_.pop_back();
    return true;
  }

  const std::string& source_;
  EqualKeys equal_keys_;
  json document_;
  std::vector<json*> open_;  // those that are not closed; what holds one does not grow meanwhile
  std::size_t skipped_ = 0;  // levels that are open in a value that is left out
  json* place_ = nullptr;    // of the last key's value
  std::string benchmark_;
  bool named_ = false;  // the next value is a benchmark's name
  std::size_t error_byte_ = 0;
  bool out_of_range_ = false;
};

// What is wrong, in words: nlohmann's own messages speak of lexers and states. `byte` counts from 1.
std::pair<std::string, std::string> cause_at(std::string_view text, std::size_t byte) {
  if (byte == 0 || byte > text.size())
    return {"it ends in the middle", "was the benchmark stopped before it ended?"};
  std::size_t word = byte - 1;
  const bool ascii = static_cast<unsigned char>(text[word]) < 0x80;
  while (word > 0 && (std::isalpha(static_cast<unsigned char>(text[word - 1])) != 0 || text[word - 1] == '-'))
    --word;
  const std::string_view rest = text.substr(word);
  for (const char* name : {"NaN", "nan", "-nan", "-NaN", "Infinity", "-Infinity", "inf", "-inf"})
    if (rest.starts_with(name))
      return {"a value is " + std::string(name),
              "find out why the benchmark reports it; nothing was recorded"};
  return {ascii ? "unexpected text" : "unexpected text, or text that is not UTF-8",
          "is it the output of --benchmark_out_format=json?"};
}

bool is_flat(const ordered_json& array) {
  return std::ranges::all_of(array, [](const auto& item) { return item.is_primitive(); });
}

std::string dump(const ordered_json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

void print_text(const std::string& text, std::string& out) {
  const bool plain =
      std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
  if (!plain)
    out += dump(text);
  else
    out.append(1, '"').append(text).append(1, '"');
}

void print_whole(const ordered_json& number, std::string& out) {
  std::array<char, 24> digits{};
  const auto end = number.is_number_unsigned()
                       ? std::to_chars(digits.begin(), digits.end(), number.get<std::uint64_t>()).ptr
                       : std::to_chars(digits.begin(), digits.end(), number.get<std::int64_t>()).ptr;
  out.append(digits.data(), static_cast<std::size_t>(end - digits.data()));
}

void print_scalar(const ordered_json& value, std::string& out) {
  if (value.is_string())
    print_text(value.get_ref<const std::string&>(), out);
  else if (value.is_number_integer())
    print_whole(value, out);
  else
    out += dump(value);
}

struct Printer {
  std::span<const std::string_view> tables;
  std::string out;

  void print(const ordered_json& value, std::size_t depth, bool in_table, bool in_row) {
    if (value.empty() || !value.is_structured()) return print_scalar(value, out);
    const bool object = value.is_object();
    const bool one_line = in_row || (!object && is_flat(value));
    out += object ? '{' : '[';
    bool first = true;
    for (auto item = value.begin(); item != value.end(); ++item) {
      if (!first) out += in_row && object ? ", " : ",";
      if (!one_line) out.append(1, '\n').append(depth + 1, ' ');
      bool opens_table = false;
      if (object) {
        print_text(item.key(), out);
        out += ": ";
        opens_table = std::ranges::find(tables, item.key()) != tables.end();
      }
      print(*item, depth + 1, opens_table, in_row || in_table);
      first = false;
    }
    if (!one_line) out.append(1, '\n').append(depth, ' ');
    out += object ? '}' : ']';
  }
};

}  // namespace

json parse_json(std::string_view text, const std::string& source, EqualKeys equal_keys) {
  Builder builder(source, equal_keys);
  if (json::sax_parse(text, &builder)) return builder.take();
  const std::string invalid = in_quotes(source) + ": not valid JSON";
  if (builder.is_out_of_range())
    throw Error(ExitCode::kUsage, invalid + builder.place() + ": a number is out of range");
  const auto [cause, hint] = cause_at(text, builder.error_byte());
  throw Error(ExitCode::kUsage,
              invalid + " at byte " + std::to_string(builder.error_byte()) + builder.place() + ": " + cause,
              hint);
}

std::string print_json(const ordered_json& value, std::span<const std::string_view> tables) {
  Printer printer{tables, {}};
  printer.print(value, 0, false, false);
  return std::move(printer.out) + "\n";
}

void refuse_schema(const std::string& name, const std::string& schema, const std::string& expected,
                   const std::string& newest) {
  const std::size_t number_at = newest.find('/') + 1;
  const auto number_of = [&](std::string_view text) { return parse_number<int>(text.substr(number_at)); };
  if (schema.starts_with(newest.substr(0, number_at)) && number_of(schema) > number_of(newest))
    throw NewerDocument(ExitCode::kUsage, name + " is of a newer tracker: its schema is " + in_quotes(schema),
                        "to read it: update tracker");
  throw Error(ExitCode::kUsage, name + ": schema " + in_quotes(schema) + " is not '" + expected + "'");
}

using Access = JsonAccess<JsonNode>;

bool Access::take(JsonNode node, bool& value) {
  if (!node.json->is_boolean()) return false;
  value = node.json->get<bool>();
  return true;
}

bool Access::take(JsonNode node, std::int64_t& value) {
  constexpr auto kMax = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (!node.json->is_number_integer()) return false;
  if (node.json->is_number_unsigned() && node.json->get<std::uint64_t>() > kMax) return false;
  value = node.json->get<std::int64_t>();
  return true;
}

bool Access::take(JsonNode node, double& value) {
  if (!node.json->is_number()) return false;
  value = node.json->get<double>();
  return std::isfinite(value);
}

bool Access::take(JsonNode node, std::string& value) {
  if (!node.json->is_string()) return false;
  value = node.json->get<std::string>();
  return true;
}

std::optional<JsonNode> Access::find(JsonNode object, const char* name) {
  const auto found = object.json->find(name);
  return found == object.json->end() ? std::nullopt : std::optional<JsonNode>(*found);
}

namespace {

constexpr std::string_view kBlank = " \t\r\n";

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Those that the library writes as whole numbers.
bool is_whole_field(std::string_view key) {
  constexpr std::string_view kFields[] = {"iterations", "repetitions",  "repetition_index",
                                          "threads",    "family_index", "per_family_instance_index",
                                          "num_cpus",   "mhz_per_cpu",  "level",
                                          "size",       "num_sharing",  "json_schema_version"};
  return std::ranges::count(kFields, key) > 0;
}

// As many as a well-formed character has at this place; 0 where none begins.
std::size_t character_bytes(std::string_view text) {
  if (static_cast<unsigned char>(text.front()) < 0x80) return 1;
  for (std::size_t bytes = 2; bytes <= std::min<std::size_t>(text.size(), 4); ++bytes)
    if (simdjson::validate_utf8(text.data(), bytes)) return bytes;
  return 0;
}

// The separator of thousands that stands here; empty where none does.
std::string_view separator_at(std::string_view text) {
  constexpr std::array<std::string_view, 7> kSeparators{
      ",", ".", "'", " ", "\xC2\xA0", "\xE2\x80\xAF", "\xE2\x80\x99"};
  for (const auto separator : kSeparators)
    if (text.starts_with(separator)) return separator;
  return {};
}

struct Grouped {
  std::string digits;      // without separators
  std::size_t length = 0;  // of what was read
};

// "1,848,201" at the beginning of the text; empty where no such number stands there.
std::optional<Grouped> grouped_number(std::string_view text, bool is_whole) {
  constexpr std::size_t kGroup = 3;
  std::size_t at = 0;
  Grouped number;
  while (at < text.size() && is_digit(text[at])) number.digits += text[at++];
  if (number.digits.empty() || number.digits.size() > kGroup) return {};
  const std::string_view separator = separator_at(text.substr(at));
  if (separator.empty()) return {};
  int groups = 0;
  while (text.substr(at).starts_with(separator)) {
    const std::string_view group = text.substr(std::min(at + separator.size(), text.size()), kGroup);
    if (group.size() < kGroup || !std::ranges::all_of(group, is_digit)) break;
    number.digits += group;
    at += separator.size() + kGroup;
    ++groups;
  }
  const std::string_view rest = text.substr(at);
  const bool has_fraction = separator != "." && rest.size() > 1 && rest[0] == '.' && is_digit(rest[1]);
  if (has_fraction) do
      number.digits += text[at++];
    while (at < text.size() && is_digit(text[at]));
  const std::size_t next = text.find_first_not_of(kBlank, at);
  const bool ends = next != text.npos && (text[next] == ',' || text[next] == '}' || text[next] == ']');
  if (groups == 0 || !ends || (groups == 1 && !is_whole && !has_fraction)) return {};
  number.length = at;
  return number;
}

class Mender {
 public:
  explicit Mender(std::string_view text) : text_(text) { mended_.text.reserve(text.size()); }

  MendedJson mend() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"') {
        take_text();
      } else if (is_digit(c) && after_colon_) {
        take_number();
      } else {
        if (kBlank.find(c) == kBlank.npos) after_colon_ = c == ':';
        mended_.text += c;
        ++at_;
      }
    }
    if (separators_) mended_.what.emplace_back("whole numbers have the thousands separators of a locale");
    if (controls_) mended_.what.emplace_back("a text has raw control characters");
    if (bytes_) mended_.what.emplace_back("a text has bytes that are no UTF-8");
    return std::move(mended_);
  }

 private:
  void take_text() {
    const std::size_t begin = ++at_;
    mended_.text += '"';
    while (at_ < text_.size() && text_[at_] != '"') {
      const auto c = static_cast<unsigned char>(text_[at_]);
      if (c == '\\' && at_ + 1 < text_.size()) {
        mended_.text.append(text_.substr(at_, 2));
        at_ += 2;
      } else if (c < 0x20) {
        std::array<char, 8> escape{};
        std::snprintf(escape.data(), escape.size(), "\\u%04x", c);
        mended_.text += escape.data();
        controls_ = true;
        ++at_;
      } else if (const std::size_t bytes = character_bytes(text_.substr(at_)); bytes > 0) {
        mended_.text.append(text_.substr(at_, bytes));
        at_ += bytes;
      } else {
        mended_.text += "\xEF\xBF\xBD";
        bytes_ = true;
        ++at_;
      }
    }
    key_ = text_.substr(begin, at_ - begin);
    if (at_ < text_.size()) mended_.text += text_[at_++];
    after_colon_ = false;
  }

  void take_number() {
    after_colon_ = false;
    if (const auto grouped = grouped_number(text_.substr(at_), is_whole_field(key_))) {
      mended_.text += grouped->digits;
      at_ += grouped->length;
      separators_ = true;
      return;
    }
    while (at_ < text_.size() && is_digit(text_[at_])) mended_.text += text_[at_++];
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string_view key_;
  bool after_colon_ = false;
  bool separators_ = false;
  bool controls_ = false;
  bool bytes_ = false;
  MendedJson mended_;
};

// Where the object that begins here ends; npos where it does not.
std::size_t end_of_object(std::string_view text, std::size_t begin) {
  int depth = 0;
  bool in_text = false;
  for (std::size_t at = begin; at < text.size(); ++at) {
    const char c = text[at];
    if (in_text) {
      if (c == '\\') ++at;
      in_text = c != '"';
    } else if (c == '"') {
      in_text = true;
    } else if (c == '{') {
      ++depth;
    } else if (c == '}' && --depth == 0) {
      return at + 1;
    }
  }
  return text.npos;
}

// A field's value as it stands, a text with its quotes; empty where it is not there or not clean.
std::string raw_field(std::string_view row, const std::string& name) {
  std::size_t at = row.find("\"" + name + "\"");
  if (at == row.npos) return "";
  at = row.find_first_not_of(" \t\r\n:", at + name.size() + 2);
  if (at == row.npos) return "";
  const std::size_t end =
      row[at] == '"' ? row.find_first_of("\"\\\n", at + 1) : row.find_first_not_of("0123456789", at);
  if (end == row.npos || (row[at] == '"' && row[end] != '"')) return "";
  return std::string(row.substr(at, end - at + (row[at] == '"' ? 1 : 0)));
}

}  // namespace

MendedJson mend_json(std::string_view text) {
  return Mender(text).mend();
}

std::optional<std::string> without_row(std::string_view text, std::size_t begin, const std::string& why,
                                       std::string& name) {
  const std::size_t end = end_of_object(text, begin);
  if (end == text.npos) return {};
  const std::string_view row = text.substr(begin, end - begin);
  std::string kept;
  for (const char* field :
       {"name", "run_name", "family_index", "per_family_instance_index", "repetition_index"})
    if (const std::string value = raw_field(row, field); !value.empty())
      kept += "\"" + std::string(field) + "\": " + value + ", ";
  name = raw_field(row, "name");
  if (name.size() < 3) return {};
  return std::string(text.substr(0, begin)) + "{" + kept +
         "\"run_type\": \"iteration\", \"error_occurred\": true, \"error_message\": \"" + why + "\"}" +
         std::string(text.substr(end));
}

std::string_view json_of_file(std::string_view text, const std::string& source) {
  const std::string quoted = in_quotes(source);
  const bool is_wide = text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF") ||
                       (text.size() > 3 && (text[1] == '\0' || text[0] == '\0'));
  if (is_wide)
    throw Error(ExitCode::kUsage, quoted + ": it is UTF-16, as PowerShell's '>' writes it",
                "let the benchmark write the file itself: --benchmark_out=FILE --benchmark_out_format=json");
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == text.npos || text[first] == '{' || text[first] == '[') return text;
  for (std::size_t brace = text.find('{', first); brace != text.npos; brace = text.find('{', brace + 1)) {
    const std::size_t key = text.find_first_not_of(kBlank, brace + 1);
    if (key != text.npos && text.substr(key).starts_with("\"context\""))
      throw Error(
          ExitCode::kUsage,
          quoted + ": text stands before the JSON, which begins at byte " + std::to_string(brace + 1),
          "let the benchmark write the file itself, as its output holds other words: --benchmark_out=FILE "
          "--benchmark_out_format=json");
  }
  return text;
}

}  // namespace tracker::formats

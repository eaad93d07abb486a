#include "tracker/formats/json_text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <vector>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"

namespace tracker {
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
                  "'" + printable(source_) + "': '" + shown(member->first) + "' stands twice" + place());
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
    return printable(name.substr(0, kShownBytesMax)) + (name.size() > kShownBytesMax ? "…" : "");
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
      throw Error(ExitCode::kUsage, "'" + printable(source_) + "': nested more than " +
                                        std::to_string(kDepthMax) + " levels deep");
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
  return std::all_of(array.begin(), array.end(), [](const auto& item) { return item.is_primitive(); });
}

std::string dump(const ordered_json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

void print_text(const std::string& text, std::string& out) {
  const bool plain = std::all_of(text.begin(), text.end(),
                                 [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
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
        opens_table = std::find(tables.begin(), tables.end(), item.key()) != tables.end();
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
  const std::string invalid = "'" + printable(source) + "': not valid JSON";
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

}  // namespace tracker

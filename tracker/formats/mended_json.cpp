#include "tracker/formats/mended_json.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"

namespace tracker {
namespace {

constexpr std::string_view kBlank = " \t\r\n";

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Those that the library writes as whole numbers.
bool is_whole_field(std::string_view key) {
  constexpr std::array<std::string_view, 12> kFields{
      "iterations", "repetitions",  "repetition_index",
      "threads",    "family_index", "per_family_instance_index",
      "num_cpus",   "mhz_per_cpu",  "level",
      "size",       "num_sharing",  "json_schema_version"};
  return std::find(kFields.begin(), kFields.end(), key) != kFields.end();
}

// As many as a well-formed character has at this place; 0 where none begins.
std::size_t character_bytes(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const unsigned first = byte(0);
  const std::size_t size = first < 0x80                     ? 1
                           : first >= 0xF0 && first <= 0xF4 ? 4
                           : first >= 0xE0                  ? 3
                           : first >= 0xC2                  ? 2
                                                            : 0;
  if (size == 0 || first > 0xF4) return 0;
  for (std::size_t i = 1; i < size; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  const bool overlong = (first == 0xE0 && byte(1) < 0xA0) || (first == 0xF0 && byte(1) < 0x90);
  const bool no_character = (first == 0xED && byte(1) > 0x9F) || (first == 0xF4 && byte(1) > 0x8F);
  return overlong || no_character ? 0 : size;
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
    if (group.size() < kGroup || !std::all_of(group.begin(), group.end(), is_digit)) break;
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
  const std::string quoted = "'" + printable(source) + "'";
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

}  // namespace tracker

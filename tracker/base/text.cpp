#include "tracker/base/text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <set>

#include <utf8proc.h>

namespace tracker {
namespace {

template <typename... Values>
std::string printed(const char* format, Values... values) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), format, values...);
  return text.data();
}

// A character, and how many bytes of UTF-8 it takes; 0 where there is no valid one.
struct Character {
  unsigned code = 0;
  std::size_t bytes = 0;
};

Character first_of(std::string_view text) {
  utf8proc_int32_t code = -1;
  const auto* const bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  const auto length = utf8proc_iterate(bytes, static_cast<utf8proc_ssize_t>(text.size()), &code);
  if (length <= 0) return {};
  return {static_cast<unsigned>(code), static_cast<std::size_t>(length)};
}

struct Range {
  unsigned first;
  unsigned last;
};

// Control characters (those of JSON are escaped before); Unicode's format characters and the others that
// leave no mark (DerivedCoreProperties.txt, Default_Ignorable_Code_Point), but for the variation selectors of
// emoji; line and paragraph separators; and what XML 1.0 has no place for.
constexpr Range kInvisible[] = {
    {0x007F, 0x009F},   {0x00AD, 0x00AD},   {0x034F, 0x034F},   {0x061C, 0x061C}, {0x115F, 0x1160},
    {0x17B4, 0x17B5},   {0x180B, 0x180F},   {0x200B, 0x200F},   {0x2028, 0x202E}, {0x2060, 0x206F},
    {0x3164, 0x3164},   {0xFEFF, 0xFEFF},   {0xFFA0, 0xFFA0},   {0xFFF9, 0xFFFB}, {0xFFFE, 0xFFFF},
    {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF},
};

// Whether it leaves no mark, or turns the text around it: a name must not hide behind such.
bool is_invisible(unsigned code) {
  return std::ranges::any_of(kInvisible,
                             [&](const Range& range) { return range.first <= code && code <= range.last; });
}

// What the log of GitHub Actions reads as a command.
constexpr std::string_view kLogCommand = "##[";

// Where the next byte lies, from `at` on, that is not plain ASCII, or may begin a command to a log.
std::size_t next_to_look_at(std::string_view text, std::size_t at) {
  const auto is_plain = [](char c) { return c >= 0x20 && c < 0x7F && c != '#'; };
  while (at < text.size() && is_plain(text[at])) ++at;
  return at;
}

}  // namespace

bool glob_match(std::string_view pattern, std::string_view text) {
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos;
  std::size_t resume = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  return std::all_of(pattern.begin() + static_cast<std::ptrdiff_t>(p), pattern.end(),
                     [](char c) { return c == '*'; });
}

bool is_bounded_expression(std::string_view text) {
  constexpr std::size_t kDepthMax = 100;
  constexpr std::size_t kAlternativeBytesMax = 4000;
  std::size_t depth = 0;
  std::size_t bytes = 0;
  for (const char c : text) {
    if (c == '(') ++depth;
    if (c == ')' && depth > 0) --depth;
    bytes = c == '|' ? 0 : bytes + 1;
    if (depth > kDepthMax || bytes > kAlternativeBytesMax) return false;
  }
  return true;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last;
  std::vector<std::size_t> last;
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before_last = std::exchange(last, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row[b.size()];
}

std::string toml_text(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f)
      out += printed("\\u%04X", static_cast<unsigned>(byte));
    else
      out += (c == '"' || c == '\\' ? "\\" : "") + std::string(1, c);
  }
  return out + "\"";
}

std::optional<std::string> nearest(std::string_view word, const std::vector<std::string>& known) {
  std::optional<std::string> best;
  std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const auto& candidate : known) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance >= best_distance) continue;
    best_distance = distance;
    best = candidate;
  }
  return best;
}

bool natural_less(std::string_view a, std::string_view b) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  // The digits at the start, without leading zeros.
  const auto number_at = [&](std::string_view text) {
    const auto digits = static_cast<std::size_t>(std::ranges::find_if_not(text, is_digit) - text.begin());
    const std::size_t zeros = std::min(text.find_first_not_of('0'), digits);
    return std::pair{text.substr(zeros, digits - zeros), digits};
  };
  std::string_view x = a;
  std::string_view y = b;
  while (!x.empty() && !y.empty()) {
    if (is_digit(x.front()) && is_digit(y.front())) {
      const auto [left, left_digits] = number_at(x);
      const auto [right, right_digits] = number_at(y);
      if (left.size() != right.size()) return left.size() < right.size();
      if (left != right) return left < right;
      x.remove_prefix(left_digits);
      y.remove_prefix(right_digits);
    } else if (x.front() != y.front()) {
      return x.front() < y.front();
    } else {
      x.remove_prefix(1);
      y.remove_prefix(1);
    }
  }
  if (x.empty() != y.empty()) return x.empty();
  return a < b;  // they differ in leading zeros, or not at all
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower;
}

void replace_every(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t at = text.find(separator); at != std::string_view::npos; at = text.find(separator)) {
    parts.emplace_back(text.substr(0, at));
    text.remove_prefix(at + 1);
  }
  parts.emplace_back(text);
  return parts;
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string text;
  for (const auto& part : parts) {
    if (&part != &parts.front()) text += separator;
    text += part;
  }
  return text;
}

std::string percent_encoded(std::string_view text, std::string_view kept) {
  constexpr std::string_view kHexDigits = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (kept.find(c) != std::string_view::npos || (byte < 0x80 && std::isalnum(byte) != 0))
      out += c;
    else
      out += {'%', kHexDigits[byte >> 4], kHexDigits[byte & 15]};
  }
  return out;
}

std::string and_more(std::size_t count) {
  return count > 0 ? " and " + std::to_string(count) + " more" : "";
}

std::string join_some(std::vector<std::string> names, std::size_t named_max) {
  const std::size_t more = names.size() - std::min(names.size(), named_max);
  names.resize(names.size() - more);
  return join(names, ", ") + and_more(more);
}

std::pair<std::string, std::string> changed_words(std::string_view before, std::string_view after) {
  std::vector<std::string> a = split(before, ' ');
  std::vector<std::string> b = split(after, ' ');
  const auto first = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  a.erase(a.begin(), first.first);
  b.erase(b.begin(), first.second);
  while (!a.empty() && !b.empty() && a.back() == b.back()) {
    a.pop_back();
    b.pop_back();
  }
  return {join(a, " "), join(b, " ")};
}

std::string slug(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool kept = byte < 0x80 && (std::isalnum(byte) != 0 || c == '.');
    if (c == '.' && result.ends_with('.')) continue;  // a ref holds no ".."
    if (kept)
      result += static_cast<char>(std::tolower(byte));
    else if (!result.empty() && result.back() != '-')
      result += '-';
  }
  while (!result.empty() && (result.back() == '-' || result.back() == '.')) result.pop_back();
  result.erase(0, std::min(result.find_first_not_of(".-"), result.size()));
  if (result.ends_with(".lock")) result[result.size() - 5] = '-';  // git's own name for a ref being written
  return result.empty() ? "unnamed" : result;
}

namespace {

// In per cent: two decimals below 10, one below 100, none above. What no person reads as a number has no
// digits.
std::string percent_number(double share) {
  constexpr double kReadableMax = 1e9;
  const double percent = std::abs(share) * 100;
  if (!std::isfinite(percent)) return "∞";
  const int decimals = percent >= 99.95 ? 0 : percent >= 9.995 ? 1 : 2;
  return percent < kReadableMax ? printed("%.*f", decimals, percent) : printed("%.3g", percent);
}

}  // namespace

std::string format_percent_range(double low, double high) {
  const auto bare = [](double share) {
    const std::string text = format_percent(share);
    return text.substr(0, text.find(' '));
  };
  return "[" + bare(low) + ", " + bare(high) + "]";
}

std::string format_share(double share) {
  std::string number = percent_number(share);
  if (number.find('.') != std::string::npos) {
    number.erase(number.find_last_not_of('0') + 1);
    if (number.back() == '.') number.pop_back();
  }
  return number + " %";
}

std::string format_percent(double share) {
  const std::string number = percent_number(share);
  const bool zero = number.find_first_not_of("0.") == std::string::npos;
  return std::string(zero ? "" : share < 0 ? "−" : "+") + number + " %";
}

std::string format_plain(double value) {
  constexpr double kWholeMax = 1e15;
  return std::abs(value) < kWholeMax && value == std::round(value) ? printed("%.0f", value)
                                                                   : format_quantity(value, "");
}

std::string format_bytes(double bytes) {
  constexpr double kStep = 1024;
  if (!std::isfinite(bytes)) return "–";
  const char* unit = bytes == 1 ? " byte" : " bytes";
  for (const char* larger : {" KiB", " MiB", " GiB", " TiB"}) {
    if (std::abs(bytes) < kStep) break;
    bytes /= kStep;
    unit = larger;
  }
  return printed("%.*g", std::abs(bytes) < 1000 ? 3 : 4, bytes) + unit;
}

std::string printable(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t next = next_to_look_at(text, at);
    result += text.substr(at, next - at);
    if ((at = next) == text.size()) break;
    const auto [code, bytes] = first_of(text.substr(at));
    if (bytes == 0)
      result += "\xEF\xBF\xBD";
    else if (code < 0x20 || (0x7F <= code && code < 0xA0))
      result += ' ';
    else if (bytes > 1 && is_invisible(code))
      result += "⟨" + printed("U+%04X", code) + "⟩";
    else if (text.substr(at).starts_with(kLogCommand))
      result += "# ";
    else
      result += text.substr(at, bytes);
    at += std::max<std::size_t>(bytes, 1);
  }
  return result;
}

std::string in_quotes(std::string_view text) {
  return "'" + printable(text) + "'";
}

std::string shell_word(const std::string& word) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._/:@%+=,";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

std::string left_aligned(std::string_view text, std::size_t columns) {
  return std::string(text) + std::string(columns - std::min(columns, display_width(text)), ' ');
}

std::string right_aligned(std::string_view text, std::size_t columns) {
  return std::string(columns - std::min(columns, display_width(text)), ' ') + std::string(text);
}

std::string near_names_hint(const std::vector<std::string>& patterns, const std::vector<std::string>& known) {
  constexpr std::size_t kNamesShown = 3;
  std::vector<std::string> near;
  for (const auto& pattern : patterns) {
    std::string word = pattern;
    std::erase_if(word, [](char c) { return c == '*' || c == '?'; });
    if (word.empty()) continue;
    std::vector<std::string> holders;
    std::set<std::string> segments;
    for (const auto& name : known) {
      if (name.find(word) != std::string::npos) holders.push_back(name);
      for (const auto& segment : split(name, '/')) segments.insert(segment);
    }
    if (!holders.empty())
      return "'*" + printable(word) + "*' matches " + std::to_string(holders.size()) + ", such as " +
             printable(holders.front());
    if (const auto whole = nearest(word, known)) near.push_back(*whole);
    for (const auto& part : split(word, '/'))
      if (const auto segment = nearest(part, {segments.begin(), segments.end()}); segment && *segment != part)
        near.push_back("*" + *segment + "*");
  }
  if (near.size() > kNamesShown) near.resize(kNamesShown);
  return near.empty() ? "" : "near it: " + in_quotes(join(near, "', '"));
}

namespace {

struct Prefix {
  double factor;
  const char* name;
};
constexpr std::array<Prefix, 8> kPrefixes{
    {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}, {1e-3, "m"}, {1e-6, "µ"}, {1e-9, "n"}}};
constexpr const Prefix& kNone = kPrefixes[4];

const Prefix& prefix_for(double size, std::string_view unit) {
  if (!(size > 0)) return kNone;
  // 999.95 and more would print as 1000.0: the next prefix has it.
  const auto fits = [&](const Prefix& prefix) { return size >= prefix.factor * 0.99995; };
  const auto found = std::ranges::find_if(kPrefixes, fits);
  if (found == kPrefixes.end()) return kPrefixes.back();
  return unit == "s" && found->factor > 1 ? kNone : *found;
}

// Four significant digits, but never more than `decimals_max` after the point.
std::string with_prefix(double value, const Prefix& prefix, std::string_view unit, int decimals_max) {
  const double scaled = value / prefix.factor;
  const double shown = std::abs(scaled);
  int decimals = shown >= 999.95 ? 0 : shown >= 99.995 ? 1 : shown >= 9.9995 ? 2 : 3;
  for (double size = shown * 10; decimals >= 3 && decimals < decimals_max && size < 9.9995; size *= 10)
    ++decimals;
  return printed("%.*f", decimals, scaled) + " " + prefix.name + std::string(unit);
}

}  // namespace

std::string format_quantity(double value, std::string_view unit) {
  if (!std::isfinite(value)) return "–";
  if (!unit.empty()) return with_prefix(value, prefix_for(std::abs(value), unit), unit, 3);
  return printed("%.4g", value);
}

std::pair<std::string, std::string> format_quantities(const std::optional<double>& a,
                                                      const std::optional<double>& b, std::string_view unit) {
  constexpr double kLeast = 0.01;
  constexpr int kDecimalsMax = 5;
  const auto size_of = [](const std::optional<double>& value) {
    return value && std::isfinite(*value) ? std::abs(*value) : 0;
  };
  const Prefix& shared = prefix_for(std::max(size_of(a), size_of(b)), unit);
  const auto text = [&](const std::optional<double>& value) {
    if (!value) return std::string("–");
    const bool shares = !unit.empty() && size_of(value) >= kLeast * shared.factor;
    return shares ? with_prefix(*value, shared, unit, kDecimalsMax) : format_quantity(*value, unit);
  };
  return {text(a), text(b)};
}

namespace {

// UTF-16, as JSON has it.
std::string json_escape(unsigned code) {
  if (code < 0x10000) return printed("\\u%04x", code);
  return printed("\\u%04x\\u%04x", 0xD800 + ((code - 0x10000) >> 10), 0xDC00 + ((code - 0x10000) & 0x3FF));
}

}  // namespace

std::string escape_invisible(const std::string& json) {
  const auto is_plain = [](char c) { return static_cast<unsigned char>(c) < 0x7F && c != '#'; };
  if (std::ranges::all_of(json, is_plain)) return json;
  std::string result;
  for (std::size_t at = 0; at < json.size();) {
    const std::size_t next = next_to_look_at(json, at);
    result.append(json, at, next - at);
    if ((at = next) == json.size()) break;
    const std::string_view rest = std::string_view(json).substr(at);
    const auto [code, bytes] = first_of(rest);
    const std::size_t taken = std::max<std::size_t>(bytes, 1);
    if (rest.starts_with(kLogCommand) || is_invisible(code))  // only a text has such
      result += json_escape(code);
    else
      result += rest.substr(0, taken);
    at += taken;
  }
  return result;
}

}  // namespace tracker

// Goes through JSON as programs print it, without a copy of its text. It refuses whatever is not plain
// (escapes, text beyond ASCII, NaN), and leaves that to the JSON library.
#pragma once

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <vector>

namespace tracker {

// Each function that takes something says whether it was there.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}

  void skip_space() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t')) ++at_;
  }
  bool at_end() {
    skip_space();
    return at_ == end_;
  }
  bool take(char c) {
    skip_space();
    if (at_ == end_ || *at_ != c) return false;
    ++at_;
    return true;
  }
  char next() {
    skip_space();
    return at_ == end_ ? '\0' : *at_;
  }

  bool take_word(std::string_view word) {
    if (static_cast<std::size_t>(end_ - at_) < word.size() || std::string_view(at_, word.size()) != word)
      return false;
    at_ += word.size();
    return true;
  }

  // Printable ASCII without escapes.
  bool take_text(std::string_view& text) {
    if (!take('"')) return false;
    const char* const start = at_;
    for (; at_ != end_ && *at_ != '"'; ++at_)
      if (*at_ == '\\' || static_cast<unsigned char>(*at_ - ' ') > '~' - ' ') return false;
    if (at_ == end_) return false;
    text = {start, static_cast<std::size_t>(at_ - start)};
    ++at_;
    return true;
  }

  // -?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)? and finite
  bool take_number(double& value, bool& whole) {
    const char* const start = at_;
    if (at_ != end_ && *at_ == '-') ++at_;
    const char* const digits = at_;
    if (!skip_digits() || (*digits == '0' && at_ - digits > 1)) return false;
    whole = true;
    if (at_ != end_ && *at_ == '.') {
      ++at_;
      whole = false;
      if (!skip_digits()) return false;
    }
    if (at_ != end_ && (*at_ == 'e' || *at_ == 'E')) {
      ++at_;
      whole = false;
      if (at_ != end_ && (*at_ == '+' || *at_ == '-')) ++at_;
      if (!skip_digits()) return false;
    }
    token_ = {start, static_cast<std::size_t>(at_ - start)};
    const auto [stop, failure] = std::from_chars(start, at_, value);
    if (whole) value += 0.0;  // the whole number -0 is 0
    return failure == std::errc{} && stop == at_ && std::isfinite(value);
  }

  // The number just taken, if it is whole and fits.
  bool as_whole(std::int64_t& value) const {
    const char* const stop = token_.data() + token_.size();
    const auto result = std::from_chars(token_.data(), stop, value);
    return result.ec == std::errc{} && result.ptr == stop;
  }

  // A list of finite numbers; whole ones where the type is. `otherwise` takes the place of null, if given.
  template <typename Number>
  bool take_numbers(std::vector<Number>& values, std::optional<Number> otherwise = {}) {
    if (!take('[')) return false;
    if (take(']')) return true;
    do {
      if (otherwise && next() == 'n') {
        if (!take_word("null")) return false;
        values.push_back(*otherwise);
        continue;
      }
      skip_space();
      double value = 0;
      bool whole = false;
      if (!take_number(value, whole)) return false;
      if constexpr (std::is_integral_v<Number>) {
        if (!whole || !as_whole(values.emplace_back())) return false;
      } else {
        values.push_back(value);
      }
    } while (take(','));
    return take(']');
  }

  // An object or a list with all that is in it, by its brackets alone: what reads it checks it.
  bool take_structure(std::string_view& structure) {
    if (next() != '{' && next() != '[') return false;
    const char* const start = at_;
    int depth = 0;
    for (; at_ != end_; ++at_) {
      if (*at_ == '"') {
        for (++at_; at_ != end_ && *at_ != '"'; ++at_)
          if (*at_ == '\\') return false;
        if (at_ == end_) return false;
      } else if (*at_ == '{' || *at_ == '[') {
        ++depth;
      } else if ((*at_ == '}' || *at_ == ']') && --depth == 0) {
        ++at_;
        structure = {start, static_cast<std::size_t>(at_ - start)};
        return true;
      }
    }
    return false;
  }

  // Any value, as its text.
  bool take_value(std::string_view& value) {
    const char first = next();
    if (first == '{' || first == '[') return take_structure(value);
    const char* const start = at_;
    if (first == '"') {
      if (!take_text(value)) return false;
    } else {
      constexpr std::string_view kEnds = ",}] \n\r\t";
      while (at_ != end_ && kEnds.find(*at_) == kEnds.npos) ++at_;
    }
    value = {start, static_cast<std::size_t>(at_ - start)};
    return !value.empty();
  }

 private:
  bool skip_digits() {
    const char* const start = at_;
    while (at_ != end_ && *at_ >= '0' && *at_ <= '9') ++at_;
    return at_ != start;
  }

  const char* at_;
  const char* end_;
  std::string_view token_;
};

}  // namespace tracker

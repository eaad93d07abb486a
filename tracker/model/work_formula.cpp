#include "tracker/model/work_formula.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>

#include "tracker/base/text.hpp"

namespace tracker {
namespace {

constexpr std::size_t kLengthMax = 400;  // bounds how deep parentheses nest

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// The value of {segment.place}, both from 1.
using Lookup = std::function<std::optional<double>(std::size_t segment, std::size_t place)>;

// By recursive descent. Once something is amiss every further step answers nothing.
class Evaluation {
 public:
  Evaluation(std::string_view formula, Lookup lookup)
      : at_(formula.data()), end_(at_ + formula.size()), lookup_(std::move(lookup)) {}

  std::optional<double> run() {
    const auto value = sum();
    return at_end() ? value : std::nullopt;
  }

 private:
  bool at_end() {
    while (at_ != end_ && *at_ == ' ') ++at_;
    return at_ == end_;
  }
  bool take(char wanted) {
    if (at_end() || *at_ != wanted) return false;
    ++at_;
    return true;
  }

  std::optional<double> sum() {
    auto value = product();
    while (value && take('+')) {
      const auto next = product();
      value = next ? std::optional(*value + *next) : std::nullopt;
    }
    return value;
  }
  std::optional<double> product() {
    auto value = factor();
    while (value) {
      const bool divide = take('/');
      if (!divide && !take('*')) break;
      const auto next = factor();
      if (!next) return {};
      value = divide ? *value / *next : *value * *next;
    }
    return value;
  }
  std::optional<double> factor() {
    if (take('(')) {
      const auto value = sum();
      return take(')') ? value : std::nullopt;
    }
    if (take('{')) {
      const auto segment = place();
      const auto number = segment && take('.') ? place()
                          : segment            ? std::optional<std::size_t>(1)
                                               : std::nullopt;
      return number && take('}') ? lookup_(*segment, *number) : std::nullopt;
    }
    return at_end() || !is_digit(*at_) ? std::nullopt : read<double>();
  }
  std::optional<std::size_t> place() {
    const auto number = at_end() || !is_digit(*at_) ? std::nullopt : read<std::size_t>();
    return number && *number > 0 ? number : std::nullopt;
  }
  template <typename T>
  std::optional<T> read() {
    T value{};
    const auto [next, failure] = std::from_chars(at_, end_, value);
    if (failure != std::errc{}) return {};
    at_ = next;
    return value;
  }

  const char* at_;
  const char* end_;
  Lookup lookup_;
};

// The n-th run of digits.
std::optional<double> number_in(const std::string& segment, std::size_t n) {
  for (auto at = segment.begin();;) {
    at = std::find_if(at, segment.end(), is_digit);
    if (at == segment.end()) return {};
    const auto end = std::find_if_not(at, segment.end(), is_digit);
    if (--n == 0) {
      double value = 0;
      std::from_chars(&*at, &*at + (end - at), value);
      return value;
    }
    at = end;
  }
}

}  // namespace

bool is_work_formula(std::string_view formula) {
  return formula.size() <= kLengthMax &&
         Evaluation(formula, [](auto, auto) { return 1.0; }).run().has_value();
}

std::optional<double> work_of(std::string_view formula, const std::string& name) {
  if (formula.size() > kLengthMax) return {};
  const auto segments = split(name, '/');
  const auto work =
      Evaluation(formula, [&](std::size_t segment, std::size_t place) {
        return segment <= segments.size() ? number_in(segments[segment - 1], place) : std::nullopt;
      }).run();
  return work && *work > 0 && std::isfinite(*work) ? work : std::nullopt;
}

}  // namespace tracker

#include "tracker/site/columns.hpp"

#include <stdexcept>

namespace tracker {
namespace {

constexpr std::uint64_t kDigits = 92;
constexpr std::uint64_t kOneDigitMax = 81;   // numbers below it are one character
constexpr std::uint64_t kTwoDigitLeads = 9;  // then these many begin a number of two
constexpr std::uint64_t kLong = 90;          // begins a number of seven: this one and six digits
constexpr std::uint64_t kZeros = 91;  // begins a run of zeros: what follows says how many more than three
constexpr int kLongDigits = 6;
constexpr std::size_t kZerosMin = 3;

char digit(std::uint64_t value) {
  char c = static_cast<char>(' ' + value);
  for (const char left_out : {'"', '<', '\\'})
    if (c >= left_out) ++c;
  return c;
}

void write_number(std::uint64_t number, std::string& text) {
  constexpr std::uint64_t kTwoDigitMax = kOneDigitMax + kTwoDigitLeads * kDigits;
  if (number < kOneDigitMax) {
    text += digit(number);
  } else if (number < kTwoDigitMax) {
    const std::uint64_t rest = number - kOneDigitMax;
    text += digit(kOneDigitMax + rest / kDigits);
    text += digit(rest % kDigits);
  } else {
    std::string digits;
    for (int i = 0; i < kLongDigits; ++i, number /= kDigits) digits.insert(0, 1, digit(number % kDigits));
    if (number > 0) throw std::out_of_range("a number too large for a column");
    text += digit(kLong) + digits;
  }
}

}  // namespace

std::string write_column(const std::vector<std::uint64_t>& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i;
    while (end < numbers.size() && numbers[end] == 0) ++end;
    if (end - i >= kZerosMin) {
      text += digit(kZeros);
      write_number(end - i - kZerosMin, text);
      i = end;
    } else {
      write_number(numbers[i++], text);
    }
  }
  return text;
}

std::string write_differences(const std::vector<std::int64_t>& numbers) {
  std::vector<std::uint64_t> differences;
  std::int64_t before = 0;
  for (const std::int64_t number : numbers) {
    const std::int64_t difference = number - before;
    // 0, −1, 1, −2, 2, …
    differences.push_back(difference >= 0 ? 2 * static_cast<std::uint64_t>(difference)
                                          : 2 * static_cast<std::uint64_t>(-difference) - 1);
    before = number;
  }
  return write_column(differences);
}

}  // namespace tracker

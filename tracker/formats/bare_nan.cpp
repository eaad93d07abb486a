#include "tracker/formats/bare_nan.hpp"

#include <algorithm>
#include <array>

namespace tracker {
namespace {

// As printf writes them on any of our platforms; each is as long as its blank.
struct Word {
  std::string_view text;
  std::string_view blank;
};
constexpr std::array<Word, 8> kWords{{{"NaN", "\"\" "},
                                      {"-NaN", "\"\"  "},
                                      {"nan", "\"\" "},
                                      {"-nan", "\"\"  "},
                                      {"inf", "\"\" "},
                                      {"-inf", "\"\"  "},
                                      {"Infinity", "\"\"      "},
                                      {"-Infinity", "\"\"       "}}};

// Whether the quote at this place ends a text: an odd number of backslashes before it would make it part.
bool ends_text(std::string_view text, std::size_t quote) {
  std::size_t backslashes = 0;
  while (backslashes < quote && text[quote - 1 - backslashes] == '\\') ++backslashes;
  return backslashes % 2 == 0;
}

// Whether a value of this length ends here.
bool ends_value(std::string_view text, std::size_t end) {
  return end >= text.size() || std::string_view(",}\r\n\t ").find(text[end]) != std::string_view::npos;
}

}  // namespace

std::string without_bare_nans(std::string_view text) {
  std::string result(text);
  for (std::size_t colon = text.find("\": "); colon != std::string_view::npos;
       colon = text.find("\": ", colon + 1)) {
    const std::size_t value = colon + 3;
    const auto word = std::find_if(kWords.begin(), kWords.end(), [&](const Word& w) {
      return text.substr(value).starts_with(w.text) && ends_value(text, value + w.text.size());
    });
    if (word != kWords.end() && ends_text(text, colon)) result.replace(value, word->text.size(), word->blank);
  }
  return result;
}

}  // namespace tracker

#include "tracker/formats/aggregate_rows.hpp"

#include <algorithm>
#include <array>

namespace tracker {
namespace {

// As printf writes them on any of our platforms; each is as long as its blank.
struct Word {
  std::string_view text;
  std::string_view blank;
};
constexpr std::array<Word, 6> kWords{{{"NaN", "0.0"},
                                      {"-NaN", "null"},
                                      {"nan", "0.0"},
                                      {"-nan", "null"},
                                      {"Infinity", "null    "},
                                      {"-Infinity", "null     "}}};

// Rows are flat objects, so the last brace before a place opens the row that holds it.
bool is_in_aggregate_row(std::string_view text, std::size_t at) {
  const std::size_t open = text.rfind('{', at);
  if (open == std::string_view::npos) return false;
  const std::string_view row = text.substr(open, at - open);
  return row.find("\"run_type\": \"aggregate\"") != std::string_view::npos;
}

}  // namespace

std::string without_aggregate_nans(std::string_view text) {
  std::string result(text);
  for (std::size_t colon = text.find("\": "); colon != std::string_view::npos;
       colon = text.find("\": ", colon + 1)) {
    const std::size_t value = colon + 3;
    const auto word = std::find_if(kWords.begin(), kWords.end(),
                                   [&](const Word& w) { return text.substr(value).starts_with(w.text); });
    if (word != kWords.end() && is_in_aggregate_row(text, value))
      result.replace(value, word->text.size(), word->blank);
  }
  return result;
}

}  // namespace tracker

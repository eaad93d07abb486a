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

// Says of places, each behind the one before, whether they are in an aggregate's row. Rows are flat objects,
// so the last brace before a place opens the row that holds it.
class AggregateRows {
 public:
  explicit AggregateRows(std::string_view text) : text_(text) {}

  bool hold(std::size_t at) {
    const std::size_t open = text_.substr(seen_, at - seen_).rfind('{');
    if (open != text_.npos) {
      is_aggregate_ = false;
      seen_ += open + 1;
    }
    constexpr std::string_view kType = "\"run_type\": \"aggregate\"";
    if (!is_aggregate_) is_aggregate_ = text_.substr(seen_, at - seen_).find(kType) != text_.npos;
    seen_ = std::max(seen_, at - std::min(at, kType.size()));
    return is_aggregate_;
  }

 private:
  std::string_view text_;
  std::size_t seen_ = 0;  // so far, but for a type that may be cut
  bool is_aggregate_ = false;
};

}  // namespace

std::string without_aggregate_nans(std::string_view text) {
  std::string result(text);
  AggregateRows aggregates(text);
  for (std::size_t colon = text.find("\": "); colon != std::string_view::npos;
       colon = text.find("\": ", colon + 1)) {
    const std::size_t value = colon + 3;
    const auto word = std::find_if(kWords.begin(), kWords.end(),
                                   [&](const Word& w) { return text.substr(value).starts_with(w.text); });
    if (word != kWords.end() && aggregates.hold(value)) result.replace(value, word->text.size(), word->blank);
  }
  return result;
}

}  // namespace tracker

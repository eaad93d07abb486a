#include "tracker/report/shared_reason.hpp"

#include <charconv>
#include <optional>

#include "tracker/base/text.hpp"

namespace tracker {
namespace {

// In place of a figure; printable text has no control characters.
constexpr char kFigure[] = "\x01";

// A word that is a figure, and what punctuation follows it.
struct Figure {
  std::string text;
  std::string after;
  double value = 0;
};

std::optional<Figure> figure_of(const std::string& word) {
  Figure figure;
  const auto [end, failure] =
      std::from_chars(word.data(), word.data() + word.size(), figure.value, std::chars_format::fixed);
  if (failure != std::errc{} || word.find_first_of("0123456789") != 0) return {};
  figure.text = word.substr(0, static_cast<std::size_t>(end - word.data()));
  figure.after = word.substr(figure.text.size());
  if (figure.after.find_first_not_of(",;:") != std::string::npos) return {};
  return figure;
}

std::string range_of(const Figure& low, const Figure& high) {
  return (low.text == high.text ? low.text : low.text + "–" + high.text) + low.after;
}

}  // namespace

std::string shape_of(const std::string& sentence) {
  auto words = split(sentence, ' ');
  for (auto& word : words)
    if (const auto figure = figure_of(word)) word = kFigure + figure->after;
  return join(words, " ");
}

std::string merge_sentences(const std::vector<std::string>& sentences) {
  auto words = split(sentences.front(), ' ');
  for (std::size_t place = 0; place < words.size(); ++place) {
    const auto first = figure_of(words[place]);
    if (!first) continue;
    Figure low = *first;
    Figure high = *first;
    for (const auto& sentence : sentences) {
      const auto figure = figure_of(split(sentence, ' ')[place]);
      if (figure && figure->value < low.value) low = *figure;
      if (figure && figure->value > high.value) high = *figure;
    }
    words[place] = range_of(low, high);
  }
  return join(words, " ");
}

}  // namespace tracker

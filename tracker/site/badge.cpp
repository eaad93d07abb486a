#include "tracker/site/badge.hpp"

#include <sstream>

#include "tracker/base/text.hpp"
#include "tracker/report/escape.hpp"

namespace tracker {
namespace {

// Of Verdana at 11 px, as wide as its wide letters: a word never leaves its box.
constexpr double kLetterWidth = 6.8;
constexpr double kPadding = 6;
constexpr int kHeight = 20;

double width_of(const std::string& words) {
  return static_cast<double>(display_width(words)) * kLetterWidth + 2 * kPadding;
}

// Those of the charts (tests/plot/theme_test.cpp). White on each of them has a contrast of 4.5 at least.
const char* ground(BadgeColour colour) {
  switch (colour) {
    case BadgeColour::kGood:
      return "#287A46";
    case BadgeColour::kBad:
      return "#B84A00";
    case BadgeColour::kNeutral:
      break;
  }
  return "#57606A";
}

}  // namespace

std::string make_badge(const std::string& label, const std::string& words, BadgeColour colour) {
  const double left = width_of(label);
  const double right = width_of(words);
  const std::string all = xml_text(label) + ": " + xml_text(words);
  std::ostringstream svg;
  svg << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << left + right << "\" height=\"" << kHeight
      << "\" role=\"img\" aria-label=\"" << all << "\">\n<title>" << all << "</title>\n"
      << "<rect width=\"" << left << "\" height=\"" << kHeight << "\" fill=\"#24292F\"/>\n"
      << "<rect x=\"" << left << "\" width=\"" << right << "\" height=\"" << kHeight << "\" fill=\""
      << ground(colour) << "\"/>\n"
      << "<g fill=\"#FFFFFF\" font-family=\"Verdana, DejaVu Sans, sans-serif\" font-size=\"11\" "
         "text-anchor=\"middle\">\n"
      << "<text x=\"" << left / 2 << "\" y=\"14\">" << xml_text(label) << "</text>\n"
      << "<text x=\"" << left + right / 2 << "\" y=\"14\">" << xml_text(words) << "</text>\n</g>\n</svg>\n";
  return svg.str();
}

}  // namespace tracker

#include "tracker/plot/palette.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace tracker {
namespace {

// Equal steps of lightness in OKLCH, 0.28 to 0.93, while the hue goes from 272 to 100 degrees; the chroma is
// what sRGB holds there.
struct Rgb {
  double red = 0;
  double green = 0;
  double blue = 0;
};
constexpr std::array<Rgb, 9> kHeat{{{0x18, 0x1F, 0x60},
                                    {0x01, 0x3B, 0x7C},
                                    {0x03, 0x5A, 0x81},
                                    {0x05, 0x77, 0x8C},
                                    {0x0C, 0x94, 0x94},
                                    {0x11, 0xB4, 0x91},
                                    {0x5C, 0xD0, 0x75},
                                    {0xB8, 0xDE, 0x68},
                                    {0xFD, 0xEA, 0x79}}};

Rgb heat(double share) {
  const double at = std::clamp(std::isfinite(share) ? share : 0.0, 0.0, 1.0) * (kHeat.size() - 1);
  const std::size_t below = std::min(static_cast<std::size_t>(at), kHeat.size() - 2);
  const double part = at - static_cast<double>(below);
  const auto mix = [&](double Rgb::*channel) {
    return std::round(kHeat[below].*channel * (1 - part) + kHeat[below + 1].*channel * part);
  };
  return {mix(&Rgb::red), mix(&Rgb::green), mix(&Rgb::blue)};
}

// Relative luminance as WCAG 2 defines it.
double luminance(const Rgb& colour) {
  const auto linear = [](double channel) {
    const double part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(colour.red) + 0.7152 * linear(colour.green) + 0.0722 * linear(colour.blue);
}

}  // namespace

std::string heat_colour(double share) {
  const Rgb colour = heat(share);
  std::string text = "#";
  for (const double channel : {colour.red, colour.green, colour.blue}) {
    const auto byte = static_cast<unsigned>(channel);
    text += "0123456789ABCDEF"[byte >> 4U];
    text += "0123456789ABCDEF"[byte & 15U];
  }
  return text;
}

// WCAG's contrast is (lighter + 0.05) / (darker + 0.05): white and black have the same at 0.179.
const char* ink_on_heat(double share) {
  constexpr double kEvenLuminance = 0.179;
  return luminance(heat(share)) > kEvenLuminance ? "#000000" : "#FFFFFF";
}

}  // namespace tracker

// How colours look to people: arithmetic that the colour tests share.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace tracker::plot {

using Linear = std::array<double, 3>;  // red, green, blue as amounts of light

inline Linear linear_rgb(const std::string& colour) {
  Linear light{};
  for (std::size_t i = 0; i < 3; ++i) {
    const double part = std::stoi(colour.substr(1 + 2 * i, 2), nullptr, 16) / 255.0;
    light[i] = part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
  }
  return light;
}

// Relative luminance and contrast as WCAG 2 defines them.
inline double luminance(const std::string& colour) {
  const Linear light = linear_rgb(colour);
  return 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2];
}

inline double contrast(const std::string& one, const std::string& other) {
  const double a = luminance(one);
  const double b = luminance(other);
  return (std::max(a, b) + 0.05) / (std::min(a, b) + 0.05);
}

using Matrix = std::array<std::array<double, 3>, 3>;

inline Linear times(const Matrix& matrix, const Linear& vector) {
  Linear result{};
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t i = 0; i < 3; ++i) result[row] += matrix[row][i] * vector[i];
  return result;
}

struct Vision {
  const char* name;
  Matrix seen;  // on linear RGB
};

// Severity 1 of Machado, Oliveira and Fernandes 2009, "A physiologically-based model for simulation of color
// vision deficiency".
inline constexpr std::array<Vision, 3> kVisions{{
    {"full", {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}},
    {"protanopia",
     {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}}},
    {"deuteranopia",
     {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}}},
}};

// The distance in OKLab (Ottosson 2020), where 0.02 is about what can just be seen.
inline double distance(const std::string& one, const std::string& other, const Vision& vision) {
  constexpr Matrix kCones{{{0.4122214708, 0.5363325363, 0.0514459929},
                           {0.2119034982, 0.6806995451, 0.1073969566},
                           {0.0883024619, 0.2817188376, 0.6299787005}}};
  constexpr Matrix kLab{{{0.2104542553, 0.7936177850, -0.0040720468},
                         {1.9779984951, -2.4285922050, 0.4505937099},
                         {0.0259040371, 0.7827717662, -0.8086757660}}};
  const auto lab = [&](const std::string& colour) {
    Linear light = times(vision.seen, linear_rgb(colour));
    for (double& part : light) part = std::clamp(part, 0.0, 1.0);
    Linear cones = times(kCones, light);
    for (double& cone : cones) cone = std::cbrt(cone);
    return times(kLab, cones);
  };
  const Linear a = lab(one);
  const Linear b = lab(other);
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

}  // namespace tracker::plot

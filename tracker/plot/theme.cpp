#include "tracker/plot/theme.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>

#include "tracker/plot/canvas.hpp"
#include "tracker/plot/plot.hpp"

namespace tracker {
namespace {

constexpr Theme kLight{"", &ColourRole::light, &ChartFiles::png, &ChartFiles::svg};
constexpr Theme kDark{"-dark", &ColourRole::dark, &ChartFiles::dark_png, &ChartFiles::dark_svg};

}  // namespace

const std::vector<ColourRole>& colour_roles() {
  static const std::vector<ColourRole> roles{
      {colour::kGround, ColourUse::kGround, "#FFFFFF", "#0D1117"},  // GitHub's own grounds
      {colour::kInk, ColourUse::kText, "#24292F", "#E6EDF3"},
      {colour::kGrey, ColourUse::kText, "#57606A", "#9DA7B3"},
      {colour::kBlue, ColourUse::kText, "#0072B2", "#56B4E9"},
      {colour::kVermilion, ColourUse::kText, "#B84A00", "#F0803C"},
      {colour::kGreen, ColourUse::kText, "#287A46", "#1FB976"},
      {colour::kPurple, ColourUse::kText, "#6B1F8A", "#A371F7"},
      {colour::kPaleBlue, ColourUse::kMark, "#4A90C2", "#2C78AC"},
      {colour::kMidGrey, ColourUse::kMark, "#7C8590", "#767F8A"},
      {colour::kHazeBlue, ColourUse::kSoft, "#CCE3F1", "#143652"},
      {colour::kPaleGrey, ColourUse::kSoft, "#C4CAD1", "#3D444D"},
      {colour::kBand, ColourUse::kSoft, "#F3F1E7", "#232117"},
      {colour::kGrid, ColourUse::kSoft, "#E4E7EB", "#262C34"},
      {colour::kNothing, ColourUse::kSoft, "#F0F2F4", "#1C2128"},
  };
  return roles;
}

std::vector<Theme> chosen_themes(Themes themes) {
  if (themes == Themes::kLight) return {kLight};
  if (themes == Themes::kDark) return {kDark};
  return {kLight, kDark};
}

std::string colour_commands(const Theme& theme) {
  std::string commands;
  for (const auto& role : colour_roles())
    commands.append(role.name).append(" = '").append(role.*theme.colours).append("'\n");
  return commands + "colour_of(name) = int(name[1:2] eq '0x' ? name : '0x'.substr(value(name), 2, 7))\n";
}

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

namespace {

struct VerdictStyle {
  Verdict verdict;
  MarkStyle mark;
};

constexpr int kFirstFilled = 5;  // from here on odd types are filled, and hollow in the type before

// Discs, squares, crosses, diamonds, circles and triangles, as gnuplot numbers them.
const VerdictStyle kStyles[] = {{Verdict::kRegressed, {11, 1.7, colour::kVermilion}},
                                {Verdict::kBelowFloor, {5, 1.3, colour::kVermilion}},
                                {Verdict::kFailed, {2, 1.2, colour::kVermilion}},
                                {Verdict::kMissing, {2, 1.2, colour::kVermilion}},
                                {Verdict::kSameCode, {13, 1.7, colour::kInk}},
                                {Verdict::kNotComparable, {6, 1.2, colour::kInk}},
                                {Verdict::kInconclusive, {6, 1.2, colour::kGrey}},
                                {Verdict::kImproved, {9, 1.7, colour::kGreen}},
                                {Verdict::kNew, {1, 1.2, colour::kBlue}},
                                {Verdict::kUnchanged, {7, 0.9, colour::kMidGrey}}};

}  // namespace

MarkStyle verdict_mark(Verdict verdict, bool excused) {
  const auto found = std::find_if(std::begin(kStyles), std::end(kStyles),
                                  [&](const VerdictStyle& look) { return look.verdict == verdict; });
  MarkStyle mark = found == std::end(kStyles) ? MarkStyle{} : found->mark;
  const bool can_be_hollow = mark.type >= kFirstFilled && mark.type % 2 == 1;
  if (excused && can_be_hollow) --mark.type;
  return mark;
}

bool is_decided(Verdict verdict) {
  return verdict != Verdict::kUnchanged && verdict != Verdict::kInconclusive;
}

}  // namespace tracker

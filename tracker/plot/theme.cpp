#include "tracker/plot/theme.hpp"

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

}  // namespace tracker

// The colours of a picture on a white and on a dark ground.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tracker {

struct ChartFiles;

// Which pictures are drawn: on white, on GitHub's dark ground, or on each.
enum class Themes { kBoth, kLight, kDark };

// What a colour is used for, and so how far it must stand out from the ground: WCAG asks for a contrast of
// 4.5 for text and of 3 for marks. Soft ones lie behind the data and mean nothing alone.
enum class ColourUse { kGround, kText, kMark, kSoft };

// A role that charts draw with (colour::k… in canvas.hpp), and "#RRGGBB" for each ground. Blue, vermilion,
// green and purple start from Okabe and Ito's set, made darker or lighter so that they carry text on their
// ground; tests hold them to be told apart with any kind of colour vision.
struct ColourRole {
  const char* name;
  ColourUse use;
  const char* light;
  const char* dark;
};

const std::vector<ColourRole>& colour_roles();

struct Theme {
  const char* ending;                // of the files: "" or "-dark"
  const char* ColourRole::*colours;  // its column of the roles
  std::filesystem::path ChartFiles::*png;
  std::filesystem::path ChartFiles::*svg;
};

std::vector<Theme> chosen_themes(Themes themes);

// Commands that give every role its colour, and define what colour_in_column() calls.
std::string colour_commands(const Theme& theme);

}  // namespace tracker

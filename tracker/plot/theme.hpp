// The colours of a picture on a white and on a dark ground.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tracker/model/comparison.hpp"
#include "tracker/plot/canvas.hpp"

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

// The colours of a heat map: from dark to light, so that the order holds for any colour vision and in grey.

// "#RRGGBB" for a share from 0 (the darkest) to 1.
std::string heat_colour(double share);

// Black or white: the one that stands out from it, at a contrast of 4.5 or more.
const char* ink_on_heat(double share);

// How pictures show a verdict: by a shape and by a colour, either of which alone tells it apart from its
// opposite.

// Hollow where the policy or a waiver excuses it.
MarkStyle verdict_mark(Verdict verdict, bool excused = false);

// Whether it says something: neither unchanged nor inconclusive.
bool is_decided(Verdict verdict);

}  // namespace tracker

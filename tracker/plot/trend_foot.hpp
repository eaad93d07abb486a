// What stands under the axis of a trend: its commits by name.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tracker/plot/canvas.hpp"
#include "tracker/plot/views.hpp"

namespace tracker {

// One commit of the axis.
struct FootCommit {
  const SeriesPoint* point = nullptr;
  double x = 0;                       // pixels
  const char* colour = colour::kInk;  // of its name
  bool is_step = false;               // some panel's level changed here
  bool is_newest = false;
  bool is_worse = false;  // of a step: a regression that nobody accepted
  std::string change;     // beside its name: "−1.20 % from base 1a2b3c4"
};

// Names the commits that find room, below `bottom` and from `left` to `right`: the newest, all steps where
// they fit, else regressions first and from the newest on, and what is left in equal distances. The newest
// and steps have their subjects as well. Answers the positions of those that are named.
std::vector<int> draw_foot(const std::vector<FootCommit>& commits, double bottom, double left, double right,
                           Canvas& canvas);

}  // namespace tracker

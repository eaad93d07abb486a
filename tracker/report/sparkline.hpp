// A series on one line of text.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tracker/model/series.hpp"

namespace tracker {

// The points [from, to) as eight heights of a character, oldest first: the medians of as many equal stretches
// as there are characters, at most `width`; where there are more points than that, the newest has a character
// of its own, so that what has just changed is seen. The lowest and the highest height are as far apart as
// the values, and at least `span_min`, a share of them: less would make noise look like a change. Empty
// without points.
std::string sparkline(const std::vector<SeriesPoint>& points, std::size_t from, std::size_t to,
                      std::size_t width, double span_min = 0);

}  // namespace tracker

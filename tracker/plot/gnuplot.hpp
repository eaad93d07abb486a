// The one place that runs gnuplot, and that knows gnuplot-iostream.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tracker/plot/canvas.hpp"
#include "tracker/plot/plot.hpp"
#include "tracker/plot/theme.hpp"

namespace tracker {

// Writes `<slug>.png` and `<slug>.svg` of every chart, and `<slug>-dark.…`, as far as `themes` asks for them,
// into `directory`, which is made where it is missing: all of them or, on an error, none. As many gnuplots as
// there are cores draw them. kEnvironment, with gnuplot's words.
std::vector<ChartFiles> write_charts(const std::vector<Chart>& charts, const std::filesystem::path& directory,
                                     const Drawing& drawing = {});

}  // namespace tracker

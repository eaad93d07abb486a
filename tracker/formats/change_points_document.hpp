// The change points of plain numbers as JSON, for programs (docs/changepoints.md).
#pragma once

#include <string>
#include <vector>

#include "tracker/formats/number_series.hpp"
#include "tracker/stats/change_points.hpp"

namespace tracker {

struct FoundChanges {
  NumberSeries series;
  stats::Changes changes;
};

std::string print_change_points(const std::string& detector, const std::vector<FoundChanges>& found);

}  // namespace tracker

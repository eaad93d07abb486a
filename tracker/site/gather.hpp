// The series of a device → what a site shows of it. Pure.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tracker/history/line_series.hpp"
#include "tracker/site/site.hpp"

namespace tracker {

// What a site asks of a device's line (history/line_series.hpp).
LineQuestion site_question(const std::vector<std::string>& globs);

// Adds the device with all series of the line, and the commits that have a point. Nothing where there is
// none. `causes` fills in those of the events.
using AddCauses = std::function<void(const std::vector<Series>& series, std::vector<ChangeEvent>& events)>;
void add_device(SiteHistory& site, const std::string& device, LineSeries line, const AddCauses& causes);

}  // namespace tracker

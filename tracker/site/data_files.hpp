// What a site's scripts read: docs/site.md has the form. Pure.
#pragma once

#include <string>
#include <vector>

#include "tracker/site/site.hpp"
#include "tracker/site/tables.hpp"

namespace tracker {

// data/index.js, with the commits and the devices; data/<n>.js for each device, and data/<n>-<m>.js with the
// points of some of its series. `tables` are those of the devices, in their order.
std::vector<SiteFile> data_files(const SiteHistory& history, const std::vector<DeviceTables>& tables);

// The plain page of each device: "nvidia-h200.html".
std::vector<std::string> plain_page_names(const SiteHistory& history);

}  // namespace tracker

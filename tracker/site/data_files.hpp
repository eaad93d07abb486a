// What a site's scripts read: docs/site.md has the form. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tracker/site/site.hpp"

namespace tracker::site {

// data/index.js, with the commits and the devices; data/<n>.js for each device, and data/<n>-<m>.js with the
// points of some of its series. `tables` are those of the devices, in their order.
std::vector<File> data_files(const History& history, const std::vector<DeviceTables>& tables);

// The plain page of each device: "nvidia-h200.html".
std::vector<std::string> plain_page_names(const History& history);

// Lists of whole numbers as short text: most small numbers are one character. Pure. docs/site.md has the
// form, and assets/text.js reads it.

// Printable ASCII without '"', '\' and '<', so that it stands in a script's string as it is.
std::string write_column(const std::vector<std::uint64_t>& numbers);

// Each number's difference to the one before it: for what hardly changes from point to point.
std::string write_differences(const std::vector<std::int64_t>& numbers);

}  // namespace tracker::site

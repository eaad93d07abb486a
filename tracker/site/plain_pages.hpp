// The history as tables of HTML, for browsers without scripts. Pure.
#pragma once

#include <string>
#include <string_view>

#include "tracker/site/site.hpp"

namespace tracker::site {

// A page of its own, with all benchmarks of the device.
std::string plain_page(const History& history, const SiteDevice& device, const DeviceTables& tables);

// What index.html says of all devices where no script runs; `tables` and `pages`, their plain pages, are in
// their order.
std::string plain_overview(const History& history, const std::vector<DeviceTables>& tables,
                           const std::vector<std::string>& pages);

// A page's text with "{name}" replaced, of which `values` has all: {{"title", "…"}}.
std::string fill_page(std::string_view page, const std::map<std::string, std::string>& values);

// The policy of every page: nothing but the site's own files, and no script but those.
const std::string& content_policy();

}  // namespace tracker::site

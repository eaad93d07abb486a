// Runs in the order of commits → what a site shows of a device. Pure.
#pragma once

#include <string>
#include <vector>

#include "tracker/history/history.hpp"
#include "tracker/model/policy.hpp"
#include "tracker/site/site.hpp"

namespace tracker {

// Adds the device with every benchmark that matches any of the globs (all where there are none), and the
// commits that have a point. Nothing where no benchmark has one. `runs`: the whole history of the device.
void add_device(SiteHistory& site, const std::string& device, std::vector<CommitRuns> runs,
                const std::vector<std::string>& globs, const Policy& policy);

}  // namespace tracker

// What to say where a name or a pattern matches nothing that is recorded.
#pragma once

#include <string>
#include <vector>

#include "tracker/app/workspace.hpp"
#include "tracker/base/error.hpp"

namespace tracker {

// Those of the devices that match the pattern. kUsage, with their names, where there are some and none
// matches.
std::vector<std::string> chosen_devices(const std::vector<std::string>& known, const std::string& pattern);

// kUsage, with the names there are, where the pattern matches no device that has a run in the store. Nothing
// where the store has no runs at all, or there is none: then there is more to say than that.
void require_known_device(const Workspace& workspace, const std::string& pattern);

// kUsage: no benchmark matches, and which names are near. Names are those of the newest commits of the line
// that ends at `from`.
Error no_benchmark_matches(const Workspace& workspace, const std::vector<std::string>& globs,
                           const std::vector<std::string>& devices, const std::string& from);

}  // namespace tracker

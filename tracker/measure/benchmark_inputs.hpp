// Which changed files a benchmark may read once it runs. Pure.
#pragma once

#include <string>
#include <vector>

#include "tracker/model/policy.hpp"

namespace tracker {

// Of the changed files (paths from the root), those that may be an input of the binary. With `reads`, the
// files that match it. Without, all but what is compiled, builds or documents: sources, build files, texts
// for people, docs/, paths that begin with a dot (.github/), tracker.toml, and the baselines.
std::vector<std::string> possible_inputs(const std::vector<std::string>& changed, const Binary& binary,
                                         const std::string& baselines_directory);

}  // namespace tracker

// What to offer for a name that is not there.
#pragma once

#include <string>
#include <vector>

namespace tracker {

// What to try instead of patterns that match none of these names: "'*padded*' matches 6, such as a/padded/8",
// or names that are near; empty where there is nothing near.
std::string near_names_hint(const std::vector<std::string>& patterns, const std::vector<std::string>& known);

}  // namespace tracker

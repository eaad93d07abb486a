// Writing what is accepted into the text of tracker.toml.
#pragma once

#include <string>

#include "tracker/model/policy.hpp"

namespace tracker {

// The text with an [[accepted]] table at its end; all else stays as it is, comments and order included. The
// ceiling is written with two decimals of a per cent, rounded up. kUsage where the text with it is no
// tracker.toml any more; `source` names it.
std::string with_accepted_table(const std::string& toml, const Waiver& accepted, const std::string& source);

}  // namespace tracker

// The whole first-parent line: changes are looked for in all of it, and only then is it cut to what is shown.
#pragma once

#include <string>

#include "tracker/repo/repository.hpp"

namespace tracker {

inline constexpr int kWholeLine = 1'000'000;  // commits, where a function asks for their number

// The position that the oldest of the newest `commits_max` commits has on the whole line.
int position_of_oldest(const Repository& repository, const std::string& from, int commits_max);

}  // namespace tracker

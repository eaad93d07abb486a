// The colours of a heat map: from dark to light, so that the order holds for any colour vision and in grey.
#pragma once

#include <string>

namespace tracker {

// "#RRGGBB" for a share from 0 (the darkest) to 1.
std::string heat_colour(double share);

// Black or white: the one that stands out from it, at a contrast of 4.5 or more.
const char* ink_on_heat(double share);

}  // namespace tracker

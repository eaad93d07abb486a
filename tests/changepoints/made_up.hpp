// Series with a known truth behind them, of kinds that people label: few values, trends, seasons, counts.
#pragma once

#include "tests/changepoints/recordings.hpp"

namespace tracker::changepoints {

// Ten of each kind, the same on every call.
Group made_up_kinds();

// Five of each of the kinds that public statistics have, likewise.
Group made_up_public();

// Independent normal noise of 1 %, and no step.
std::vector<LabelledSeries> made_up_noise();

}  // namespace tracker::changepoints

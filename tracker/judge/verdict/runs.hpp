// The runs of one side that a comparison rests on: often fewer than the side has.
#pragma once

#include <span>

#include "tracker/model/run.hpp"

namespace tracker {

using Runs = std::span<const Run>;

}  // namespace tracker

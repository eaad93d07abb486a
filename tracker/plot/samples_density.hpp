// How often the values of each side were seen, as a curve along the axis.
#pragma once

#include "tracker/plot/samples_view.hpp"

namespace tracker {

// Fills the distributions of a view that has its columns and its axis: of the invocations that count, each
// with the same weight, by a Gaussian kernel.
void make_densities(SamplesView& view);

}  // namespace tracker

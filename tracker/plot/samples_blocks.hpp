// The rows of the samples chart's data blocks: a place among the columns, and one on the height of the axis.
// Empty where there is nothing of a kind.
#pragma once

#include <string>

#include "tracker/plot/samples_view.hpp"

namespace tracker {

std::string pair_rows(const SamplesView& view);
std::string dot_rows(const SamplesView& view, bool candidate, bool counts);
// Where samples are that the axis does not hold.
std::string beyond_rows(const SamplesView& view, bool candidate, bool above);
// Where a line of kMedianWidth begins.
inline constexpr double kMedianWidth = 0.84;
std::string median_rows(const SamplesView& view, bool candidate);
std::string density_rows(const SamplesView& view, bool candidate);

}  // namespace tracker

// What stands in words on the samples chart.
#pragma once

#include <string>
#include <vector>

#include "tracker/plot/samples_view.hpp"

namespace tracker {

// "−53.4 % [−53.6, −53.2]"; without a change the verdict.
std::string change_words(const Comparison& comparison);
// "[−53.6, −53.2]", in per cent; empty where it is not known.
std::string interval_words(const Comparison& comparison);

// What the picture leaves out, and what its marks mean that the legend does not say.
std::vector<std::string> notes_of(const SamplesView& view);

}  // namespace tracker

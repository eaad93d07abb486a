// Steps that a level which wanders by itself explains as well. Inner part of change_points.hpp.
#pragma once

#include <span>
#include <vector>

#include "tracker/stats/drift.hpp"

namespace tracker::stats {

// For each place where two of these stretches meet (one fewer than there are): whether a step there is
// likelier than that the level wandered. Two explanations of the values are compared: steps with noise about
// them, and noise with a level of its own, which walks or returns (a local level model: Harvey 1989,
// "Forecasting, structural time series models and the Kalman filter"). Steps are left out from the weakest
// on, how the noise wanders is estimated anew each time, and those stay that raise the likelihood by more
// than their number costs. Bends and the slopes of lines stay. Values are cut at two deviations of their
// stretch, and steps at eight.
std::vector<bool> steps_beside_wandering(std::span<const double> values, double noise,
                                         std::span<const Stretch> stretches);

}  // namespace tracker::stats

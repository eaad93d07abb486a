// A step that the ranks of values show. Inner part of change_points.hpp.
#pragma once

#include <cstddef>
#include <span>

namespace tracker::stats {

// Where these values of one level change theirs, by their ranks alone, so that neither tails nor a second
// speed hide it; 0: nowhere. The normal scores of the ranks (van der Waerden 1952) on both sides of the best
// split must differ by more than a t-test allows for noise that follows itself, and the medians by more than
// the least noise that a value has makes likely. Each part has more than twelve values. `series` values were
// looked through in all.
std::size_t rank_step(std::span<const double> level, double least_noise, double series);

}  // namespace tracker::stats

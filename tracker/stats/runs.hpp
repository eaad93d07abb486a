// Runs of values outside a level: the newest ones, for which nobody should wait, and excursions that came
// back.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace tracker::stats {

// How many of the newest values (8 at most) are a new level, after `before_min` values or more; 0: none. They
// must all lie on one side, farther than a t-test allows for noise, and farther than stretches of as many
// values of the level itself did, as many levels have two speeds or tails that no t-test knows. A single one
// must be much farther away, as it is a spike in most histories.
std::size_t newest_run(std::span<const double> level, double noise, std::size_t before_min);

// Where values left the level, and where they were back, for runs that are too loud or too short to be a
// level of a partition with a bounded loss. Values beyond four deviations are marked; a run has more marks in
// a row than their share in the level explains (maximal scoring segments: Karlin and Altschul 1990). `series`
// values were looked through in all. Places count from the level's first value.
std::vector<std::size_t> excursions(std::span<const double> level, double noise, std::size_t series);

}  // namespace tracker::stats

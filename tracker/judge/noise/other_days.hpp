// Whether the sides were measured on days unlike those of the history.
#pragma once

#include <vector>

#include "tracker/stats/moderated.hpp"

namespace tracker {

// How one benchmark of the report moved between the two sides.
struct Moved {
  double estimate = 0;         // of logarithms
  double sampling = 0;         // its variance from the noise of invocations
  double job_factor = 0;       // times one job's variance: its variance from the jobs
  stats::Variance learned;     // one job's variance, as the history has it
  double history_degrees = 0;  // that the benchmark's own history has of it
};

// What a history of so few jobs leaves open: for each benchmark, the chance that one of the sides was
// measured on a day unlike all of the history's. The others tell: a code change moves few of them, or all
// alike; a day moves all of them, and each in its own way, by what the default says.
std::vector<double> chances_of_other_days(const std::vector<Moved>& moved, const stats::Variance& other_day);

}  // namespace tracker

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
  stats::Variance learned;     // one job's variance, as the history has it, or its usual days
  double history_degrees = 0;  // that the benchmark's own history has of it
  double all_days = 0;         // one job's variance with the unusual days, where there are any
};

// What days the history had, where some were unusual: what each of those moved each benchmark by.
struct DaysBefore {
  int usual = 0;
  std::vector<std::vector<double>> unusual;
};

// What a history of so few jobs leaves open: for each benchmark, the chance that one of the sides was
// measured on a day unlike all of the history's. If most benchmarks moved, each in its own way, suspect
// the day; a code change moves few of them, or all alike. Where the history had
// unusual days, and the base was measured on a usual one: the chance that the candidate was not.
std::vector<double> chances_of_other_days(const std::vector<Moved>& moved, const stats::Variance& other_day,
                                          const DaysBefore& before = {});

}  // namespace tracker

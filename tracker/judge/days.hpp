// Days on which a machine measures otherwise: which of a history were unusual, and whether the sides' were.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "tracker/judge/noise_model.hpp"
#include "tracker/stats/moderated.hpp"

namespace tracker::judge {

// Whether the sides were measured on days unlike those of the history.

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

// Which jobs of a history were measured on days unlike the usual ones. Pure.

// Fewer cannot say which days are the usual ones.
inline constexpr std::size_t kBenchmarksForDaysMin = 5;
inline constexpr std::size_t kJobsForDaysMin = 5;

// A day that moved most benchmarks away from where the usual days around it have them.
struct UnusualDay {
  std::string job;
  std::map<std::string, double> offsets;  // by benchmark, of logarithms
};

struct DaysSeen {
  int usual = 0;
  std::vector<UnusualDay> unusual;  // in the order of time

  bool is_unusual(const std::string& job) const;
};

// A day is unusual whose benchmarks lie, in the middle, three times as far from the usual days around it as
// usual days do, and farther than `least` (of logarithms). Benchmarks share their days; what the code did to
// a few of them, or to all of them for good, is none. No unusual ones where fewer than five benchmarks or
// jobs can be asked, or where half of the jobs would be: then nobody can say which days are the usual ones.
DaysSeen days_seen(const JobLevels& levels, double least);

}  // namespace tracker::judge

// Which jobs of a history were measured on days unlike the usual ones. Pure.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "tracker/judge/noise/noise_model.hpp"

namespace tracker {

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

}  // namespace tracker

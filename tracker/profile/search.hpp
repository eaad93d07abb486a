// What the counters of several profiles have to do with the time: of the variants of one kernel, and of one
// benchmark at two commits. Pure.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tracker/profile/counters.hpp"

namespace tracker::profile {

using TimesS = std::map<std::string, double>;  // by benchmark: of a launch without a profiler, in seconds

// A counter that puts the variants in about the order of their times.
struct FollowingCounter {
  const Counter* counter = nullptr;
  // Kendall's τ-b with the time, a correlation from -1 to 1. Above 0: worse where it is slower.
  double agreement = 0;
  // The counter of the fastest and of the slowest variant, in its unit.
  double of_fastest = 0;
  double of_slowest = 0;
};

// Those of the table's counters, rates aside, that agree by 0.6 and more, best first, and of several that say
// the same (all variants in one order) the first. Nothing of fewer than four variants with a time. That a
// counter goes with the time does not say that it makes it.
std::vector<FollowingCounter> counters_that_follow(const Profile& profile, const TimesS& times_s);

// A counter by which some variants are worse than the fastest.
struct SlowingCounter {
  const Counter* counter = nullptr;
  double of_fastest = 0;                           // in the counter's unit
  std::vector<const ProfiledBenchmark*> variants;  // the fastest of them first
};

// Of each variant that takes 5 % longer than the fastest: the counter of the table by which it is worst, as a
// ratio of 1.5 and more. Rates, utilizations and stalls, which follow from a time, are left out. In the order
// of the times.
std::vector<SlowingCounter> counters_that_slow(const Profile& profile, const TimesS& times_s);

// The benchmarks that have a time, the fastest first.
std::vector<const ProfiledBenchmark*> by_time(const Profile& profile, const TimesS& times_s);

// A counter of one benchmark that is another one at the candidate's commit.
struct MovedCounter {
  const Counter* counter = nullptr;
  double base = 0;  // in its unit
  double candidate = 0;
  bool worse = false;
};

// Those that moved most first, by the larger over the smaller value: by 5 % and more, shares by two points as
// well. Left out are throughputs and utilizations, which follow from the time, totals that stay below 1 % of
// the largest of their unit, and of several that moved by the same factor all but the first of the table.
std::vector<MovedCounter> counters_that_moved(const ProfiledBenchmark& base,
                                              const ProfiledBenchmark& candidate);

}  // namespace tracker::profile

// How far two jobs lie apart when nothing changed: boards of one model differ, and so do days.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tracker/judge/noise/noise_model.hpp"
#include "tracker/judge/verdict/runs.hpp"
#include "tracker/model/policy.hpp"
#include "tracker/stats/moderated.hpp"

namespace tracker {

enum class Distance { kSameJob, kSameBoard, kOtherBoard };

Distance distance_between(Runs base, Runs candidate);

// One job's own offset, as a variance of logarithms, where there is no history: a stated, cautious default.
stats::Variance default_job_variance(DeviceKind kind, Distance distance);

struct JobNoise {
  std::map<std::string, stats::Variance> variance;  // of one job's offset, by benchmark
  bool learned = false;                             // from runs, for every benchmark
  bool shared = false;                              // what one benchmark's history leaves open is the others'
};

// How one benchmark of the report moved between the two sides.
struct Moved {
  double estimate = 0;         // of logarithms
  double sampling = 0;         // its variance from the noise of invocations
  double job_factor = 0;       // times one job's variance: its variance from the jobs
  stats::Variance learned;     // one job's variance, as the history has it
  double history_degrees = 0;  // that the benchmark's own history has of it
};

// What a history of so few jobs leaves open: for each, the chance that one of the sides was measured on a day
// unlike all of the history's. A code change moves few benchmarks, or all of them alike; a day moves each in
// its own way, by what the default says. So the other benchmarks' distances from their median tell.
std::vector<double> chances_of_other_days(const std::vector<Moved>& moved, const stats::Variance& other_day);

// The same for every benchmark of `known`, at this distance; what one benchmark's own history leaves open
// comes from the others'. The default where even those have too little; none within one job.
JobNoise job_noise(const NoiseModel& known, DeviceKind kind, Distance distance);

}  // namespace tracker

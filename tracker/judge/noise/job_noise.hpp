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

// However quiet a history looks, the next job may differ by so much.
double least_job_variance(DeviceKind kind, Distance distance);

struct JobNoise {
  std::map<std::string, stats::Variance> variance;  // of one job's offset, by benchmark
  bool learned = false;                             // from runs, for every benchmark
  bool shared = false;                              // what one benchmark's history leaves open is the others'
};

// One job's offset for every benchmark of `known`, at this distance; what one benchmark's own history leaves
// open comes from the others'. The default where even those have too little; none within one job.
JobNoise job_noise(const NoiseModel& known, DeviceKind kind, Distance distance);

}  // namespace tracker

// What noise the benchmarks of a device have, and how far its jobs lie apart, learned from runs of it. Pure.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tracker/judge/evidence.hpp"
#include "tracker/model/metric.hpp"
#include "tracker/model/noise_history.hpp"
#include "tracker/stats/moderated.hpp"

namespace tracker::judge {

// For every benchmark of `metrics` (by name), what the runs of one device show of it; a variance that they
// say nothing about has 0 degrees. The runs may be of any commits and in any order. Those of one job count
// as one job, but each has a mean of its own: the two sides of one job may differ for a reason.
//   invocation    the squares about the run's mean, n − 1 degrees a run
//   successive    the mean of the squared differences of values one round apart (von Neumann, 1941)
//   same_board, other_board
//                 from the differences between one job and the next (of commits that both measured, where
//                 there are any): stats::job_variance_from_history, and what jobs `lag` apart differ by
//                 more
// `lag`: how many jobs later than the other one side was measured; jobs drift. `stored`: what was learned
// before, of the same metric, holds where the history says nothing.
NoiseModel learn_noise(const std::map<std::string, Metric>& metrics, const NoiseHistory& history, int lag = 1,
                       const std::optional<NoiseModel>& stored = {});

// Where each benchmark lay in each job, as logarithms from an origin of its own: each job lies beside the one
// before it as their difference says.
struct JobLevels {
  std::vector<std::string> jobs;                            // in the order of time
  std::map<std::string, std::vector<double>> by_benchmark;  // logarithms; NaN where the job lacks it
};
// With `also`, a run that the history does not have, as if it had.
JobLevels job_levels(const std::map<std::string, Metric>& metrics, const NoiseHistory& history,
                     const Run* also = nullptr);

// How far two jobs lie apart when nothing changed: boards of one model differ, and so do days.

// One job's own offset, as a variance of logarithms, where there is no history: a stated, cautious default.
stats::Variance default_job_variance(DeviceKind kind, Distance distance);

// However quiet a history looks, the next job may differ by so much: a variance of logarithms.
double least_job_variance(DeviceKind kind, Distance distance);

struct JobNoise {
  std::map<std::string, stats::Variance> variance;  // of one job's offset, by benchmark
  bool learned = false;                             // from runs, for every benchmark
  bool shared = false;                              // what one benchmark's history leaves open is the others'
};

// One job's offset for every benchmark of `known`, at this distance; what one benchmark's own history leaves
// open comes from the others'. The default where even those have too little; none within one job.
JobNoise job_noise(const NoiseModel& known, DeviceKind kind, Distance distance);

}  // namespace tracker::judge

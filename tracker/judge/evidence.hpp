// What the runs of one side show of one benchmark.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tracker/judge/job_noise.hpp"
#include "tracker/model/metric.hpp"
#include "tracker/stats/ratio.hpp"

namespace tracker {

struct Evidence {
  std::vector<std::vector<double>> logs_by_job;  // the logarithm of one value an invocation
  std::vector<std::string> boards;               // of each job
  int zeros = 0;                                 // values that have no logarithm

  bool only_zeros() const { return logs_by_job.empty() && zeros > 0; }
  int values() const;
  std::optional<double> typical() const;  // the geometric mean, in the metric's unit
};

// Runs of one job count as one; those in which the benchmark failed do not count.
Evidence evidence_of(const std::vector<Run>& runs, const std::string& benchmark, const Metric& metric);

// The difference of two sides, and how its variance is made up.
struct Contrast {
  double estimate = 0;         // of logarithms, candidate − base
  stats::Variance own;         // noise of one invocation, or of one pair; degrees 0: it showed none
  double sampling_factor = 0;  // variance of the estimate = factor × own
  double job_factor = 0;       // likewise for one job's offset
};

// Both sides have one value at least.
Contrast contrast(const Evidence& base, const Evidence& candidate, Distance distance);

}  // namespace tracker

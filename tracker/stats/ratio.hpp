// The ratio of two sides, each a list of invocation values, with an interval that counts every level of
// noise. All arithmetic is on logarithms: a ratio is a difference there, and time and rate are mirror images.
#pragma once

#include <span>
#include <vector>

#include "tracker/stats/moderated.hpp"

namespace tracker::stats {

// A difference of logarithms, candidate − base, and the noise behind it.
struct Difference {
  double estimate = 0;
  Variance sampling;    // variance of the estimate from invocation noise; shrinks with more invocations
  Variance job_to_job;  // variance of the estimate from the jobs' own offsets; more invocations do not help
  Variance neighbours = {};      // likewise, from what else ran in the process on one side only
  Variance other_jobs = {};      // of the jobs' offsets, if the jobs are unlike those that job_to_job is from
  double other_jobs_chance = 0;  // of that
};

// The variance within lists that each have a mean of their own: the squares about it, n − 1 degrees a list.
class PooledVariance {
 public:
  // Adds one list. A list of fewer than two values adds nothing.
  void add(std::span<const double> values);
  Variance value() const;  // degrees 0 where no list has two values

 private:
  double squares_ = 0;
  double degrees_ = 0;
};

// One side measured in one or more jobs: the mean of its jobs' means, of logarithms.
struct SideNoise {
  double mean = 0;
  Variance per_invocation;     // pooled over the jobs; degrees 0 where no job has two invocations
  double sampling_factor = 0;  // variance of `mean` = factor × per_invocation
};
SideNoise side_noise(const std::vector<std::vector<double>>& logs_by_job);

// The half-width of the interval that holds the true difference with this confidence. All parts together
// have the degrees of freedom that Welch and Satterthwaite give them; a part of value 0 is left out, and one
// with a value but without degrees makes the width infinite. The caller must know that there is noise to
// speak of: one invocation a side has variance 0 with 0 degrees, which is not the same as having none.
// Where the jobs may be unlike others, the chance of a miss is that of both cases, each by its chance.
double half_width(const Difference& difference, double confidence);

// Of the estimate, by the same parts and without the chance of other jobs; infinite likewise.
double standard_error(const Difference& difference);

// The degrees of freedom that one such difference counts as below.
inline constexpr double kDegreesOfDifference = 0.37;

// The variance of one job's offset, from a series' own history: differences of the logarithms of job means
// that follow one another in time. Of neighbours, so that a slow drift does not count, and their median, so
// that real steps in the history do not. Fewer than three differences: degrees 0.
Variance job_variance_from_history(std::span<const double> neighbour_differences);

}  // namespace tracker::stats

// What earlier runs showed of the noise of each benchmark on a device. Plain data: learned by judge/ from
// runs, kept with a baseline, and used by judge/ where a comparison's own data is short.
#pragma once

#include <map>
#include <string>

namespace tracker {

// A variance of logarithms, with the degrees of freedom that stand behind it; degrees 0: not known.
struct NoiseVariance {
  double value = 0;
  double degrees = 0;
};

struct BenchmarkNoise {
  NoiseVariance invocation;   // of one invocation around its job's mean
  NoiseVariance successive;   // of the difference of two invocations that follow one another in a job
  NoiseVariance same_board;   // of one job's offset, on the same board on another day
  NoiseVariance other_board;  // likewise, on another board of the model
  std::string metric;         // whose noise it is
};

struct NoiseModel {
  std::map<std::string, BenchmarkNoise> benchmarks;  // by name
  int jobs = 0;                                      // that it was learned from
};

}  // namespace tracker

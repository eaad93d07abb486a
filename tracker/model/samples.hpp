// What one verdict rests on: every repetition of every invocation, of both sides. Plain data.
#pragma once

#include <string>
#include <vector>

#include "tracker/model/comparison.hpp"
#include "tracker/model/exclusion.hpp"

namespace tracker {

// What one invocation measured of a benchmark, in the metric's unit.
struct InvocationSamples {
  int job = 0;                 // counted from 0 within its side
  int round = 0;               // in its job, counted from 1
  std::vector<double> values;  // one a repetition, in the order they ran; never NaN, one at least
  double median = 0;
  Exclusion excluded;      // why it does not count, where it does not
  bool disturbed = false;  // its conditions were doubtful, whether or not it counts
};

struct BenchmarkSamples {
  std::string device;  // the key
  Comparison comparison;
  bool paired = false;  // both sides measured side by side: those of one round belong together
  Side base_side;
  Side candidate_side;
  std::vector<InvocationSamples> base;  // in the order they ran; empty where there are none
  std::vector<InvocationSamples> candidate;
};

}  // namespace tracker

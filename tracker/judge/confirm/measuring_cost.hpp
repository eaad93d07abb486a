// What confirming costs, what its next analysis will, and what it spares. Pure.
#pragma once

#include <optional>
#include <vector>

#include "tracker/model/run.hpp"

namespace tracker {

// Seconds of measuring: from the first invocation's start to the last one's end, without what lies between.
double length_of(const Run& run);

class MeasuringCost {
 public:
  // How many benchmarks there are, and what a round of them takes on both sides: as one side's stored runs
  // tell, those of all benchmarks. Where none does, it is not known.
  void set_suite(int benchmarks, const std::vector<Run>& runs);
  void set_suite(int benchmarks, double round_s);
  // An analysis of so many benchmarks.
  void add(int rounds, int benchmarks, double seconds);

  double measured_s() const { return measured_s_; }
  // Of the next so many rounds, by the last analysis, or before one by the suite; 0 where neither is known.
  // A benchmark is taken to last as long as the others.
  double expected_s(int rounds, int benchmarks) const;
  // Against so many rounds of the whole suite. Where its time is not known, every benchmark is taken to last
  // as long as those that were measured.
  double saved_s(int rounds) const;

 private:
  int suite_benchmarks_ = 0;
  std::optional<double> suite_round_s_;
  double measured_s_ = 0;
  double benchmark_rounds_ = 0;              // benchmarks × rounds measured
  std::optional<double> benchmark_round_s_;  // of the last analysis: one benchmark, one round
};

}  // namespace tracker

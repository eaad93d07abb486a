#include "tracker/judge/confirm/measuring_cost.hpp"

#include <algorithm>

namespace tracker {

double length_of(const Run& run) {
  double length_s = 0;
  for (const auto& invocation : run.invocations) length_s += invocation.length_s;
  return length_s;
}

void MeasuringCost::set_suite(int benchmarks, const std::vector<Run>& runs) {
  suite_benchmarks_ = benchmarks;
  for (const auto& run : runs)
    if (const double length_s = length_of(run);
        run.selection.is_all() && run.interim_analyses.empty() && length_s > 0)
      set_suite(benchmarks, 2 * length_s / std::max(1, invocation_count(run)));
}

void MeasuringCost::set_suite(int benchmarks, double round_s) {
  suite_benchmarks_ = benchmarks;
  suite_round_s_ = round_s;
}

void MeasuringCost::add(int rounds, int benchmarks, double seconds) {
  measured_s_ += seconds;
  if (rounds <= 0 || benchmarks <= 0) return;
  benchmark_rounds_ += static_cast<double>(rounds) * benchmarks;
  benchmark_round_s_ = seconds / rounds / benchmarks;
}

double MeasuringCost::expected_s(int rounds, int benchmarks) const {
  double each_s = 0;
  if (benchmark_round_s_)
    each_s = *benchmark_round_s_;
  else if (suite_round_s_ && suite_benchmarks_ > 0)
    each_s = *suite_round_s_ / suite_benchmarks_;
  return each_s * rounds * benchmarks;
}

double MeasuringCost::saved_s(int rounds) const {
  if (benchmark_rounds_ == 0) return 0;
  const double round_s = suite_round_s_.value_or(measured_s_ / benchmark_rounds_ * suite_benchmarks_);
  return std::max(0.0, round_s * rounds - measured_s_);
}

}  // namespace tracker

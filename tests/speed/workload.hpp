// What the judge's speed is measured on: two sides of identical code, made up, and the same every time.
#pragma once

#include <cstdint>
#include <string>

#include "tests/support/random.hpp"

namespace tracker::speed {

struct Workload {
  int benchmarks = 500;
  int invocations = 20;  // a side
  int repetitions = 10;
};

inline std::string benchmark_name(int benchmark) {
  const std::string shape = std::to_string(256 + 64 * (benchmark % 100));
  return "family_" + std::to_string(benchmark / 100) + "/variant_" + std::to_string(benchmark % 25) +
         "/f32/" + shape + "x" + shape;
}

inline constexpr double kBytesPerIteration = 1 << 26;

// The times of one invocation's repetitions, in the order they are asked for: 0.5 % between invocations,
// 0.2 % between repetitions.
class InvocationTimes {
 public:
  InvocationTimes(int side, int invocation)
      : random_(static_cast<std::uint64_t>(side) * 1000003 + static_cast<std::uint64_t>(invocation) + 1) {}
  void next_benchmark(int benchmark) {
    level_ns_ = 10000 * (1 + benchmark % 37) * (1 + 0.005 * random_.normal());
  }
  double next_time_ns() { return level_ns_ * (1 + 0.002 * random_.normal()); }

 private:
  test::Random random_;
  double level_ns_ = 0;
};

}  // namespace tracker::speed

// Noise with a known truth behind it, the same on every run.
#pragma once

#include <cmath>
#include <random>
#include <vector>

namespace tracker::stats {

class Simulation {
 public:
  explicit Simulation(unsigned seed) : engine_(seed) {}

  double normal(double deviation) { return deviation * normal_(engine_); }

  // The sum of `degrees` squared standard normals.
  double chi_squared(double degrees) { return std::chi_squared_distribution<double>(degrees)(engine_); }

  // Invocations of one job: all share its offset.
  std::vector<double> job(double true_log, double job_deviation, double deviation, int invocations) {
    const double center = true_log + normal(job_deviation);
    std::vector<double> logs;
    for (int i = 0; i < invocations; ++i) logs.push_back(center + normal(deviation));
    return logs;
  }

 private:
  std::mt19937_64 engine_;
  std::normal_distribution<double> normal_;
};

}  // namespace tracker::stats

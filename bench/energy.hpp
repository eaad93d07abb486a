// Power from a counter of energy, as NVML has one for the whole board. The counter moves in steps (of about
// 100 ms on an H200), so it says nothing of a burst of a few ms, and is read from step to step.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <thread>
#include <vector>

namespace bench {

struct EnergyReading {
  double time_s = 0;
  double energy_j = 0;
};

// The mean power from the first step of the counter to the last one; empty with fewer than five steps, of
// which one more or less would be much.
std::optional<double> mean_power_w(std::span<const EnergyReading> readings);

// Empty where the board has no such counter. Is called from another thread.
using ReadEnergy = std::function<std::optional<double>()>;

// Reads the counter every few ms while it lives.
class EnergyWatch {
 public:
  explicit EnergyWatch(ReadEnergy read_energy_j);

  // Ends the watch.
  std::optional<double> mean_power_w();

 private:
  std::vector<EnergyReading> readings_;
  std::jthread thread_;  // the last member: it ends before the readings do
};

}  // namespace bench

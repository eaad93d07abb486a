#include "bench/energy.hpp"

#include <chrono>
#include <utility>

namespace bench {

std::optional<double> mean_power_w(std::span<const EnergyReading> readings) {
  constexpr int kStepsMin = 5;
  const EnergyReading* first = nullptr;
  const EnergyReading* last = nullptr;
  int steps = 0;
  for (std::size_t i = 1; i < readings.size(); ++i) {
    if (readings[i].energy_j == readings[i - 1].energy_j) continue;
    last = &readings[i];
    if (first == nullptr)
      first = last;
    else
      ++steps;
  }
  if (steps < kStepsMin || last->time_s <= first->time_s) return {};
  return (last->energy_j - first->energy_j) / (last->time_s - first->time_s);
}

EnergyWatch::EnergyWatch(ReadEnergy read_energy_j)
    : thread_([this, read = std::move(read_energy_j)](const std::stop_token& stop) {
        constexpr std::chrono::milliseconds kPeriod{2};
        const auto start = std::chrono::steady_clock::now();
        while (!stop.stop_requested()) {
          const auto energy_j = read();
          if (!energy_j) return;
          const auto now = std::chrono::steady_clock::now();
          readings_.push_back({std::chrono::duration<double>(now - start).count(), *energy_j});
          std::this_thread::sleep_for(kPeriod);
        }
      }) {}

std::optional<double> EnergyWatch::mean_power_w() {
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
  return bench::mean_power_w(readings_);
}

}  // namespace bench

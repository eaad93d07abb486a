// The state of a device at one moment.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tracker {

struct DeviceReading {
  std::optional<double> core_clock_mhz;
  std::optional<double> memory_clock_mhz;
  std::optional<double> temperature_c;
  // "power_cap", "hw_slowdown", "sync_boost", "sw_thermal", "hw_thermal", "power_brake": only those that
  // disturb, so neither idle nor application clocks.
  std::vector<std::string> throttle_reasons;
  std::optional<double> throttled_s;  // since the driver was loaded, all disturbing policies
  std::optional<int> processes;       // that use it: on a GPU, with a compute context
};

}  // namespace tracker

#include "tracker/model/environment.hpp"

#include <algorithm>
#include <cmath>

#include "tracker/base/text.hpp"

namespace tracker {

std::string device_key(const Device& device) {
  constexpr double kGib = 1024.0 * 1024.0 * 1024.0;
  std::string model = device.model;
  // "Intel(R) Xeon(R) …": the marks say nothing, and make poor file names.
  for (const char* mark : {"(R)", "(TM)", "(r)", "(tm)", " CPU"})
    for (std::size_t at = model.find(mark); at != std::string::npos; at = model.find(mark))
      model.erase(at, std::string(mark).size());
  if (device.kind == DeviceKind::kCpu) {
    std::string key = "cpu-" + slug(model);
    if (device.core_count) key += "-" + std::to_string(*device.core_count) + "t";
    return key;
  }
  std::string key = slug(model);
  if (device.memory_bytes)
    key += "-" + std::to_string(std::llround(static_cast<double>(*device.memory_bytes) / kGib)) + "gib";
  if (device.power_limit_w) key += "-" + std::to_string(std::llround(*device.power_limit_w)) + "w";
  if (device.mig_profile) key += "-mig-" + slug(*device.mig_profile);
  return key;
}

bool Conditions::disturbed() const {
  const bool throttled = std::any_of(throttle_reasons.begin(), throttle_reasons.end(),
                                     [](const std::string& reason) { return reason != "power_cap"; });
  return throttled || other_processes.value_or(0) > 0;
}

}  // namespace tracker

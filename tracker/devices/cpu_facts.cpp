#include "tracker/devices/cpu_facts.hpp"

#include <fstream>

#include <sched.h>

namespace tracker {

std::string cpu_model(std::istream& cpuinfo) {
  for (std::string line; std::getline(cpuinfo, line);) {
    const std::size_t colon = line.find(':');
    if (!line.starts_with("model name") || colon == std::string::npos) continue;
    const std::size_t from = line.find_first_not_of(" \t", colon + 1);
    if (from == std::string::npos) continue;
    return line.substr(from, line.find_last_not_of(" \t") + 1 - from);
  }
  return {};
}

Device cpu_device() {
  Device device;
  device.kind = DeviceKind::kCpu;
  std::ifstream cpuinfo("/proc/cpuinfo");
  device.model = cpu_model(cpuinfo);
  if (device.model.empty()) device.model = "unknown CPU";
  cpu_set_t threads;
  CPU_ZERO(&threads);
  if (::sched_getaffinity(0, sizeof threads, &threads) == 0) device.core_count = CPU_COUNT(&threads);
  return device;
}

}  // namespace tracker

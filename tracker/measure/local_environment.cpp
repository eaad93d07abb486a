#include "tracker/measure/local_environment.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <set>
#include <string_view>

#include <unistd.h>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"
#include "tracker/devices/cpu_facts.hpp"
#include "tracker/measure/load.hpp"

namespace tracker {
namespace {

// "Debian GNU/Linux 12 (bookworm)"
std::optional<std::string> os_name() {
  constexpr std::string_view kKey = "PRETTY_NAME=";
  std::ifstream file("/etc/os-release");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(kKey)) continue;
    std::string value = line.substr(kKey.size());
    std::erase(value, '"');
    return value;
  }
  return {};
}

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// A device without a UUID may be any of its kind.
bool are_different(const Device& a, const Device& b) {
  return a.kind != b.kind || (a.uuid && b.uuid && *a.uuid != *b.uuid);
}

void widen(std::optional<double>& kept, const std::optional<double>& value, bool up) {
  if (value && (!kept || (up ? *value > *kept : *value < *kept))) kept = value;
}

}  // namespace

Host this_host() {
  Host host;
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) == 0) host.name = name.data();
  const Device cpu = cpu_device();
  host.cpu = cpu.model;
  host.cpu_count = cpu.core_count;
  host.os = os_name();
  return host;
}

LocalEnvironment::LocalEnvironment() : LocalEnvironment(device_drivers()) {}

LocalEnvironment::LocalEnvironment(std::vector<std::unique_ptr<DeviceDriver>> drivers)
    : drivers_(std::move(drivers)) {}

bool LocalEnvironment::has_gpu() const {
  return std::any_of(drivers_.begin(), drivers_.end(), [](const auto& driver) {
    return driver->kind() == DeviceKind::kGpu && driver->why_none().empty();
  });
}

std::string LocalEnvironment::why_no_gpu() const {
  if (has_gpu()) return "";
  std::vector<std::string> reasons;
  for (const auto& driver : drivers_)
    if (driver->kind() == DeviceKind::kGpu) reasons.push_back(driver->why_none());
  return join(reasons, "; ");
}

std::vector<Device> LocalEnvironment::devices(DeviceKind kind) const {
  std::vector<Device> all;
  for (const auto& driver : drivers_)
    if (driver->kind() == kind)
      for (auto& device : driver->devices()) all.push_back(std::move(device));
  return all;
}

std::optional<DeviceReading> LocalEnvironment::read(const Device& device) const {
  for (const auto& driver : drivers_)
    if (driver->kind() == device.kind)
      if (auto reading = driver->read(device)) return reading;
  return {};
}

std::vector<int> LocalEnvironment::cpus_near(const Device& device) const {
  const auto allowed = allowed_cpus();
  std::vector<int> cpus;
  for (const auto& driver : drivers_)
    if (driver->kind() == device.kind)
      for (const int cpu : driver->cpus_near(device))
        if (std::find(allowed.begin(), allowed.end(), cpu) != allowed.end()) cpus.push_back(cpu);
  return cpus;
}

Device LocalEnvironment::device_for(RunsOn runs_on) const {
  if (!uses_gpu(runs_on)) return devices(DeviceKind::kCpu).at(0);
  if (!has_gpu()) throw Error(ExitCode::kEnvironment, "no GPU here: " + why_no_gpu());
  std::optional<Device> chosen;
  std::set<std::string> keys;
  for (auto& device : devices(DeviceKind::kGpu)) {
    keys.insert(device_key(device));
    if (chosen) device.uuid.reset();  // one of several alike: which one is not known
    chosen = std::move(device);
  }
  if (!chosen) throw Error(ExitCode::kEnvironment, "the GPU's driver does not answer");
  if (keys.size() > 1)
    throw Error(ExitCode::kUsage,
                "this machine has different GPUs (" + join({keys.begin(), keys.end()}, ", ") +
                    "), and the binary does not say which it runs on",
                "set CUDA_VISIBLE_DEVICES to a UUID from: nvidia-smi -L");
  return *chosen;
}

Software LocalEnvironment::software() const {
  Software software;
  for (const auto& driver : drivers_) {
    const Software known = driver->software();
    if (!software.driver) software.driver = known.driver;
    if (!software.cuda_driver) software.cuda_driver = known.cuda_driver;
  }
  return software;
}

bool LocalEnvironment::wants(RunsWhere when) const {
  switch (when) {
    case RunsWhere::kAlways:
      return true;
    case RunsWhere::kGpu:
      return has_gpu();
    case RunsWhere::kNoGpu:
      return !has_gpu();
    case RunsWhere::kAsked:
      return false;
  }
  return false;
}

std::vector<std::string> own_devices(const std::vector<Binary>& binaries,
                                     const LocalEnvironment& environment) {
  std::vector<std::string> keys;
  for (const auto& binary : binaries) {
    if (!environment.wants(binary.when)) continue;
    try {
      keys.push_back(device_key(environment.device_for(binary.device)));
    } catch (const Error&) {
      continue;
    }
  }
  return keys;
}

ConditionWatch::ConditionWatch(const LocalEnvironment& environment, std::optional<Device> device)
    : environment_(environment), device_(std::move(device)) {
  if (!device_) return;
  if (const auto reading = environment_.read(*device_)) throttled_before_s_ = reading->throttled_s;
}

void ConditionWatch::read() {
  if (!device_ || seconds_now() - last_read_s_ < 0.5) return;
  last_read_s_ = seconds_now();
  const auto reading = environment_.read(*device_);
  if (!reading) return;
  // Before the benchmark is on the GPU the clocks idle.
  if (reading->processes != 0) {
    widen(seen_.core_clock_mhz_min, reading->core_clock_mhz, false);
    widen(seen_.memory_clock_mhz, reading->memory_clock_mhz, false);
  }
  widen(seen_.core_clock_mhz_max, reading->core_clock_mhz, true);
  widen(seen_.temperature_c_max, reading->temperature_c, true);
  if (reading->throttled_s && throttled_before_s_)
    seen_.throttled_s = *reading->throttled_s - *throttled_before_s_;
  for (const auto& reason : reading->throttle_reasons)
    if (std::find(seen_.throttle_reasons.begin(), seen_.throttle_reasons.end(), reason) ==
        seen_.throttle_reasons.end())
      seen_.throttle_reasons.push_back(reason);
  // The benchmark itself is one of them.
  if (reading->processes)
    seen_.other_processes = std::max(seen_.other_processes.value_or(0), *reading->processes - 1);
}

void ConditionWatch::finish(const Device& of_results, Conditions& conditions) const {
  const bool stated =
      conditions.core_clock_mhz_min || conditions.temperature_c_max || conditions.other_processes;
  if (stated || !device_ || are_different(*device_, of_results)) return;
  const auto load = conditions.load_average;
  conditions = seen_;
  conditions.load_average = load;
}

}  // namespace tracker

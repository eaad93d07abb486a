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

// The boards that CUDA would see: all, or those that CUDA_VISIBLE_DEVICES names by UUID. (Its numbers
// count in CUDA's order, which NVML does not know.)
std::vector<std::string> visible_uuids(const Nvml& nvml) {
  const auto all = nvml.uuids();
  const char* wish = std::getenv("CUDA_VISIBLE_DEVICES");
  std::vector<std::string> visible;
  if (wish != nullptr)
    for (const auto& part : split(wish, ','))
      for (const auto& uuid : all)
        if (part.starts_with("GPU-") && uuid.starts_with(part)) visible.push_back(uuid);
  return visible.empty() ? all : visible;
}

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
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

LocalEnvironment::LocalEnvironment() : nvml_(Nvml::load(&why_no_gpu_)) {
  if (nvml_ != nullptr && nvml_->device_count() == 0) why_no_gpu_ = "the driver sees no GPU";
}

Device LocalEnvironment::device_for(RunsOn wish) const {
  if (wish == RunsOn::kCpu || (wish == RunsOn::kAuto && !has_gpu())) return cpu_device();
  if (!has_gpu()) throw Error(ExitCode::kEnvironment, "no NVIDIA GPU here: " + why_no_gpu_);
  std::optional<Device> chosen;
  std::set<std::string> keys;
  for (const auto& uuid : visible_uuids(*nvml_)) {
    auto device = nvml_->device(uuid);
    if (!device) continue;
    keys.insert(device_key(*device));
    if (chosen) device->uuid.reset();  // one of several alike: which one is not known
    chosen = device;
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
  if (nvml_ == nullptr) return software;
  software.driver = nvml_->driver_version();
  software.cuda_driver = nvml_->cuda_driver_version();
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

ConditionWatch::ConditionWatch(const Nvml* nvml, std::optional<std::string> uuid)
    : nvml_(uuid ? nvml : nullptr), uuid_(std::move(uuid)) {
  if (nvml_ == nullptr) return;
  if (const auto reading = nvml_->read(*uuid_)) throttled_before_s_ = reading->throttled_s;
}

void ConditionWatch::read() {
  if (nvml_ == nullptr || seconds_now() - last_read_s_ < 0.5) return;
  last_read_s_ = seconds_now();
  const auto reading = nvml_->read(*uuid_);
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

void ConditionWatch::finish(Conditions& conditions) const {
  const bool stated =
      conditions.core_clock_mhz_min || conditions.temperature_c_max || conditions.other_processes;
  if (stated || nvml_ == nullptr) return;
  const auto load = conditions.load_average;
  conditions = seen_;
  conditions.load_average = load;
}

}  // namespace tracker

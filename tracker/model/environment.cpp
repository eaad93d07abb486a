#include "tracker/model/environment.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "tracker/base/text.hpp"

namespace tracker {

namespace {

// Whether the key ends in what a CPU's threads are written as: "-2t".
bool ends_in_threads(std::string_view key) {
  if (!key.ends_with('t')) return false;
  const std::size_t dash = key.rfind('-');
  if (dash == std::string_view::npos || dash + 2 >= key.size()) return false;
  const auto digits = key.substr(dash + 1, key.size() - dash - 2);
  return std::all_of(digits.begin(), digits.end(), [](char c) { return '0' <= c && c <= '9'; });
}

// A person may write a whole key where a model is asked for: then it has this part.
void add_part(std::string& key, const std::string& part) {
  if (!key.ends_with(part) && key.find(part + "-") == std::string::npos) key += part;
}

}  // namespace

std::string short_uuid(const std::string& uuid) {
  constexpr std::size_t kPrefixAndFirstGroup = 12;
  return uuid.substr(0, kPrefixAndFirstGroup);
}

std::string device_key(const Device& device) {
  constexpr double kGib = 1024.0 * 1024.0 * 1024.0;
  std::string model = device.model;
  // "Intel(R) Xeon(R) …": the marks say nothing, and make poor file names.
  for (const char* mark : {"(R)", "(TM)", "(r)", "(tm)", " CPU"})
    for (std::size_t at = model.find(mark); at != std::string::npos; at = model.find(mark))
      model.erase(at, std::string(mark).size());
  if (device.kind == DeviceKind::kCpu) {
    std::string key = slug(model);
    if (!key.starts_with("cpu-")) key = "cpu-" + key;
    if (device.core_count && !ends_in_threads(key)) key += "-" + std::to_string(*device.core_count) + "t";
    return key;
  }
  std::string key = slug(model);
  if (device.memory_bytes)
    add_part(key,
             "-" + std::to_string(std::llround(static_cast<double>(*device.memory_bytes) / kGib)) + "gib");
  if (device.power_limit_w) add_part(key, "-" + std::to_string(std::llround(*device.power_limit_w)) + "w");
  if (device.mig_profile) add_part(key, "-mig-" + slug(*device.mig_profile));
  return key;
}

std::string machines_apart(const Host& base, const Host& candidate) {
  constexpr double kClockMargin = 0.1;
  std::vector<std::string> parts;
  const auto differ = [](const auto& a, const auto& b) { return a && b && *a != *b; };
  if (differ(base.cpu_count, candidate.cpu_count))
    parts.push_back(std::to_string(*base.cpu_count) + " CPUs → " + std::to_string(*candidate.cpu_count) +
                    " CPUs");
  if (differ(base.cpu, candidate.cpu)) parts.push_back("CPU " + *base.cpu + " → " + *candidate.cpu);
  if (differ(base.caches, candidate.caches))
    parts.push_back("caches " + *base.caches + " → " + *candidate.caches);
  const bool fixed = !base.cpu_scaling.value_or(false) && !candidate.cpu_scaling.value_or(false);
  if (fixed && base.cpu_mhz && candidate.cpu_mhz &&
      std::abs(*base.cpu_mhz - *candidate.cpu_mhz) >
          kClockMargin * std::max(*base.cpu_mhz, *candidate.cpu_mhz))
    parts.push_back("CPU clock " + format_plain(*base.cpu_mhz) + " → " + format_plain(*candidate.cpu_mhz) +
                    " MHz");
  return join(parts, ", ");
}

bool Conditions::disturbed() const {
  const bool throttled = std::any_of(throttle_reasons.begin(), throttle_reasons.end(),
                                     [](const std::string& reason) { return reason != "power_cap"; });
  return throttled || other_processes.value_or(0) > 0;
}

}  // namespace tracker

#include "bench/kit/context.hpp"

#include <array>
#include <charconv>
#include <optional>
#include <string_view>

#include <benchmark/benchmark.h>

#include "bench/build_info.hpp"
#include "tracker/protocol/context_keys.hpp"

namespace tracker::kit {
namespace {

namespace key = tracker::context_key;

std::string text_of(const std::string& value) {
  return value;
}
std::string text_of(bool value) {
  return value ? "true" : "false";
}
std::string text_of(int value) {
  return std::to_string(value);
}
std::string text_of(std::int64_t value) {
  return std::to_string(value);
}
std::string text_of(double value) {  // the shortest text that reads back as the same number
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  return {buffer.data(), end};
}

}  // namespace

Context context_of(const tracker::Device& device, const tracker::Software& software) {
  Context context;
  const auto add = [&](const char* name, const auto& value) {
    if (value) context.emplace_back(name, text_of(*value));
  };
  context.emplace_back(key::kDeviceKind, device.kind == tracker::DeviceKind::kGpu ? "gpu" : "cpu");
  context.emplace_back(key::kDeviceModel, device.model);
  add(key::kDeviceUuid, device.uuid);
  add(key::kDeviceComputeCapability, device.compute_capability);
  add(key::kDeviceMigProfile, device.mig_profile);
  add(key::kDeviceMemoryBytes, device.memory_bytes);
  add(key::kDeviceL2Bytes, device.l2_bytes);
  add(key::kDeviceCoreCount, device.core_count);
  add(key::kDeviceEcc, device.ecc);
  add(key::kDevicePowerLimit, device.power_limit_w);
  add(key::kDeviceMemoryClock, device.memory_clock_mhz);
  add(key::kDeviceCoreClock, device.core_clock_mhz);
  add(key::kDevicePeakBandwidth, device.peak_bytes_per_second);
  add(key::kDevicePeakFlops, device.peak_flops);
  add(key::kSoftwareDriver, software.driver);
  add(key::kSoftwareCudaDriver, software.cuda_driver);
  add(key::kSoftwareCudaRuntime, software.cuda_runtime);
  add(key::kSoftwareCublas, software.cublas);
  add(key::kSoftwareCompiler, software.compiler);
  add(key::kSoftwareFlags, software.flags);
  add(key::kSoftwareBuildType, software.build_type);
  return context;
}

void add_to_context(const Context& context) {
  for (const auto& [name, value] : context) benchmark::AddCustomContext(name, value);
}

tracker::Software built_software(bool with_cuda) {
  const auto both = [&](std::string_view host, std::string_view cuda) {
    std::string text(host);
    if (with_cuda && !cuda.empty()) text += "; " + std::string(cuda);
    return text;
  };
  tracker::Software software;
  software.compiler = both(kit::build_info::kHostCompiler, kit::build_info::kCudaCompiler);
  software.flags = both(kit::build_info::kHostFlags, kit::build_info::kCudaFlags);
  software.build_type = kit::build_info::kBuildType;
  return software;
}

}  // namespace tracker::kit

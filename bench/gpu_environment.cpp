#include "bench/gpu_environment.hpp"

#include <algorithm>
#include <array>
#include <string>

#include <cuda_runtime.h>

#include "bench/context.hpp"
#include "bench/cuda_error.hpp"
#include "tracker/base/error.hpp"
#include "tracker/devices/gpu_facts.hpp"

namespace bench {
namespace {

using tracker::Device;

constexpr int kDeviceIndex = 0;

[[noreturn]] void no_device(const std::string& why) {
  throw tracker::Error(tracker::ExitCode::kEnvironment, "no CUDA device: " + why,
                       "check with nvidia-smi that there is a GPU and a driver; cpu_bench needs neither");
}

void require_device() {
  int count = 0;
  const cudaError_t code = cudaGetDeviceCount(&count);
  if (code != cudaSuccess) no_device(cudaGetErrorString(code));
  if (count == 0) no_device("none is visible");
  if (const cudaError_t chosen = cudaSetDevice(kDeviceIndex); chosen != cudaSuccess)
    no_device(cudaGetErrorString(chosen));
}

// Empty where this device or driver does not tell (0).
std::optional<int> attribute(cudaDeviceAttr which) {
  int value = 0;
  if (cudaDeviceGetAttribute(&value, which, kDeviceIndex) != cudaSuccess || value <= 0) return {};
  return value;
}

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

// NVML knows the board by the UUID that CUDA gives, and a MIG slice by the slice's.
void add_facts_of_nvml(const tracker::Nvml& nvml, const std::array<unsigned char, 16>& uuid, Device& device) {
  for (const char* prefix : {"GPU-", "MIG-"}) {
    const auto facts = nvml.device(tracker::format_gpu_uuid(uuid, prefix));
    if (!facts) continue;
    device.uuid = facts->uuid;
    if (facts->memory_bytes) device.memory_bytes = facts->memory_bytes;
    if (facts->mig_profile) device.mig_profile = facts->mig_profile;
    device.power_limit_w = facts->power_limit_w;
    if (facts->ecc) device.ecc = facts->ecc;
    return;
  }
}

void add_peaks(const cudaDeviceProp& properties, Device& device) {
  if (const auto clock_khz = attribute(cudaDevAttrMemoryClockRate))
    device.memory_clock_mhz = *clock_khz / 1e3;
  if (const auto clock_khz = attribute(cudaDevAttrClockRate)) device.core_clock_mhz = *clock_khz / 1e3;
  const auto cores_per_sm = tracker::fp32_cores_per_sm(properties.major, properties.minor);
  if (device.core_clock_mhz && cores_per_sm)
    device.peak_flops =
        tracker::peak_flops(properties.multiProcessorCount * *cores_per_sm, *device.core_clock_mhz);
  // A slice has a part of the board's memory bus; which part, nobody tells.
  const auto bus_width_bits = attribute(cudaDevAttrGlobalMemoryBusWidth);
  if (device.memory_clock_mhz && bus_width_bits && !device.mig_profile)
    device.peak_bytes_per_second = tracker::peak_bytes_per_second(*device.memory_clock_mhz, *bus_width_bits);
}

}  // namespace

std::optional<double> peak_flops_of(const GpuEnvironment& environment, tracker::Arithmetic arithmetic) {
  const Device& device = environment.device;
  if (arithmetic == tracker::Arithmetic::kFp32) return device.peak_flops;
  const auto per_clock = tracker::tensor_flops_per_clock(arithmetic, environment.compute_capability / 10,
                                                         environment.compute_capability % 10);
  if (!per_clock || !device.core_count || !device.core_clock_mhz) return {};
  return tracker::peak_tensor_flops(static_cast<int>(*device.core_count), *per_clock, *device.core_clock_mhz);
}

GpuEnvironment read_gpu_environment(const tracker::Nvml* nvml) {
  require_device();
  cudaDeviceProp properties{};
  if (const cudaError_t code = cudaGetDeviceProperties(&properties, kDeviceIndex); code != cudaSuccess)
    no_device(cudaGetErrorString(code));

  GpuEnvironment environment;
  environment.compute_capability = properties.major * 10 + properties.minor;
  Device& device = environment.device;
  tracker::GpuName name = tracker::split_gpu_name(properties.name);
  device.kind = tracker::DeviceKind::kGpu;
  device.model = std::move(name.board);
  device.mig_profile = std::move(name.mig_profile);
  device.compute_capability = std::to_string(properties.major) + "." + std::to_string(properties.minor);
  device.memory_bytes = static_cast<std::int64_t>(properties.totalGlobalMem);
  device.l2_bytes = attribute(cudaDevAttrL2CacheSize);
  device.core_count = properties.multiProcessorCount;
  int ecc = 0;
  if (cudaDeviceGetAttribute(&ecc, cudaDevAttrEccEnabled, kDeviceIndex) == cudaSuccess) device.ecc = ecc != 0;
  std::array<unsigned char, 16> uuid{};
  std::copy_n(reinterpret_cast<const unsigned char*>(properties.uuid.bytes), uuid.size(), uuid.begin());
  device.uuid = tracker::format_gpu_uuid(uuid, device.mig_profile ? "MIG-" : "GPU-");
  if (nvml != nullptr) add_facts_of_nvml(*nvml, uuid, device);
  add_peaks(properties, device);

  tracker::Software& software = environment.software;
  software = built_software(true);
  if (nvml != nullptr) software.driver = nvml->driver_version();
  int version = 0;
  if (cudaDriverGetVersion(&version) == cudaSuccess && version > 0)
    software.cuda_driver = version_text(version);
  if (cudaRuntimeGetVersion(&version) == cudaSuccess) software.cuda_runtime = version_text(version);
  return environment;
}

}  // namespace bench

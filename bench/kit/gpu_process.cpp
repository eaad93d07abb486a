#include "bench/kit/gpu_process.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>

#include <cuda_runtime.h>

#include "bench/kit/command_line.hpp"
#include "bench/kit/context.hpp"
#include "bench/kit/cuda_error.hpp"
#include "bench/kit/device_kernels.hpp"
#include "tracker/base/error.hpp"
#include "tracker/base/file.hpp"
#include "tracker/devices/device_facts.hpp"

namespace tracker::kit {
namespace {

using tracker::Device;

constexpr int kDeviceIndex = 0;

[[noreturn]] void no_device(const std::string& why) {
  throw tracker::Error(tracker::ExitCode::kEnvironment, "no CUDA device: " + why,
                       "check with nvidia-smi that there is a GPU and a driver");
}

void require_device() {
  int count = 0;
  const cudaError_t code = cudaGetDeviceCount(&count);
  if (code != cudaSuccess) no_device(cudaGetErrorString(code));
  if (count == 0) no_device("none is visible");
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
void add_facts_of_nvml(const devices::Nvml& nvml, const std::array<unsigned char, 16>& uuid, Device& device) {
  for (const char* prefix : {"GPU-", "MIG-"}) {
    const auto facts = nvml.device(devices::format_gpu_uuid(uuid, prefix));
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
  const auto cores_per_sm = devices::fp32_cores_per_sm(properties.major, properties.minor);
  if (device.core_clock_mhz && cores_per_sm)
    device.peak_flops =
        devices::peak_flops(properties.multiProcessorCount * *cores_per_sm, *device.core_clock_mhz);
  // A slice has a part of the board's memory bus; which part, nobody tells.
  const auto bus_width_bits = attribute(cudaDevAttrGlobalMemoryBusWidth);
  if (device.memory_clock_mhz && bus_width_bits && !device.mig_profile)
    device.peak_bytes_per_second = devices::peak_bytes_per_second(*device.memory_clock_mhz, *bus_width_bits);
}

}  // namespace

std::optional<double> peak_flops_of(const GpuEnvironment& environment, devices::Arithmetic arithmetic) {
  const Device& device = environment.device;
  if (arithmetic == devices::Arithmetic::kFp32) return device.peak_flops;
  const auto per_clock = devices::tensor_flops_per_clock(arithmetic, environment.compute_capability / 10,
                                                         environment.compute_capability % 10);
  if (!per_clock || !device.core_count || !device.core_clock_mhz) return {};
  return devices::peak_tensor_flops(static_cast<int>(*device.core_count), *per_clock, *device.core_clock_mhz);
}

GpuEnvironment read_gpu_environment(const devices::Nvml* nvml) {
  require_device();
  cudaDeviceProp properties{};
  if (const cudaError_t code = cudaGetDeviceProperties(&properties, kDeviceIndex); code != cudaSuccess)
    no_device(cudaGetErrorString(code));

  GpuEnvironment environment;
  environment.compute_capability = properties.major * 10 + properties.minor;
  Device& device = environment.device;
  devices::GpuName name = devices::split_gpu_name(properties.name);
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
  device.uuid = devices::format_gpu_uuid(uuid, device.mig_profile ? "MIG-" : "GPU-");
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

namespace {

constexpr std::size_t kAlignmentBytes = 2u << 20;  // a large page: no two buffers share one

std::size_t aligned_bytes(const BufferSpec& spec) {
  return (bytes_of(spec) + kAlignmentBytes - 1) / kAlignmentBytes * kAlignmentBytes;
}

std::string mebibytes(std::size_t bytes) {
  return std::to_string((bytes + (1u << 20) - 1) >> 20) + " MiB";
}

std::string not_enough(const std::vector<BufferSpec>& specs, std::size_t total_bytes) {
  std::string text = "not enough GPU memory: " + mebibytes(total_bytes) + " needed (";
  for (const BufferSpec& spec : specs) {
    if (&spec != &specs.front()) text += ", ";
    text += spec.name + " " + mebibytes(aligned_bytes(spec));
  }
  text += ")";
  std::size_t free_bytes = 0;
  std::size_t device_bytes = 0;
  if (cudaMemGetInfo(&free_bytes, &device_bytes) == cudaSuccess)
    text += ", " + mebibytes(free_bytes) + " of " + mebibytes(device_bytes) + " free";
  return text;
}

}  // namespace

Arena::Arena(const std::vector<BufferSpec>& specs, Stream stream) {
  std::size_t total_bytes = 0;
  for (const BufferSpec& spec : specs) total_bytes += aligned_bytes(spec);
  const cudaError_t code = cudaMalloc(&memory_, total_bytes);
  if (code == cudaErrorMemoryAllocation) {
    cudaGetLastError();  // it is remembered otherwise, and the next launch would report it
    throw CudaError(not_enough(specs, total_bytes));
  }
  check(code, "allocating GPU memory");
  auto* next = static_cast<std::byte*>(memory_);
  std::uint32_t seed = 1;
  for (const BufferSpec& spec : specs) {
    buffers_.emplace_back(next, bytes_of(spec));
    if (spec.element == Element::kE4m3)
      fill_random_e4m3(reinterpret_cast<std::uint8_t*>(next), spec.elements, seed++, stream);
    else if (spec.element == Element::kBf16)
      fill_random_bf16(reinterpret_cast<std::uint16_t*>(next), spec.elements, seed++, stream);
    else
      fill_random(reinterpret_cast<float*>(next), spec.elements, seed++, stream);
    next += aligned_bytes(spec);
  }
  check(cudaStreamSynchronize(stream), "filling GPU memory");
}

std::span<float> Arena::buffer(std::size_t index) const {
  const std::span<std::byte> all = bytes(index);
  return {reinterpret_cast<float*>(all.data()), all.size() / sizeof(float)};
}

Arena::~Arena() {
  cudaFree(memory_);
}

namespace {

// In the order in which they were made.
std::vector<BufferSpec>& buffer_specs() {
  static std::vector<BufferSpec> specs;
  return specs;
}

constexpr std::size_t kPlaceBytes = 2u << 20;  // a large page

}  // namespace

void poison(std::span<std::byte> result, Stream stream) {
  constexpr int kAllOnes = 0xff;  // NaN in float32 and in bf16
  check(cudaMemsetAsync(result.data(), kAllOnes, result.size(), stream), "poisoning the result");
}

GpuSession::GpuSession(std::size_t flush_bytes, std::chrono::milliseconds wake_time)
    : flush_elements_(flush_bytes / sizeof(float)),
      wake_time_(is_left_out(Trick::kWake) ? std::chrono::milliseconds{0} : wake_time) {}

LaunchTimer& GpuSession::timer_on(Stream stream) {
  constexpr std::size_t kKeptMax = 4;
  constexpr std::int64_t kLaunches = 256;
  unsigned long long id = 0;
  check(cudaStreamGetId(stream, &id), "asking for the stream");
  for (const TimerOn& other : others_)
    if (other.stream_id == id) return *other.timer;
  if (others_.size() >= kKeptMax) others_.erase(others_.begin());
  others_.push_back({id, std::make_unique<LaunchTimer>(stream)});
  others_.back().timer->calibrate(flush_buffer(), kLaunches);
  return *others_.back().timer;
}

void GpuSession::prepare() {
  if (arena_ != nullptr) return;
  specs_ = buffer_specs();
  specs_.push_back({"L2 flush", flush_elements_});
  arena_ = std::make_unique<Arena>(specs_, timer_.stream());
  const auto end = std::chrono::steady_clock::now() + wake_time_;
  while (std::chrono::steady_clock::now() < end) {
    fill_random(flush_buffer().data(), flush_buffer().size(), 0, timer_.stream());
    check(cudaStreamSynchronize(timer_.stream()), "filling GPU memory");
  }
  timer_.calibrate(flush_buffer());
}

void* GpuSession::place_bytes(std::size_t index, std::size_t bytes) const {
  if (arena_ == nullptr || index + 1 >= specs_.size())
    throw CudaError("a tracker::Buffer was made, or asked for its place, outside of the benchmarks");
  const std::span<std::byte> all = arena_->bytes(index);
  const std::size_t slot = (bytes + kPlaceBytes - 1) / kPlaceBytes * kPlaceBytes;
  const std::size_t places = std::max<std::size_t>(1, all.size() / slot);
  return all.data() + static_cast<std::size_t>(is_left_out(Trick::kPlaces) ? 0 : turn_ % places) * slot;
}

namespace {

// Of work that raises the clocks: after who knows how long without any, and after the end of another context.
constexpr std::chrono::milliseconds kFirstWakeTime{100};
constexpr std::chrono::milliseconds kWakeTime{20};
constexpr std::size_t kFlushFactor = 3;  // of the L2 cache: nothing of what was in it stays
constexpr std::size_t kL2BytesUnknown = 128u << 20;
constexpr std::uintmax_t kExecutableBytesMax = std::uintmax_t{1} << 30;

// No two contexts of a process have the same. 0 where the driver does not tell (before 12.0).
std::uint64_t current_context_id() {
  int (*id_of)(void* context, unsigned long long* id) = nullptr;
  unsigned long long id = 0;
  static_cast<void>(cudaFree(nullptr));  // makes the device's context the current one
  if (!load_driver_function("cuCtxGetId", 12000, id_of) || id_of(nullptr, &id) != 0) return 0;
  return id;
}

// Nothing where it cannot be read: a benchmark without its code is still one.
std::string own_executable() {
  try {
    return tracker::read_file("/proc/self/exe", kExecutableBytesMax);
  } catch (const tracker::Error&) {
    return {};
  }
}

}  // namespace

GpuProcess::GpuProcess()
    : nvml_(devices::Nvml::load()),
      environment_(read_gpu_environment(nvml_.get())),
      session_(new_session(kFirstWakeTime)) {}

GpuProcess& GpuProcess::get() {
  // Never destroyed: at exit the CUDA runtime may be gone before it.
  static GpuProcess* const process = new GpuProcess;
  return *process;
}

std::unique_ptr<GpuSession> GpuProcess::new_session(std::chrono::milliseconds wake_time) {
  context_id_ = current_context_id();
  const auto l2_bytes = environment_.device.l2_bytes;
  return std::make_unique<GpuSession>(
      kFlushFactor * (l2_bytes ? static_cast<std::size_t>(*l2_bytes) : kL2BytesUnknown), wake_time);
}

GpuSession& GpuProcess::session() {
  if (session_ == nullptr) throw CudaError(why_no_session_);
  return *session_;
}

void GpuProcess::begin_context(const std::function<void()>& release) {
  if (release) release();
  session_.reset();
  // It may tell once more how a kernel failed in the context that ends.
  static_cast<void>(cudaDeviceReset());
  static_cast<void>(cudaGetLastError());
  ++contexts_ended_;
  try {
    session_ = new_session(kWakeTime);
  } catch (const CudaError& error) {
    why_no_session_ = error.what();
  }
}

void GpuProcess::follow_context() {
  if (session_ == nullptr || current_context_id() == context_id_) return;
  static_cast<void>(session_.release());  // its handles are of a context that is gone: CUDA may not see them
  ++contexts_ended_;
  session_ = new_session(kWakeTime);
}

const machine_code::MachineCode& GpuProcess::machine_code() {
  if (!machine_code_) machine_code_.emplace(own_executable());
  return *machine_code_;
}

std::optional<double> GpuProcess::read_energy_j() const {
  const auto& uuid = environment_.device.uuid;
  if (nvml_ == nullptr || !uuid) return {};
  return nvml_->energy_j(*uuid);
}

std::optional<devices::Reading> GpuProcess::read_conditions() const {
  const auto& uuid = environment_.device.uuid;
  if (nvml_ == nullptr || !uuid) return {};
  return nvml_->read(*uuid);
}

}  // namespace tracker::kit

namespace tracker {

std::size_t bytes_of(Element element) {
  return element == Element::kE4m3 ? 1 : element == Element::kBf16 ? 2 : sizeof(float);
}

std::size_t bytes_of(const BufferSpec& spec) {
  return spec.elements * bytes_of(spec.element);
}

Buffer::Buffer(BufferSpec spec) : index_(kit::buffer_specs().size()) {
  kit::buffer_specs().push_back(std::move(spec));
}

void* Buffer::place_bytes(std::size_t bytes) const {
  return kit::GpuProcess::get().session().place_bytes(index_, bytes);
}

int bench_detail::last_cuda_error() {
  return cudaGetLastError();
}

}  // namespace tracker

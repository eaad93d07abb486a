#include "bench/gpu_process.hpp"

#include <chrono>
#include <string>
#include <utility>

#include "bench/cuda_error.hpp"
#include "tracker/base/error.hpp"
#include "tracker/base/file.hpp"

namespace bench {
namespace {

// Of work that raises the clocks: after who knows how long without any, and after the end of another context.
constexpr std::chrono::milliseconds kFirstWakeTime{100};
constexpr std::chrono::milliseconds kWakeTime{20};
constexpr std::size_t kFlushFactor = 3;  // of the L2 cache: nothing of what was in it stays
constexpr std::size_t kL2BytesUnknown = 128u << 20;
constexpr std::uintmax_t kExecutableBytesMax = std::uintmax_t{1} << 30;

// Nothing where it cannot be read: a benchmark without its code is still one.
std::string own_executable() {
  try {
    return tracker::read_file("/proc/self/exe", kExecutableBytesMax);
  } catch (const tracker::Error&) {
    return {};
  }
}

}  // namespace

GpuProcess::GpuProcess(std::vector<BufferSpec> buffers)
    : nvml_(tracker::Nvml::load()),
      environment_(read_gpu_environment(nvml_.get())),
      buffers_(std::move(buffers)),
      session_(new_session(kFirstWakeTime)) {}

std::unique_ptr<GpuSession> GpuProcess::new_session(std::chrono::milliseconds wake_time) const {
  const auto l2_bytes = environment_.device.l2_bytes;
  return std::make_unique<GpuSession>(
      buffers_, kFlushFactor * (l2_bytes ? static_cast<std::size_t>(*l2_bytes) : kL2BytesUnknown), wake_time);
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

const tracker::MachineCode& GpuProcess::machine_code() {
  if (!machine_code_) machine_code_.emplace(own_executable());
  return *machine_code_;
}

std::optional<double> GpuProcess::read_energy_j() const {
  const auto& uuid = environment_.device.uuid;
  if (nvml_ == nullptr || !uuid) return {};
  return nvml_->energy_j(*uuid);
}

std::optional<tracker::DeviceReading> GpuProcess::read_conditions() const {
  const auto& uuid = environment_.device.uuid;
  if (nvml_ == nullptr || !uuid) return {};
  return nvml_->read(*uuid);
}

}  // namespace bench

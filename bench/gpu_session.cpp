#include "bench/gpu_session.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "bench/cuda_error.hpp"
#include "bench/fill.hpp"
#include "tracker/base/error.hpp"
#include "tracker/base/file.hpp"

namespace bench {
namespace {

constexpr std::size_t kFlushFactor = 3;  // of the L2 cache: nothing of what was in it stays
constexpr std::size_t kL2BytesUnknown = 128u << 20;
constexpr std::uintmax_t kExecutableBytesMax = std::uintmax_t{1} << 30;
constexpr std::chrono::milliseconds kWakeTime{100};
constexpr std::size_t kPlaceBytes = 2u << 20;  // a large page

// Nothing where it cannot be read: a benchmark without its code is still one.
std::string own_executable() {
  try {
    return tracker::read_file("/proc/self/exe", kExecutableBytesMax);
  } catch (const tracker::Error&) {
    return {};
  }
}

}  // namespace

GpuSession::GpuSession(std::vector<BufferSpec> buffers)
    : nvml_(tracker::Nvml::load()),
      environment_(read_gpu_environment(nvml_.get())),
      specs_(std::move(buffers)) {
  const auto l2_bytes = environment_.device.l2_bytes;
  const std::size_t flush_bytes =
      kFlushFactor * (l2_bytes ? static_cast<std::size_t>(*l2_bytes) : kL2BytesUnknown);
  specs_.push_back({"L2 flush", flush_bytes / sizeof(float)});
}

void GpuSession::prepare() {
  if (arena_ != nullptr) return;
  arena_ = std::make_unique<Arena>(specs_, timer_.stream());
  const auto end = std::chrono::steady_clock::now() + kWakeTime;
  while (std::chrono::steady_clock::now() < end) {
    fill_random(flush_buffer().data(), flush_buffer().size(), 0, timer_.stream());
    check(cudaStreamSynchronize(timer_.stream()), "filling GPU memory");
  }
  timer_.calibrate(flush_buffer());
}

void* GpuSession::place_bytes(std::size_t index, std::size_t bytes, std::uint64_t turn) const {
  const std::span<std::byte> all = arena_->bytes(index);
  const std::size_t slot = (bytes + kPlaceBytes - 1) / kPlaceBytes * kPlaceBytes;
  const std::size_t places = std::max<std::size_t>(1, all.size() / slot);
  return all.data() + static_cast<std::size_t>(turn % places) * slot;
}

const tracker::MachineCode& GpuSession::machine_code() {
  if (!machine_code_) machine_code_.emplace(own_executable());
  return *machine_code_;
}

std::optional<double> GpuSession::read_energy_j() const {
  const auto& uuid = environment_.device.uuid;
  if (nvml_ == nullptr || !uuid) return {};
  return nvml_->energy_j(*uuid);
}

std::optional<tracker::DeviceReading> GpuSession::read_conditions() const {
  const auto& uuid = environment_.device.uuid;
  if (nvml_ == nullptr || !uuid) return {};
  return nvml_->read(*uuid);
}

}  // namespace bench

#include "bench/gpu_session.hpp"

#include <algorithm>
#include <utility>

#include "bench/cuda_error.hpp"
#include "bench/fill.hpp"

namespace bench {
namespace {

constexpr std::size_t kPlaceBytes = 2u << 20;  // a large page

}  // namespace

GpuSession::GpuSession(std::vector<BufferSpec> buffers, std::size_t flush_bytes,
                       std::chrono::milliseconds wake_time)
    : specs_(std::move(buffers)), wake_time_(wake_time) {
  specs_.push_back({"L2 flush", flush_bytes / sizeof(float)});
}

void GpuSession::prepare() {
  if (arena_ != nullptr) return;
  arena_ = std::make_unique<Arena>(specs_, timer_.stream());
  const auto end = std::chrono::steady_clock::now() + wake_time_;
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

}  // namespace bench

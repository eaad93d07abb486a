#include "bench/launch_timer.hpp"

#include "bench/cuda_error.hpp"
#include "bench/fill.hpp"

namespace bench {
namespace {

constexpr std::uint32_t kFlushSeed = 0x5eed;
// Far longer than the host takes to enqueue, far shorter than anyone's patience.
constexpr std::chrono::seconds kGateTimeout{1};
constexpr int kAttemptsMax = 3;
// A stream takes about a thousand launches before the host has to wait for the device: while it is held
// back, it gets fewer.
constexpr std::int64_t kHeldLaunchesMax = 128;

// Opens the gate whatever happens in between: a closed one would hold the stream.
class HeldStream {
 public:
  HeldStream(Gate& gate, kernels::Stream stream, bool active) : gate_(gate) {
    if (active) gate_.close(stream, kGateTimeout);
  }
  ~HeldStream() { gate_.open(); }
  HeldStream(const HeldStream&) = delete;
  HeldStream& operator=(const HeldStream&) = delete;

  void release() { gate_.open(); }

 private:
  Gate& gate_;
};

void launch_once(const Launch& launch, kernels::Stream stream) {
  check(static_cast<cudaError_t>(launch(stream)), "launching the kernel");
}

}  // namespace

LaunchTimer::LaunchTimer() {
  check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "creating a stream");
  check(cudaEventCreate(&start_), "creating an event");
  check(cudaEventCreate(&stop_), "creating an event");
  holds_back_ = gate_works(gate_, stream_);
}

LaunchTimer::~LaunchTimer() {
  if (stop_ != nullptr) cudaEventDestroy(stop_);
  if (start_ != nullptr) cudaEventDestroy(start_);
  if (stream_ != nullptr) cudaStreamDestroy(stream_);
}

void LaunchTimer::warm_up(const Launch& launch, std::int64_t launches) {
  for (std::int64_t i = 0; i < launches; ++i) launch_once(launch, stream_);
  check(cudaStreamSynchronize(stream_), "running the kernel");
}

double LaunchTimer::cold_s(const Launch& launch, std::span<float> flush) {
  return elapsed_s(launch, 1, flush);
}

double LaunchTimer::hot_s(const Launch& launch, std::int64_t launches) {
  return elapsed_s(launch, launches, {}) / static_cast<double>(launches);
}

double LaunchTimer::elapsed_s(const Launch& launch, std::int64_t launches, std::span<float> flush) {
  for (int attempt = 0; attempt < kAttemptsMax; ++attempt) {
    {
      HeldStream held(gate_, stream_, holds_back_);
      fill_random(flush.data(), flush.size(), kFlushSeed, stream_);
      check(cudaEventRecord(start_, stream_), "recording an event");
      for (std::int64_t i = 0; i < launches; ++i) {
        if (i == kHeldLaunchesMax) held.release();
        launch_once(launch, stream_);
      }
      check(cudaEventRecord(stop_, stream_), "recording an event");
    }
    check(cudaStreamSynchronize(stream_), "running the kernel");
    if (holds_back_ && gate_.gave_up()) continue;  // the host was late: its time may be in this one
    float elapsed_ms = 0;
    check(cudaEventElapsedTime(&elapsed_ms, start_, stop_), "reading the events");
    return static_cast<double>(elapsed_ms) * 1e-3;
  }
  throw CudaError(
      "the stream could not be held back: the launch waits for the device, or the host is too busy");
}

}  // namespace bench

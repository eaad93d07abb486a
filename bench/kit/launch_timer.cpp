#include "bench/kit/launch_timer.hpp"

#include <algorithm>
#include <numeric>
#include <thread>
#include <vector>

#include "bench/kit/command_line.hpp"
#include "bench/kit/cuda_error.hpp"
#include "bench/kit/device_kernels.hpp"

namespace tracker::kit {
namespace {

constexpr std::uint32_t kFlushSeed = 0x5eed;
// Far longer than the host takes to enqueue, far shorter than anyone's patience.
constexpr std::chrono::seconds kGateTimeout{1};
constexpr int kAttemptsMax = 3;
// So that what one of them adds averages out.
constexpr std::size_t kStreams = 4;
constexpr std::size_t kEventsPerStream = 4;
// A stream takes about a thousand launches before the host has to wait for the device: while it is held
// back, it gets fewer.
constexpr std::int64_t kHeldLaunchesMax = 128;

// Opens the gate whatever happens in between: a closed one would hold the stream.
class HeldStream {
 public:
  HeldStream(Gate& gate, Stream stream, bool active) : gate_(gate) {
    if (active) gate_.close(stream, kGateTimeout);
  }
  ~HeldStream() { gate_.open(); }
  HeldStream(const HeldStream&) = delete;
  HeldStream& operator=(const HeldStream&) = delete;

  void release() { gate_.open(); }

 private:
  Gate& gate_;
};

void launch_once(const Launch& launch, Stream stream) {
  check(static_cast<cudaError_t>(launch(stream)), "launching the kernel");
}

}  // namespace

LaunchTimer::LaunchTimer(std::optional<Stream> given)
    : owns_streams_(!given), streams_(given ? 1 : kStreams), lanes_(kStreams * kEventsPerStream) {
  if (given) streams_.front() = *given;
  if (owns_streams_)
    for (auto& stream : streams_)
      check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "creating a stream");
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    lanes_[i].stream = streams_[i % streams_.size()];
    check(cudaEventCreate(&lanes_[i].start), "creating an event");
    check(cudaEventCreate(&lanes_[i].stop), "creating an event");
  }
  clock_ = std::make_unique<SmClock>(stream());
  holds_back_ = !is_left_out(Trick::kGate) && gate_works(gate_, stream());
}

LaunchTimer::~LaunchTimer() {
  for (const auto& lane : lanes_) {
    if (lane.stop != nullptr) cudaEventDestroy(lane.stop);
    if (lane.start != nullptr) cudaEventDestroy(lane.start);
  }
  for (const auto stream : streams_)
    if (owns_streams_ && stream != nullptr) cudaStreamDestroy(stream);
}

// With fewer launches than lanes they would not take equal turns.
std::size_t LaunchTimer::lanes_for(std::int64_t launches) const {
  const bool turns = launches >= static_cast<std::int64_t>(lanes_.size()) && !is_left_out(Trick::kTurns);
  return turns ? lanes_.size() : 1;
}

void LaunchTimer::warm_up(const Launch& launch, std::int64_t times, std::int64_t timed_launches) {
  const std::size_t streams = lanes_for(timed_launches) == 1 ? 1 : streams_.size();
  for (std::size_t s = 0; s < streams; ++s) {
    for (std::int64_t i = 0; i < times; ++i) {
      launch.prepare(streams_[s]);
      launch_once(launch, streams_[s]);
    }
    check(cudaStreamSynchronize(streams_[s]), "running the kernel");
  }
  last_work_ = std::chrono::steady_clock::now();
  rested_ = {};
}

void LaunchTimer::idle(std::chrono::microseconds time) const {
  std::this_thread::sleep_until(last_work_ + time - rested_);
}

// Some at once, so that the device is not idle while the host comes back.
void LaunchTimer::lead(std::span<float> flush, std::chrono::microseconds time) {
  constexpr int kFillsAtOnce = 8;
  const auto start = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - start < time) {
    for (int i = 0; i < kFillsAtOnce; ++i) fill_random(flush.data(), flush.size(), kFlushSeed, stream());
    check(cudaStreamSynchronize(stream()), "raising the clock");
  }
  last_work_ = std::chrono::steady_clock::now();
  rested_ = {};
}

Burst LaunchTimer::cold_burst(const Launch& launch, const ColdBurst& wanted, std::span<float> flush) {
  const std::size_t lanes = lanes_for(wanted.repetition);
  const auto start = std::chrono::steady_clock::now();
  Burst taken;
  while (taken.launches < wanted.launches) {
    const auto lane = static_cast<std::size_t>(wanted.first + taken.launches) % lanes;
    taken.sum_s += with_nominal_overhead(
        launch, elapsed_s(lanes_[lane], launch, 1, is_left_out(Trick::kFlush) ? std::span<float>() : flush));
    ++taken.launches;
    if (burst_is_over(taken.sum_s, taken.launches, wanted.launches - taken.launches, wanted.burst)) break;
  }
  const std::chrono::duration<double> worked(taken.sum_s);
  rested_ = last_work_ - start - std::chrono::duration_cast<std::chrono::steady_clock::duration>(worked);
  taken.clock_mhz = clock_->take_mhz();
  return taken;
}

Burst LaunchTimer::hot_burst(const Launch& launch, std::int64_t launches) {
  rested_ = {};
  const double sum_s = with_nominal_overhead(launch, elapsed_s(lanes_.front(), launch, launches, {}));
  return {.sum_s = sum_s, .launches = launches, .clock_mhz = clock_->take_mhz()};
}

LaunchTimer::Sustained LaunchTimer::sustained(const Launch& launch, const ReadEnergy& read_energy_j) {
  constexpr std::chrono::milliseconds kLoadTime{500};
  constexpr std::chrono::milliseconds kTime{1000};
  constexpr double kBatchS = 0.005;
  constexpr std::int64_t kBatchMax = 128;
  const double launch_s = hot_burst(launch, 1).sum_s;
  const auto batch = std::clamp(static_cast<std::int64_t>(kBatchS / launch_s), std::int64_t{1}, kBatchMax);
  std::vector<CUevent_st*> ends;  // of batches on the first stream: the host stays ahead by so many
  for (std::size_t i = 0; i < lanes_.size(); i += streams_.size()) ends.push_back(lanes_[i].stop);
  std::size_t batches = 0;
  const auto run = [&](std::chrono::milliseconds time) {
    const auto until = std::chrono::steady_clock::now() + time;
    const std::size_t first = batches;
    while (std::chrono::steady_clock::now() < until) {
      CUevent_st* const end = ends[batches % ends.size()];
      if (batches >= ends.size()) check(cudaEventSynchronize(end), "running the kernel");
      for (std::int64_t i = 0; i < batch; ++i) launch_once(launch, stream());
      check(cudaEventRecord(end, stream()), "recording an event");
      ++batches;
    }
    return static_cast<std::int64_t>(batches - first) * batch;
  };
  run(kLoadTime);
  const Lane& whole = lanes_[1];  // its events are free
  Sustained taken;
  {
    EnergyWatch watch(read_energy_j);
    clock_->start(stream());
    check(cudaEventRecord(whole.start, stream()), "recording an event");
    taken.burst.launches = run(kTime);
    check(cudaEventRecord(whole.stop, stream()), "recording an event");
    clock_->stop(stream());
    check(cudaStreamSynchronize(stream()), "running the kernel");
    taken.power_w = watch.mean_power_w();
  }
  last_work_ = std::chrono::steady_clock::now();
  float elapsed_ms = 0;
  check(cudaEventElapsedTime(&elapsed_ms, whole.start, whole.stop), "reading the events");
  taken.burst.sum_s = static_cast<double>(elapsed_ms) * 1e-3;
  taken.burst.clock_mhz = clock_->take_mhz();
  return taken;
}

// One launch scatters by 0.3 µs: so many tell the mean to 0.01 µs. The outer quarters stay out, as a
// launch that something held up says nothing of the others.
void LaunchTimer::calibrate(std::span<float> flush, std::int64_t launches) {
  if (!holds_back_ || is_left_out(Trick::kOverhead)) return;
  const Launch launch = [](Stream stream) { return launch_empty(stream); };
  warm_up(launch, 3, launches);
  std::vector<double> times_s;
  const std::size_t lanes = lanes_for(launches);
  for (std::size_t i = 0; i < static_cast<std::size_t>(launches); ++i)
    times_s.push_back(elapsed_s(lanes_[i % lanes], launch, 1, flush));
  static_cast<void>(clock_->take_mhz());  // of what comes next, not of this
  std::sort(times_s.begin(), times_s.end());
  const std::ptrdiff_t quarter = launches / 4;
  overhead_s_ = std::accumulate(times_s.begin() + quarter, times_s.end() - quarter, 0.0) /
                static_cast<double>(launches - 2 * quarter);
}

double LaunchTimer::with_nominal_overhead(const Launch& launch, double elapsed_s) const {
  return overhead_s_ && !launch.waits()
             ? elapsed_s - *overhead_s_ + std::chrono::duration<double>(kNominalOverhead).count()
             : elapsed_s;
}

double LaunchTimer::elapsed_s(const Lane& lane, const Launch& launch, std::int64_t launches,
                              std::span<float> flush) {
  const bool holds_back = holds_back_ && !launch.waits();
  for (int attempt = 0; attempt < kAttemptsMax; ++attempt) {
    launch.prepare(lane.stream);
    {
      HeldStream held(gate_, lane.stream, holds_back);
      clock_->start(lane.stream);
      fill_random(flush.data(), flush.size(), kFlushSeed, lane.stream);
      check(cudaEventRecord(lane.start, lane.stream), "recording an event");
      for (std::int64_t i = 0; i < launches; ++i) {
        if (i == kHeldLaunchesMax) held.release();
        launch_once(launch, lane.stream);
      }
      check(cudaEventRecord(lane.stop, lane.stream), "recording an event");
      clock_->stop(lane.stream);
    }
    check(cudaStreamSynchronize(lane.stream), "running the kernel");
    last_work_ = std::chrono::steady_clock::now();
    if (holds_back && gate_.gave_up()) continue;  // the host was late: its time may be in this one
    float elapsed_ms = 0;
    check(cudaEventElapsedTime(&elapsed_ms, lane.start, lane.stop), "reading the events");
    return static_cast<double>(elapsed_ms) * 1e-3;
  }
  throw NotHeldBack(
      "the stream could not be held back: the launch waits for the device, or the host is too busy");
}

}  // namespace tracker::kit

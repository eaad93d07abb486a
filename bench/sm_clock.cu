#include <vector>

#include "bench/cuda_error.hpp"
#include "bench/sm_clock.hpp"

namespace bench {

struct SmReading {
  unsigned long long ticket;  // of the span that is open here; 0: none
  std::uint64_t start_cycles;
  std::uint64_t start_ns;
  std::uint64_t cycles;  // of all spans that ended
  std::uint64_t time_ns;
};

namespace {

constexpr std::size_t kMultiprocessorsMax = 1024;
constexpr unsigned kThreads = 32;

__device__ std::uint64_t device_time_ns() {
  std::uint64_t time_ns;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time_ns));
  return time_ns;
}

__device__ std::uint64_t device_cycles() {
  std::uint64_t cycles;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(cycles));
  return cycles;
}

__device__ unsigned multiprocessor() {
  unsigned index;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(index));
  return index;
}

// As many blocks as multiprocessors: on an idle device each has one. Where one has two, the first one's
// reading counts.
__global__ void sm_clock_start(SmReading* readings, unsigned long long ticket) {
  const unsigned index = multiprocessor();
  if (threadIdx.x != 0 || index >= kMultiprocessorsMax) return;
  SmReading& reading = readings[index];
  if (atomicExch(&reading.ticket, ticket) == ticket) return;
  reading.start_cycles = device_cycles();
  reading.start_ns = device_time_ns();
}

__global__ void sm_clock_stop(SmReading* readings, unsigned long long ticket) {
  const unsigned index = multiprocessor();
  if (threadIdx.x != 0 || index >= kMultiprocessorsMax) return;
  SmReading& reading = readings[index];
  if (atomicExch(&reading.ticket, 0ull) != ticket) return;
  reading.cycles += device_cycles() - reading.start_cycles;
  reading.time_ns += device_time_ns() - reading.start_ns;
}

}  // namespace

SmClock::SmClock(kernels::Stream stream) {
  int device = 0;
  int multiprocessors = 0;
  check(cudaGetDevice(&device), "asking for the device");
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
        "counting multiprocessors");
  blocks_ = static_cast<unsigned>(multiprocessors);
  void* memory = nullptr;
  check(cudaMalloc(&memory, kMultiprocessorsMax * sizeof(SmReading)), "allocating GPU memory");
  readings_ = static_cast<SmReading*>(memory);
  const auto load = [&] {
    check(cudaMemset(readings_, 0, kMultiprocessorsMax * sizeof(SmReading)), "clearing GPU memory");
    check(cudaDeviceSynchronize(), "clearing GPU memory");
    start(stream);
    stop(stream);
    check(cudaStreamSynchronize(stream), "reading the multiprocessors' clocks");
    static_cast<void>(take_mhz());
  };
  try {
    load();
  } catch (...) {
    cudaFree(readings_);
    throw;
  }
}

SmClock::~SmClock() {
  cudaFree(readings_);
}

void SmClock::start(kernels::Stream stream) {
  ++ticket_;
  sm_clock_start<<<blocks_, kThreads, 0, stream>>>(readings_, ticket_);
  check(cudaGetLastError(), "reading the multiprocessors' clocks");
}

void SmClock::stop(kernels::Stream stream) {
  sm_clock_stop<<<blocks_, kThreads, 0, stream>>>(readings_, ticket_);
  check(cudaGetLastError(), "reading the multiprocessors' clocks");
}

std::optional<double> SmClock::take_mhz() {
  std::vector<SmReading> readings(kMultiprocessorsMax);
  check(cudaMemcpy(readings.data(), readings_, readings.size() * sizeof(SmReading), cudaMemcpyDeviceToHost),
        "reading the multiprocessors' clocks");
  std::uint64_t cycles = 0;
  std::uint64_t time_ns = 0;
  for (const SmReading& reading : readings) {
    cycles += reading.cycles;
    time_ns += reading.time_ns;
  }
  const double span_cycles = static_cast<double>(cycles - cycles_);
  const double span_ns = static_cast<double>(time_ns - time_ns_);
  cycles_ = cycles;
  time_ns_ = time_ns;
  if (span_cycles <= 0 || span_ns <= 0) return {};
  return span_cycles / span_ns * 1e3;
}

}  // namespace bench

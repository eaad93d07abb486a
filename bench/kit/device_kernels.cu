#include <algorithm>
#include <atomic>
#include <new>
#include <vector>

#include <cuda_fp8.h>

#include "bench/kit/cuda_error.hpp"
#include "bench/kit/device_kernels.hpp"

namespace tracker::kit {
namespace {

// MurmurHash3's finaliser: every bit of the index reaches every bit of the result.
__device__ std::uint32_t mixed(std::uint32_t bits) {
  bits ^= bits >> 16;
  bits *= 0x85ebca6bu;
  bits ^= bits >> 13;
  bits *= 0xc2b2ae35u;
  bits ^= bits >> 16;
  return bits;
}

__device__ float random_float(std::size_t place, std::uint32_t seed) {
  const auto low = static_cast<std::uint32_t>(place);
  const auto high = static_cast<std::uint32_t>(static_cast<std::uint64_t>(place) >> 32);
  const std::uint32_t bits = mixed(low ^ mixed(high ^ mixed(seed)));
  return static_cast<float>(bits >> 8) * (2.0f / 16777216.0f) - 1.0f;
}

__device__ void store(float* place, float value) {
  *place = value;
}
// Cut off, not rounded: so it stays below 1.
__device__ void store(std::uint16_t* place, float value) {
  *place = static_cast<std::uint16_t>(__float_as_uint(value) >> 16);
}
__device__ void store(std::uint8_t* place, float value) {
  *place = __nv_cvt_float_to_fp8(value, __NV_SATFINITE, __NV_E4M3);
}

template <typename Stored>
__global__ void fill_kernel(Stored* data, std::size_t count, std::uint32_t seed) {
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += stride)
    store(data + i, random_float(i, seed));
}

template <typename Stored>
void fill(Stored* data, std::size_t count, std::uint32_t seed, Stream stream) {
  constexpr std::size_t kThreads = 256;
  constexpr std::size_t kBlocksMax = 4096;
  if (count == 0) return;
  const auto blocks = static_cast<unsigned>(std::min((count + kThreads - 1) / kThreads, kBlocksMax));
  fill_kernel<<<blocks, kThreads, 0, stream>>>(data, count, seed);
  check(cudaGetLastError(), "filling a buffer with random data");
}

__global__ void empty_kernel() {}

}  // namespace

int launch_empty(Stream stream) {
  empty_kernel<<<1, 32, 0, stream>>>();
  return cudaGetLastError();
}

void fill_random(float* data, std::size_t count, std::uint32_t seed, Stream stream) {
  fill(data, count, seed, stream);
}

void fill_random_bf16(std::uint16_t* data, std::size_t count, std::uint32_t seed, Stream stream) {
  fill(data, count, seed, stream);
}

void fill_random_e4m3(std::uint8_t* data, std::size_t count, std::uint32_t seed, Stream stream) {
  fill(data, count, seed, stream);
}

// Tickets only grow: a late kernel can never mistake the flag of another wait for its own.
struct Gate::Flags {
  std::uint64_t opened;   // written by the host: every wait up to this ticket may end
  std::uint64_t gave_up;  // written by the device: the last ticket that ended by time-out
};

namespace {

__device__ std::uint64_t device_time_ns() {
  std::uint64_t time_ns;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time_ns));
  return time_ns;
}

__global__ void wait_at_gate(const volatile std::uint64_t* opened, volatile std::uint64_t* gave_up,
                             std::uint64_t ticket, std::uint64_t timeout_ns) {
  const std::uint64_t start_ns = device_time_ns();
  while (*opened < ticket) {
    if (device_time_ns() - start_ns < timeout_ns) continue;
    *gave_up = ticket;
    __threadfence_system();
    return;
  }
}

}  // namespace

Gate::Gate() {
  void* memory = nullptr;
  check(cudaHostAlloc(&memory, sizeof(Flags), cudaHostAllocMapped), "allocating page-locked host memory");
  host_ = new (memory) Flags{0, 0};
  void* mapped = nullptr;
  const cudaError_t code = cudaHostGetDevicePointer(&mapped, memory, 0);
  if (code != cudaSuccess) cudaFreeHost(memory);
  check(code, "mapping host memory for the device");
  device_ = static_cast<Flags*>(mapped);
}

Gate::~Gate() {
  open();
  cudaFreeHost(host_);  // waits for the device
}

void Gate::close(Stream stream, std::chrono::nanoseconds timeout) {
  ++ticket_;
  wait_at_gate<<<1, 1, 0, stream>>>(&device_->opened, &device_->gave_up, ticket_,
                                    static_cast<std::uint64_t>(timeout.count()));
  check(cudaGetLastError(), "holding the stream back");
}

void Gate::open() noexcept {
  std::atomic_ref<std::uint64_t>(host_->opened).store(ticket_, std::memory_order_release);
}

bool Gate::gave_up() const {
  return ticket_ != 0 &&
         std::atomic_ref<std::uint64_t>(host_->gave_up).load(std::memory_order_acquire) == ticket_;
}

bool gate_works(Gate& gate, Stream stream) {
  constexpr std::chrono::milliseconds kTimeout{200};
  constexpr int kAttempts = 2;  // a host that was busy elsewhere for so long proves nothing
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    gate.close(stream, kTimeout);
    gate.open();
    check(cudaStreamSynchronize(stream), "waiting for the stream");
    if (!gate.gave_up()) return true;
  }
  return false;
}

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

SmClock::SmClock(Stream stream) {
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

void SmClock::start(Stream stream) {
  ++ticket_;
  sm_clock_start<<<blocks_, kThreads, 0, stream>>>(readings_, ticket_);
  check(cudaGetLastError(), "reading the multiprocessors' clocks");
}

void SmClock::stop(Stream stream) {
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

}  // namespace tracker::kit

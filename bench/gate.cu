#include <atomic>
#include <new>

#include "bench/cuda_error.hpp"
#include "bench/gate.hpp"

namespace bench {

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

void Gate::close(kernels::Stream stream, std::chrono::nanoseconds timeout) {
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

bool gate_works(Gate& gate, kernels::Stream stream) {
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

}  // namespace bench

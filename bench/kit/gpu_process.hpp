// One process of GPU benchmarks: its device, its memory, and the CUDA context that it measures in.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bench/kit/launch_timer.hpp"
#include "tracker/bench.hpp"
#include "tracker/devices/device_facts.hpp"
#include "tracker/devices/nvml.hpp"
#include "tracker/machine_code/machine_code.hpp"
#include "tracker/model/run.hpp"

namespace tracker::kit {

// Device and software of a GPU benchmark: what the CUDA runtime tells, and what only NVML knows.

struct GpuEnvironment {
  tracker::Device device;
  tracker::Software software;
  int compute_capability = 0;  // major * 10 + minor
};

// Of CUDA device 0 (CUDA_VISIBLE_DEVICES chooses); makes no context. `nvml` may be null. Throws
// tracker::Error where there is no usable device.
GpuEnvironment read_gpu_environment(const devices::Nvml* nvml);

// FLOP/s at the device's core clock, theoretical; empty where not known.
std::optional<double> peak_flops_of(const GpuEnvironment& environment, devices::Arithmetic arithmetic);

// All device memory of a benchmark process: allocated once and whole, so that every benchmark finds its data
// at the same addresses whichever others run beside it.

class Arena {
 public:
  // Allocates and fills every buffer with random values of its type. Throws CudaError; where memory does not
  // suffice, it names what is needed and what is there.
  Arena(const std::vector<BufferSpec>& specs, Stream stream);
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // In the order of the specs.
  std::span<std::byte> bytes(std::size_t index) const { return buffers_.at(index); }
  // Of floats.
  std::span<float> buffer(std::size_t index) const;

 private:
  void* memory_ = nullptr;
  std::vector<std::span<std::byte>> buffers_;
};

// Enqueues overwriting a result with NaN: what a launch does not write is then seen.
void poison(std::span<std::byte> result, Stream stream);

// What the benchmarks of one CUDA context share: the timer and the memory.

class GpuSession {
 public:
  // prepare() works for `wake_time`. Throws CudaError.
  GpuSession(std::size_t flush_bytes, std::chrono::milliseconds wake_time);

  LaunchTimer& timer() { return timer_; }
  // Of launches on a stream that is not the kit's; calibrated there. A few of them are kept.
  LaunchTimer& timer_on(Stream stream);

  // At its first call: allocates and fills the memory of all buffers, works for a moment so that no benchmark
  // is the one that finds the clocks low, and calibrates the timer. Throws CudaError, each time, where memory
  // does not suffice.
  void prepare();
  std::span<float> buffer(std::size_t index) const { return arena_->buffer(index); }
  // What Buffer::place_bytes() gives until the next turn. Throws CudaError before prepare(), and for a buffer
  // made after it.
  void* place_bytes(std::size_t index, std::size_t bytes) const;
  void take_turn(std::uint64_t turn) { turn_ = turn; }
  std::span<float> flush_buffer() const { return arena_->buffer(specs_.size() - 1); }

 private:
  struct TimerOn {
    unsigned long long stream_id = 0;
    std::unique_ptr<LaunchTimer> timer;
  };

  LaunchTimer timer_;
  std::vector<TimerOn> others_;  // the newest one last
  std::vector<BufferSpec> specs_;
  std::uint64_t turn_ = 0;
  std::size_t flush_elements_ = 0;
  std::chrono::milliseconds wake_time_;
  std::unique_ptr<Arena> arena_;
};

// One process of GPU benchmarks: its device, and the CUDA context that it measures in.

class GpuProcess {
 public:
  // Throws tracker::Error where there is no usable device, CudaError for anything else.
  GpuProcess();
  // The one of this process, made when it is first asked for.
  static GpuProcess& get();

  const GpuEnvironment& environment() const { return environment_; }

  // Of the current context. prepare() comes before anything that needs memory. Throws CudaError where the
  // context could not be begun.
  GpuSession& session();
  // How many contexts there were before this one.
  int contexts_ended() const { return contexts_ended_; }

  // Ends the context with all that is in it, after `release` gave back what others keep there, and begins a
  // new one. Also after a kernel that failed, with which the old one was of no more use.
  void begin_context(const std::function<void()>& release);

  // Begins anew where the program itself ended the context, by cudaDeviceReset(): all that the kit had there
  // is gone. To be called before anything is measured for a suite of others.
  void follow_context();

  // Of this process' executable, read when it is first asked for.
  const machine_code::MachineCode& machine_code();

  // What the whole board has used since its driver was loaded; empty without NVML, or where it has no such
  // counter.
  std::optional<double> read_energy_j() const;

  // Empty without NVML.
  std::optional<devices::Reading> read_conditions() const;

 private:
  std::unique_ptr<GpuSession> new_session(std::chrono::milliseconds wake_time);

  std::unique_ptr<devices::Nvml> nvml_;
  GpuEnvironment environment_;
  std::unique_ptr<GpuSession> session_;
  std::uint64_t context_id_ = 0;  // that the session is in
  std::string why_no_session_;
  int contexts_ended_ = 0;
  std::optional<machine_code::MachineCode> machine_code_;
};

}  // namespace tracker::kit

// One process of GPU benchmarks: its device, and the CUDA context that it measures in.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/arena.hpp"
#include "bench/gpu_environment.hpp"
#include "bench/gpu_session.hpp"
#include "tracker/devices/nvml.hpp"
#include "tracker/machine_code/machine_code.hpp"

namespace bench {

class GpuProcess {
 public:
  // `buffers` are the family's matrices at their largest. Throws tracker::Error where there is no usable
  // device, CudaError for anything else.
  explicit GpuProcess(std::vector<BufferSpec> buffers);

  const GpuEnvironment& environment() const { return environment_; }

  // Of the current context. prepare() comes before anything that needs memory. Throws CudaError where the
  // context could not be begun.
  GpuSession& session();
  // How many contexts there were before this one.
  int contexts_ended() const { return contexts_ended_; }

  // Ends the context with all that is in it, after `release` gave back what others keep there, and begins a
  // new one. Also after a kernel that failed, with which the old one was of no more use.
  void begin_context(const std::function<void()>& release);

  // Of this process' executable, read when it is first asked for.
  const tracker::MachineCode& machine_code();

  std::optional<double> read_energy_j() const;

  // Empty without NVML.
  std::optional<tracker::DeviceReading> read_conditions() const;

 private:
  std::unique_ptr<GpuSession> new_session(std::chrono::milliseconds wake_time) const;

  std::unique_ptr<tracker::Nvml> nvml_;
  GpuEnvironment environment_;
  std::vector<BufferSpec> buffers_;
  std::unique_ptr<GpuSession> session_;
  std::string why_no_session_;
  int contexts_ended_ = 0;
  std::optional<tracker::MachineCode> machine_code_;
};

}  // namespace bench

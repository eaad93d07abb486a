// One GPU benchmark: a row of a kernel table at one shape.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "bench/command_line.hpp"
#include "bench/counters.hpp"
#include "bench/gpu_session.hpp"
#include "bench/result_check.hpp"
#include "kernels/kernel.hpp"
#include "tracker/devices/gpu_facts.hpp"

namespace bench {

struct GpuCase {
  std::string name;  // without the timing's suffix
  kernels::Requirements requirements;
  Work work;
  tracker::Arithmetic arithmetic = tracker::Arithmetic::kFp32;  // what its FLOP/s are bounded by
  std::int64_t launches = 1;                                    // of one repetition
  // Enqueues one launch on the session's buffers, at the places of this turn; gives a cudaError_t.
  std::function<int(const GpuSession&, std::uint64_t turn, kernels::Stream)> launch;
  // Where the launch of this turn writes, and how far from right that is once it ran.
  std::function<std::span<std::byte>(const GpuSession&, std::uint64_t turn)> result;
  std::function<ResultError(const GpuSession&, std::uint64_t turn, kernels::Stream)> check;
};

// `session` must outlive the benchmarks' run.
void register_gpu_case(GpuSession& session, const GpuCase& gpu_case, Timing timing);

}  // namespace bench

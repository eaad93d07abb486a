// What the CPU says of itself in /proc, and what follows from a GPU's plain numbers: shared by NVML's reader
// and the benchmarks.
#pragma once

#include <array>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tracker/model/run.hpp"

namespace tracker::devices {

// What the text of /proc/cpuinfo calls the CPU: its first model name, or on Arm its kinds of cores ("Arm
// Neoverse V2"), by their numbers where they are not known here. Empty where it says neither.
std::string cpu_model(std::istream& cpuinfo);

// Its model ("unknown CPU" where nothing says it), and the threads that this process may run on.
Device cpu_device();

// FP32 lanes of one streaming multiprocessor (CUDA programming guide, arithmetic throughput table: 64 for
// 7.x and 8.0, 128 for 8.6 and later). Empty for what is older than 7.0.
std::optional<int> fp32_cores_per_sm(int compute_capability_major, int compute_capability_minor);

// What carries out a benchmark's arithmetic, and so which rate bounds it.
enum class Arithmetic { kFp32, kTensorBf16, kTensorTf32, kTensorFp8 };

// Operations a clock of the tensor cores of one streaming multiprocessor, dense and accumulating in float32
// (NVIDIA's architecture white papers: A100 2048 for bfloat16, H100 4096; TF32 half of it, FP8 twice from 9.0
// on). Empty for kFp32, for FP8 where it is not, and where boards of one compute capability differ or nobody
// has checked.
std::optional<int> tensor_flops_per_clock(Arithmetic arithmetic, int compute_capability_major,
                                          int compute_capability_minor);

// Theoretical: double data rate, 2 × clock × bus width.
double peak_bytes_per_second(double memory_clock_mhz, int bus_width_bits);
// Theoretical: a fused multiply-add is two operations, 2 × lanes × clock.
double peak_flops(int fp32_cores, double core_clock_mhz);
// Theoretical, on the tensor cores.
double peak_tensor_flops(int multiprocessors, int flops_per_clock, double core_clock_mhz);

// "NVIDIA H200 MIG 1g.18gb" is the board "NVIDIA H200" and the profile "1g.18gb".
struct GpuName {
  std::string board;
  std::optional<std::string> mig_profile;
};
GpuName split_gpu_name(std::string_view name);

// The 16 bytes that CUDA gives, as NVML writes them: "GPU-00112233-4455-6677-8899-aabbccddeeff".
std::string format_gpu_uuid(const std::array<unsigned char, 16>& bytes, std::string_view prefix = "GPU-");

// The state of a device at one moment.
struct Reading {
  std::optional<double> core_clock_mhz;
  std::optional<double> memory_clock_mhz;
  std::optional<double> temperature_c;
  // "power_cap", "hw_slowdown", "sync_boost", "sw_thermal", "hw_thermal", "power_brake": only those that
  // disturb, so neither idle nor application clocks.
  std::vector<std::string> throttle_reasons;
  std::optional<double> throttled_s;  // since the driver was loaded, all disturbing policies
  std::optional<int> processes;       // that use it: on a GPU, with a compute context
};

}  // namespace tracker::devices

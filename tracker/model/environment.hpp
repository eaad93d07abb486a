// Where and under which conditions something was measured. Plain data; what is not known is absent.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tracker {

enum class DeviceKind { kCpu, kGpu };

// A GPU, or the CPU where a benchmark runs on none.
struct Device {
  DeviceKind kind = DeviceKind::kCpu;
  std::string model;                              // "NVIDIA H200"
  std::optional<std::string> uuid;                // of the board: a fact about the run, not part of the key
  std::optional<std::string> compute_capability;  // "9.0"
  std::optional<std::string> mig_profile;         // "1g.18gb"
  std::optional<std::int64_t> memory_bytes;
  std::optional<std::int64_t> l2_bytes;
  std::optional<int> core_count;  // streaming multiprocessors, or CPU threads
  std::optional<bool> ecc;
  std::optional<double> power_limit_w;
  std::optional<double> memory_clock_mhz;  // the clocks that the peaks below are stated for
  std::optional<double> core_clock_mhz;
  std::optional<double> peak_bytes_per_second;  // theoretical
  std::optional<double> peak_flops;             // theoretical, FP32 on the FP32 pipes
};

// What histories are kept apart by, fit for a path and a file name: model, memory, power limit and MIG
// profile of a GPU ("nvidia-h200-140gib-700w"), model and threads of a CPU ("cpu-intel-xeon-6960p-2t").
std::string device_key(const Device& device);

// Enough of a board's UUID to tell it from the others of a machine: "GPU-5d7fcfd0".
std::string short_uuid(const std::string& uuid);

inline constexpr char kBuildFilesMark[] = " | ";

struct Software {
  std::optional<std::string> driver;        // "580.159.04"
  std::optional<std::string> cuda_driver;   // the newest CUDA the driver knows: "13.0"
  std::optional<std::string> cuda_runtime;  // the one the binary was built with
  std::optional<std::string> cublas;
  std::optional<std::string> compiler;
  std::optional<std::string> flags;
  std::optional<std::string> build_type;
  std::optional<std::string> library;  // the release of Google Benchmark: "1.9.1", "1.9.5-40-g0123abc"
  std::optional<std::string>
      build;  // by which commands, and after kBuildFilesMark by which files: "a.sh 1a2b3c4"

  bool operator==(const Software&) const = default;
};

struct Host {
  std::string name;
  std::optional<std::string> cpu;
  std::optional<int> cpu_count;
  std::optional<std::string> os;
  std::optional<double> cpu_mhz;
  std::optional<std::string> caches;  // "L1 32 KiB, L3 32 MiB"
  std::optional<bool> cpu_scaling;    // the clock follows the load, so that cpu_mhz tells nothing
};

// What shows that two hosts are not one machine, whatever they are called: "4 → 64 CPUs". Empty where nothing
// does.
std::string machines_apart(const Host& base, const Host& candidate);

// What the device did during one invocation, over all of its readings.
struct Conditions {
  std::optional<double> core_clock_mhz_min;
  std::optional<double> core_clock_mhz_max;
  std::optional<double> memory_clock_mhz;
  std::optional<double> temperature_c_max;
  std::optional<double> throttled_s;          // time the clocks were held down, in all
  std::vector<std::string> throttle_reasons;  // "power_cap", "sw_thermal", …
  std::optional<int> other_processes;         // most seen at once on the GPU beside the benchmark
  std::optional<double> load_average;         // of the host, at the start

  // Something was seen that makes the numbers doubtful. The power cap alone is none: a full-speed GEMM
  // meets it on a healthy GPU, every time alike.
  bool disturbed() const;
};

}  // namespace tracker

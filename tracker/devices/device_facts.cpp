#include "tracker/devices/device_facts.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string_view>
#include <vector>

#include <sched.h>

#include "tracker/base/text.hpp"

namespace tracker::devices {
namespace {

// Cores of Arm's architecture say who designed them, and a number (the register MIDR_EL1; the designers'
// reference manuals).
struct ArmCore {
  std::string_view implementer;
  std::string_view part;
  std::string_view name;
};

constexpr ArmCore kArmCores[] = {
    {"0x41", "0xd03", "Arm Cortex-A53"},
    {"0x41", "0xd04", "Arm Cortex-A35"},
    {"0x41", "0xd05", "Arm Cortex-A55"},
    {"0x41", "0xd07", "Arm Cortex-A57"},  // Jetson Nano, TX1, TX2
    {"0x41", "0xd08", "Arm Cortex-A72"},  // Graviton, Raspberry Pi 4
    {"0x41", "0xd09", "Arm Cortex-A73"},
    {"0x41", "0xd0a", "Arm Cortex-A75"},
    {"0x41", "0xd0b", "Arm Cortex-A76"},   // Raspberry Pi 5
    {"0x41", "0xd0c", "Arm Neoverse N1"},  // Graviton2, Ampere Altra
    {"0x41", "0xd0d", "Arm Cortex-A77"},
    {"0x41", "0xd0e", "Arm Cortex-A76AE"},
    {"0x41", "0xd40", "Arm Neoverse V1"},  // Graviton3
    {"0x41", "0xd41", "Arm Cortex-A78"},
    {"0x41", "0xd42", "Arm Cortex-A78AE"},  // Jetson Orin
    {"0x41", "0xd44", "Arm Cortex-X1"},
    {"0x41", "0xd46", "Arm Cortex-A510"},
    {"0x41", "0xd47", "Arm Cortex-A710"},
    {"0x41", "0xd48", "Arm Cortex-X2"},
    {"0x41", "0xd49", "Arm Neoverse N2"},
    {"0x41", "0xd4a", "Arm Neoverse E1"},
    {"0x41", "0xd4b", "Arm Cortex-A78C"},
    {"0x41", "0xd4c", "Arm Cortex-X1C"},
    {"0x41", "0xd4d", "Arm Cortex-A715"},
    {"0x41", "0xd4e", "Arm Cortex-X3"},
    {"0x41", "0xd4f", "Arm Neoverse V2"},  // Grace, Graviton4
    {"0x41", "0xd80", "Arm Cortex-A520"},
    {"0x41", "0xd81", "Arm Cortex-A720"},
    {"0x41", "0xd82", "Arm Cortex-X4"},
    {"0x41", "0xd83", "Arm Neoverse V3AE"},  // Jetson Thor
    {"0x41", "0xd84", "Arm Neoverse V3"},
    {"0x41", "0xd85", "Arm Cortex-X925"},  // GB10, with the next
    {"0x41", "0xd87", "Arm Cortex-A725"},
    {"0x41", "0xd8e", "Arm Neoverse N3"},
    {"0x43", "0x0af", "Cavium ThunderX2"},
    {"0x46", "0x001", "Fujitsu A64FX"},
    {"0x48", "0xd01", "HiSilicon TaiShan v110"},  // Kunpeng 920
    {"0x4e", "0x003", "NVIDIA Denver 2"},         // Jetson TX2
    {"0x4e", "0x004", "NVIDIA Carmel"},           // Jetson Xavier
    {"0x51", "0x001", "Qualcomm Oryon"},
    {"0xc0", "0xac3", "AmpereOne"},
    {"0xc0", "0xac4", "AmpereOne A"},
};

std::string arm_core_name(std::string_view implementer, std::string_view part) {
  const auto* const core = std::ranges::find_if(
      kArmCores, [&](const ArmCore& row) { return row.implementer == implementer && row.part == part; });
  if (core != std::end(kArmCores)) return std::string(core->name);
  return "Arm core " + std::string(implementer) + " " + std::string(part);
}

// "\t: Neoverse-V2 " without what is around the value.
std::string value_behind_colon(const std::string& line) {
  const std::size_t colon = line.find(':');
  if (colon == std::string::npos) return "";
  const std::size_t from = line.find_first_not_of(" \t", colon + 1);
  if (from == std::string::npos) return "";
  return line.substr(from, line.find_last_not_of(" \t") + 1 - from);
}

}  // namespace

std::string cpu_model(std::istream& cpuinfo) {
  std::string model_name;
  std::string implementer;
  std::vector<std::string> cores;
  for (std::string line; std::getline(cpuinfo, line);) {
    if (line.starts_with("model name") && model_name.empty()) model_name = value_behind_colon(line);
    if (line.starts_with("CPU implementer")) implementer = value_behind_colon(line);
    if (!line.starts_with("CPU part") || implementer.empty()) continue;
    const std::string core = arm_core_name(implementer, value_behind_colon(line));
    if (std::ranges::find(cores, core) == cores.end()) cores.push_back(core);
  }
  return cores.empty() ? model_name : join(cores, " + ");
}

Device cpu_device() {
  Device device;
  device.kind = DeviceKind::kCpu;
  std::ifstream cpuinfo("/proc/cpuinfo");
  device.model = cpu_model(cpuinfo);
  if (device.model.empty()) device.model = "unknown CPU";
  cpu_set_t threads;
  CPU_ZERO(&threads);
  if (::sched_getaffinity(0, sizeof threads, &threads) == 0) device.core_count = CPU_COUNT(&threads);
  return device;
}

std::optional<int> fp32_cores_per_sm(int compute_capability_major, int compute_capability_minor) {
  if (compute_capability_major < 7) return std::nullopt;
  const bool narrow =
      compute_capability_major == 7 || (compute_capability_major == 8 && compute_capability_minor == 0);
  return narrow ? 64 : 128;
}

std::optional<int> tensor_flops_per_clock(Arithmetic arithmetic, int compute_capability_major,
                                          int compute_capability_minor) {
  struct Row {
    int major;
    int minor;
    int bf16;
  };
  constexpr std::array kRows{Row{8, 0, 2048}, Row{9, 0, 4096}};
  for (const Row& row : kRows)
    if (row.major == compute_capability_major && row.minor == compute_capability_minor) switch (arithmetic) {
        case Arithmetic::kTensorBf16:
          return row.bf16;
        case Arithmetic::kTensorTf32:
          return row.bf16 / 2;
        case Arithmetic::kTensorFp8:
          return row.major >= 9 ? std::optional(row.bf16 * 2) : std::nullopt;
        case Arithmetic::kFp32:
          break;
      }
  return std::nullopt;
}

double peak_bytes_per_second(double memory_clock_mhz, int bus_width_bits) {
  return 2 * memory_clock_mhz * 1e6 * bus_width_bits / 8;
}

double peak_flops(int fp32_cores, double core_clock_mhz) {
  return 2.0 * fp32_cores * core_clock_mhz * 1e6;
}

double peak_tensor_flops(int multiprocessors, int flops_per_clock, double core_clock_mhz) {
  return static_cast<double>(multiprocessors) * flops_per_clock * core_clock_mhz * 1e6;
}

GpuName split_gpu_name(std::string_view name) {
  constexpr std::string_view kMark = " MIG ";
  const std::size_t at = name.find(kMark);
  if (at == std::string_view::npos) return {std::string(name), std::nullopt};
  return {std::string(name.substr(0, at)), std::string(name.substr(at + kMark.size()))};
}

std::string format_gpu_uuid(const std::array<unsigned char, 16>& bytes, std::string_view prefix) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text(prefix);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += kDigits[bytes[i] >> 4];
    text += kDigits[bytes[i] & 15];
  }
  return text;
}

}  // namespace tracker::devices

#include "tracker/devices/gpu_facts.hpp"

namespace tracker::devices {

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

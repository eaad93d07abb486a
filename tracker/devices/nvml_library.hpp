// NVML's functions as they are in this driver's library, and the plain questions that are asked of them.
// Absent answers: the function is missing, or the board does not support it.
#pragma once

#include <array>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

namespace tracker::nvml {

// The few declarations of NVML's C interface that are read here, written down from its public reference
// (docs.nvidia.com/deploy/nvml-api), so that neither its header nor its library is needed to build.

using Return = int;
inline constexpr Return kSuccess = 0;
inline constexpr Return kNotSupported = 3;
inline constexpr Return kNotFound = 6;
inline constexpr Return kInsufficientSize = 7;

struct DeviceImpl;
using Device = DeviceImpl*;

enum ClockType : int { kClockSm = 1, kClockMemory = 2 };
inline constexpr int kTemperatureGpu = 0;

// nvmlDeviceGetCurrentClocksEventReasons: what holds the clocks down.
inline constexpr unsigned long long kReasonPowerCap = 0x04;
inline constexpr unsigned long long kReasonHwSlowdown = 0x08;
inline constexpr unsigned long long kReasonSyncBoost = 0x10;
inline constexpr unsigned long long kReasonSwThermal = 0x20;
inline constexpr unsigned long long kReasonHwThermal = 0x40;
inline constexpr unsigned long long kReasonPowerBrake = 0x80;

// Time during which a policy held the clocks down, in ns since the driver was loaded: fields of
// nvmlDeviceGetFieldValues, and the older nvmlDeviceGetViolationStatus' policies.
inline constexpr unsigned kFieldPolicyPower = 74;
inline constexpr unsigned kFieldPolicyThermal = 75;
inline constexpr unsigned kFieldPolicySyncBoost = 76;
inline constexpr unsigned kFieldPolicyBoardLimit = 77;
inline constexpr int kPolicyPower = 0;
inline constexpr int kPolicyThermal = 1;
inline constexpr int kPolicySyncBoost = 2;
inline constexpr int kPolicyBoardLimit = 3;

struct Memory {
  unsigned long long total;
  unsigned long long free;
  unsigned long long used;
};

// A versioned structure states its size and its number.
struct Temperature {
  unsigned version;
  int sensor;
  int temperature;
};
inline constexpr unsigned kTemperatureVersion = sizeof(Temperature) | (1u << 24);

struct ViolationTime {
  unsigned long long reference_time_us;
  unsigned long long violation_time_ns;
};

enum ValueType : int {
  kValueDouble = 0,
  kValueUnsigned = 1,
  kValueUnsignedLong = 2,
  kValueUnsignedLongLong = 3
};

struct FieldValue {
  unsigned field_id;
  unsigned scope_id;
  long long timestamp_us;
  long long latency_us;
  int value_type;
  Return result;
  union {
    double as_double;
    unsigned as_unsigned;
    unsigned long as_unsigned_long;
    unsigned long long as_unsigned_long_long;
  } value;
};
static_assert(sizeof(FieldValue) == 40);

inline constexpr unsigned kTextBytes = 96;  // NVML's own longest buffer for names, UUIDs and versions

// Every function that is used; null where this driver has it not.
struct Library {
  void* library = nullptr;

  Return (*init)() = nullptr;
  Return (*shutdown)() = nullptr;
  const char* (*error_string)(Return) = nullptr;
  Return (*driver_version)(char*, unsigned) = nullptr;
  Return (*cuda_driver_version)(int*) = nullptr;
  Return (*count)(unsigned*) = nullptr;
  Return (*handle_by_index)(unsigned, Device*) = nullptr;
  Return (*handle_by_uuid)(const char*, Device*) = nullptr;
  Return (*board_of_mig)(Device, Device*) = nullptr;
  Return (*uuid)(Device, char*, unsigned) = nullptr;
  Return (*name)(Device, char*, unsigned) = nullptr;
  Return (*compute_capability)(Device, int*, int*) = nullptr;
  Return (*memory)(Device, Memory*) = nullptr;
  Return (*ecc)(Device, int*, int*) = nullptr;
  Return (*enforced_power_limit)(Device, unsigned*) = nullptr;
  Return (*power_limit)(Device, unsigned*) = nullptr;
  Return (*clock)(Device, int, unsigned*) = nullptr;
  Return (*clock_max)(Device, int, unsigned*) = nullptr;
  Return (*bus_width)(Device, unsigned*) = nullptr;
  Return (*fp32_cores)(Device, unsigned*) = nullptr;
  Return (*temperature_v)(Device, Temperature*) = nullptr;
  Return (*temperature)(Device, int, unsigned*) = nullptr;
  Return (*throttle_reasons)(Device, unsigned long long*) = nullptr;
  Return (*fields)(Device, int, FieldValue*) = nullptr;
  Return (*violation)(Device, int, ViolationTime*) = nullptr;
  Return (*energy)(Device, unsigned long long*) = nullptr;
  Return (*cpu_affinity)(Device, unsigned, unsigned long*) = nullptr;
  Return (*slice_count_max)(Device, unsigned*) = nullptr;
  Return (*slice_by_index)(Device, unsigned, Device*) = nullptr;
  Return (*compute_processes)(Device, unsigned*, void*) = nullptr;

  // Looks all of them up in `library`. False where it cannot be NVML.
  bool resolve();
  std::string describe(Return code) const;

  // The handle of "GPU-…" or "MIG-…", else null.
  Device find(const std::string& uuid) const;
  // The MIG slices of a board; none where it is not divided.
  std::vector<Device> slices(Device divided) const;
  // The board a MIG slice is part of; a board is its own.
  Device board(Device device) const;

  using TextFunction = Return (*)(Device, char*, unsigned);
  using NumberFunction = Return (*)(Device, unsigned*);
  using ChosenFunction = Return (*)(Device, int, unsigned*);
  std::optional<std::string> text(TextFunction function, Device device) const;
  std::optional<unsigned> number(NumberFunction function, Device device) const;
  std::optional<unsigned> number(ChosenFunction function, Device device, int choice) const;

  struct ComputeCapability {
    int major = 0;
    int minor = 0;
  };
  std::optional<ComputeCapability> capability(Device device) const;
  std::optional<double> temperature_c(Device device) const;
  // Since the driver was loaded. Policies that overlap count twice: more than zero is what matters.
  std::optional<double> throttled_s(Device device) const;
  std::optional<double> energy_j(Device device) const;  // since the driver was loaded
  std::optional<int> processes(Device device) const;
};

}  // namespace tracker::nvml

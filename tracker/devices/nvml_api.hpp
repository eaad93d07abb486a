// The few declarations of NVML's C interface that are read here, written down from its public reference
// (docs.nvidia.com/deploy/nvml-api), so that neither its header nor its library is needed to build.
#pragma once

namespace tracker::nvml {

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

}  // namespace tracker::nvml

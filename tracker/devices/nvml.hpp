// NVIDIA's management library, loaded at run time: where it is absent, so are its answers.
// Read-only: nothing here changes a setting of the GPU. Also used by the benchmark binaries.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tracker/devices/device_facts.hpp"
#include "tracker/model/run.hpp"

namespace tracker::devices {

// Questions to NVML; every answer is empty where the board does not give it.
class Nvml {
 public:
  // Null where the library or a driver is missing; `reason` then says which. Another `library` than the
  // driver's own is for tests.
  static std::unique_ptr<Nvml> load(std::string* reason = nullptr, const char* library = "libnvidia-ml.so.1");
  ~Nvml();
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  int device_count() const;  // boards
  // Of what programs run on, in NVML's order, which need not be CUDA's: of a board, or of its MIG slices
  // where it is divided.
  std::vector<std::string> uuids() const;

  // Facts about the board with this UUID ("GPU-…"), or the MIG slice ("MIG-…", whose peaks and cores NVML
  // does not tell); empty where there is none of it. The peaks and the compute capability are filled in
  // where NVML knows the clocks, the bus width and the cores.
  std::optional<Device> device(const std::string& uuid) const;
  std::optional<Reading> read(const std::string& uuid) const;
  // What the board has used since the driver was loaded, in joules. The counter moves in steps, of 100 ms on
  // an H200. Empty for a MIG slice, whose part nobody knows.
  std::optional<double> energy_j(const std::string& uuid) const;
  // The CPUs that the board is connected to; empty where NVML does not tell.
  std::vector<int> cpus_near(const std::string& uuid) const;
  std::optional<std::string> driver_version() const;
  std::optional<std::string> cuda_driver_version() const;  // "13.0"

 private:
  struct Library;
  explicit Nvml(std::unique_ptr<const Library> library);
  std::unique_ptr<const Library> library_;
};

}  // namespace tracker::devices

// The few declarations of NVML's C interface that are read here, written down from its public reference
// (docs.nvidia.com/deploy/nvml-api), so that neither its header nor its library is needed to build.
namespace tracker::devices::nvml {

// What every function of NVML returns.
using Return = int;
inline constexpr Return kSuccess = 0;
inline constexpr Return kNotSupported = 3;
inline constexpr Return kNotFound = 6;
inline constexpr Return kInsufficientSize = 7;

struct DeviceImpl;
// NVML's handle of a board, or of a MIG slice.
using Device = DeviceImpl*;

// Arguments for the functions that tell clocks and temperature.
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

// The answer of nvmlDeviceGetMemoryInfo, in bytes.
struct Memory {
  unsigned long long total;
  unsigned long long free;
  unsigned long long used;
};

// A versioned structure states its size and its number. The temperature is in °C.
struct Temperature {
  unsigned version;
  int sensor;
  int temperature;
};
inline constexpr unsigned kTemperatureVersion = sizeof(Temperature) | (1u << 24);

// The answer of nvmlDeviceGetViolationStatus. Its two times have different units.
struct ViolationTime {
  unsigned long long reference_time_us;
  unsigned long long violation_time_ns;
};

// Which member of FieldValue::value holds the answer.
enum ValueType : int {
  kValueDouble = 0,
  kValueUnsigned = 1,
  kValueUnsignedLong = 2,
  kValueUnsignedLongLong = 3
};

// A question of nvmlDeviceGetFieldValues, and its answer: `value` in the field's own unit.
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

}  // namespace tracker::devices::nvml

#include "tracker/devices/nvml_library.hpp"

#include <dlfcn.h>

namespace tracker::nvml {
namespace {

// The field, and the policy that tells the same to older drivers.
struct ThrottlePolicy {
  unsigned field;
  int policy;
};
constexpr std::array<ThrottlePolicy, 4> kThrottlePolicies{{{kFieldPolicyPower, kPolicyPower},
                                                           {kFieldPolicyThermal, kPolicyThermal},
                                                           {kFieldPolicySyncBoost, kPolicySyncBoost},
                                                           {kFieldPolicyBoardLimit, kPolicyBoardLimit}}};

// The first of the names that the library has: newer ones first.
template <typename Function>
void look_up(void* library, Function*& function, std::initializer_list<const char*> names) {
  for (const char* symbol : names)
    if (void* address = dlsym(library, symbol)) {
      function = reinterpret_cast<Function*>(address);
      return;
    }
}

std::optional<double> policy_time_ns(const Library& library, Device device, const ThrottlePolicy& policy) {
  FieldValue field{};
  field.field_id = policy.field;
  if (library.fields != nullptr && library.fields(device, 1, &field) == kSuccess &&
      field.result == kSuccess) {
    switch (field.value_type) {
      case kValueDouble:
        return field.value.as_double;
      case kValueUnsigned:
        return field.value.as_unsigned;
      case kValueUnsignedLong:
        return static_cast<double>(field.value.as_unsigned_long);
      case kValueUnsignedLongLong:
        return static_cast<double>(field.value.as_unsigned_long_long);
      default:
        break;
    }
  }
  ViolationTime time{};
  if (library.violation == nullptr || library.violation(device, policy.policy, &time) != kSuccess) return {};
  return static_cast<double>(time.violation_time_ns);
}

}  // namespace

bool Library::resolve() {
  look_up(library, init, {"nvmlInit_v2", "nvmlInit"});
  look_up(library, shutdown, {"nvmlShutdown"});
  look_up(library, error_string, {"nvmlErrorString"});
  look_up(library, driver_version, {"nvmlSystemGetDriverVersion"});
  look_up(library, cuda_driver_version,
          {"nvmlSystemGetCudaDriverVersion_v2", "nvmlSystemGetCudaDriverVersion"});
  look_up(library, count, {"nvmlDeviceGetCount_v2", "nvmlDeviceGetCount"});
  look_up(library, handle_by_index, {"nvmlDeviceGetHandleByIndex_v2", "nvmlDeviceGetHandleByIndex"});
  look_up(library, handle_by_uuid, {"nvmlDeviceGetHandleByUUID"});
  look_up(library, board_of_mig, {"nvmlDeviceGetDeviceHandleFromMigDeviceHandle"});
  look_up(library, uuid, {"nvmlDeviceGetUUID"});
  look_up(library, name, {"nvmlDeviceGetName"});
  look_up(library, compute_capability, {"nvmlDeviceGetCudaComputeCapability"});
  look_up(library, memory, {"nvmlDeviceGetMemoryInfo"});
  look_up(library, ecc, {"nvmlDeviceGetEccMode"});
  look_up(library, enforced_power_limit, {"nvmlDeviceGetEnforcedPowerLimit"});
  look_up(library, power_limit, {"nvmlDeviceGetPowerManagementLimit"});
  look_up(library, clock, {"nvmlDeviceGetClockInfo"});
  look_up(library, clock_max, {"nvmlDeviceGetMaxClockInfo"});
  look_up(library, bus_width, {"nvmlDeviceGetMemoryBusWidth"});
  look_up(library, fp32_cores, {"nvmlDeviceGetNumGpuCores"});
  look_up(library, temperature_v, {"nvmlDeviceGetTemperatureV"});
  look_up(library, temperature, {"nvmlDeviceGetTemperature"});
  look_up(library, throttle_reasons,
          {"nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"});
  look_up(library, fields, {"nvmlDeviceGetFieldValues"});
  look_up(library, violation, {"nvmlDeviceGetViolationStatus"});
  look_up(library, energy, {"nvmlDeviceGetTotalEnergyConsumption"});
  look_up(library, cpu_affinity, {"nvmlDeviceGetCpuAffinity"});
  look_up(library, slice_count_max, {"nvmlDeviceGetMaxMigDeviceCount"});
  look_up(library, slice_by_index, {"nvmlDeviceGetMigDeviceHandleByIndex"});
  look_up(library, compute_processes,
          {"nvmlDeviceGetComputeRunningProcesses_v3", "nvmlDeviceGetComputeRunningProcesses_v2",
           "nvmlDeviceGetComputeRunningProcesses"});
  return init != nullptr && shutdown != nullptr && count != nullptr && handle_by_index != nullptr &&
         handle_by_uuid != nullptr;
}

std::string Library::describe(Return code) const {
  const char* words = error_string != nullptr ? error_string(code) : nullptr;
  return words != nullptr ? words : "NVML error " + std::to_string(code);
}

Device Library::find(const std::string& id) const {
  Device device = nullptr;
  return handle_by_uuid(id.c_str(), &device) == kSuccess ? device : nullptr;
}

std::vector<Device> Library::slices(Device divided) const {
  std::vector<Device> found;
  if (slice_by_index == nullptr) return found;
  const unsigned most = number(slice_count_max, divided).value_or(0);
  for (unsigned index = 0; index < most; ++index)
    if (Device slice = nullptr; slice_by_index(divided, index, &slice) == kSuccess) found.push_back(slice);
  return found;
}

Device Library::board(Device device) const {
  Device parent = nullptr;
  const bool is_slice = board_of_mig != nullptr && board_of_mig(device, &parent) == kSuccess;
  return is_slice && parent != nullptr ? parent : device;
}

std::optional<std::string> Library::text(TextFunction function, Device device) const {
  std::array<char, kTextBytes> buffer{};
  if (function == nullptr || function(device, buffer.data(), kTextBytes) != kSuccess) return {};
  return std::string(buffer.data());
}

std::optional<unsigned> Library::number(NumberFunction function, Device device) const {
  unsigned value = 0;
  if (function == nullptr || function(device, &value) != kSuccess) return {};
  return value;
}

std::optional<unsigned> Library::number(ChosenFunction function, Device device, int choice) const {
  unsigned value = 0;
  if (function == nullptr || function(device, choice, &value) != kSuccess) return {};
  return value;
}

std::optional<Library::ComputeCapability> Library::capability(Device device) const {
  ComputeCapability found;
  if (compute_capability == nullptr || compute_capability(device, &found.major, &found.minor) != kSuccess)
    return {};
  return found;
}

std::optional<double> Library::temperature_c(Device device) const {
  Temperature versioned{kTemperatureVersion, kTemperatureGpu, 0};
  if (temperature_v != nullptr && temperature_v(device, &versioned) == kSuccess) return versioned.temperature;
  return number(temperature, device, kTemperatureGpu);
}

std::optional<double> Library::throttled_s(Device device) const {
  std::optional<double> sum_s;
  for (const ThrottlePolicy& policy : kThrottlePolicies)
    if (const auto time_ns = policy_time_ns(*this, device, policy))
      sum_s = sum_s.value_or(0) + *time_ns * 1e-9;
  return sum_s;
}

std::optional<double> Library::energy_j(Device device) const {
  unsigned long long energy_mj = 0;
  if (energy == nullptr || energy(device, &energy_mj) != kSuccess) return {};
  return static_cast<double>(energy_mj) * 1e-3;
}

// Asked with no room for a list, NVML answers with its length.
std::optional<int> Library::processes(Device device) const {
  unsigned length = 0;
  if (compute_processes == nullptr) return {};
  const Return result = compute_processes(device, &length, nullptr);
  if (result != kSuccess && result != kInsufficientSize) return {};
  return static_cast<int>(length);
}

}  // namespace tracker::nvml

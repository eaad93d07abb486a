// Built as a shared library, twice: as a driver of today, and (FAKE_NVML_OLD) as one that lacks what was
// added since. The entry points have the names and types of NVML's public interface.
#include "tests/devices/fake_nvml.hpp"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "tracker/devices/nvml.hpp"

namespace nvml = tracker::devices::nvml;

struct tracker::devices::nvml::DeviceImpl {
  const char* uuid;
  bool is_slice;
};

namespace {

fake_nvml::State state;
tracker::devices::nvml::DeviceImpl boards[] = {{fake_nvml::kBoardUuid, false},
                                               {fake_nvml::kSecondUuid, false}};
tracker::devices::nvml::DeviceImpl slice{fake_nvml::kSliceUuid, true};
constexpr tracker::devices::nvml::Return kInvalidArgument = 2;

unsigned board_count() {
  const char* count = std::getenv("FAKE_NVML_BOARDS");
  return count != nullptr ? static_cast<unsigned>(std::atoi(count)) : state.boards;
}

bool is_ill(tracker::devices::nvml::Device device) {
  const char* uuid = std::getenv("FAKE_NVML_ILL");
  const char* from = std::getenv("FAKE_NVML_ILL_FROM");
  const bool begun = from == nullptr || std::filesystem::exists(from);
  return uuid != nullptr && std::string_view(uuid) == device->uuid && begun;
}

unsigned process_count() {
  return std::getenv("FAKE_NVML_BOARDS") != nullptr ? 0 : state.processes;
}

tracker::devices::nvml::Return copy(char* target, unsigned length, const char* text) {
  if (std::strlen(text) + 1 > length) return tracker::devices::nvml::kInsufficientSize;
  std::strcpy(target, text);
  return tracker::devices::nvml::kSuccess;
}

template <typename Value>
tracker::devices::nvml::Return optional_answer(Value* target, Value value) {
  if (!state.supports_optional) return tracker::devices::nvml::kNotSupported;
  *target = value;
  return tracker::devices::nvml::kSuccess;
}

}  // namespace

extern "C" {
fake_nvml::State* fake_nvml_state() {
  return &state;
}

tracker::devices::nvml::Return nvmlShutdown() {
  --state.init_count;
  return tracker::devices::nvml::kSuccess;
}
const char* nvmlErrorString(tracker::devices::nvml::Return) {
  return "Driver Not Loaded";
}
tracker::devices::nvml::Return nvmlSystemGetDriverVersion(char* text, unsigned length) {
  return copy(text, length, "580.159.04");
}
tracker::devices::nvml::Return nvmlDeviceGetHandleByUUID(const char* uuid,
                                                         tracker::devices::nvml::Device* device) {
  for (unsigned i = 0; i < board_count(); ++i)
    if (std::string_view(uuid) == boards[i].uuid)
      return *device = &boards[i], tracker::devices::nvml::kSuccess;
  if (std::string_view(uuid) == slice.uuid) return *device = &slice, tracker::devices::nvml::kSuccess;
  return tracker::devices::nvml::kNotFound;
}
tracker::devices::nvml::Return nvmlDeviceGetMaxMigDeviceCount(tracker::devices::nvml::Device device,
                                                              unsigned* count) {
  *count = state.has_slices && device == boards ? 7 : 0;
  return tracker::devices::nvml::kSuccess;
}
tracker::devices::nvml::Return nvmlDeviceGetMigDeviceHandleByIndex(tracker::devices::nvml::Device,
                                                                   unsigned index,
                                                                   tracker::devices::nvml::Device* device) {
  if (index != 0) return tracker::devices::nvml::kNotFound;
  return *device = &slice, tracker::devices::nvml::kSuccess;
}
tracker::devices::nvml::Return nvmlDeviceGetCpuAffinity(tracker::devices::nvml::Device device, unsigned size,
                                                        unsigned long* words) {
  for (unsigned i = 0; i < size; ++i) words[i] = 0;
  words[0] = device == boards ? 0x3 : 0x1;
  return tracker::devices::nvml::kSuccess;
}
tracker::devices::nvml::Return nvmlDeviceGetDeviceHandleFromMigDeviceHandle(
    tracker::devices::nvml::Device device, tracker::devices::nvml::Device* parent) {
  if (!device->is_slice) return kInvalidArgument;
  *parent = boards;
  return tracker::devices::nvml::kSuccess;
}
tracker::devices::nvml::Return nvmlDeviceGetUUID(tracker::devices::nvml::Device device, char* text,
                                                 unsigned length) {
  return copy(text, length, device->uuid);
}
tracker::devices::nvml::Return nvmlDeviceGetName(tracker::devices::nvml::Device device, char* text,
                                                 unsigned length) {
  const char* second = std::getenv("FAKE_NVML_SECOND_MODEL");
  if (second != nullptr && device == boards + 1) return copy(text, length, second);
  return copy(text, length, device->is_slice ? "NVIDIA H200 MIG 1g.18gb" : "NVIDIA H200");
}
tracker::devices::nvml::Return nvmlDeviceGetCudaComputeCapability(tracker::devices::nvml::Device, int* major,
                                                                  int* minor) {
  *minor = 0;
  return optional_answer(major, 9);
}
tracker::devices::nvml::Return nvmlDeviceGetMemoryInfo(tracker::devices::nvml::Device device,
                                                       tracker::devices::nvml::Memory* memory) {
  memory->total = (device->is_slice ? 16384ull : 143771ull) << 20;
  return tracker::devices::nvml::kSuccess;
}
tracker::devices::nvml::Return nvmlDeviceGetEccMode(tracker::devices::nvml::Device, int* now, int* pending) {
  *pending = 0;
  return optional_answer(now, 1);
}
tracker::devices::nvml::Return nvmlDeviceGetPowerManagementLimit(tracker::devices::nvml::Device,
                                                                 unsigned* limit_mw) {
  return optional_answer(limit_mw, 600000u);
}
tracker::devices::nvml::Return nvmlDeviceGetClockInfo(tracker::devices::nvml::Device device, int type,
                                                      unsigned* mhz) {
  if (device->is_slice) return tracker::devices::nvml::kNotSupported;
  return optional_answer(mhz, type == tracker::devices::nvml::kClockMemory ? 3201u
                              : is_ill(device)                             ? 480u
                                                                           : 1965u);
}
tracker::devices::nvml::Return nvmlDeviceGetMaxClockInfo(tracker::devices::nvml::Device device, int type,
                                                         unsigned* mhz) {
  if (device->is_slice) return tracker::devices::nvml::kNotSupported;
  return optional_answer(mhz, type == tracker::devices::nvml::kClockMemory ? 3201u : 1980u);
}
tracker::devices::nvml::Return nvmlDeviceGetMemoryBusWidth(tracker::devices::nvml::Device, unsigned* bits) {
  return optional_answer(bits, 6144u);
}
tracker::devices::nvml::Return nvmlDeviceGetNumGpuCores(tracker::devices::nvml::Device, unsigned* cores) {
  return optional_answer(cores, 16896u);
}
#ifndef FAKE_NVML_OLD
tracker::devices::nvml::Return nvmlDeviceGetTotalEnergyConsumption(tracker::devices::nvml::Device,
                                                                   unsigned long long* energy_mj) {
  return optional_answer(energy_mj, state.energy_mj);
}
#endif
tracker::devices::nvml::Return nvmlDeviceGetTemperature(tracker::devices::nvml::Device, int,
                                                        unsigned* celsius) {
  return optional_answer(celsius, 41u);
}
tracker::devices::nvml::Return nvmlDeviceGetViolationStatus(tracker::devices::nvml::Device, int policy,
                                                            tracker::devices::nvml::ViolationTime* time) {
  if (policy > tracker::devices::nvml::kPolicyThermal) return tracker::devices::nvml::kNotSupported;
  return optional_answer(
      time, tracker::devices::nvml::ViolationTime{0, policy == tracker::devices::nvml::kPolicyPower
                                                         ? state.power_policy_ns
                                                         : state.thermal_policy_ns});
}

#ifdef FAKE_NVML_OLD
tracker::devices::nvml::Return nvmlInit() {
  ++state.init_count;
  return state.init_result;
}
tracker::devices::nvml::Return nvmlSystemGetCudaDriverVersion(int* version) {
  return optional_answer(version, 12040);
}
tracker::devices::nvml::Return nvmlDeviceGetCount(unsigned* count) {
  return *count = board_count(), tracker::devices::nvml::kSuccess;
}
tracker::devices::nvml::Return nvmlDeviceGetHandleByIndex(unsigned index,
                                                          tracker::devices::nvml::Device* device) {
  return *device = &boards[index], tracker::devices::nvml::kSuccess;
}
tracker::devices::nvml::Return nvmlDeviceGetCurrentClocksThrottleReasons(
    tracker::devices::nvml::Device device, unsigned long long* reasons) {
  return optional_answer(reasons,
                         is_ill(device) ? tracker::devices::nvml::kReasonHwThermal : state.throttle_reasons);
}
tracker::devices::nvml::Return nvmlDeviceGetComputeRunningProcesses(tracker::devices::nvml::Device,
                                                                    unsigned* count, void*) {
  return optional_answer(count, process_count()) != tracker::devices::nvml::kSuccess
             ? tracker::devices::nvml::kNotSupported
             : tracker::devices::nvml::kInsufficientSize;
}
#else
tracker::devices::nvml::Return nvmlInit_v2() {
  if (state.init_result == tracker::devices::nvml::kSuccess) ++state.init_count;
  return state.init_result;
}
tracker::devices::nvml::Return nvmlSystemGetCudaDriverVersion_v2(int* version) {
  return optional_answer(version, 13000);
}
tracker::devices::nvml::Return nvmlDeviceGetCount_v2(unsigned* count) {
  return *count = board_count(), tracker::devices::nvml::kSuccess;
}
tracker::devices::nvml::Return nvmlDeviceGetHandleByIndex_v2(unsigned index,
                                                             tracker::devices::nvml::Device* device) {
  return *device = &boards[index], tracker::devices::nvml::kSuccess;
}
tracker::devices::nvml::Return nvmlDeviceGetEnforcedPowerLimit(tracker::devices::nvml::Device,
                                                               unsigned* limit_mw) {
  return optional_answer(limit_mw, 700000u);
}
tracker::devices::nvml::Return nvmlDeviceGetTemperatureV(tracker::devices::nvml::Device,
                                                         tracker::devices::nvml::Temperature* answer) {
  // A wrong version is refused, as the real one does.
  if (answer->version != 0x0100000cu) return 25;
  return optional_answer(&answer->temperature, 40);
}
tracker::devices::nvml::Return nvmlDeviceGetCurrentClocksEventReasons(tracker::devices::nvml::Device device,
                                                                      unsigned long long* reasons) {
  return optional_answer(reasons,
                         is_ill(device) ? tracker::devices::nvml::kReasonHwThermal : state.throttle_reasons);
}
tracker::devices::nvml::Return nvmlDeviceGetFieldValues(tracker::devices::nvml::Device, int count,
                                                        tracker::devices::nvml::FieldValue* values) {
  for (int i = 0; i < count; ++i) {
    const bool known = values[i].field_id == tracker::devices::nvml::kFieldPolicyPower;
    values[i].result = known && state.supports_fields ? tracker::devices::nvml::kSuccess
                                                      : tracker::devices::nvml::kNotSupported;
    values[i].value_type = tracker::devices::nvml::kValueUnsignedLongLong;
    values[i].value.as_unsigned_long_long = state.power_policy_ns;
  }
  return state.supports_optional ? tracker::devices::nvml::kSuccess : tracker::devices::nvml::kNotSupported;
}
tracker::devices::nvml::Return nvmlDeviceGetComputeRunningProcesses_v3(tracker::devices::nvml::Device,
                                                                       unsigned* count, void* list) {
  const bool fits = list != nullptr || process_count() == 0;
  const tracker::devices::nvml::Return result = optional_answer(count, process_count());
  return result == tracker::devices::nvml::kSuccess && !fits ? tracker::devices::nvml::kInsufficientSize
                                                             : result;
}
#endif
}

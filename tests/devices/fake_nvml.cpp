// Built as a shared library, twice: as a driver of today, and (FAKE_NVML_OLD) as one that lacks what was
// added since. The entry points have the names and types of NVML's public interface.
#include "tests/devices/fake_nvml.hpp"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "tracker/devices/nvml_library.hpp"

namespace nvml = tracker::nvml;

struct tracker::nvml::DeviceImpl {
  const char* uuid;
  bool is_slice;
};

namespace {

fake_nvml::State state;
nvml::DeviceImpl boards[] = {{fake_nvml::kBoardUuid, false}, {fake_nvml::kSecondUuid, false}};
nvml::DeviceImpl slice{fake_nvml::kSliceUuid, true};
constexpr nvml::Return kInvalidArgument = 2;

unsigned board_count() {
  const char* count = std::getenv("FAKE_NVML_BOARDS");
  return count != nullptr ? static_cast<unsigned>(std::atoi(count)) : state.boards;
}

bool is_ill(nvml::Device device) {
  const char* uuid = std::getenv("FAKE_NVML_ILL");
  const char* from = std::getenv("FAKE_NVML_ILL_FROM");
  const bool begun = from == nullptr || std::filesystem::exists(from);
  return uuid != nullptr && std::string_view(uuid) == device->uuid && begun;
}

unsigned process_count() {
  return std::getenv("FAKE_NVML_BOARDS") != nullptr ? 0 : state.processes;
}

nvml::Return copy(char* target, unsigned length, const char* text) {
  if (std::strlen(text) + 1 > length) return nvml::kInsufficientSize;
  std::strcpy(target, text);
  return nvml::kSuccess;
}

template <typename Value>
nvml::Return optional_answer(Value* target, Value value) {
  if (!state.supports_optional) return nvml::kNotSupported;
  *target = value;
  return nvml::kSuccess;
}

}  // namespace

extern "C" {
fake_nvml::State* fake_nvml_state() {
  return &state;
}

nvml::Return nvmlShutdown() {
  --state.init_count;
  return nvml::kSuccess;
}
const char* nvmlErrorString(nvml::Return) {
  return "Driver Not Loaded";
}
nvml::Return nvmlSystemGetDriverVersion(char* text, unsigned length) {
  return copy(text, length, "580.159.04");
}
nvml::Return nvmlDeviceGetHandleByUUID(const char* uuid, nvml::Device* device) {
  for (unsigned i = 0; i < board_count(); ++i)
    if (std::string_view(uuid) == boards[i].uuid) return *device = &boards[i], nvml::kSuccess;
  if (std::string_view(uuid) == slice.uuid) return *device = &slice, nvml::kSuccess;
  return nvml::kNotFound;
}
nvml::Return nvmlDeviceGetMaxMigDeviceCount(nvml::Device device, unsigned* count) {
  *count = state.has_slices && device == boards ? 7 : 0;
  return nvml::kSuccess;
}
nvml::Return nvmlDeviceGetMigDeviceHandleByIndex(nvml::Device, unsigned index, nvml::Device* device) {
  if (index != 0) return nvml::kNotFound;
  return *device = &slice, nvml::kSuccess;
}
nvml::Return nvmlDeviceGetCpuAffinity(nvml::Device device, unsigned size, unsigned long* words) {
  for (unsigned i = 0; i < size; ++i) words[i] = 0;
  words[0] = device == boards ? 0x3 : 0x1;
  return nvml::kSuccess;
}
nvml::Return nvmlDeviceGetDeviceHandleFromMigDeviceHandle(nvml::Device device, nvml::Device* parent) {
  if (!device->is_slice) return kInvalidArgument;
  *parent = boards;
  return nvml::kSuccess;
}
nvml::Return nvmlDeviceGetUUID(nvml::Device device, char* text, unsigned length) {
  return copy(text, length, device->uuid);
}
nvml::Return nvmlDeviceGetName(nvml::Device device, char* text, unsigned length) {
  const char* second = std::getenv("FAKE_NVML_SECOND_MODEL");
  if (second != nullptr && device == boards + 1) return copy(text, length, second);
  return copy(text, length, device->is_slice ? "NVIDIA H200 MIG 1g.18gb" : "NVIDIA H200");
}
nvml::Return nvmlDeviceGetCudaComputeCapability(nvml::Device, int* major, int* minor) {
  *minor = 0;
  return optional_answer(major, 9);
}
nvml::Return nvmlDeviceGetMemoryInfo(nvml::Device device, nvml::Memory* memory) {
  memory->total = (device->is_slice ? 16384ull : 143771ull) << 20;
  return nvml::kSuccess;
}
nvml::Return nvmlDeviceGetEccMode(nvml::Device, int* now, int* pending) {
  *pending = 0;
  return optional_answer(now, 1);
}
nvml::Return nvmlDeviceGetPowerManagementLimit(nvml::Device, unsigned* limit_mw) {
  return optional_answer(limit_mw, 600000u);
}
nvml::Return nvmlDeviceGetClockInfo(nvml::Device device, int type, unsigned* mhz) {
  if (device->is_slice) return nvml::kNotSupported;
  return optional_answer(mhz, type == nvml::kClockMemory ? 3201u : is_ill(device) ? 480u : 1965u);
}
nvml::Return nvmlDeviceGetMaxClockInfo(nvml::Device device, int type, unsigned* mhz) {
  if (device->is_slice) return nvml::kNotSupported;
  return optional_answer(mhz, type == nvml::kClockMemory ? 3201u : 1980u);
}
nvml::Return nvmlDeviceGetMemoryBusWidth(nvml::Device, unsigned* bits) {
  return optional_answer(bits, 6144u);
}
nvml::Return nvmlDeviceGetNumGpuCores(nvml::Device, unsigned* cores) {
  return optional_answer(cores, 16896u);
}
#ifndef FAKE_NVML_OLD
nvml::Return nvmlDeviceGetTotalEnergyConsumption(nvml::Device, unsigned long long* energy_mj) {
  return optional_answer(energy_mj, state.energy_mj);
}
#endif
nvml::Return nvmlDeviceGetTemperature(nvml::Device, int, unsigned* celsius) {
  return optional_answer(celsius, 41u);
}
nvml::Return nvmlDeviceGetViolationStatus(nvml::Device, int policy, nvml::ViolationTime* time) {
  if (policy > nvml::kPolicyThermal) return nvml::kNotSupported;
  return optional_answer(
      time,
      nvml::ViolationTime{0, policy == nvml::kPolicyPower ? state.power_policy_ns : state.thermal_policy_ns});
}

#ifdef FAKE_NVML_OLD
nvml::Return nvmlInit() {
  ++state.init_count;
  return state.init_result;
}
nvml::Return nvmlSystemGetCudaDriverVersion(int* version) {
  return optional_answer(version, 12040);
}
nvml::Return nvmlDeviceGetCount(unsigned* count) {
  return *count = board_count(), nvml::kSuccess;
}
nvml::Return nvmlDeviceGetHandleByIndex(unsigned index, nvml::Device* device) {
  return *device = &boards[index], nvml::kSuccess;
}
nvml::Return nvmlDeviceGetCurrentClocksThrottleReasons(nvml::Device device, unsigned long long* reasons) {
  return optional_answer(reasons, is_ill(device) ? nvml::kReasonHwThermal : state.throttle_reasons);
}
nvml::Return nvmlDeviceGetComputeRunningProcesses(nvml::Device, unsigned* count, void*) {
  return optional_answer(count, process_count()) != nvml::kSuccess ? nvml::kNotSupported
                                                                   : nvml::kInsufficientSize;
}
#else
nvml::Return nvmlInit_v2() {
  if (state.init_result == nvml::kSuccess) ++state.init_count;
  return state.init_result;
}
nvml::Return nvmlSystemGetCudaDriverVersion_v2(int* version) {
  return optional_answer(version, 13000);
}
nvml::Return nvmlDeviceGetCount_v2(unsigned* count) {
  return *count = board_count(), nvml::kSuccess;
}
nvml::Return nvmlDeviceGetHandleByIndex_v2(unsigned index, nvml::Device* device) {
  return *device = &boards[index], nvml::kSuccess;
}
nvml::Return nvmlDeviceGetEnforcedPowerLimit(nvml::Device, unsigned* limit_mw) {
  return optional_answer(limit_mw, 700000u);
}
nvml::Return nvmlDeviceGetTemperatureV(nvml::Device, nvml::Temperature* answer) {
  // A wrong version is refused, as the real one does.
  if (answer->version != 0x0100000cu) return 25;
  return optional_answer(&answer->temperature, 40);
}
nvml::Return nvmlDeviceGetCurrentClocksEventReasons(nvml::Device device, unsigned long long* reasons) {
  return optional_answer(reasons, is_ill(device) ? nvml::kReasonHwThermal : state.throttle_reasons);
}
nvml::Return nvmlDeviceGetFieldValues(nvml::Device, int count, nvml::FieldValue* values) {
  for (int i = 0; i < count; ++i) {
    const bool known = values[i].field_id == nvml::kFieldPolicyPower;
    values[i].result = known && state.supports_fields ? nvml::kSuccess : nvml::kNotSupported;
    values[i].value_type = nvml::kValueUnsignedLongLong;
    values[i].value.as_unsigned_long_long = state.power_policy_ns;
  }
  return state.supports_optional ? nvml::kSuccess : nvml::kNotSupported;
}
nvml::Return nvmlDeviceGetComputeRunningProcesses_v3(nvml::Device, unsigned* count, void* list) {
  const bool fits = list != nullptr || process_count() == 0;
  const nvml::Return result = optional_answer(count, process_count());
  return result == nvml::kSuccess && !fits ? nvml::kInsufficientSize : result;
}
#endif
}

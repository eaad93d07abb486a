#include "tracker/devices/nvml.hpp"

#include <array>
#include <initializer_list>
#include <utility>

#include <dlfcn.h>

#include "tracker/base/process.hpp"

namespace tracker::devices {
namespace {

using nvml::kSuccess;
using nvml::Return;
using Handle = nvml::Device;

constexpr std::pair<unsigned long long, const char*> kThrottleReasons[] = {
    {nvml::kReasonPowerCap, "power_cap"},   {nvml::kReasonHwSlowdown, "hw_slowdown"},
    {nvml::kReasonSyncBoost, "sync_boost"}, {nvml::kReasonSwThermal, "sw_thermal"},
    {nvml::kReasonHwThermal, "hw_thermal"}, {nvml::kReasonPowerBrake, "power_brake"}};

// The field, and the policy that tells the same to older drivers.
constexpr std::pair<unsigned, int> kThrottlePolicies[] = {
    {nvml::kFieldPolicyPower, nvml::kPolicyPower},
    {nvml::kFieldPolicyThermal, nvml::kPolicyThermal},
    {nvml::kFieldPolicySyncBoost, nvml::kPolicySyncBoost},
    {nvml::kFieldPolicyBoardLimit, nvml::kPolicyBoardLimit}};

struct ComputeCapability {
  int major = 0;
  int minor = 0;
};

std::optional<double> value_of(const nvml::FieldValue& field) {
  switch (field.value_type) {
    case nvml::kValueDouble:
      return field.value.as_double;
    case nvml::kValueUnsigned:
      return field.value.as_unsigned;
    case nvml::kValueUnsignedLong:
      return static_cast<double>(field.value.as_unsigned_long);
    case nvml::kValueUnsignedLongLong:
      return static_cast<double>(field.value.as_unsigned_long_long);
    default:
      return {};
  }
}

}  // namespace

// NVML's functions as they are in this driver's library, null where it has them not, and the plain questions
// that are asked of them. Absent answers: the function is missing, or the board does not support it.
struct Nvml::Library {
  explicit Library(void* opened) : library(opened) {}
  ~Library() { dlclose(library); }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  // The first of the names that the library has: newer ones first.
  SharedLibrary::Symbol find(std::initializer_list<const char*> names) const {
    for (const char* one : names)
      if (void* address = dlsym(library, one)) return {address};
    return {nullptr};
  }

  void* library;

  Return (*init)() = find({"nvmlInit_v2", "nvmlInit"});
  Return (*shutdown)() = find({"nvmlShutdown"});
  const char* (*error_string)(Return) = find({"nvmlErrorString"});
  Return (*driver_version)(char*, unsigned) = find({"nvmlSystemGetDriverVersion"});
  Return (*cuda_driver_version)(int*) = find({"nvmlSystemGetCudaDriverVersion_v2",
                                              "nvmlSystemGetCudaDriverVersion"});
  Return (*count)(unsigned*) = find({"nvmlDeviceGetCount_v2", "nvmlDeviceGetCount"});
  Return (*handle_by_index)(unsigned,
                            Handle*) = find({"nvmlDeviceGetHandleByIndex_v2", "nvmlDeviceGetHandleByIndex"});
  Return (*handle_by_uuid)(const char*, Handle*) = find({"nvmlDeviceGetHandleByUUID"});
  Return (*board_of_mig)(Handle, Handle*) = find({"nvmlDeviceGetDeviceHandleFromMigDeviceHandle"});
  Return (*uuid)(Handle, char*, unsigned) = find({"nvmlDeviceGetUUID"});
  Return (*name)(Handle, char*, unsigned) = find({"nvmlDeviceGetName"});
  Return (*compute_capability)(Handle, int*, int*) = find({"nvmlDeviceGetCudaComputeCapability"});
  Return (*memory)(Handle, nvml::Memory*) = find({"nvmlDeviceGetMemoryInfo"});
  Return (*ecc)(Handle, int*, int*) = find({"nvmlDeviceGetEccMode"});
  Return (*enforced_power_limit)(Handle, unsigned*) = find({"nvmlDeviceGetEnforcedPowerLimit"});
  Return (*power_limit)(Handle, unsigned*) = find({"nvmlDeviceGetPowerManagementLimit"});
  Return (*clock)(Handle, int, unsigned*) = find({"nvmlDeviceGetClockInfo"});
  Return (*clock_max)(Handle, int, unsigned*) = find({"nvmlDeviceGetMaxClockInfo"});
  Return (*bus_width)(Handle, unsigned*) = find({"nvmlDeviceGetMemoryBusWidth"});
  Return (*fp32_cores)(Handle, unsigned*) = find({"nvmlDeviceGetNumGpuCores"});
  Return (*temperature_v)(Handle, nvml::Temperature*) = find({"nvmlDeviceGetTemperatureV"});
  Return (*temperature)(Handle, int, unsigned*) = find({"nvmlDeviceGetTemperature"});
  Return (*throttle_reasons)(Handle,
                             unsigned long long*) = find({"nvmlDeviceGetCurrentClocksEventReasons",
                                                          "nvmlDeviceGetCurrentClocksThrottleReasons"});
  Return (*fields)(Handle, int, nvml::FieldValue*) = find({"nvmlDeviceGetFieldValues"});
  Return (*violation)(Handle, int, nvml::ViolationTime*) = find({"nvmlDeviceGetViolationStatus"});
  Return (*energy)(Handle, unsigned long long*) = find({"nvmlDeviceGetTotalEnergyConsumption"});
  Return (*cpu_affinity)(Handle, unsigned, unsigned long*) = find({"nvmlDeviceGetCpuAffinity"});
  Return (*slice_count_max)(Handle, unsigned*) = find({"nvmlDeviceGetMaxMigDeviceCount"});
  Return (*slice_by_index)(Handle, unsigned, Handle*) = find({"nvmlDeviceGetMigDeviceHandleByIndex"});
  Return (*compute_processes)(Handle, unsigned*, void*) = find({"nvmlDeviceGetComputeRunningProcesses_v3",
                                                                "nvmlDeviceGetComputeRunningProcesses_v2",
                                                                "nvmlDeviceGetComputeRunningProcesses"});

  bool is_nvml() const {
    return init != nullptr && shutdown != nullptr && count != nullptr && handle_by_index != nullptr &&
           handle_by_uuid != nullptr;
  }

  std::string describe(Return code) const {
    const char* words = error_string != nullptr ? error_string(code) : nullptr;
    return words != nullptr ? words : "NVML error " + std::to_string(code);
  }

  // Of "GPU-…" or "MIG-…", else null.
  Handle handle_of(const std::string& id) const {
    Handle device = nullptr;
    return handle_by_uuid(id.c_str(), &device) == kSuccess ? device : nullptr;
  }

  // The MIG slices of a board; none where it is not divided.
  std::vector<Handle> slices(Handle divided) const {
    std::vector<Handle> found;
    if (slice_by_index == nullptr) return found;
    const unsigned most = number(slice_count_max, divided).value_or(0);
    for (unsigned index = 0; index < most; ++index)
      if (Handle slice = nullptr; slice_by_index(divided, index, &slice) == kSuccess) found.push_back(slice);
    return found;
  }

  // The board a MIG slice is part of; a board is its own.
  Handle board(Handle device) const {
    Handle parent = nullptr;
    const bool is_slice = board_of_mig != nullptr && board_of_mig(device, &parent) == kSuccess;
    return is_slice && parent != nullptr ? parent : device;
  }

  // These call the kinds of functions that NVML has. Empty for any code but kSuccess.
  static std::optional<std::string> text(auto function, auto... of) {
    std::array<char, nvml::kTextBytes> buffer{};
    if (function == nullptr || function(of..., buffer.data(), nvml::kTextBytes) != kSuccess) return {};
    return std::string(buffer.data());
  }
  template <typename Number>
  static std::optional<Number> number(Return (*function)(Handle, Number*), Handle device) {
    Number value{};
    if (function == nullptr || function(device, &value) != kSuccess) return {};
    return value;
  }
  template <typename Number>
  static std::optional<Number> number(Return (*function)(Handle, int, Number*), Handle device, int choice) {
    Number value{};
    if (function == nullptr || function(device, choice, &value) != kSuccess) return {};
    return value;
  }

  std::optional<ComputeCapability> capability(Handle device) const {
    ComputeCapability found;
    if (compute_capability == nullptr || compute_capability(device, &found.major, &found.minor) != kSuccess)
      return {};
    return found;
  }

  // Of the GPU, not of its memory.
  std::optional<double> temperature_c(Handle device) const {
    nvml::Temperature versioned{nvml::kTemperatureVersion, nvml::kTemperatureGpu, 0};
    if (temperature_v != nullptr && temperature_v(device, &versioned) == kSuccess)
      return versioned.temperature;
    return number(temperature, device, nvml::kTemperatureGpu);
  }

  std::optional<double> policy_time_ns(Handle device, unsigned field_id, int policy) const {
    nvml::FieldValue field{};
    field.field_id = field_id;
    if (fields != nullptr && fields(device, 1, &field) == kSuccess && field.result == kSuccess)
      if (const auto time_ns = value_of(field)) return time_ns;
    const auto time = number(violation, device, policy);
    return time ? std::optional<double>(static_cast<double>(time->violation_time_ns)) : std::nullopt;
  }

  // Policies that overlap count twice: more than zero is what matters.
  std::optional<double> throttled_s(Handle device) const {
    std::optional<double> sum_s;
    for (const auto& [field, policy] : kThrottlePolicies)
      if (const auto time_ns = policy_time_ns(device, field, policy))
        sum_s = sum_s.value_or(0) + *time_ns * 1e-9;
    return sum_s;
  }

  // Asked with no room for a list, NVML answers with its length.
  std::optional<int> processes(Handle device) const {
    unsigned length = 0;
    if (compute_processes == nullptr) return {};
    const Return result = compute_processes(device, &length, nullptr);
    if (result != kSuccess && result != nvml::kInsufficientSize) return {};
    return static_cast<int>(length);
  }

  // Cores, clocks and what they could do at best.
  void add_peaks(Handle board, Device& facts) const {
    facts.memory_clock_mhz = number(clock_max, board, nvml::kClockMemory);
    facts.core_clock_mhz = number(clock_max, board, nvml::kClockSm);
    const auto bus_width_bits = number(bus_width, board);
    if (facts.memory_clock_mhz && bus_width_bits)
      facts.peak_bytes_per_second =
          peak_bytes_per_second(*facts.memory_clock_mhz, static_cast<int>(*bus_width_bits));
    const auto cores = number(fp32_cores, board);
    if (!cores) return;
    if (facts.core_clock_mhz) facts.peak_flops = peak_flops(static_cast<int>(*cores), *facts.core_clock_mhz);
    const auto known = capability(board);
    const auto per_sm = known ? fp32_cores_per_sm(known->major, known->minor) : std::nullopt;
    if (per_sm) facts.core_count = static_cast<int>(*cores) / *per_sm;
  }
};

Nvml::Nvml(std::unique_ptr<const Library> library) : library_(std::move(library)) {}

Nvml::~Nvml() {
  library_->shutdown();
}

std::unique_ptr<Nvml> Nvml::load(std::string* reason, const char* name) {
  const auto give_up = [&](const std::string& why) {
    if (reason != nullptr) *reason = why;
    return nullptr;
  };
  void* opened = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (opened == nullptr) return give_up("no NVIDIA driver: '" + std::string(name) + "' cannot be loaded");
  auto library = std::make_unique<const Library>(opened);
  if (!library->is_nvml()) return give_up("'" + std::string(name) + "' is not NVIDIA's management library");
  if (const Return result = library->init(); result != kSuccess)
    return give_up("NVIDIA's management library does not start: " + library->describe(result));
  return std::unique_ptr<Nvml>(new Nvml(std::move(library)));
}

int Nvml::device_count() const {
  unsigned count = 0;
  return library_->count(&count) == kSuccess ? static_cast<int>(count) : 0;
}

std::vector<std::string> Nvml::uuids() const {
  std::vector<std::string> all;
  for (int index = 0; index < device_count(); ++index) {
    Handle device = nullptr;
    if (library_->handle_by_index(static_cast<unsigned>(index), &device) != kSuccess) continue;
    const auto slices = library_->slices(device);
    for (const Handle one : slices.empty() ? std::vector<Handle>{device} : slices)
      if (auto uuid = Library::text(library_->uuid, one)) all.push_back(std::move(*uuid));
  }
  return all;
}

std::vector<int> Nvml::cpus_near(const std::string& uuid) const {
  const Handle found = library_->handle_of(uuid);
  if (found == nullptr || library_->cpu_affinity == nullptr) return {};
  constexpr std::size_t kBits = 8 * sizeof(unsigned long);
  constexpr std::size_t kCpusMax = 1024;
  std::array<unsigned long, kCpusMax / kBits> words{};
  if (library_->cpu_affinity(library_->board(found), words.size(), words.data()) != kSuccess) return {};
  std::vector<int> cpus;
  for (std::size_t cpu = 0; cpu < kCpusMax; ++cpu)
    if ((words[cpu / kBits] >> (cpu % kBits) & 1) != 0) cpus.push_back(static_cast<int>(cpu));
  return cpus;
}

std::optional<Device> Nvml::device(const std::string& uuid) const {
  const Handle found = library_->handle_of(uuid);
  if (found == nullptr) return {};
  const Handle board = library_->board(found);
  Device facts;
  facts.kind = DeviceKind::kGpu;
  facts.uuid = uuid;
  GpuName name = split_gpu_name(Library::text(library_->name, found).value_or("NVIDIA GPU"));
  facts.model = std::move(name.board);
  facts.mig_profile = std::move(name.mig_profile);

  if (const auto capability = library_->capability(board))
    facts.compute_capability = std::to_string(capability->major) + "." + std::to_string(capability->minor);
  if (const auto memory = Library::number(library_->memory, found))
    facts.memory_bytes = static_cast<std::int64_t>(memory->total);
  int ecc = 0;
  int ecc_after_reboot = 0;
  if (library_->ecc != nullptr && library_->ecc(board, &ecc, &ecc_after_reboot) == kSuccess)
    facts.ecc = ecc != 0;
  auto limit_mw = Library::number(library_->enforced_power_limit, board);
  if (!limit_mw) limit_mw = Library::number(library_->power_limit, board);
  if (limit_mw) facts.power_limit_w = *limit_mw / 1000.0;
  if (board == found) library_->add_peaks(board, facts);
  return facts;
}

std::optional<Reading> Nvml::read(const std::string& uuid) const {
  const Handle found = library_->handle_of(uuid);
  if (found == nullptr) return {};
  const Handle board = library_->board(found);
  Reading reading;
  reading.core_clock_mhz = Library::number(library_->clock, board, nvml::kClockSm);
  reading.memory_clock_mhz = Library::number(library_->clock, board, nvml::kClockMemory);
  reading.temperature_c = library_->temperature_c(board);
  const auto reasons = Library::number(library_->throttle_reasons, board).value_or(0);
  for (const auto& [bit, name] : kThrottleReasons)
    if ((reasons & bit) != 0) reading.throttle_reasons.emplace_back(name);
  reading.throttled_s = library_->throttled_s(board);
  reading.processes = library_->processes(found);
  return reading;
}

std::optional<double> Nvml::energy_j(const std::string& uuid) const {
  const Handle found = library_->handle_of(uuid);
  if (found == nullptr || library_->board(found) != found) return {};
  const auto energy_mj = Library::number(library_->energy, found);
  return energy_mj ? std::optional<double>(static_cast<double>(*energy_mj) * 1e-3) : std::nullopt;
}

std::optional<std::string> Nvml::driver_version() const {
  return Library::text(library_->driver_version);
}

std::optional<std::string> Nvml::cuda_driver_version() const {
  int version = 0;
  if (library_->cuda_driver_version == nullptr || library_->cuda_driver_version(&version) != kSuccess)
    return {};
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

}  // namespace tracker::devices

#include "tracker/devices/nvml.hpp"

#include <dlfcn.h>

namespace tracker::devices {
namespace {

struct ThrottleReason {
  unsigned long long bit;
  const char* name;
};
constexpr std::array<ThrottleReason, 6> kThrottleReasons{{{nvml::kReasonPowerCap, "power_cap"},
                                                          {nvml::kReasonHwSlowdown, "hw_slowdown"},
                                                          {nvml::kReasonSyncBoost, "sync_boost"},
                                                          {nvml::kReasonSwThermal, "sw_thermal"},
                                                          {nvml::kReasonHwThermal, "hw_thermal"},
                                                          {nvml::kReasonPowerBrake, "power_brake"}}};

// Cores, clocks and what they could do at best.
void add_peaks(const nvml::Library& library, nvml::Device board, Device& facts) {
  facts.memory_clock_mhz = library.number(library.clock_max, board, nvml::kClockMemory);
  facts.core_clock_mhz = library.number(library.clock_max, board, nvml::kClockSm);
  const auto bus_width_bits = library.number(library.bus_width, board);
  if (facts.memory_clock_mhz && bus_width_bits)
    facts.peak_bytes_per_second =
        peak_bytes_per_second(*facts.memory_clock_mhz, static_cast<int>(*bus_width_bits));
  const auto cores = library.number(library.fp32_cores, board);
  if (!cores) return;
  if (facts.core_clock_mhz) facts.peak_flops = peak_flops(static_cast<int>(*cores), *facts.core_clock_mhz);
  const auto capability = library.capability(board);
  const auto per_sm = capability ? fp32_cores_per_sm(capability->major, capability->minor) : std::nullopt;
  if (per_sm) facts.core_count = static_cast<int>(*cores) / *per_sm;
}

}  // namespace

struct Nvml::Symbols : nvml::Library {};

Nvml::Nvml() : symbols_(std::make_unique<Symbols>()) {}

Nvml::~Nvml() {
  if (symbols_->library == nullptr) return;
  symbols_->shutdown();
  dlclose(symbols_->library);
}

std::unique_ptr<Nvml> Nvml::load(std::string* reason, const char* library) {
  std::unique_ptr<Nvml> self(new Nvml);
  Symbols& symbols = *self->symbols_;
  const auto give_up = [&](const std::string& why) -> std::unique_ptr<Nvml> {
    if (reason != nullptr) *reason = why;
    if (symbols.library != nullptr) dlclose(symbols.library);
    symbols.library = nullptr;
    return nullptr;
  };
  symbols.library = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (symbols.library == nullptr) {
    return give_up("no NVIDIA driver: '" + std::string(library) + "' cannot be loaded");
  }
  if (!symbols.resolve()) return give_up("'" + std::string(library) + "' is not NVIDIA's management library");
  if (const nvml::Return result = symbols.init(); result != nvml::kSuccess)
    return give_up("NVIDIA's management library does not start: " + symbols.describe(result));
  return self;
}

int Nvml::device_count() const {
  unsigned count = 0;
  return symbols_->count(&count) == nvml::kSuccess ? static_cast<int>(count) : 0;
}

std::vector<std::string> Nvml::uuids() const {
  std::vector<std::string> all;
  for (int index = 0; index < device_count(); ++index) {
    nvml::Device device = nullptr;
    if (symbols_->handle_by_index(static_cast<unsigned>(index), &device) != nvml::kSuccess) continue;
    const auto slices = symbols_->slices(device);
    for (const nvml::Device one : slices.empty() ? std::vector<nvml::Device>{device} : slices)
      if (auto uuid = symbols_->text(symbols_->uuid, one)) all.push_back(std::move(*uuid));
  }
  return all;
}

std::vector<int> Nvml::cpus_near(const std::string& uuid) const {
  const nvml::Device found = symbols_->find(uuid);
  if (found == nullptr || symbols_->cpu_affinity == nullptr) return {};
  constexpr std::size_t kBits = 8 * sizeof(unsigned long);
  constexpr std::size_t kCpusMax = 1024;
  std::array<unsigned long, kCpusMax / kBits> words{};
  if (symbols_->cpu_affinity(symbols_->board(found), words.size(), words.data()) != nvml::kSuccess) return {};
  std::vector<int> cpus;
  for (std::size_t cpu = 0; cpu < kCpusMax; ++cpu)
    if ((words[cpu / kBits] >> (cpu % kBits) & 1) != 0) cpus.push_back(static_cast<int>(cpu));
  return cpus;
}

std::optional<Device> Nvml::device(const std::string& uuid) const {
  const nvml::Device found = symbols_->find(uuid);
  if (found == nullptr) return {};
  const nvml::Device board = symbols_->board(found);
  Device facts;
  facts.kind = DeviceKind::kGpu;
  facts.uuid = uuid;
  GpuName name = split_gpu_name(symbols_->text(symbols_->name, found).value_or("NVIDIA GPU"));
  facts.model = std::move(name.board);
  facts.mig_profile = std::move(name.mig_profile);

  if (const auto capability = symbols_->capability(board))
    facts.compute_capability = std::to_string(capability->major) + "." + std::to_string(capability->minor);
  nvml::Memory memory{};
  if (symbols_->memory != nullptr && symbols_->memory(found, &memory) == nvml::kSuccess)
    facts.memory_bytes = static_cast<std::int64_t>(memory.total);
  int ecc = 0;
  int ecc_after_reboot = 0;
  if (symbols_->ecc != nullptr && symbols_->ecc(board, &ecc, &ecc_after_reboot) == nvml::kSuccess)
    facts.ecc = ecc != 0;
  auto limit_mw = symbols_->number(symbols_->enforced_power_limit, board);
  if (!limit_mw) limit_mw = symbols_->number(symbols_->power_limit, board);
  if (limit_mw) facts.power_limit_w = *limit_mw / 1000.0;
  if (board == found) add_peaks(*symbols_, board, facts);
  return facts;
}

std::optional<Reading> Nvml::read(const std::string& uuid) const {
  const nvml::Device found = symbols_->find(uuid);
  if (found == nullptr) return {};
  const nvml::Device board = symbols_->board(found);
  Reading reading;
  reading.core_clock_mhz = symbols_->number(symbols_->clock, board, nvml::kClockSm);
  reading.memory_clock_mhz = symbols_->number(symbols_->clock, board, nvml::kClockMemory);
  reading.temperature_c = symbols_->temperature_c(board);
  unsigned long long reasons = 0;
  if (symbols_->throttle_reasons != nullptr && symbols_->throttle_reasons(board, &reasons) == nvml::kSuccess)
    for (const ThrottleReason& reason : kThrottleReasons)
      if ((reasons & reason.bit) != 0) reading.throttle_reasons.emplace_back(reason.name);
  reading.throttled_s = symbols_->throttled_s(board);
  reading.processes = symbols_->processes(found);
  return reading;
}

std::optional<double> Nvml::energy_j(const std::string& uuid) const {
  const nvml::Device found = symbols_->find(uuid);
  if (found == nullptr || symbols_->board(found) != found) return {};
  return symbols_->energy_j(found);
}

std::optional<std::string> Nvml::driver_version() const {
  std::array<char, nvml::kTextBytes> buffer{};
  if (symbols_->driver_version == nullptr ||
      symbols_->driver_version(buffer.data(), nvml::kTextBytes) != nvml::kSuccess)
    return {};
  return std::string(buffer.data());
}

std::optional<std::string> Nvml::cuda_driver_version() const {
  int version = 0;
  if (symbols_->cuda_driver_version == nullptr || symbols_->cuda_driver_version(&version) != nvml::kSuccess)
    return {};
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

}  // namespace tracker::devices

namespace tracker::devices::nvml {
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

}  // namespace tracker::devices::nvml

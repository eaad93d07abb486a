#include "tracker/measure/local_environment.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <numeric>
#include <set>
#include <sstream>
#include <string_view>

#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"
#include "tracker/devices/device_facts.hpp"
#include "tracker/measure/invoke.hpp"

namespace tracker::measure {
namespace {

// "Debian GNU/Linux 12 (bookworm)"
std::optional<std::string> os_name() {
  constexpr std::string_view kKey = "PRETTY_NAME=";
  std::ifstream file("/etc/os-release");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(kKey)) continue;
    std::string value = line.substr(kKey.size());
    std::erase(value, '"');
    return value;
  }
  return {};
}

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// A device without a UUID may be any of its kind.
bool are_different(const Device& a, const Device& b) {
  return a.kind != b.kind || (a.uuid && b.uuid && *a.uuid != *b.uuid);
}

// Of two that may be absent.
template <typename T, typename Choose>
void combine(std::optional<T>& kept, const std::optional<T>& other, Choose choose) {
  if (kept && other)
    kept = choose(*kept, *other);
  else if (other)
    kept = other;
}

}  // namespace

Host this_host() {
  Host host;
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) == 0) host.name = name.data();
  const Device cpu = devices::cpu_device();
  host.cpu = cpu.model;
  host.cpu_count = cpu.core_count;
  host.os = os_name();
  return host;
}

LocalEnvironment::LocalEnvironment() : LocalEnvironment(devices::device_drivers()) {}

LocalEnvironment::LocalEnvironment(std::vector<std::unique_ptr<devices::Driver>> drivers)
    : drivers_(std::move(drivers)) {}

const devices::Driver* LocalEnvironment::driver_of(DeviceKind kind) const {
  const auto found =
      std::ranges::find_if(drivers_, [&](const auto& driver) { return driver->kind() == kind; });
  return found == drivers_.end() ? nullptr : found->get();
}

bool LocalEnvironment::has_gpu() const {
  const auto* driver = driver_of(DeviceKind::kGpu);
  return driver != nullptr && driver->why_none().empty();
}

std::string LocalEnvironment::why_no_gpu() const {
  const auto* driver = driver_of(DeviceKind::kGpu);
  return driver == nullptr ? "" : driver->why_none();
}

std::vector<Device> LocalEnvironment::devices(DeviceKind kind) const {
  const auto* driver = driver_of(kind);
  return driver == nullptr ? std::vector<Device>() : driver->devices();
}

std::optional<devices::Reading> LocalEnvironment::read(const Device& device) const {
  const auto* driver = driver_of(device.kind);
  return driver == nullptr ? std::nullopt : driver->read(device);
}

std::vector<int> LocalEnvironment::cpus_near(const Device& device) const {
  const auto* driver = driver_of(device.kind);
  auto cpus = driver == nullptr ? std::vector<int>() : driver->cpus_near(device);
  const auto allowed = allowed_cpus();
  std::erase_if(cpus, [&](int cpu) { return std::ranges::find(allowed, cpu) == allowed.end(); });
  return cpus;
}

Software LocalEnvironment::software() const {
  const auto* driver = driver_of(DeviceKind::kGpu);
  return driver == nullptr ? Software() : driver->software();
}

bool LocalEnvironment::wants(RunsWhere when) const {
  return when == RunsWhere::kAlways || (when == RunsWhere::kGpu && has_gpu()) ||
         (when == RunsWhere::kNoGpu && !has_gpu());
}

Device LocalEnvironment::device_for(RunsOn runs_on) const {
  if (!uses_gpu(runs_on)) return devices(DeviceKind::kCpu).at(0);
  if (!has_gpu()) throw Error(ExitCode::kEnvironment, "no GPU here: " + why_no_gpu());
  std::optional<Device> chosen;
  std::set<std::string> keys;
  for (auto& device : devices(DeviceKind::kGpu)) {
    keys.insert(device_key(device));
    if (chosen) device.uuid.reset();  // one of several alike: which one is not known
    chosen = std::move(device);
  }
  if (!chosen) throw Error(ExitCode::kEnvironment, "the GPU's driver does not answer");
  if (keys.size() > 1)
    throw Error(ExitCode::kUsage,
                "this machine has different GPUs (" + join({keys.begin(), keys.end()}, ", ") +
                    "), and the binary does not say which it runs on",
                "set CUDA_VISIBLE_DEVICES to a UUID from: nvidia-smi -L");
  return *chosen;
}

std::vector<std::string> own_devices(const std::vector<Binary>& binaries,
                                     const LocalEnvironment& environment) {
  std::vector<std::string> keys;
  for (const auto& binary : binaries) {
    if (!environment.wants(binary.when)) continue;
    try {
      keys.push_back(device_key(environment.device_for(binary.device)));
    } catch (const Error&) {
      continue;
    }
  }
  return keys;
}

void require_wanted_here(const std::vector<Binary>& all, const LocalEnvironment& environment) {
  const auto is_wanted = [&](const Binary& binary) { return environment.wants(binary.when); };
  const auto is_asked = [](const Binary& binary) { return binary.when == RunsWhere::kAsked; };
  if (all.empty())
    throw Error(
        ExitCode::kUsage, "no benchmark binary is named",
        "name them in tracker.toml as [[binary]] path = \"…\", or after --: tracker run -- ./my_benchmark");
  if (std::ranges::any_of(all, is_wanted)) return;
  if (std::ranges::all_of(all, is_asked))
    throw Error(ExitCode::kUsage, "every binary in tracker.toml is measured only where it is asked for",
                "name it: tracker run -- " + all.front().path);
  if (environment.has_gpu())
    throw Error(ExitCode::kUsage, "every binary in tracker.toml is for a machine without a GPU",
                "take when = \"no-gpu\" out of its [[binary]], where it can be measured here");
  throw Error(ExitCode::kUsage,
              "every binary in tracker.toml is for a machine with a GPU (when = \"gpu\"), and there is none "
              "here: " +
                  environment.why_no_gpu(),
              "measure on a machine with an NVIDIA GPU and its driver; take when = \"gpu\" out of the "
              "[[binary]] of one that can do without");
}

std::vector<Binary> binaries_here(const std::vector<Binary>& all, const std::filesystem::path& root,
                                  const LocalEnvironment& environment) {
  require_wanted_here(all, environment);
  std::vector<Binary> here;
  for (const auto& binary : all) {
    if (!environment.wants(binary.when)) continue;
    std::error_code failure;
    if (!std::filesystem::is_regular_file(binary_path(root, binary), failure))
      throw Error(ExitCode::kUsage, "no benchmark binary " + in_quotes(binary.path) + " in " + root.string(),
                  "build it first, or let tracker do it with --build");
    here.push_back(binary);
  }
  return here;
}

void append_conditions(const Conditions& next, Conditions& kept) {
  const auto lower = [](auto a, auto b) { return std::min(a, b); };
  const auto higher = [](auto a, auto b) { return std::max(a, b); };
  combine(kept.core_clock_mhz_min, next.core_clock_mhz_min, lower);
  combine(kept.core_clock_mhz_max, next.core_clock_mhz_max, higher);
  combine(kept.memory_clock_mhz, next.memory_clock_mhz, lower);
  combine(kept.temperature_c_max, next.temperature_c_max, higher);
  combine(kept.throttled_s, next.throttled_s, std::plus<>());
  combine(kept.other_processes, next.other_processes, higher);
  combine(kept.load_average, next.load_average, higher);
  for (const auto& reason : next.throttle_reasons)
    if (std::ranges::find(kept.throttle_reasons, reason) == kept.throttle_reasons.end())
      kept.throttle_reasons.push_back(reason);
}

ConditionWatch::ConditionWatch(const LocalEnvironment& environment, std::optional<Device> device)
    : environment_(environment), device_(std::move(device)) {
  if (!device_) return;
  if (const auto reading = environment_.read(*device_)) throttled_before_s_ = reading->throttled_s;
}

void ConditionWatch::read() {
  if (!device_ || seconds_now() - last_read_s_ < 0.5) return;
  last_read_s_ = seconds_now();
  const auto reading = environment_.read(*device_);
  if (!reading) return;
  Conditions now;
  // Before the benchmark is on the GPU the clocks idle.
  if (reading->processes != 0) {
    now.core_clock_mhz_min = reading->core_clock_mhz;
    now.memory_clock_mhz = reading->memory_clock_mhz;
  }
  now.core_clock_mhz_max = reading->core_clock_mhz;
  now.temperature_c_max = reading->temperature_c;
  now.throttle_reasons = reading->throttle_reasons;
  // The benchmark itself is one of them.
  if (reading->processes) now.other_processes = std::max(*reading->processes - 1, 0);
  append_conditions(now, seen_);
  if (reading->throttled_s && throttled_before_s_)
    seen_.throttled_s = *reading->throttled_s - *throttled_before_s_;
}

void ConditionWatch::finish(const Device& of_results, Conditions& conditions) const {
  const bool stated =
      conditions.core_clock_mhz_min || conditions.temperature_c_max || conditions.other_processes;
  if (stated || !device_ || are_different(*device_, of_results)) return;
  const auto load = conditions.load_average;
  conditions = seen_;
  conditions.load_average = load;
}

namespace {

constexpr double kWindowMinS = 0.2;  // /proc/stat counts in hundredths of a second
constexpr double kBusyShare = 0.1;   // of the CPUs: from here on it is said

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

// Of this process and of its children that have ended.
double own_cpu_s() {
  double sum_s = 0;
  for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    if (::getrusage(who, &usage) == 0) sum_s += seconds(usage.ru_utime) + seconds(usage.ru_stime);
  }
  return sum_s;
}

std::map<int, double> allowed_times_s() {
  std::ifstream stat("/proc/stat");
  auto times = read_busy_times_s(stat, static_cast<double>(::sysconf(_SC_CLK_TCK)));
  const auto allowed = allowed_cpus();
  std::erase_if(times,
                [&](const auto& one) { return std::ranges::find(allowed, one.first) == allowed.end(); });
  return times;
}

std::string so_busy(double busy_cpus, int cpus) {
  std::ostringstream text;
  text.precision(1);
  text << std::fixed << std::min(busy_cpus, static_cast<double>(cpus)) << " of " << count_of(cpus, "CPU");
  return text.str();
}

bool is_trouble(double busy_cpus, int cpus) {
  return cpus > 0 && busy_cpus > kBusyShare * cpus;
}

}  // namespace

std::map<int, double> read_busy_times_s(std::istream& stat, double ticks_per_s) {
  std::map<int, double> times_s;
  for (std::string line; std::getline(stat, line);) {
    if (!line.starts_with("cpu") || line.size() < 4 || line[3] == ' ') continue;
    std::istringstream words(line.substr(3));
    int cpu = -1;
    std::array<double, 8> ticks{};  // user, nice, system, idle, iowait, irq, softirq, steal
    if (!(words >> cpu)) continue;
    for (auto& count : ticks) words >> count;
    ticks[3] = ticks[4] = 0;
    times_s[cpu] = std::accumulate(ticks.begin(), ticks.end(), 0.0) / ticks_per_s;
  }
  return times_s;
}

std::optional<int> read_running(std::istream& loadavg) {
  double load = 0;
  int running = 0;
  char slash = 0;
  if (!(loadavg >> load >> load >> load >> running >> slash) || slash != '/') return {};
  return running;
}

std::vector<int> allowed_cpus() {
  std::vector<int> cpus;
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(static_cast<std::size_t>(cpu), &set)) cpus.push_back(cpu);
  return cpus;
}

LoadWatch::LoadWatch() : before_s_(allowed_times_s()), own_before_s_(own_cpu_s()), since_s_(seconds_now()) {}

std::optional<double> LoadWatch::busy_cpus() const {
  const double length_s = seconds_now() - since_s_;
  if (before_s_.empty() || length_s < kWindowMinS) return {};
  double busy_s = -(own_cpu_s() - own_before_s_);
  for (const auto& [cpu, now_s] : allowed_times_s())
    if (const auto before = before_s_.find(cpu); before != before_s_.end()) busy_s += now_s - before->second;
  return std::max(busy_s / length_s, 0.0);
}

std::optional<int> LoadWatch::waiting() {
  std::ifstream loadavg("/proc/loadavg");
  const auto running = read_running(loadavg);
  if (!running) return {};
  return std::max(*running - 1, 0);  // the one that asks runs as well
}

std::optional<int> LoadWatch::quietest() const {
  std::optional<int> quietest;
  double least_s = 0;
  for (const auto& [cpu, now_s] : allowed_times_s()) {
    const auto before = before_s_.find(cpu);
    const double busy_s = now_s - (before == before_s_.end() ? 0 : before->second);
    // Of those that are alike the last one: the first one serves interrupts.
    if (quietest && busy_s > least_s) continue;
    quietest = cpu;
    least_s = busy_s;
  }
  return quietest;
}

std::optional<Warning> load_before(double busy_cpus, int cpus) {
  if (!is_trouble(busy_cpus, cpus)) return {};
  return Warning{
      "other programs keep " + so_busy(busy_cpus, cpus) +
          " busy: benchmarks of the CPU will scatter more, and small changes stay inconclusive",
      "stop them, measure on a quiet machine, or keep the benchmarks off their CPUs: cpus = \"auto\" "
      "in [measure]"};
}

std::optional<Warning> load_while_measured(double busy_cpus, int cpus) {
  if (!is_trouble(busy_cpus, cpus)) return {};
  return Warning{"while this was measured other programs kept " + so_busy(busy_cpus, cpus) + " busy",
                 "measured again on a quiet machine it will scatter less"};
}

}  // namespace tracker::measure

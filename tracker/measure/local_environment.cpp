#include "tracker/measure/local_environment.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <string_view>

#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"
#include "tracker/devices/device_facts.hpp"

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

void widen(std::optional<double>& kept, const std::optional<double>& value, bool up) {
  if (value && (!kept || (up ? *value > *kept : *value < *kept))) kept = value;
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

bool LocalEnvironment::has_gpu() const {
  return std::any_of(drivers_.begin(), drivers_.end(), [](const auto& driver) {
    return driver->kind() == DeviceKind::kGpu && driver->why_none().empty();
  });
}

std::string LocalEnvironment::why_no_gpu() const {
  if (has_gpu()) return "";
  std::vector<std::string> reasons;
  for (const auto& driver : drivers_)
    if (driver->kind() == DeviceKind::kGpu) reasons.push_back(driver->why_none());
  return join(reasons, "; ");
}

std::vector<Device> LocalEnvironment::devices(DeviceKind kind) const {
  std::vector<Device> all;
  for (const auto& driver : drivers_)
    if (driver->kind() == kind)
      for (auto& device : driver->devices()) all.push_back(std::move(device));
  return all;
}

std::optional<devices::Reading> LocalEnvironment::read(const Device& device) const {
  for (const auto& driver : drivers_)
    if (driver->kind() == device.kind)
      if (auto reading = driver->read(device)) return reading;
  return {};
}

std::vector<int> LocalEnvironment::cpus_near(const Device& device) const {
  const auto allowed = allowed_cpus();
  std::vector<int> cpus;
  for (const auto& driver : drivers_)
    if (driver->kind() == device.kind)
      for (const int cpu : driver->cpus_near(device))
        if (std::find(allowed.begin(), allowed.end(), cpu) != allowed.end()) cpus.push_back(cpu);
  return cpus;
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

Software LocalEnvironment::software() const {
  Software software;
  for (const auto& driver : drivers_) {
    const Software known = driver->software();
    if (!software.driver) software.driver = known.driver;
    if (!software.cuda_driver) software.cuda_driver = known.cuda_driver;
  }
  return software;
}

bool LocalEnvironment::wants(RunsWhere when) const {
  switch (when) {
    case RunsWhere::kAlways:
      return true;
    case RunsWhere::kGpu:
      return has_gpu();
    case RunsWhere::kNoGpu:
      return !has_gpu();
    case RunsWhere::kAsked:
      return false;
  }
  return false;
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
  // Before the benchmark is on the GPU the clocks idle.
  if (reading->processes != 0) {
    widen(seen_.core_clock_mhz_min, reading->core_clock_mhz, false);
    widen(seen_.memory_clock_mhz, reading->memory_clock_mhz, false);
  }
  widen(seen_.core_clock_mhz_max, reading->core_clock_mhz, true);
  widen(seen_.temperature_c_max, reading->temperature_c, true);
  if (reading->throttled_s && throttled_before_s_)
    seen_.throttled_s = *reading->throttled_s - *throttled_before_s_;
  for (const auto& reason : reading->throttle_reasons)
    if (std::find(seen_.throttle_reasons.begin(), seen_.throttle_reasons.end(), reason) ==
        seen_.throttle_reasons.end())
      seen_.throttle_reasons.push_back(reason);
  // The benchmark itself is one of them.
  if (reading->processes)
    seen_.other_processes = std::max(seen_.other_processes.value_or(0), *reading->processes - 1);
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

std::map<int, CpuTime> allowed_times() {
  std::ifstream stat("/proc/stat");
  auto times = read_cpu_times(stat, static_cast<double>(::sysconf(_SC_CLK_TCK)));
  const auto allowed = allowed_cpus();
  std::erase_if(times, [&](const auto& one) {
    return std::find(allowed.begin(), allowed.end(), one.first) == allowed.end();
  });
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

std::map<int, CpuTime> read_cpu_times(std::istream& stat, double ticks_per_s) {
  std::map<int, CpuTime> times;
  for (std::string line; std::getline(stat, line);) {
    if (!line.starts_with("cpu") || line.size() < 4 || line[3] == ' ') continue;
    std::istringstream words(line.substr(3));
    int cpu = -1;
    std::array<double, 8> ticks{};  // user, nice, system, idle, iowait, irq, softirq, steal
    if (!(words >> cpu)) continue;
    for (auto& count : ticks) words >> count;
    double sum = 0;
    for (const double count : ticks) sum += count;
    const double idle = ticks[3] + ticks[4];
    times[cpu] = {(sum - idle) / ticks_per_s, idle / ticks_per_s};
  }
  return times;
}

std::optional<int> read_running(std::istream& loadavg) {
  std::string word;
  for (int i = 0; i < 4; ++i) loadavg >> word;
  int running = 0;
  char slash = 0;
  std::istringstream fraction(word);
  if (!loadavg || !(fraction >> running >> slash) || slash != '/') return {};
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

LoadWatch::LoadWatch() : before_(allowed_times()), own_before_s_(own_cpu_s()), since_s_(seconds_now()) {}

std::optional<double> LoadWatch::busy_cpus() const {
  const double length_s = seconds_now() - since_s_;
  if (before_.empty() || length_s < kWindowMinS) return {};
  double busy_s = -(own_cpu_s() - own_before_s_);
  for (const auto& [cpu, now] : allowed_times())
    if (const auto before = before_.find(cpu); before != before_.end())
      busy_s += now.busy_s - before->second.busy_s;
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
  for (const auto& [cpu, now] : allowed_times()) {
    const auto before = before_.find(cpu);
    const double busy_s = now.busy_s - (before == before_.end() ? 0 : before->second.busy_s);
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

#include "tracker/measure/load.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <sstream>

#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tracker/base/text.hpp"

namespace tracker {
namespace {

constexpr double kWindowMinS = 0.2;  // /proc/stat counts in hundredths of a second
constexpr double kBusyShare = 0.1;   // of the CPUs: from here on it is said

double now_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

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

LoadWatch::LoadWatch() : before_(allowed_times()), own_before_s_(own_cpu_s()), since_s_(now_s()) {}

std::optional<double> LoadWatch::busy_cpus() const {
  const double length_s = now_s() - since_s_;
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

}  // namespace tracker

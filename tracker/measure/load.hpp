// What else runs on this machine's CPUs, and on which of them to measure.
#pragma once

#include <istream>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tracker {

// What a person should know of how it was measured, and what helps.
struct Warning {
  std::string cause;
  std::string remedy;
};

struct CpuTime {
  double busy_s = 0;  // since the machine started; what a hypervisor took away counts
  double idle_s = 0;
};

// By the number of the CPU, from /proc/stat, whose unit is `ticks_per_s`.
std::map<int, CpuTime> read_cpu_times(std::istream& stat, double ticks_per_s);

// The programs that run or could run, from /proc/loadavg ("0.20 0.18 0.12 3/512 1234" → 3).
std::optional<int> read_running(std::istream& loadavg);

// The CPUs that this process may run on.
std::vector<int> allowed_cpus();

// How many CPUs other programs kept busy from when it was made until now, of those this process may use.
// What this process and its children that have ended used does not count.
class LoadWatch {
 public:
  LoadWatch();
  // Nothing where it is not known: no /proc, or too short a time.
  std::optional<double> busy_cpus() const;
  // Other programs that run or wait to run in this moment.
  static std::optional<int> waiting();
  // The allowed CPU that was least busy.
  std::optional<int> quietest() const;

 private:
  std::map<int, CpuTime> before_;
  double own_before_s_ = 0;
  double since_s_ = 0;
};

// Nothing where so much is no trouble: below a tenth of the CPUs.
std::optional<Warning> load_before(double busy_cpus, int cpus);
std::optional<Warning> load_while_measured(double busy_cpus, int cpus);

}  // namespace tracker

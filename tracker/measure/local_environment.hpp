// What this machine says of itself, for binaries that do not state it.
#pragma once

#include <filesystem>
#include <istream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tracker/devices/device_driver.hpp"
#include "tracker/model/policy.hpp"
#include "tracker/model/run.hpp"

namespace tracker::measure {

// Name, processor and system of this machine; what they do not tell is empty.
Host this_host();

// The devices of a machine, by their drivers.
class LocalEnvironment {
 public:
  LocalEnvironment();  // this machine's
  explicit LocalEnvironment(std::vector<std::unique_ptr<devices::Driver>> drivers);

  // Whether a program that is started here sees a GPU.
  bool has_gpu() const;
  std::string why_no_gpu() const;  // for people; empty where there is one

  // All devices of this kind that a program started here sees.
  std::vector<Device> devices(DeviceKind kind) const;
  // The state of one of them; empty where nothing tells it.
  std::optional<devices::Reading> read(const Device& device) const;

  // The CPUs next to it that this process may use; empty where that is not known.
  std::vector<int> cpus_near(const Device& device) const;

  // The device that a binary which says nothing is taken to run on: the only GPU there is, or the CPU.
  // kUsage where several GPUs of different kinds could be meant.
  Device device_for(RunsOn runs_on) const;

  // Whether a binary of this kind is taken to run on a GPU here.
  bool uses_gpu(RunsOn runs_on) const {
    return runs_on == RunsOn::kGpu || (runs_on == RunsOn::kAuto && has_gpu());
  }

  // The software that the drivers know.
  Software software() const;

  // Whether a binary that is to run there is measured on this machine.
  bool wants(RunsWhere when) const;

 private:
  const devices::Driver* driver_of(DeviceKind kind) const;  // null where there is none

  std::vector<std::unique_ptr<devices::Driver>> drivers_;
};

// The keys of the devices that those of these binaries which this machine measures run on, if they state no
// device of their own. Several GPUs of different kinds are left out: only the binary knows which it takes.
std::vector<std::string> own_devices(const std::vector<Binary>& binaries,
                                     const LocalEnvironment& environment);

// kUsage where this machine measures none of them, which can be known before anything is built.
void require_wanted_here(const std::vector<Binary>& all, const LocalEnvironment& environment);

// The binaries of `all` that this machine measures. kUsage where a path does not exist below `root`
// (the hint says how to build it), or none is left.
std::vector<Binary> binaries_here(const std::vector<Binary>& all, const std::filesystem::path& root,
                                  const LocalEnvironment& environment);

// Adds what was seen later: the lowest of clocks and the highest, all reasons, the sum of the time throttled.
void append_conditions(const Conditions& next, Conditions& kept);

// Readings of one device while an invocation runs, for binaries that do not state their conditions. Without a
// device it reads nothing.
class ConditionWatch {
 public:
  ConditionWatch(const LocalEnvironment& environment, std::optional<Device> device);
  void read();  // cheap: at most every half second
  // Adds what was seen to conditions that are not stated already, of results that are of the device watched.
  void finish(const Device& of_results, Conditions& conditions) const;

 private:
  const LocalEnvironment& environment_;
  std::optional<Device> device_;
  std::optional<double> throttled_before_s_;
  double last_read_s_ = -1;
  Conditions seen_;
};

// What else runs on this machine's CPUs, and on which of them to measure.

// What a person should know of how it was measured, and what helps.
struct Warning {
  std::string cause;
  std::string remedy;
};

// By the number of the CPU, for how long it was busy since the machine started, from /proc/stat, whose unit
// is `ticks_per_s`. What a hypervisor took away counts.
std::map<int, double> read_busy_times_s(std::istream& stat, double ticks_per_s);

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
  std::map<int, double> before_s_;
  double own_before_s_ = 0;
  double since_s_ = 0;
};

// Nothing where so much is no trouble: below a tenth of the CPUs. `busy_cpus` is the number of them that
// others keep busy, on average.
std::optional<Warning> load_before(double busy_cpus, int cpus);
std::optional<Warning> load_while_measured(double busy_cpus, int cpus);

}  // namespace tracker::measure

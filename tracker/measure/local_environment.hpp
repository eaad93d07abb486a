// What this machine says of itself, for binaries that do not state it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tracker/measure/cpu_facts.hpp"
#include "tracker/measure/nvml.hpp"
#include "tracker/model/policy.hpp"
#include "tracker/model/run.hpp"

namespace tracker {

Host this_host();

class LocalEnvironment {
 public:
  LocalEnvironment();

  bool has_gpu() const { return nvml_ != nullptr && nvml_->device_count() > 0; }
  const std::string& why_no_gpu() const { return why_no_gpu_; }
  const Nvml* nvml() const { return nvml_.get(); }

  // The device that a binary which says nothing is taken to run on: the only GPU there is, or the CPU.
  // kUsage where several GPUs of different kinds could be meant.
  Device device_for(RunsOn wish) const;

  // The software that NVML knows.
  Software software() const;

  // Whether a binary with this wish is measured on this machine.
  bool wants(RunsWhere when) const;

 private:
  std::string why_no_gpu_;  // before nvml_, whose loading writes it
  std::unique_ptr<Nvml> nvml_;
};

// The keys of the devices that those of these binaries which this machine measures run on, if they state no
// device of their own. Several GPUs of different kinds are left out: only the binary knows which it takes.
std::vector<std::string> own_devices(const std::vector<Binary>& binaries,
                                     const LocalEnvironment& environment);

// Readings of one GPU while an invocation runs, for binaries that do not state their conditions.
class ConditionWatch {
 public:
  ConditionWatch(const Nvml* nvml, std::optional<std::string> uuid);
  void read();  // cheap: at most every half second
  // Adds what was seen to conditions that are not stated already.
  void finish(Conditions& conditions) const;

 private:
  const Nvml* nvml_;
  std::optional<std::string> uuid_;
  std::optional<double> throttled_before_s_;
  double last_read_s_ = -1;
  Conditions seen_;
};

}  // namespace tracker

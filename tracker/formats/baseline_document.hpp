// Baselines ↔ JSON, "tracker.baseline/1": the runs that were promoted, whole, and the noise that the device
// had shown until then. One file a device, changed by reviewed commits only: so that a person can review it,
// the middle time of each benchmark stands first, and each benchmark takes one line of each table.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tracker/model/noise_history.hpp"
#include "tracker/model/run.hpp"

namespace tracker {

struct Baseline {
  std::string device;  // the key
  std::string commit;
  std::string promoted_at;
  std::vector<Run> runs;
  std::optional<NoiseModel> noise;  // baselines may have none
};

std::string write_baseline(const Baseline& baseline);
// kUsage like read_run, and where the middle times that are shown to a reviewer are not those of the runs.
Baseline read_baseline(std::string_view text, const std::string& source);

}  // namespace tracker

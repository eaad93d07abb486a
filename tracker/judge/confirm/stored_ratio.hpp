// How two commits compare by what is stored of them, measured in separate jobs. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tracker/model/metric.hpp"
#include "tracker/model/policy.hpp"
#include "tracker/model/run.hpp"

namespace tracker {

struct StoredRatio {
  double log_ratio = 0;  // above zero where the candidate is worse
  double variance =
      0;  // with what jobs differ by, and for the base's job, which others are compared with too
};

// Of one benchmark, as it is called now. Nothing where a side has none.
std::optional<StoredRatio> stored_ratio(std::vector<Run> base, std::vector<Run> candidate,
                                        const std::vector<Run>& history, const std::string& benchmark,
                                        const Metric& metric, const Policy& policy);

}  // namespace tracker

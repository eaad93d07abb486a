// A run as lines for databases of metrics: OpenMetrics for Prometheus and its like, InfluxDB's line protocol.
#pragma once

#include <string>
#include <vector>

#include "tracker/model/run.hpp"

namespace tracker::formats {

// One text of all runs: a gauge for each metric, "tracker_real_time_seconds", with a sample for each
// benchmark of each run at the time it was started. Labels: benchmark, device, commit, run. Ends in "# EOF".
std::string write_openmetrics(const std::vector<Run>& runs);

// A line for each benchmark of each run: tags benchmark, commit, device and run, a field for each metric.
std::string write_influx(const std::vector<Run>& runs);

}  // namespace tracker::formats

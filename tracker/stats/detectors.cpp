#include <cmath>

#include "tracker/stats/change_points.hpp"
#include "tracker/stats/steps.hpp"

namespace tracker::stats {
namespace {

// What a history that says nothing yet is taken for: 1 %, a GPU's jobs.
constexpr Variance kUsual{1e-4, 30};

Changes seeded_steps(std::span<const double> values, std::span<const double> /*spread*/) {
  std::vector<double> logs;
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!(values[i] > 0) || !std::isfinite(values[i])) continue;
    logs.push_back(std::log(values[i]));
    places.push_back(i);
  }
  Changes changes;
  for (const auto& step : find_steps(logs, 0, kUsual)) {
    ChangePoint point;
    point.at = point.first = point.last = places[step.at];
    point.before = std::exp(step.before);
    point.after = std::exp(step.after);
    const double ratio = std::exp(step.after - step.before);
    point.ratio = {ratio, ratio, ratio};
    point.settled = step.settled;
    changes.points.push_back(point);
  }
  return changes;
}

}  // namespace

const std::vector<Detector>& detectors() {
  static const std::vector<Detector> table{
      {"tracker", "bounded loss, tests back, a test of the newest values", find_changes},
      {"seeded steps", "seeded binary segmentation (Kovács and others 2023), the rule of tracker log",
       seeded_steps},
  };
  return table;
}

}  // namespace tracker::stats

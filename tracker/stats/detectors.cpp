#include "tracker/stats/change_points.hpp"

namespace tracker::stats {

const std::vector<Detector>& detectors() {
  static const std::vector<Detector> table{
      {"tracker", "bounded loss, tests back, a test of the newest values", find_changes},
  };
  return table;
}

}  // namespace tracker::stats

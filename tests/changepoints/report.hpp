// What was measured of all detectors, as tables.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tests/changepoints/measures.hpp"

namespace tracker::changepoints {

// Of one detector. Absent: there are no such recordings, or it is too slow.
struct Findings {
  stats::Detector detector;
  std::vector<Agreement> groups;  // in the order of the groups that have labels
  std::optional<Newest> newest;   // on recorded stretches without a step
  Newest newest_of_noise;         // on made-up normal noise
  std::optional<Creep> creep;
  Creep creep_of_noise;
  std::optional<Pooled> pooled;
  Seconds seconds;
};

struct Report {
  std::vector<std::string> groups;
  std::vector<Findings> findings;
};

Report measure(const std::vector<Group>& groups, const std::vector<stats::Detector>& detectors);

// Aligned text, or Markdown.
std::string report_text(const Report& report, bool markdown);

// What the default detector should reach: name, limit, reached.
struct Goal {
  std::string name;
  std::string limit;
  double reached = 0;
  bool met = false;
};
std::vector<Goal> check_goals(const Report& report);

}  // namespace tracker::changepoints

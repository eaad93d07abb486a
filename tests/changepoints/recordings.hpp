// Labelled series: files of the form of tests/data/steps.json, in a folder.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tests/changepoints/scores.hpp"

namespace tracker::changepoints {

struct LabelledSeries {
  std::string name;
  std::vector<double> values;  // NaN: a gap
  std::vector<Places> labels;  // of each annotator; none: unlabelled
  // Steps that were put in, by place; only where all points are known, so that every other one is false.
  std::vector<double> step_sigmas;
  std::optional<double> sigma_log;  // the noise, where it is known

  bool injected() const { return sigma_log.has_value(); }
};

// Of one group: all files of one folder.
struct Group {
  std::string name;
  std::vector<LabelledSeries> series;
};

// Every folder at or below `directory` with such files, or one file. kUsage where there are none.
std::vector<Group> read_groups(const std::filesystem::path& directory);

}  // namespace tracker::changepoints

// What is measured of a detector, each a function of recordings.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "tests/changepoints/recordings.hpp"
#include "tracker/stats/change_points.hpp"

namespace tracker::changepoints {

struct Rate {
  std::size_t hits = 0;
  std::size_t of = 0;
  double share() const { return of == 0 ? 0 : static_cast<double>(hits) / static_cast<double>(of); }
};

// Against labels.
struct Agreement {
  std::size_t series = 0;
  std::size_t skipped = 0;  // too long for the detector
  double f1 = 0;            // means over the series, as the Turing Change Point Dataset defines them
  double covering = 0;
  double pooled_f1 = 0;        // of all points of all series together, without the trivial one
  Rate alarmed;                // of the series without a label
  std::map<int, Rate> recall;  // by height in deviations, where steps were put in
};
Agreement agreement(const stats::Detector& detector, const std::vector<LabelledSeries>& series);

inline constexpr std::size_t kNewest[] = {1, 2, 3, 5, 8};

// A step of five deviations, so many values after it, at the end of stretches that have none.
struct Newest {
  std::map<std::size_t, Rate> found;  // by values after it
  Rate alarmed;                       // without it: a point among the newest eight
};
Newest newest(const stats::Detector& detector, const std::vector<LabelledSeries>& quiet);

// A creep of 0.05 deviations a value put onto stretches that have no step, and steps of the same whole
// height.
struct Creep {
  Rate drift_without_steps;  // creeping: a drift and no point
  Rate without_steps;        // creeping: no point
  Rate step_without_drift;   // stepping: a point at the place and no drift
};
Creep creep(const stats::Detector& detector, const std::vector<LabelledSeries>& quiet);

// Twenty stretches together lose half a deviation, twenty values before the end.
struct Pooled {
  Rate found;
  Rate alarmed;  // without the loss
};
Pooled pooled_loss(const stats::Detector& detector, const std::vector<LabelledSeries>& quiet);

// Seconds, the least of a few turns.
struct Seconds {
  double long_series = 0;   // 10,000 values
  double many_series = 0;   // 500 of 1,000 values
  double newest_value = 0;  // one of 1,000 values once more
};
Seconds time_taken(const stats::Detector& detector);

}  // namespace tracker::changepoints

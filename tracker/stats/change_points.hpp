// Where a series changed its level for good: place, size and how sure, as docs/changepoints.md explains.
// Levels and noise are in the unit of the values; places count from 0.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace tracker::stats {

// A number with the interval it lies in.
struct Estimate {
  double value = 0;
  double low = 0;
  double high = 0;
};

struct ChangePoint {
  std::size_t at = 0;     // the first value of the new level, likeliest
  std::size_t first = 0;  // and the places it may as well have been at: [first, last]
  std::size_t last = 0;
  double before = 0;     // the level that it left: the median of its values
  double after = 0;      // the one that it went to
  Estimate ratio;        // after / before; NaN where a level is zero or below
  double sure = 0;       // 1 − the chance that noise makes such a point anywhere in the series
  bool settled = false;  // the new level has kSettledLength values
  bool bends = false;    // the pace changes here, or a slope begins or ends, and the level is about the same
};

// A level that creeps: no single value made the change.
struct Drift {
  std::size_t from = 0;  // [from, to)
  std::size_t to = 0;
  double before = 0;  // its line at the first value and at the last
  double after = 0;
  Estimate slope;               // a value, as a share of the level
  Estimate total;               // from its first value to its last, as a ratio
  bool is_exponential = false;  // the line is one of logarithms: a share of the level a value
};

struct Changes {
  std::vector<ChangePoint> points;
  std::vector<Drift> drifts;
  // Steps that would be told if the level did not wander by itself: no single value made them.
  std::vector<ChangePoint> wandered;
};

// A new level with fewer values may yet turn out a spike.
inline constexpr std::size_t kSettledLength = 3;

// A rule that finds change points. What varies is a row of detectors(), so that a rule can be added and
// scored.
struct Detector {
  std::string name;
  std::string description;
  // `values`, oldest first, with their standard deviations where these are known (`spread`: as many, or
  // none).
  Changes (*find)(std::span<const double> values, std::span<const double> spread);
};

// This library's rules; the default one first.
const std::vector<Detector>& detectors();

// The default: optimal partitioning with a bounded loss, tested back to what noise does not explain, and the
// newest values by a test of their own. Values that are not finite are gaps: places count them, levels do
// not.
Changes find_changes(std::span<const double> values, std::span<const double> spread = {});

// A step that the ranks of values show. Inner part of change_points.hpp.

// Where these values of one level change theirs, by their ranks alone, so that neither tails nor a second
// speed hide it; 0: nowhere. The normal scores of the ranks (van der Waerden 1952) on both sides of the best
// split must differ by more than a t-test allows for noise that follows itself, and the medians by more than
// the least noise that a value has makes likely. Each part has more than twelve values. `series` values were
// looked through in all.
std::size_t rank_step(std::span<const double> level, double least_noise, double series);

}  // namespace tracker::stats

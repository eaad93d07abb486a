// What changed in a series for good, and the part of a series that is shown. Pure.
#pragma once

#include <vector>

#include "tracker/history/sentinel.hpp"
#include "tracker/model/run.hpp"
#include "tracker/model/series.hpp"

namespace tracker::history {

// The steps and drifts of the series, by at least its threshold: docs/changepoints.md has the rule. Disturbed
// points neither make a change nor hide one. Points of different machines and methods are not compared: each
// setting's changes are its own, and where one takes another's place, that is a step of other conditions. The
// kind of device tells the noise that a short history is taken to have. Over the eras of the machine levels
// are joined by the sentinel: what it moved by is a step of other conditions, and only what is more than
// that, and than the sentinel leaves open, is a step of the code. Give it the whole history, so that what it
// finds does not depend on what is shown.
void find_changes(Series& series, DeviceKind kind, const Sentinel& sentinel = {});

// The lengths of a point's repetitions are kept in picoseconds.
inline constexpr double kPsPerNs = 1000;

// Whether two values of one method were made of other repetitions all the same: longer ones, or many more of
// them where the metric's statistic hangs on that.
bool repetitions_apart(const PointRepetitions& one, const PointRepetitions& other, const Metric& metric);

// Adds the method where it is not there.
std::uint16_t place_of_method(std::vector<std::string>& methods, const std::string& method);

// Marks as ended the series whose benchmark is in none of the newest runs: at least three commits with a run
// of any of the series, and three times as many as usually lie between two of its points. `all`: the series
// of one device.
void mark_ended(std::vector<Series>& all);

// Only the points from this position on, with the changes there as they are in the whole series.
Series points_from(Series series, int position);

}  // namespace tracker::history

// What changed in series over the commits, and their values, as text. Pure.
#pragma once

#include <string>
#include <vector>

#include "tracker/model/change_event.hpp"
#include "tracker/model/series.hpp"

namespace tracker::report {

struct SeriesOptions {
  bool color = false;
  int columns = 0;      // of the terminal; 0: as wide as it gets
  bool values = false;  // every value, also of many series
};

// The series of one device: of one all values, of several a line each. What changed stands first, by its
// commit, the newest on top; then drifts; then what `together`, events of these series, shows of several only
// together; then what wanders; then what did not change.
std::string write_series(const std::vector<Series>& all, const SeriesOptions& options,
                         const std::vector<ChangeEvent>& together = {});

}  // namespace tracker::report

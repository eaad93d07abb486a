// How much each family changed in each month. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tracker/site/site.hpp"

namespace tracker {

struct MonthCell {
  double change = 0;  // the geometric mean over its benchmarks, in the metric's own direction
  int changed = 0;    // benchmarks
  int benchmarks = 0;
};

struct FamilyRow {
  std::string family;  // as charts name it: "transpose f32"; else a name's first segment
  Metric metric;       // a family that is judged by several has a row for each
  std::vector<std::optional<MonthCell>> cells;  // by month; empty where nothing was measured
};

struct FamilyMonths {
  std::vector<std::string> months;  // "2026-11", oldest first
  std::vector<FamilyRow> rows;      // in the order of the series
};

// So many months are shown.
inline constexpr std::size_t kSiteMonthsMax = 12;

FamilyMonths family_months(const std::vector<SiteSeries>& all, std::size_t months_max);

}  // namespace tracker

#include "tracker/site/family_months.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string_view>

#include "tracker/base/parallel.hpp"
#include "tracker/model/benchmark_name.hpp"
#include "tracker/site/summary.hpp"

namespace tracker {
namespace {

constexpr std::size_t kMonthLength = 7;  // of "2026-11"

std::string_view month_of(const SeriesPoint& point) {
  return std::string_view(point.date).substr(0, kMonthLength);
}

struct Sum {
  double logs = 0;
  int changed = 0;
  int benchmarks = 0;
};

// From the first to the last point of a month. Neighbours are mostly of one.
struct PointsOfMonth {
  std::size_t first = 0;
  std::size_t last = 0;
};
using SeriesMonths = std::map<std::string_view, PointsOfMonth>;

SeriesMonths months_of(const Series& series) {
  SeriesMonths months;
  PointsOfMonth* newest = nullptr;
  for (std::size_t i = 0; i < series.points.size(); ++i) {
    const std::string_view month = month_of(series.points[i]);
    if (newest == nullptr || month != month_of(series.points[i - 1]))
      newest = &months.try_emplace(month, PointsOfMonth{i, i}).first->second;
    newest->last = i;
  }
  return months;
}

// Adds what the series did in a month.
void add_month(const Series& series, const PointsOfMonth& points, Sum& sum) {
  const double change = log_change(series, points.first, points.last + 1, CountedSteps::kAll);
  sum.logs += change;
  sum.changed += change != 0 ? 1 : 0;
  ++sum.benchmarks;
}

}  // namespace

FamilyMonths family_months(const std::vector<SiteSeries>& all, std::size_t months_max) {
  std::vector<SeriesMonths> of_series(all.size());
  for_each_in_parallel(all.size(), [&](std::size_t i) { of_series[i] = months_of(all[i].series); });
  std::set<std::string> months;
  for (const auto& own : of_series)
    for (const auto& [month, points] : own) months.emplace(month);
  while (months.size() > months_max) months.erase(months.begin());

  FamilyMonths table;
  table.months.assign(months.begin(), months.end());
  std::vector<std::vector<Sum>> sums;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& one = all[i];
    const std::string family = family_of(one.series.benchmark);
    auto row = std::find_if(table.rows.begin(), table.rows.end(), [&](const FamilyRow& known) {
      return known.family == family && known.metric.name == one.series.metric.name;
    });
    if (row == table.rows.end()) {
      table.rows.push_back({family, one.series.metric, {}});
      sums.emplace_back(table.months.size());
      row = table.rows.end() - 1;
    }
    auto& of_row = sums[static_cast<std::size_t>(row - table.rows.begin())];
    for (std::size_t m = 0; m < table.months.size(); ++m)
      if (const auto found = of_series[i].find(table.months[m]); found != of_series[i].end())
        add_month(one.series, found->second, of_row[m]);
  }
  for (std::size_t r = 0; r < table.rows.size(); ++r)
    for (const Sum& sum : sums[r]) {
      std::optional<MonthCell> cell;
      if (sum.benchmarks > 0)
        cell = MonthCell{std::expm1(sum.logs / sum.benchmarks), sum.changed, sum.benchmarks};
      table.rows[r].cells.push_back(cell);
    }
  return table;
}

}  // namespace tracker

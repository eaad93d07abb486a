#include "tracker/site/family_months.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "tracker/model/benchmark_place.hpp"
#include "tracker/site/summary.hpp"

namespace tracker {
namespace {

constexpr std::size_t kMonthLength = 7;  // of "2026-11"

std::string month_of(const SeriesPoint& point) {
  return point.date.substr(0, kMonthLength);
}

struct Sum {
  double logs = 0;
  int changed = 0;
  int benchmarks = 0;
};

// Adds what the series did in a month, where it has a value there.
void add_month(const Series& series, const std::string& month, Sum& sum) {
  const auto is_of_month = [&](const SeriesPoint& point) { return month_of(point) == month; };
  const auto& points = series.points;
  const auto first = std::find_if(points.begin(), points.end(), is_of_month);
  if (first == points.end()) return;
  const auto last = std::find_if(points.rbegin(), points.rend(), is_of_month).base();
  const double change = log_change(series, static_cast<std::size_t>(first - points.begin()),
                                   static_cast<std::size_t>(last - points.begin()), CountedSteps::kAll);
  sum.logs += change;
  sum.changed += change != 0 ? 1 : 0;
  ++sum.benchmarks;
}

}  // namespace

FamilyMonths family_months(const std::vector<SiteSeries>& all, std::size_t months_max) {
  std::set<std::string> months;
  for (const auto& one : all)
    for (const auto& point : one.series.points) months.insert(month_of(point));
  while (months.size() > months_max) months.erase(months.begin());

  FamilyMonths table;
  table.months.assign(months.begin(), months.end());
  std::vector<std::vector<Sum>> sums;
  for (const auto& one : all) {
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
    for (std::size_t m = 0; m < table.months.size(); ++m) add_month(one.series, table.months[m], of_row[m]);
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

std::vector<FamilyMonths> months_of_devices(const SiteHistory& history) {
  std::vector<FamilyMonths> months;
  for (const auto& device : history.devices) months.push_back(family_months(device.series, kSiteMonthsMax));
  return months;
}

}  // namespace tracker

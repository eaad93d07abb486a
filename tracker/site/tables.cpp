#include "tracker/site/tables.hpp"

#include "tracker/base/parallel.hpp"

namespace tracker {

std::vector<DeviceTables> tables_of(const SiteHistory& history) {
  const std::string newest = newest_date(history);
  std::vector<DeviceTables> all;
  for (const auto& device : history.devices) {
    auto& tables = all.emplace_back();
    tables.series.resize(device.series.size());
    for_each_in_parallel(device.series.size(), [&](std::size_t i) {
      tables.series[i] = summarize_ranges(device.series[i].series, newest);
    });
    if (can_tell_change(tables.series, kMainRange))
      tables.months = family_months(device.series, kSiteMonthsMax);
  }
  return all;
}

std::string newest_date(const SiteHistory& history) {
  return history.commits.empty() ? "" : history.commits.rbegin()->second.date;
}

}  // namespace tracker

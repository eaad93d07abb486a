// What a site's pages say of each device, told once for all of them. Pure.
#pragma once

#include <string>
#include <vector>

#include "tracker/site/family_months.hpp"
#include "tracker/site/site.hpp"
#include "tracker/site/summary.hpp"

namespace tracker {

struct DeviceTables {
  std::vector<SeriesSummaries> series;  // in the order of the device's
  FamilyMonths months;                  // none where no series can tell a change
};

// Of each device, in its order.
std::vector<DeviceTables> tables_of(const SiteHistory& history);

// The date of the site's newest commit; empty where it has none.
std::string newest_date(const SiteHistory& history);

}  // namespace tracker

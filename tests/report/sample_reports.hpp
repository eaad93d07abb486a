// Reports as the judge makes them, for every format's golden files.
#pragma once

#include <string>
#include <vector>

#include "tracker/model/comparison.hpp"

namespace tracker::test {

// Every verdict, every metric with a unit, long names, notes.
ComparisonReport sample_report();

// A second device, where all is well and the sides are from several jobs.
ComparisonReport quiet_report();

// Names, subjects, reasons and notes from somebody who means harm.
ComparisonReport hostile_report();
// Floors, waivers, and what was confirmed.
ComparisonReport policy_report();
// Every verdict that has a cause, and one whose noise hides everything.
ComparisonReport reasons_report();
// Many rows that say the same.
ComparisonReport long_report();

}  // namespace tracker::test

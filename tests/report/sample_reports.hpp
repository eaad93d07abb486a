// Reports as the judge makes them, for every format's golden files.
#pragma once

#include <string>
#include <vector>

#include "tracker/model/comparison.hpp"
#include "tracker/report/report.hpp"

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
// Forty regressed.
ComparisonReport broken_report();
// Nothing is decided.
ComparisonReport open_report();
// Slower, but with the same code.
ComparisonReport same_code_report();
// What would fail is waived, only reported, or may be missing.
ComparisonReport excused_report();

// With a trend chart of every benchmark that fails or is slower with the same code, a chart of all changes,
// and one of the samples of the first.
report::Options comment_options(const std::vector<ComparisonReport>& reports, std::size_t bytes_max = 65536);
// A device, or all of them, without a run of the base.
report::Unjudged unjudged_device();
report::Options unjudged_options();
// From somebody who means harm.
report::Options hostile_options();

}  // namespace tracker::test

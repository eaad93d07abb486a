// Series of plain numbers from a file: a CSV column, a JSON array, or named series.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tracker/stats/change_points.hpp"

namespace tracker::formats {

struct NumberSeries {
  std::string name;
  std::vector<double> values;       // of any unit; NaN: no value at this place
  std::vector<std::string> labels;  // of each value, such as commits; none where the file has none
};

// JSON: [1, 2, null], {"values": […]}, {"NAME": {"values": […]}, …}, {"NAME": […], …}, [{"values": […]}, …],
// and series of the Turing Change Point Dataset. CSV: columns separated by commas, semicolons or tabs, with
// or without a header; `column` names one by its header or number (1 is the first), and where it is empty
// every column of numbers is a series. The first column that has none gives the labels. `source` is named in
// errors. kUsage for everything else.
std::vector<NumberSeries> read_number_series(std::string_view text, const std::string& source,
                                             const std::string& column);

// The change points of plain numbers as JSON, for programs (docs/changepoints.md).

// A series, and the changes that were found in it.
struct FoundChanges {
  NumberSeries series;
  stats::Changes changes;
};

// One object: the detector's name, and a list of the series with their labels and changes.
std::string print_change_points(const std::string& detector, const std::vector<FoundChanges>& found);

}  // namespace tracker::formats

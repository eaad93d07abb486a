// The series of a device's line out of columns: what make_line() says of load_history(), without making a Run
// of every stored one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tracker/history/series.hpp"

namespace tracker {

// `line` as Repository::first_parents() has it. Without commits where the device has no run on it; nothing
// where the documents have to be asked.
std::optional<LineSeries> column_line(const CommitLine& line, const RunSource& source,
                                      const std::string& device, const LineQuestion& question,
                                      const Policy& policy);

}  // namespace tracker

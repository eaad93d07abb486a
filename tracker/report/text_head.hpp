// What the reports for a terminal begin and end with.
#pragma once

#include <string>

#include "tracker/model/comparison.hpp"

namespace tracker {

// Device, both sides, and how they were measured; each on lines no wider than `columns`.
std::string head_of(const ComparisonReport& report, std::size_t columns);

// "note: …"
std::string note_of(const std::string& note, std::size_t columns);

}  // namespace tracker

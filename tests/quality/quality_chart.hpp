// False alarms and power of every rule, side by side.
#pragma once

#include <filesystem>
#include <vector>

#include "tests/quality/replay.hpp"

namespace tracker::quality {

// Writes a picture of the settings with ten invocations a side, as PNG or SVG by the file's ending. kUsage
// for another ending, or where there is no such setting; kEnvironment where gnuplot is missing or fails.
void write_quality_chart(const std::vector<Setting>& settings, const std::filesystem::path& file);

}  // namespace tracker::quality

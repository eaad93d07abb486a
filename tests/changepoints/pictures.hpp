// How detectors of change points compare, and what ours finds, as pictures.
#pragma once

#include <filesystem>
#include <vector>

#include "tests/changepoints/recordings.hpp"
#include "tests/changepoints/report.hpp"

namespace tracker::changepoints {

// Writes changepoint-quality.png and changepoint-examples.png into the folder, and each on a dark ground
// (-dark.png). The examples are of these groups. kEnvironment where gnuplot is missing or fails.
void write_pictures(const Report& report, const std::vector<Group>& groups,
                    const std::filesystem::path& directory);

}  // namespace tracker::changepoints

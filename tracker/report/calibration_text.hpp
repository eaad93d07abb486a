// A calibration as text: what can be resolved, and a proposal for tracker.toml.
#pragma once

#include <string>

#include "tracker/model/comparison.hpp"

namespace tracker::report {

// `benchmarks_max`: so many rows at most, the noisiest; the last line counts the others.
std::string calibration_text(const Calibration& calibration, std::size_t benchmarks_max);

// [[policy]] tables whose thresholds hold with ten pairs: one for each first segment of the names (and one
// more for each benchmark that needs a larger one than nine in ten of its kind), to be pasted and reviewed.
std::string calibration_proposal(const Calibration& calibration);

}  // namespace tracker::report

// tests/data/h200_medians as runs: what real GPUs showed for known code.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tests/support/make_run.hpp"

namespace tracker::test {

// Invocation medians by benchmark, in nanoseconds, in the order they ran.
using Times = std::map<std::string, std::vector<double>>;

// What one job ("job1" … "job4") measured of one code ("inject0" …).
Times recorded_times(const std::string& job, const std::string& code = "inject0");

// Some of it as a run; the board is the job's, and bandwidth is known where it was recorded.
Run recorded_run(const RunNumbers& numbers, const Times& times);

}  // namespace tracker::test

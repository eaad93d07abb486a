// Model → Google Benchmark's JSON, for compare.py and other tools that read it.
#pragma once

#include <string>

#include "tracker/model/run.hpp"

namespace tracker {

// One invocation of the run, as its binary would have written it. Read again, it has the same samples.
std::string write_google_benchmark(const Run& run, const Invocation& invocation);

}  // namespace tracker

// Several executions of one binary as one invocation. Pure.
#pragma once

#include "tracker/formats/google_benchmark.hpp"

namespace tracker {

// Puts the repetitions of `next` behind those of `file`. A benchmark that failed in one of them is failed.
void append_execution(BenchmarkFile& file, BenchmarkFile next);

}  // namespace tracker

// Invocations, as their files state them → the runs of one job.
#pragma once

#include <string>
#include <vector>

#include "tracker/formats/google_benchmark.hpp"
#include "tracker/model/run.hpp"

namespace tracker::formats {

// What the files do not say themselves: id, job, commit, which benchmarks were asked for, failures, ….
using RunFacts = Run;

// One run a device, in the order the devices first appear; every file must name its device by now. Facts
// equal in all samples (bytes and FLOPs per iteration, registers, …) are kept once, with the benchmark.
// A run of several boards of one model has no UUID: its invocations name their boards.
// A benchmark that failed in any invocation is failed, with what it said. Several runs of one job get
// ids that end in the device's place (…-1, …-2). kUsage where two binaries have a benchmark of one name, or
// the files disagree on how one is timed.
std::vector<Run> assemble_runs(std::vector<BenchmarkFile> files, const RunFacts& facts);

}  // namespace tracker::formats

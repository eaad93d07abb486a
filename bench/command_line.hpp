// The options of the benchmark binaries: our own, and Google Benchmark's.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

// As nvbench means them. Cold: the L2 cache is flushed before every launch, and each is timed alone.
// Hot: a batch of launches is timed together, so that each finds what the one before left in the cache.
// Sustained: hot, for a second and after half a second of the same load: the speed under the power limit.
enum class Timing { kCold, kHot, kSustained };

// What a benchmark's name ends in: nothing for cold, "/hot" for hot, "/sustained" for sustained.
std::string_view name_suffix(Timing timing);

// Takes `--timing=cold|hot|both|sustained` out of the arguments; cold where it is not given. Throws
// tracker::Error for another value.
std::vector<Timing> take_timing(int& argc, char** argv);

// Takes `--contexts=N` out of the arguments; empty where it is not given. Throws tracker::Error for what is
// no number from 1 to 100.
std::optional<int> take_contexts(int& argc, char** argv);

// Gives the rest to Google Benchmark. `--help` prints `help` and its own options, and exits with 0. Throws
// tracker::Error for an option that nobody knows; a value that Google Benchmark refuses ends the process
// with exit code 2.
void initialize_benchmark(int& argc, char** argv, std::string_view help);

// Runs what is registered, and gives the exit code: 0, also where single benchmarks failed (their rows say
// so).
int run_benchmarks();

// Prints the error that is being handled as "<program>: error: …" and gives its exit code.
int report_error(std::string_view program);

}  // namespace bench

// The options of the benchmark binaries: our own, and Google Benchmark's.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tracker/bench.hpp"

namespace tracker::kit {

// What the kit does against noise. Each can be left out, to see what it is worth: TRACKER_BENCH_WITHOUT in
// the environment lists names, "gate,pacing". The file's context states them (bench.without).
enum class Trick { kGate, kOverhead, kTurns, kPlaces, kFlush, kWake, kPacing, kContexts };
struct TrickRow {
  Trick trick;
  std::string_view name;
  std::string_view what;
};
std::span<const TrickRow> tricks();
// Throws tracker::Error where the variable holds a name that nobody knows.
std::vector<std::string_view> tricks_left_out();
bool is_left_out(Trick trick);

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

}  // namespace tracker::kit

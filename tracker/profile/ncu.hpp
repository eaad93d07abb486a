// Runs a program under ncu, NVIDIA's Nsight Compute, and reads what it counted.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tracker/base/process.hpp"
#include "tracker/model/run.hpp"

namespace tracker::profile {

// What `ncu --csv --page raw --print-units base` prints → the launches it counted. Pure.

// One launch of one kernel.
struct NcuLaunch {
  std::string kernel;                     // as it stands there: "kernels::smem_kernel(Panel)"
  std::string grid;                       // "(64, 64, 1)"
  std::string block;                      // "(32, 8, 1)"
  std::map<std::string, double> metrics;  // by name, in ncu's base units; those without a number are left out
};

// The table in ncu's output, which may have a program's own output and ncu's notices around it: columns are
// found by their names, a row of units follows the header, numbers have thousands separators. Empty where
// there is no table: nothing was profiled. kEnvironment, naming `source`, where it ends in the middle or a
// row has not as many cells as the header.
std::vector<NcuLaunch> parse_ncu_csv(std::string_view output, const std::string& source);

// The kernels that ncu lists as "Available Kernels" where none matched, without parameters.
std::vector<std::string> available_kernels(std::string_view output);

// The lines that ncu marks as errors, without the mark; at most so many.
std::vector<std::string> ncu_errors(std::string_view output, std::size_t lines_max);

// "tile_kernel<float, (int)4>" of "void kernels::tile_kernel<float, (int)4>(Panel)".
std::string short_kernel_name(std::string_view kernel);

// "tile_kernel" of the same.
std::string bare_kernel_name(std::string_view kernel);

struct NcuOptions {
  std::string path = "ncu";  // looked up on PATH when it has no slash
  std::string kernel;        // only this one: a function's name, or "regex:…"; empty: all but…
  std::vector<std::string> skip_kernels;  // …these functions
  int launches = 3;                       // counted at most, of each kernel and shape
  int skip_launches = 0;                  // of each, before the first that is counted
};

// ncu's own arguments, to stand before the program's: which kernels, which metrics, and the file its output
// goes to. Clocks are left as they are; caches are flushed before every pass. Pure.
std::vector<std::string> ncu_arguments(const NcuOptions& options, const std::filesystem::path& log);

struct NcuOutcome {
  std::vector<NcuLaunch> launches;
  std::string failure;      // why there are none: "launches no kernel", "exited with 1"
  std::string last_output;  // strangers' text, where the program failed
  bool stopped = false;     // Ctrl-C
};

// `program` is started under ncu, with all else that it says. kEnvironment where ncu cannot be started, may
// not read the counters, ends before it starts the program, or leaves half a table.
NcuOutcome run_under_ncu(ProcessSpec program, const NcuOptions& options);

// "ncu 2025.3.1", asked of the program. kEnvironment, saying where it comes from, where there is none.
std::string ncu_version(const NcuOptions& options);

// Which of the kernels that ncu counted is the benchmark's. Pure.

// Of the launches of `stated` (names as a benchmark states what it launches; all where none of those was
// counted, or none is stated), the kernel that took the most time, with one shape of grid and block. Its
// counters are the medians over its launches, of the metrics asked for. Nothing where there are no launches.
std::optional<ProfiledBenchmark> choose_kernel(const std::string& benchmark,
                                               const std::vector<NcuLaunch>& launches,
                                               const std::vector<std::string>& stated);

}  // namespace tracker::profile

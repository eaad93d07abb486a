// What `ncu --csv --page raw --print-units base` prints → the launches it counted. Pure.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace tracker {

// One launch of one kernel.
struct NcuLaunch {
  std::string kernel;                     // as it stands there: "kernels::smem_kernel(Panel)"
  std::string grid;                       // "(64, 64, 1)"
  std::string block;                      // "(32, 8, 1)"
  std::map<std::string, double> metrics;  // by name; those without a number are left out
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

}  // namespace tracker

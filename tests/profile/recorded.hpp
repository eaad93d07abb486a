// What ncu printed on an H200: tests/data/README.md says of what.
#pragma once

#include <filesystem>
#include <string>

#include "tests/source_tree.hpp"
#include "tracker/base/file.hpp"

namespace tracker::test {

inline std::string recorded_ncu(const std::string& name) {
  return read_file(std::filesystem::path(TRACKER_TEST_DATA) / "ncu" / name, 1 << 20);
}

// The standard output of a whole job: a program's own, ncu's notices, the table.
inline std::string recorded_output() {
  return recorded_ncu("ncu-h200.csv");
}

// A table as ncu writes it, of one launch of this kernel.
inline std::string table_of(const std::string& kernel, const std::string& metric, const std::string& value) {
  return "\"ID\",\"Process ID\",\"Process Name\",\"Kernel Name\",\"Block Size\",\"Grid Size\",\"" + metric +
         "\"\n\"\",\"\",\"\",\"\",\"\",\"\",\"byte\"\n\"0\",\"1\",\"bench\",\"" + kernel +
         "\",\"(32, 8, 1)\",\"(4, 4, 1)\",\"" + value + "\"\n";
}

}  // namespace tracker::test

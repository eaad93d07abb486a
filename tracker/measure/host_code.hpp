// What a built binary's benchmarks can run of it, to be compared with runs of other commits.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tracker/measure/same_program.hpp"
#include "tracker/model/run.hpp"

namespace tracker {

struct HostCode {
  Program program;                                // empty where it cannot be told
  std::map<std::string, std::string> benchmarks;  // Benchmark::host_code, of those where it is known
};

// Of these benchmarks, those that have the binary's prefix. `inputs` stands for the files of the repository
// that the binary may read, and is part of the program's hashes, as its arguments and what it loads are.
HostCode host_code_of(const BuiltBinary& built, std::optional<int> architecture,
                      const std::vector<std::string>& benchmarks, const std::string& inputs);

}  // namespace tracker

// What a benchmark binary says it has.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tracker/measure/invoke.hpp"

namespace tracker {

struct ListOutcome {
  std::optional<std::vector<std::string>> names;  // as parse_list gives them; nothing where it cannot list
  bool stopped = false;                           // Ctrl-C
};

// Starts it with --benchmark_list_tests: its benchmarks that match the spec's filter. A list is kept in the
// spec's output, where there is one, and read from there if it is of the same binary and filter: a job that
// is gone on with does not start its binaries to ask them again. Never throws for what the binary does.
ListOutcome list_benchmarks(const InvocationSpec& spec);

}  // namespace tracker

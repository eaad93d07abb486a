// What a benchmark binary says it has and knows.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tracker/measure/invoke.hpp"

namespace tracker {

struct ListOutcome {
  std::optional<std::vector<std::string>> names;  // as parse_list gives them, with the binary's prefix;
                                                  // nothing where it cannot list
  std::vector<std::string> lines;                 // of them, as the binary printed them
  LibraryFlags flags;                             // all, where it does not say
  bool stopped = false;                           // Ctrl-C
};

// Starts it with --help, and with --benchmark_list_tests: what it knows, and its benchmarks that match the
// spec's filter. The answers are kept beside the spec's output, where there is one, and read from there if
// they are of the same binary and filter: a job that is gone on with does not start its binaries to ask them
// again. Never throws for what the binary does; kUsage where the filter is no regular expression.
ListOutcome list_benchmarks(const InvocationSpec& spec);

}  // namespace tracker

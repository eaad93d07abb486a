// What a benchmark binary says it has and knows.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tracker/measure/invoke.hpp"
#include "tracker/measure/measure.hpp"

namespace tracker::measure {

struct ListOutcome {
  std::optional<std::vector<std::string>> names;  // as parse_list gives them, with the binary's prefix;
                                                  // nothing where it cannot list
  std::vector<std::string> lines;                 // of them, as the binary printed them
  std::string cannot_start;                       // why it does not even list; empty where it may run
  LibraryFlags flags;                             // all, where it does not say
  bool stopped = false;                           // Ctrl-C
};

// Starts it with --help, and with --benchmark_list_tests: what it knows, and its benchmarks that match the
// spec's filter. The answers are kept beside the spec's output, where there is one, and read from there if
// they are of the same binary and filter: a job that is gone on with does not start its binaries to ask them
// again. Never throws for what the binary does; kUsage where the filter is no regular expression.
ListOutcome list_benchmarks(const InvocationSpec& spec);

// The same of a binary of a commit that was built. kInterrupted after Ctrl-C.
ListOutcome list_benchmarks(const Target& target, const Binary& binary, const std::string& filter = {});

// Asks all binaries of a commit that was built, before time is spent on building another one. What cannot
// be started is told. kEnvironment where none can be; kUsage where two of them have a benchmark of one name.
void require_startable(const Target& target, const std::function<void(const std::string&)>& tell);

}  // namespace tracker::measure

// What of an executable a benchmark can run: its function, all that this calls or names, and all that the
// program runs around benchmarks. Two builds in which that is the same differ for the benchmark in nothing
// but the places where code and data lie. Pure. docs/reasons.md says what that shows, and what it does not.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tracker/machine_code/program_image.hpp"

namespace tracker {

struct ReachableCode {
  std::string around;  // a hash of what runs around any benchmark; empty: not known
  std::map<std::string, std::string> benchmarks;  // by name, of what each refers to
};

// Where both hashes of a benchmark are equal, it can run the same code, wherever that lies. Benchmarks are
// named as the binary names them. One is left out where its function is not known: without symbols, with a
// name that is not its function's, in a program for a fixed address or for another processor than x86-64.
// What is doubtful (an instruction that is not known) makes a hash that only the same program has again.
ReachableCode reachable_code(const ProgramImage& image, const std::vector<std::string>& benchmarks);

}  // namespace tracker

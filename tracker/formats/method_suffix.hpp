// Google Benchmark appends how it measured to a benchmark's name: "x/8192/iterations:10/manual_time".
// A change of the method must not look like a new benchmark.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

namespace tracker {

struct SplitName {
  std::string name;                               // "x/8192"
  std::map<std::string, std::string> attributes;  // {"iterations": "10", "manual_time": ""}
};

// The suffixes without their slash; one that ends in a colon has a value behind it.
std::span<const std::string_view> method_suffixes();

// Splits the known suffixes off the end. `threads:N` stays: another number of threads is another thing.
SplitName split_method_suffixes(std::string_view run_name);

// The name alone: a part of `run_name`, or of `joined` where it has to be put together.
std::string_view without_method_suffixes(std::string_view run_name, std::string& joined);

}  // namespace tracker

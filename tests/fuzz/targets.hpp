// The readers of what strangers write, one row each. A reader gives a value or a tracker::Error, whatever it
// is given; anything else ends the process.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tracker {

struct FuzzTarget {
  std::string_view name;
  void (*run)(std::string_view input);
  // What the search starts from, below tests/: files, or folders of files.
  std::vector<std::string_view> seeds;
};

const std::vector<FuzzTarget>& fuzz_targets();

// How many inputs readers took until now: damage is of use only to what gets past the first check.
std::size_t inputs_taken();

// Null where there is none of that name.
const FuzzTarget* find_fuzz_target(std::string_view name);

}  // namespace tracker

// Counts the benchmarks that a binary has printed a result of, while it runs. Pure.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace tracker {

class BenchmarkCounter {
 public:
  // `listed`: by name, the line that lists it. Each is counted at most `times` times.
  BenchmarkCounter(const std::map<std::string, std::string>& listed, int times);
  // How many more have ended in this piece of what it prints.
  int read(std::string_view text);

 private:
  std::map<std::string, int, std::less<>> left_;  // what a line of results starts with → how often it counts
  std::string line_;                              // the one that has no end yet
};

}  // namespace tracker

// The fast lane for run documents as write_run() prints them. Like plain_json, it refuses whatever is not
// plain, and the JSON library decides about that.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tracker/model/run.hpp"

namespace tracker {

struct PlainRun {
  std::string frame;  // the document with no benchmarks and no samples: for the JSON library
  std::vector<Benchmark> benchmarks;
  std::vector<std::map<std::string, Samples>> samples;  // of each invocation; each name is a benchmark's
};

// Empty where the text is not plain, or anything in it is wrong. `read_other` reads the text of a benchmark
// that has more than usual, and may throw.
std::optional<PlainRun> read_plain_run(std::string_view text,
                                       const std::function<Benchmark(std::string_view)>& read_other);

}  // namespace tracker

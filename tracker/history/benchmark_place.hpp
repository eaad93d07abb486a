// What a benchmark's name says of where it belongs.
#pragma once

#include <optional>
#include <string>

namespace tracker {

struct BenchmarkPlace {
  std::string family;  // with the type, where there is one: "gemm bf16"
  std::string variant;
  std::string shape;  // all that follows
};

// Of <family>/<variant>[/<type>]/<shape>, where a type begins with a letter. Empty for fewer than three
// segments.
std::optional<BenchmarkPlace> place_of(const std::string& name);

}  // namespace tracker

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

// "transpose f32" of "transpose/copy/f32/8x8"; of a name with fewer segments the first of them.
std::string family_of(const std::string& name);

}  // namespace tracker

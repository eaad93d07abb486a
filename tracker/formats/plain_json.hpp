// The fast lane for what Google Benchmark usually writes: a few times quicker than a JSON library, because it
// knows the shape and copies no text. It refuses whatever is not plain (escapes, text beyond ASCII, NaN, a
// field of another type, two equal keys, any error at all), and the JSON library decides about that.
#pragma once

#include <optional>
#include <string_view>

#include "tracker/formats/benchmark_rows.hpp"

namespace tracker {

struct PlainDocument {
  std::string_view context;  // the text of the context's object, not read yet
  BenchmarkRows benchmarks;
};

// Empty where the text is not plain. Where it is, the rows are those of rows_of_json; they refer to `text`.
std::optional<PlainDocument> read_plain(std::string_view text);

}  // namespace tracker

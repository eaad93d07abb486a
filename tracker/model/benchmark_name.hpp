// What a benchmark's name says: how it was measured, where it belongs, and the work of one iteration.
#pragma once

#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <regex.h>

#include "tracker/model/run.hpp"

namespace tracker {

// Google Benchmark appends how it measured to a benchmark's name: "x/8192/iterations:10/manual_time".
// A change of the method must not look like a new benchmark.

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

// Of a program's arguments, those that say how to measure where its results do not: {"--cold-warmup-runs":
// "9"}.
std::map<std::string, std::string> method_arguments(const std::vector<std::string>& arguments);

// By "/threads:4" at the end of a name; 1 where it has none.
int thread_count(std::string_view name);

// As Google Benchmark prints it: with the suffixes that were split off, in its order.
std::string printed_name(const Benchmark& benchmark);

// Whether a glob means this benchmark: by its name, or by the one that Google Benchmark prints, of whose
// suffixes some may be left out. Where `printed` is not known, suffixes at the glob's end count for nothing.
bool means_benchmark(std::string_view glob, std::string_view name, std::string_view printed = {});
bool means_benchmark(std::string_view glob, const Benchmark& benchmark);
// Whether any of the globs does; no globs at all ask for everything.
bool means_any(const std::vector<std::string>& globs, std::string_view name, std::string_view printed = {});
bool means_any(const std::vector<std::string>& globs, const Benchmark& benchmark);

// What --filter asks for: an expression (POSIX extended) that matches anywhere in a name, as
// --benchmark_filter does; behind a '-' one that does not.
class BenchmarkFilter {
 public:
  // kUsage for what is no regular expression, and for one that is too large.
  explicit BenchmarkFilter(const std::string& filter);
  bool passes(const std::string& name) const { return passes_any({name}); }
  // Of a benchmark that has several names.
  bool passes_any(std::initializer_list<std::string> names) const;

 private:
  bool inverted_;
  std::shared_ptr<const regex_t> expression_;
};
// Linux takes no argument of 128 KiB.
inline constexpr std::size_t kFilterBytesMax = 80 << 10;

// Of benchmarks that differ in their suffixes alone ("q" and "q/real_time"), all but the bare one keep them
// in their names. A file or run that has only one of them cannot know: name_of() says what it is called
// beside the others.
class SharedNames {
 public:
  // Notes the suffixes of a benchmark. To be called for all benchmarks before name_of().
  void add(const Benchmark& benchmark);
  bool empty() const { return with_suffixes_.empty(); }
  // The name of the benchmark beside the others.
  std::string name_of(const Benchmark& benchmark) const;

 private:
  std::set<std::string> with_suffixes_;
};

// What a benchmark's name says of where it belongs.
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

// The work of one iteration, computed from the numbers in a benchmark's name.

// "{3}/8 * ({4.1}*{4.3} + {4.3}*{4.2})": numbers, +, *, /, parentheses, and {s.n}, the n-th number in the
// s-th segment of the name, both counted from 1 ("{4}" is "{4.1}"). In "gemm/smem/bf16/128x64x32", {3} is 16
// and {4.2} is 64. 400 characters at most.
bool is_work_formula(std::string_view formula);

// In the unit that the formula counts in. Empty where the name lacks one of the numbers, or the result is not
// above 0 and finite.
std::optional<double> work_of(std::string_view formula, const std::string& name);

}  // namespace tracker

// Google Benchmark appends how it measured to a benchmark's name: "x/8192/iterations:10/manual_time".
// A change of the method must not look like a new benchmark.
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tracker/model/run.hpp"

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

// Of benchmarks that differ in their suffixes alone ("q" and "q/real_time"), all but the bare one keep them
// in their names. A file or run that has only one of them cannot know: name_of() says what it is called
// beside the others.
class SharedNames {
 public:
  void add(const Benchmark& benchmark);
  bool empty() const { return with_suffixes_.empty(); }
  std::string name_of(const Benchmark& benchmark) const;

 private:
  std::set<std::string> with_suffixes_;
};

}  // namespace tracker

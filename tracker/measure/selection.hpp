// Which benchmarks share a process, and how Google Benchmark is told. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tracker {

// Linux takes no argument of 128 KiB, and libstdc++ no expression of 100,000 states: about one a character.
inline constexpr std::size_t kFilterBytesMax = 80 << 10;

// A --benchmark_filter for exactly these benchmarks, named as tracker names them, whatever method suffixes
// they have: a POSIX extended expression, anchored. Names that differ in suffixes alone are taken together,
// since which of them are there decides what they are called; so are copies ("x" and "x#2"). Nothing where
// it would be too long.
std::optional<std::string> exact_filter(const std::vector<std::string>& names);

// What --benchmark_list_tests printed: the names without method suffixes, each once, in their order. Nothing
// where it is no list but a table of results, from a binary that does not know the option.
std::optional<std::vector<std::string>> parse_list(std::string_view output);

// What one process measures, on each of the targets that have it.
struct Part {
  std::string binary;                // its path, as tracker.toml has it
  std::vector<std::size_t> targets;  // their places, ascending
  std::string filter;                // --benchmark_filter; empty: none
  std::string what;                  // which of its benchmarks, where not all, for messages
};

// The benchmarks of a binary on one target.
struct Listing {
  std::size_t target = 0;
  std::optional<std::vector<std::string>> names;  // nothing: it cannot list them
};

// What is asked for.
struct Selection {
  std::string filter;
  std::vector<std::string> only;  // as tracker names them; instead of the filter
  bool isolate = false;
  std::vector<std::string> labels;  // of the targets, by their place; for notes
};

struct Parts {
  std::vector<Part> parts;
  std::vector<std::string> notes;  // what a person should be told
};

// In one process all targets measure the same set: what only one of them has gets a process of its own
// there. A binary that cannot list its benchmarks on one of its targets is measured as it is on all.
Parts choose_parts(const std::string& binary, const std::vector<Listing>& listings,
                   const Selection& selection);

}  // namespace tracker

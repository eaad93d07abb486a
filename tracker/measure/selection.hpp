// Which benchmarks share a process, and how Google Benchmark is told. Pure.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tracker/model/benchmark_name.hpp"
#include "tracker/model/policy.hpp"
#include "tracker/model/run.hpp"

namespace tracker::measure {

// A --benchmark_filter for exactly these benchmarks, named as tracker names them, whatever method suffixes
// they have: a POSIX extended expression, anchored. Names that differ in suffixes alone are taken together,
// since which of them are there decides what they are called; so are copies ("x" and "x#2"). Nothing where
// it would be too long.
std::optional<std::string> exact_filter(const std::vector<std::string>& names);

// Likewise for what these globs mean, which may be names as Google Benchmark prints them or as tracker does.
std::string filter_for_globs(const std::vector<std::string>& globs);

// The same for benchmarks of this binary, which knows nothing of its prefix; those that have another are left
// out. Nothing where none is left, or where it would be too long.
std::optional<std::string> filter_for(const Binary& binary, const std::vector<std::string>& names);

// What --benchmark_list_tests printed: the names without method suffixes, each once, in their order. Nothing
// where it is no list but a table of results, from a binary that does not know the option, or what Google
// Test prints, from a test program that uses Google Benchmark's library.
std::optional<std::vector<std::string>> parse_list(std::string_view output);

// The list without the lines that the same binary also prints where it lists nothing, with its help or with
// an empty list: what main() prints itself is no benchmark. Numbers among other words may differ there, as
// free memory does.
std::string without_banner(std::string_view list, std::string_view printed);

// What tells how much could be learned of a benchmark.
struct StageHints {
  std::map<std::string, double>
      telling;                       // correlations with the rest of the family, by benchmark: how_telling()
  std::set<std::string> suspicious;  // families in which what was measured looks changed
  std::set<std::string> likely_changed;  // benchmarks whose source changed
};

// All of its name but the last segment.
std::string family_in_stages(const std::string& name);

// The next benchmarks to measure, of those that are not `taken`: at least 8, and as many as were taken. First
// one of each family: of those likely changed, or else of all, the one that is most telling, or else the last
// of the list. Then the others of suspicious families, then those that are likely changed, then one more of
// each family, and so on, spread over the list.
std::vector<std::string> next_stage(const std::vector<std::string>& names, const std::set<std::string>& taken,
                                    const StageHints& hints = {});

// By benchmark, the correlation of its changes from run to run with those of the others of its family. Of
// those that at least five of these runs have, in the order of time.
std::map<std::string, double> how_telling(const std::vector<Run>& runs);

// What one process measures, on each of the targets that have it.
struct JobPart {
  Binary binary;                     // as tracker.toml has it
  std::vector<std::size_t> targets;  // their places, ascending
  std::string filter;                // --benchmark_filter; empty: none
  std::string what;                  // which of its benchmarks, where not all, for messages
  std::vector<std::string> names;    // of them, as far as the lists tell
};

// The benchmarks of a binary on one target, with its prefix.
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
  std::vector<JobPart> parts;
  std::vector<std::string> notes;  // what a person should be told
};

// In one process all targets measure the same set: what only one of them has gets a process of its own
// there. A binary that cannot list its benchmarks on one of its targets is measured as it is on all.
Parts choose_parts(const Binary& binary, const std::vector<Listing>& listings, const Selection& selection);

// kUsage where two of the binaries have a benchmark of one name on one target; names both, and how to tell
// them apart.
class NameClaims {
 public:
  // Notes that the binary has these benchmarks on this target.
  void claim(std::size_t target, const Binary& binary, const std::vector<std::string>& names);

 private:
  std::map<std::pair<std::size_t, std::string>, Binary> owners_;  // of target and name
};

}  // namespace tracker::measure

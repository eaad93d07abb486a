// Run and profile documents from strangers, as `tracker import` takes them: only what this tracker would
// write, within bounds. A store is kept for good, and everyone who fetches it reads it. So what is measured
// here is held to the same rules before it is recorded: what one job records, another one can import.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "tracker/formats/google_benchmark.hpp"
#include "tracker/model/run.hpp"

namespace tracker::formats {

// docs/store.md lists them for people.
struct ImportLimits {
  std::size_t files = 1000;
  std::size_t file_bytes = 64u << 20;
  std::size_t total_bytes = 256u << 20;
  std::size_t values = 10'000'000;      // of a document: numbers, texts, objects and lists in it
  std::size_t benchmarks = 100'000;     // of a document
  std::size_t names_bytes = 16u << 20;  // of a document's benchmarks together
  std::size_t interim_analyses = 50;    // of a document; 1000 rounds have 14
  std::size_t places = 5'000'000;       // of a document: benchmarks × invocations
  std::size_t samples = 2'000'000;      // of a document: benchmarks × invocations × repetitions
  std::size_t name_bytes = 1000;        // a benchmark's name; any key
  std::size_t text_bytes = 64u << 10;   // any other text
};
inline constexpr ImportLimits kImportLimits;

// kUsage, naming `source` and the place, for what read_run() and read_profile() refuse, and also: fields that
// are not known or stand twice, numbers below zero that count something, dates that are none, control
// characters in names, and what is beyond the limits. Those of single names and texts are always
// kImportLimits'.
Run read_run_strictly(std::string_view text, const std::string& source,
                      const ImportLimits& limits = kImportLimits);
Profile read_profile_strictly(std::string_view text, const std::string& source,
                              const ImportLimits& limits = kImportLimits);

// Takes out of a file that was measured what import would refuse of single names and values, and adds to
// `left_out` what that was: benchmarks and counters go, facts become unknown, texts are cut. kUsage, naming
// the file, where no benchmark is left.
void leave_out_forbidden(BenchmarkFile& file);

// Documents for the store. kUsage, naming the run or profile and the place, where import would refuse it.
std::string write_run_strictly(const Run& run, const ImportLimits& limits = kImportLimits);
std::string write_profile_strictly(const Profile& profile);

}  // namespace tracker::formats

// A run: what one job recorded for one commit on one device. Plain data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tracker/model/code.hpp"
#include "tracker/model/environment.hpp"
#include "tracker/model/exclusion.hpp"

namespace tracker {

// The clock a benchmark's own rates refer to: Google Benchmark's UseManualTime, UseRealTime, or neither.
// kNone: it is not timed, its times are 0, and its values are the counter kStatedValue.
enum class TimeBase { kManual, kReal, kCpu, kNone };

inline constexpr const char* kStatedValue = "value";

// What is the same for every sample of one benchmark.
struct Benchmark {
  std::string name;    // "transpose/smem_padded/f32/8192x8192": the run name without method suffixes
  std::string binary;  // the binary that has it: label_of() it
  TimeBase time_base = TimeBase::kCpu;
  std::string unit;             // of its values, where it is not timed: "MB"
  std::string better;           // likewise: "lower" or "higher"
  std::optional<int> instance;  // of its family, from the second on: those of other arguments or threads
  std::map<std::string, std::string>
      attributes;  // the suffixes split off: {"manual_time": ""}, {"iterations": "10"}
  std::optional<double> bytes_per_iteration;
  std::optional<double> flops_per_iteration;
  std::optional<double> items_per_iteration;
  std::map<std::string, double> counters;  // those equal in every sample: registers, blocks_per_sm, …
  std::optional<Code> code;                // of the kernels it launches
  std::string host_code;  // a hash of what it can run of its program, wherever that lies; empty: not known
  std::optional<std::string> error;  // what it said instead of measuring
  std::optional<bool> skipped;       // true: it did not want to be measured, and `error` says why
};

// Marks a benchmark that did not want to be measured.
void skip(Benchmark& benchmark, const std::string& why);

// One benchmark in one invocation; every vector has one entry a repetition, in the order they ran.
struct Samples {
  std::vector<double> real_time_ns;  // per iteration; the manual time where there is one
  std::vector<double> cpu_time_ns;   // per iteration
  std::vector<std::int64_t> iterations;
  std::map<std::string, std::vector<double>> counters;  // those that vary
  // Where a few values stand for all repetitions (tracker/summary/packed_run.hpp): how many there were. Then
  // the fewest and the most stand for their iterations, in one invocation for all, and the vectors need not
  // be as long as each other.
  std::size_t repetitions = 0;
};

std::size_t repetition_count(const Samples& samples);

// A number above zero to about a tenth, in a byte: one more than four times its logarithm to base 2. 0: not
// known.
std::uint8_t rough(double number);
double from_rough(std::uint8_t number);

// How many values stand for the times of so many repetitions: the least, and the one or two in the middle.
constexpr std::size_t kept_times(std::size_t repetitions) {
  if (repetitions <= 2) return repetitions;
  return repetitions % 2 == 0 ? 3 : 2;
}

// Where a benchmark has samples in a run, and how many repetitions it had there.
struct SampledInvocation {
  std::uint32_t invocation = 0;  // counted from 0
  std::uint32_t repetitions = 0;
  bool operator==(const SampledInvocation&) const = default;
};

// One execution of one binary. Where its library cannot interleave repetitions: that many executions of one
// repetition each, one after the other.
struct Invocation {
  std::string binary;
  int executions = 1;
  std::string started_at;  // UTC, ISO 8601: "2026-11-20T12:49:01Z"
  double length_s = 0;
  int round = 0;       // counted from 1: in a job with two sides, those of one round are pairs; 0: not known
  int build = 0;       // counted from 1, where its side was built several times (compare --rebuild); 0: once
  std::string board;   // the GPU's UUID, where the run is of several boards; empty: the run's device
  Exclusion excluded;  // why its samples do not count, where they do not
  Conditions conditions;
  std::map<std::string, Samples> samples;  // by benchmark name
};

// A binary that did not deliver all its invocations.
struct BinaryFailure {
  std::string binary;
  std::string what;  // "was killed by signal 11 (Segmentation fault) in invocation 3"
};

// Benchmarks that a job did not measure, as their program is the one of another commit: docs/reasons.md.
struct SameProgramAs {
  std::string commit;
  std::vector<std::string> benchmarks;  // as the binaries name them
  std::optional<double> saved_s;        // what measuring both sides would have taken
};

// What is known of a binary that was measured, beside its kernels: docs/reasons.md.
struct Program {
  std::string whole;  // a hash of all that is loaded
  std::string
      around;  // of what runs around any of its benchmarks, and of what they may read; empty: not known
  bool operator==(const Program&) const = default;
};

// What a document had before tracker store compact made one without single repetitions of it.
struct CompactedFrom {
  std::int64_t samples = 0;  // repetitions of all benchmarks and invocations
  std::int64_t bytes = 0;    // of its text
};

// Which of its benchmarks a run was asked for.
struct RunSelection {
  std::string expression;  // as --filter has it; empty: all of them, or more names than an expression takes
  int named = 0;           // benchmarks that were chosen by name, not by the user's expression; 0: none

  bool operator==(const RunSelection&) const = default;
  bool is_all() const { return expression.empty() && named == 0; }
};

struct Run {
  std::string id;          // sorts by time, and is unique: "20261120T124901Z-3f9a0c1e"
  std::string job;         // the same for all runs measured side by side in one job
  std::string commit;      // 40 hexadecimal digits; empty for files that belong to none
  bool dirty = false;      // the working tree had changes that the commit has not
  RunSelection selection;  // which benchmarks were asked for: what it lacks of others is not missing
  bool isolated = false;   // every benchmark had a process of its own
  std::vector<int>
      interim_analyses;  // the rounds after which a confirming job was judged; empty: at its end alone
  std::string started_at;
  double length_s = 0;
  Device device;
  Software software;  // of the first binary; what it does not state, of the first that does
  Host host;
  std::vector<Benchmark> benchmarks;                // in the order of the binaries' own lists
  std::vector<Invocation> invocations;              // in the order they ran
  std::map<std::string, Software> binary_software;  // by binary, of those that state another one
  std::map<std::string, Program> programs;          // by binary, where it is known
  std::vector<BinaryFailure> failures;
  std::vector<std::string>
      aggregates_only;  // benchmarks that state no single repetition: nothing to judge by
  std::optional<SameProgramAs> same_program;
  std::optional<CompactedFrom> compacted;  // its samples are a few values each: see Samples::repetitions
  std::vector<std::uint32_t> by_name;      // places of `benchmarks` in the order of names: index_benchmarks()
};

// "12 benchmarks", "what matches 'gemm/.*'"; empty where all were asked for. Not yet printable.
std::string selection_in_words(const RunSelection& selection);

// Most invocations that any benchmark has, of those that count: what a person means by a run's invocations.
int invocation_count(const Run& run);

// What was stated with this benchmark: by its binary, or else of the run.
const Software& software_of(const Run& run, const Benchmark& benchmark);

// The fewest and the most iterations that any of its repetitions had; zeros where none states any.
struct IterationRange {
  std::int64_t fewest = 0;
  std::int64_t most = 0;
};
IterationRange iterations_in(const Run& run, const std::string& benchmark);

// Makes find_benchmark() fast. Whoever changes names or the order of `benchmarks` calls it again.
void index_benchmarks(Run& run);

// The boards that its invocations ran on, each once, in the order of their names: the run's own, or those of
// a job that used several. Empty where none is known.
std::vector<std::string> boards_of(const Run& run);

// Null where there is none of that name. Looks through all where the run has no index.
const Benchmark* find_benchmark(const Run& run, const std::string& name);

}  // namespace tracker

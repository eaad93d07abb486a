// What the injected library (tracker/injection/) writes of a process, and what an iteration of a benchmark
// does. docs/formats.md has the lines. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tracker/model/run.hpp"

namespace tracker::formats {

// The schema that the first line names.
inline constexpr const char* kInjectionSchema = "tracker.injection/1";

struct InjectedKernel {
  std::string name;   // mangled
  std::string cubin;  // the digest of its module, whose bytes lie beside the lines; empty: not known
  int architecture = 0;
  double registers = 0;  // number of registers of a thread
  double shared_static_bytes = 0;
  double local_bytes = 0;
};

// A launch, or another call that takes time: a copy, a wait, an allocation.
struct InjectedOp {
  std::optional<std::size_t> kernel;  // its place among the kernels
  KernelLaunch launch;                // of another call its words: "copy of 4 bytes to the host"
  double threads_per_block = 0;
  double blocks_per_sm = 0;  // 0: not known
};

// Places of ops, in their order, as often as `times`.
struct RepeatedOps {
  std::vector<std::size_t> ops;
  std::size_t times = 1;
};
// Ops in the order in which they were called, with repetitions folded.
using OpSequence = std::vector<RepeatedOps>;

// Between two CUDA events whose distance was asked for, so often with the same ops.
struct TimedWindow {
  OpSequence ops;
  std::size_t count = 0;
};

// What happened while the same ranges of NVTX were open.
struct InjectedRange {
  std::vector<std::string> names;  // the outermost first
  std::vector<TimedWindow> windows;
  OpSequence ops;
};

struct InjectedCalls {
  std::string failure;   // why there is nothing, in words
  bool is_whole = true;  // false: the process made more calls than were kept
  std::vector<InjectedKernel> kernels;
  std::vector<InjectedOp> ops;
  std::vector<InjectedRange> ranges;
};

// kUsage, naming `source` and the line, for what is none.
InjectedCalls parse_injection_lines(const std::string& text, const std::string& source);

// Whether a range is named after this benchmark: by its name, with or without the suffixes that say how was
// measured.
bool is_range_of(const InjectedRange& range, const std::string& benchmark);

// The ops of one iteration, in their order. Where pairs of events were asked for their distance, what lay
// between most of them, the measuring kit's own kernels left out; without, what followed itself at least
// `iterations` times. Empty where neither tells, and where that would be a million ops. `benchmark`: of the
// ranges named after it; where none is, of all.
std::vector<std::size_t> ops_of_iteration(const InjectedCalls& calls, const std::string& benchmark,
                                          std::int64_t iterations);

}  // namespace tracker::formats

// What benchmarks launch, copy and wait for, as the injected library (tracker/injection/) sees it: in a pass
// of its own, of programs that state none of it themselves.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tracker/formats/injection_lines.hpp"
#include "tracker/measure/invoke.hpp"

namespace tracker::measure {

// What the pass saw of a benchmark. Its counters are in the units of our own benchmarks.
struct InjectedBenchmark {
  Code code;                               // of one iteration; its launches name copies and waits, too
  std::string cubin;                       // the one module that all of it is in; empty: there are several
  std::map<std::string, double> counters;  // registers, local_bytes, … as a benchmark of ours states them
  std::string whole;  // whole_of(): of all that the benchmark does, not an iteration alone
};

struct InjectedPass {
  std::map<std::string, InjectedBenchmark> benchmarks;  // as tracker names them; those that could be told
  std::string failure;                                  // why others could not, of one of them, in words
  std::vector<std::string> looked_at;                   // those that it came to, also where that told nothing
  std::size_t without_cuda = 0;                         // of those, that do not use it
  bool stopped = false;                                 // Ctrl-C
};

// Starts the spec's binary with the library in it: once, if it opens an NVTX range named after each
// benchmark, or cannot be asked for one alone; else once for each of `names`, until `seconds_max` are over.
// Never throws for what the binary does.
InjectedPass pass_with_injection(const InvocationSpec& spec, const std::filesystem::path& library,
                                 const std::vector<std::string>& names, double seconds_max,
                                 const LocalEnvironment& environment);

// The code and the counters of these ops; the modules' cubins lie in `folder`.
InjectedBenchmark code_of_ops(const formats::InjectedCalls& calls, const std::vector<std::size_t>& ops,
                              const std::filesystem::path& folder);

// A hash of all that the benchmark does on the device, its setting up as well: each kernel's code in the
// module that it was launched of, each shape of a launch, each copy and allocation with its bytes, and what
// lies between two events. Empty where that is not all, or where the time is not the device's alone: no
// events were asked for their distance in each iteration, something between them waits or copies to or from
// the host, a module was not seen, calls were too many to be kept.
std::string whole_of(const formats::InjectedCalls& calls, const std::string& benchmark,
                     std::int64_t iterations, const std::filesystem::path& folder);

// "-b", "copy", "-a", "Elements[pow2]=20", "--profile": how nvbench is asked for what tracker calls
// copy/Elements=2^20, once and without a kernel of its own, after `arguments`. What those choose is left out:
// nvbench measures every choice.
std::vector<std::string> nvbench_choice(const std::string& name,
                                        const std::vector<std::string>& arguments = {});

}  // namespace tracker::measure

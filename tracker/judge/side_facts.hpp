// What the runs of one side tell of a benchmark beside its times: its code, what is around it, and the
// conditions while it was measured.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tracker/judge/evidence.hpp"

namespace tracker {

// Over the invocations that count and have the benchmark.
struct SeenConditions {
  int invocations = 0;
  std::vector<double> core_clocks_mhz;          // the lowest of each that knows it
  std::optional<double> core_clock_mhz;         // their median
  std::optional<double> memory_clock_mhz;       // likewise
  std::optional<double> temperature_c;          // the highest
  std::optional<double> throttled_s;            // in all
  std::map<std::string, int> throttle_reasons;  // in how many of them: {"power_cap": 5}
  std::optional<int> other_processes;           // most at once
  std::optional<double> load_average;           // number of processes, of the host: the median
  int shared = 0;                               // invocations with other processes
  std::vector<double> memory_clocks_mhz;        // as core_clocks_mhz
};

SeenConditions seen_conditions(const SideEvidence& side);

struct SideFacts {
  std::optional<Benchmark> benchmark;  // as the newest run that measured it has it
  SeenConditions conditions;
  std::map<std::string, std::string> facts;  // run_facts() by name, as far as they are known
};

// The facts of all runs of a side. Without a run that measured the benchmark there are only facts of the
// runs.
SideFacts side_facts(const SideEvidence& side);

// Whether the machine code of the benchmark's kernels, the way they are launched, and the work of an
// iteration are the same in all of these runs. Empty where any of them does not tell: without a hash, or
// without its launches.
std::optional<bool> has_same_code(const SideEvidence& base, const SideEvidence& candidate);

// Whether all of these runs measured the same program, with the same work of an iteration. False where any of
// them does not tell.
bool has_same_program(const SideEvidence& base, const SideEvidence& candidate);

// Whether the benchmark sets its time itself wherever it was measured: the kernels' alone, where it is a
// GPU's.
bool is_timed_by_events(const SideEvidence& side);

// Whether the counter of that name is of the code: registers, local_bytes, ….
bool is_code_counter(const std::string& name);
// A counter of the newest run, in its own unit, or what the launches say where it has none.
std::optional<double> counter_of(const SideFacts& side, const std::string& counter);
// Of one block: static and dynamic.
std::optional<double> shared_bytes(const SideFacts& side);

// What a run says of its software and its machine, fact by fact: for notes, causes and `tracker explain`.

enum class FactKind {
  kBuild,     // of how the code under test was made: of no account where the machine code is the same
  kSoftware,  // around the code
  kMachine
};

struct RunFact {
  const char* name;  // "driver"
  FactKind kind;
  std::optional<std::string> (*value)(const Run& run);
  // Long: of two values what differs is said, and one that is not known is no other one.
  bool is_long = false;
};

// One row a fact. Throws std::out_of_range for a name that is none.
const std::vector<RunFact>& run_facts();
const RunFact& run_fact(std::string_view name);

// The values that the runs have, each once: "580.1, 590.2"; `unknown` stands for those that have none.
std::string values_of(Runs runs, const RunFact& fact, const std::string& unknown);

}  // namespace tracker

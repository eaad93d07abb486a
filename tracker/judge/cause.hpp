// Why a verdict came about, and why a benchmark may be as much slower or faster as it is: what differs
// between the two sides, likeliest first. Pure. docs/reasons.md says what each line means, and what none can
// know.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tracker/judge/decision.hpp"
#include "tracker/judge/judge.hpp"
#include "tracker/model/comparison.hpp"
#include "tracker/model/policy.hpp"
#include "tracker/model/run.hpp"

namespace tracker::judge {

// What a difference does to the time; kEither where that cannot be told.
enum class Effect { kSlower, kFaster, kEither };

struct Finding {
  std::string text;  // "blocks per SM 8 → 4: registers 32 → 64"
  Effect effect = Effect::kEither;
};

enum class About {
  kCode,   // machine code and launch
  kBuild,  // how the code was made: explains nothing where the machine code is the same
  kAround  // everything else
};

// One row a kind of cause; the likelier stands first.
struct CauseRule {
  const char* name;
  About about;
  // Null: the fact of that name (run_facts()) differs.
  std::optional<Finding> (*find)(const SideFacts& base, const SideFacts& candidate) = nullptr;
};
const std::vector<CauseRule>& cause_rules();

// What one row of the table found.
struct Cause {
  std::string rule;
  About about = About::kCode;
  Finding finding;
};

// All that differs. With the same code, what made it is left aside.
std::vector<Cause> find_causes(const SideFacts& base, const SideFacts& candidate,
                               std::optional<bool> same_code);

// Those that can have had this effect, as one line; the first few where there are many. Empty where there is
// none.
std::string cause_in_words(const std::vector<Cause>& causes, Effect effect);

// "hardware counters: gst_efficiency 100 % → 12.5 % (×0.13), …": the few that moved most of those whose move
// can have had this effect (profile/counters.hpp says which). Empty where there is none. `with_stalls`: also
// what warps wait for. Those are shares of one whole: as one grows the others shrink, which speaks against
// nothing.
std::string counters_in_words(const ProfiledBenchmark& base, const ProfiledBenchmark& candidate,
                              Effect effect, bool with_stalls = true);

// How two sides' machine code and launches differ, in words.

// "another kernel: a → b", "one more launch: memset"; empty where the same kernels are launched as often.
std::string kernels_in_words(const std::vector<KernelLaunch>& base,
                             const std::vector<KernelLaunch>& candidate);

// "block 32x8 → 16x16"; empty where other kernels are launched, or the same way.
std::string shapes_in_words(const std::vector<KernelLaunch>& base,
                            const std::vector<KernelLaunch>& candidate);

// "3 launches and 1 copy of 4 bytes to the host": what an iteration does.
std::string calls_in_words(const std::vector<KernelLaunch>& launches);

// Whether copies, waits or allocations are among them, as the injected library names them.
bool has_other_calls(const std::vector<KernelLaunch>& launches);

// "machine code changed: LDG 4 → 5, IMAD 12 → 14 and 3 more"; empty where it is the same, or not known.
std::string code_in_words(const Code& base, const Code& candidate);

// An instruction whose number differs.
struct InstructionChange {
  std::string name;
  std::int64_t base = 0;
  std::int64_t candidate = 0;
};
// Those that tell most first: what goes to memory, then by how much they changed.
std::vector<InstructionChange> instruction_changes(const Code& base, const Code& candidate);

// Why a verdict came about.

// For a comparison that was decided on this basis.
Reasons reasons_for(const Comparison& comparison, const Basis& basis);

// What the code of both sides has to do with a verdict. docs/reasons.md derives the rule.

// Says whether the code of a compared benchmark is the same, and makes what regressed with the same code
// kSameCode. That takes the same program (has_same_program()), or a time that the kernels alone have: manual
// time, of which all runs know machine code, launches and work. `in_turn`: one job measured both sides side
// by side.
void apply_same_code(Comparison& comparison, const BenchmarkEvidence& evidence, bool in_turn);

// Fills in the cause, after the floors.
void add_cause(Comparison& comparison, const BenchmarkEvidence& evidence, bool in_turn);

// What the code or the machine did to the time, by the verdict, or else by the change against the base: below
// a floor that may be none, or a gain.
Effect effect_of(const Comparison& comparison);

// Whether its row names a cause: where the code or the machine made it another speed.
bool wants_cause(const Comparison& comparison);

// Adds to them which hardware counters moved, of benchmarks that both commits' profiles have, under the names
// of the report.
void add_counter_causes(ComparisonReport& report, const Profile& base, const Profile& candidate);

// What a reader must know about both sides before believing a comparison: one sentence each. `learned`: the
// spread between jobs is from runs.
std::vector<std::string> notes_of(const ComparisonReport& report, OpenBenchmarks open, Runs base,
                                  Runs candidate, Distance distance, bool learned, const Policy& policy);

// What of a GPU's run is judged by the time of the host's processor, which does not hold what the GPU does
// after a launch; empty where nothing is, or nothing but benchmarks that the policy gives another metric.
std::string cpu_time_note(const Run& run, const Policy& policy);

// What differs between two commits in a benchmark, side by side.

// One side, with the newest profile of its commit on the device; null where there is none.
struct ExplainedSide {
  const SideRuns& side;
  const Profile* profile = nullptr;
};

// Of these benchmarks of the report, in its order. `judged` is what judge_stored() said of the same sides by
// the same policy.
ExplanationReport explain(const ComparisonReport& judged, const ExplainedSide& base,
                          const ExplainedSide& candidate, const Policy& policy,
                          const std::vector<std::string>& benchmarks);

}  // namespace tracker::judge

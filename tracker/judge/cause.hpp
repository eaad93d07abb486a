// Why a benchmark may be as much slower or faster as it is: what differs between the two sides, likeliest
// first. Pure. docs/reasons.md says what each line means, and what none of them can know.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tracker/judge/evidence.hpp"
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

}  // namespace tracker::judge

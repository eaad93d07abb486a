// How two sides' machine code and launches differ, in words.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tracker/model/run.hpp"

namespace tracker {

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

}  // namespace tracker

// Where instructions of x86-64 end, and what they point at: enough to tell functions apart wherever a linker
// put them. After Intel's Software Developer's Manual, volume 2, chapter 2 and appendix A.
#pragma once

#include <cstdint>
#include <optional>

#include "tracker/machine_code/byte_view.hpp"

namespace tracker {

enum class X86Target {
  kNone,
  kJump,   // of a call, a jump or a branch: always code
  kMemory  // what an operand names relative to the next instruction: data, or a function whose address is
           // taken
};

struct X86Instruction {
  std::uint64_t length = 0;  // bytes
  X86Target target = X86Target::kNone;
  std::uint64_t field = 0;          // where the distance to the target lies in the instruction
  std::uint64_t field_bytes = 0;    // 1 or 4
  std::int64_t distance = 0;        // from the end of the instruction to the target
  bool is_jump_by_memory = false;   // jmp *target: what an entry of a procedure linkage table ends with
  bool has_thread_segment = false;  // its operand may be a variable of the thread
};

// The instruction at this place. Empty where it is none that is known, or does not end inside the code.
std::optional<X86Instruction> decode_x86(ByteView code, std::uint64_t at);

}  // namespace tracker

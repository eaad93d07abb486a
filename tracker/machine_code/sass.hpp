// Disassembled machine code (SASS), and what two builds of a kernel differ in. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tracker::machine_code {

// The instructions of a kernel in what `cuobjdump --dump-sass` prints, without addresses, encodings and the
// NOPs that fill up the end: "@!P4 LDG.E R8, desc[UR6][R16.64]". `name` as kernel_name() has it. Of the
// architecture, 90 for sm_90 and sm_90a. Empty where the listing does not have it.
std::optional<std::vector<std::string>> sass_of(std::string_view listing, const std::string& name,
                                                int architecture);

struct SassDiff {
  std::vector<std::string> lines;  // each with ' ', '-' or '+' before it; "@@ … @@" between the parts
  std::size_t removed = 0;         // instructions, also those that `lines` has no room for
  std::size_t added = 0;
  std::size_t left_out = 0;  // changed instructions that are not in `lines`
};

// As diff -u shows it, with `context` lines around what changed, and the largest changes where there are more
// than `changed_max` instructions. Instructions that differ in nothing but their registers and constants are
// the same: the compiler numbers those anew.
SassDiff diff_sass(const std::vector<std::string>& base, const std::vector<std::string>& candidate,
                   std::size_t changed_max, std::size_t context = 2);

}  // namespace tracker::machine_code

// Whether two builds of an executable or a shared library are the same program: what of them is loaded into
// memory, compared byte by byte. Pure. docs/reasons.md says what that shows, and what it does not.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tracker::machine_code {

struct ProgramImage {
  std::string_view file;  // the whole of it
  std::string root;       // the folder that it was built in: of the same length on both sides, it may differ
};

// Why they are not known to be the same program, for a reader ("'.text' differs"); empty where they are. What
// may differ: sections that are not loaded (symbols, debug information), the build id, the root's path in
// place, the hash of a path that nvcc puts into names, and device code for other GPUs than `architecture` (90
// for sm_90 and sm_90a). Without an architecture all device code has to be the same.
std::string program_difference(const ProgramImage& base, const ProgramImage& candidate,
                               std::optional<int> architecture);

// A hash of all that program_difference() compares, so that a build can be told from one that is no longer
// there: equal hashes mean the same program, for roots of one length. Others may be the same program as well,
// where code for another GPU has moved what lies behind it. Empty for what is no executable that can be
// compared.
std::string program_hash(const ProgramImage& image, std::optional<int> architecture);

// The device code that a GPU of this architecture loads, of a section of fatbins: of each container the
// machine code for it, or else for the next lower one of its generation, or else everything that is to be
// compiled for it. The roots are those of ProgramImage. Empty where both sections hold the same of it.
std::string device_code_difference(std::string_view base, std::string_view candidate, int architecture,
                                   const std::string& base_root = "", const std::string& candidate_root = "");

}  // namespace tracker::machine_code

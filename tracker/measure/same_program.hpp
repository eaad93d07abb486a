// Whether both sides of a comparison would run the same program: the binary, and the libraries that it loads.
#pragma once

#include <optional>
#include <string>

#include "tracker/measure/loaded_files.hpp"

namespace tracker {

// Why they are not known to be the same ("'.text' differs"); empty where they are. `architecture` is that of
// the GPU (90 for a compute capability of 9.0); without one, all device code has to be the same. Libraries
// outside of the checkouts are the machine's, and the same for both: shared_file_of() finds those that are
// not. What a program starts or reads once it runs is not seen.
std::string why_not_same_program(const BuiltBinary& base, const BuiltBinary& candidate,
                                 std::optional<int> architecture);

// What compiled it: by its section .comment, or else by what CMake keeps beside it, up to its root. Empty
// where neither tells.
std::string compiler_of(const BuiltBinary& built);

// A hash of what is compared, to be compared with a build that is no longer there: equal ones are the same
// program where both were built in folders of names of one length. Empty where that cannot be told.
std::string hash_of_program(const BuiltBinary& built, std::optional<int> architecture);

// 90 for "9.0"; empty for what is no compute capability.
std::optional<int> architecture_of(const std::string& compute_capability);

}  // namespace tracker

// Kernels' names, as people know them.
#pragma once

#include <string>

namespace tracker {

// The function's name alone, with its template arguments and without namespaces, types of parameters and
// blanks: "smem_padded_kernel", "tile_kernel<128,8>". What is no mangled name stays as it is; characters that
// cannot stand in a label (blanks, colons, what is not ASCII) become "_". Long arguments become "...".
std::string kernel_name(const std::string& mangled);

}  // namespace tracker

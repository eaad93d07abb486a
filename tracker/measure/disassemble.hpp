// Reading a binary's machine code with CUDA's own disassembler, where it is installed.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace tracker::measure {

// cuobjdump: on PATH, or below $CUDA_HOME or /usr/local/cuda. Empty where it is not.
std::optional<std::filesystem::path> find_cuobjdump();

// What `cuobjdump --dump-sass` prints of these kernels of an executable, for an architecture (90: sm_90, and
// sm_90a where it has that). `kernel`: as kernel_name() has it; all instances of that name; where its
// machine code cannot be listed (compressed), of all kernels, which may take minutes. Empty where it fails or
// takes longer than a minute.
std::string disassemble(const std::filesystem::path& cuobjdump, const std::filesystem::path& binary,
                        const std::string& kernel, int architecture);

}  // namespace tracker::measure

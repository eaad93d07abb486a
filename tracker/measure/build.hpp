// Building one side of a comparison with the commands that tracker.toml names, and reading the machine code
// of what was built with CUDA's own disassembler, where that is installed.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tracker/model/policy.hpp"

namespace tracker::measure {

// What tells build commands which of several builds of one commit they make: 1, 2, …
inline constexpr char kBuildSeedVariable[] = "TRACKER_BUILD_SEED";

// kUsage where tracker.toml names no build commands and a binary that is no script (Binary::prints_rows),
// with `option` ("--build") as what needs them.
void require_build(const MeasureSettings& settings, const std::vector<Binary>& binaries,
                   const std::string& option);

// Runs the commands in order at `root`. For the first that fails kEnvironment, naming `what` ("HEAD~1
// (1a2b3c4)"), the command, how it ended, its last lines, and `log`, the file that has all it printed;
// kInterrupted after Ctrl-C.
void build_at(const std::filesystem::path& root, const MeasureSettings& settings, const std::string& what,
              const std::filesystem::path& log);

// The commands as one would type them: "mkdir -p out; make".
std::string describe(const BuildCommands& commands);

// "-O3 → -O1"; empty where they are the same.
std::string commands_difference(const BuildCommands& base, const BuildCommands& candidate);

// What the outcome of a build depends on beside the commit, as one text: the commands, and those variables of
// the environment that compilers and build systems read.
std::string build_recipe(const MeasureSettings& settings);

// The binaries that are not there.
std::vector<Binary> missing_binaries(const std::vector<Binary>& binaries, const std::filesystem::path& root);

// cuobjdump: on PATH, or below $CUDA_HOME or /usr/local/cuda. Empty where it is not.
std::optional<std::filesystem::path> find_cuobjdump();

// What `cuobjdump --dump-sass` prints of these kernels of an executable, for an architecture (90: sm_90, and
// sm_90a where it has that). `kernel`: as kernel_name() has it; all instances of that name; where its
// machine code cannot be listed (compressed), of all kernels, which may take minutes. Empty where it fails or
// takes longer than a minute.
std::string disassemble(const std::filesystem::path& cuobjdump, const std::filesystem::path& binary,
                        const std::string& kernel, int architecture);

}  // namespace tracker::measure

#include "tracker/measure/build.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string_view>

#include <unistd.h>

#include "tracker/base/error.hpp"
#include "tracker/base/file.hpp"
#include "tracker/base/process.hpp"
#include "tracker/base/text.hpp"
#include "tracker/machine_code/machine_code.hpp"
#include "tracker/measure/invoke.hpp"

namespace tracker::measure {
namespace {

constexpr int kShownLinesMax = 20;
constexpr std::size_t kLogBytesMax = 16u << 20;

// The variables that build tools read and that make another binary of the same commit.
constexpr std::string_view kBuildVariables =
    "AR ARFLAGS AS ASFLAGS CC CFLAGS CPATH CPPFLAGS CUDAARCHS CUDACXX CUDAFLAGS CUDAHOSTCXX "
    "CUDA_HOME CUDA_PATH CXX CXXFLAGS FC FFLAGS GOFLAGS LD LDFLAGS LDLIBS LIBRARY_PATH MAKEFLAGS "
    "NVCC NVCC_APPEND_FLAGS NVCC_PREPEND_FLAGS PATH PKG_CONFIG_PATH RUSTFLAGS";
constexpr std::string_view kCMakePrefix = "CMAKE_";

std::string variables() {
  std::string text;
  for (const auto& name : split(kBuildVariables, ' '))
    if (const char* value = std::getenv(name.c_str())) text += name + "=" + value + "\n";
  for (char** entry = ::environ; *entry != nullptr; ++entry)
    if (std::string_view(*entry).starts_with(kCMakePrefix)) text += std::string(*entry) + "\n";
  return text;
}

std::string end_of(const ProcessResult& result, const MeasureSettings& settings) {
  if (!result.timed_out) return describe_end(result);
  return "took longer than measure.build_timeout_s = " + format_plain(settings.build_timeout_s) +
         " and was stopped";
}

// A log that cannot be written is no reason to hide why the build failed.
std::string kept_in(const std::filesystem::path& log, const std::string& text) {
  try {
    write_file(log, text);
  } catch (const Error&) {
    return "";
  }
  return "all it printed: " + log.string() + "; ";
}

}  // namespace

void require_build(const MeasureSettings& settings, const std::vector<Binary>& binaries,
                   const std::string& option) {
  const bool are_scripts = !binaries.empty() && std::ranges::all_of(binaries, &Binary::prints_rows);
  if (settings.build.empty() && !are_scripts)
    throw Error(ExitCode::kUsage, "tracker.toml names no build commands, and " + option + " needs them",
                "name them as measure.build: [measure] build = [[\"cmake\", \"--workflow\", \"--preset\", "
                "\"release\"]]");
}

void build_at(const std::filesystem::path& root, const MeasureSettings& settings, const std::string& what,
              const std::filesystem::path& log) {
  for (const auto& command : settings.build) {
    ProcessSpec spec;
    spec.argv = command;
    spec.directory = root;
    if (settings.build_seed > 0) spec.environment[kBuildSeedVariable] = std::to_string(settings.build_seed);
    spec.timeout = std::chrono::milliseconds(static_cast<std::int64_t>(settings.build_timeout_s * 1000));
    spec.output_bytes_max = kLogBytesMax;
    spec.errors_into_output = true;  // compilers write to one stream, build tools to the other
    spec.keep_going = [] { return !interrupted(); };
    const auto result = run_process(spec);
    if (interrupted()) throw Error(ExitCode::kInterrupted, "interrupted while building " + what);
    if (result.ok()) continue;
    const std::string shown = last_lines(result, kShownLinesMax);
    throw Error(ExitCode::kEnvironment,
                "building " + what + " failed: '" + join(command, " ") + "' " + end_of(result, settings),
                (result.output.empty() ? "" : kept_in(log, result.output)) +
                    "the commands are [measure] build in tracker.toml; they ran in " + root.string(),
                shown.empty() ? std::vector<std::string>() : split(shown, '\n'));
  }
}

std::string describe(const BuildCommands& commands) {
  std::vector<std::string> lines;
  for (const auto& command : commands) lines.push_back(join(command, " "));
  return join(lines, "; ");
}

std::string commands_difference(const BuildCommands& base, const BuildCommands& candidate) {
  if (base == candidate) return "";
  const auto [before, after] = changed_words(describe(base), describe(candidate));
  return before + " → " + after;
}

std::string build_recipe(const MeasureSettings& settings) {
  std::string text;
  for (const auto& command : settings.build) {
    for (const auto& word : command) text += word + '\0';
    text += '\n';
  }
  if (settings.build_seed > 0)
    text += std::string(kBuildSeedVariable) + "=" + std::to_string(settings.build_seed) + "\n";
  return text + variables();
}

std::vector<Binary> missing_binaries(const std::vector<Binary>& binaries, const std::filesystem::path& root) {
  std::vector<Binary> missing;
  std::error_code ignored;
  for (const auto& binary : binaries)
    if (!std::filesystem::is_regular_file(binary_path(root, binary), ignored)) missing.push_back(binary);
  return missing;
}

namespace {

// Separated by commas.
std::string mangled_names(const std::filesystem::path& binary, const std::string& kernel, int architecture) {
  constexpr std::size_t kBinaryBytesMax = std::size_t{2} << 30;
  std::set<std::string> names;
  for (const auto& function : machine_code::MachineCode(read_file(binary, kBinaryBytesMax)).functions())
    if (function.architecture == architecture && machine_code::kernel_name(function.name) == kernel)
      names.insert(function.name);
  return join({names.begin(), names.end()}, ",");
}

}  // namespace

std::optional<std::filesystem::path> find_cuobjdump() {
  if (auto found = find_on_path("cuobjdump"); found.is_absolute()) return found;
  for (const std::string& home : {environment_value("CUDA_HOME"), std::string("/usr/local/cuda")}) {
    const auto path = std::filesystem::path(home) / "bin" / "cuobjdump";
    if (!home.empty() && ::access(path.c_str(), X_OK) == 0) return path;
  }
  return {};
}

std::string disassemble(const std::filesystem::path& cuobjdump, const std::filesystem::path& binary,
                        const std::string& kernel, int architecture) {
  const std::string functions = mangled_names(binary, kernel, architecture);
  std::string listing;
  for (const char* specific : {"", "a"}) {
    ProcessSpec spec;
    spec.argv = {cuobjdump.string(), "--dump-sass", "--gpu-architecture",
                 "sm_" + std::to_string(architecture) + specific};
    if (!functions.empty()) spec.argv.insert(spec.argv.end(), {"--function", functions});
    spec.argv.push_back(binary.string());
    // It starts nvdisasm, which lies beside it.
    const char* path = std::getenv("PATH");
    spec.environment["PATH"] =
        cuobjdump.parent_path().string() + (path == nullptr ? "" : ":" + std::string(path));
    spec.timeout = std::chrono::minutes(1);
    const auto result = run_process(spec);
    if (result.ok()) listing += result.output;
  }
  return listing;
}

}  // namespace tracker::measure

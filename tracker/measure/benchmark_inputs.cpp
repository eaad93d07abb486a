#include "tracker/measure/benchmark_inputs.hpp"

#include <algorithm>

#include "tracker/base/text.hpp"

namespace tracker {
namespace {

// Patterns of paths that no benchmark is taken to read. '*' stands for any text, with '/' in it.
constexpr const char* kNoInputs[] = {
    // texts for people, and what describes the project
    "*.md", "*.rst", "*.adoc", "docs/*", "doc/*", "README*", "LICENSE*", "COPYING*", "CHANGELOG*", "AUTHORS*",
    "NEWS*", "CONTRIBUTORS*", "NOTICE*", "CODEOWNERS", ".*",
    // compiled: a change is seen in the program
    "*.c", "*.cc", "*.cpp", "*.cxx", "*.c++", "*.h", "*.hh", "*.hpp", "*.hxx", "*.inl", "*.inc", "*.ipp",
    "*.tcc", "*.cu", "*.cuh", "*.s", "*.S", "*.asm", "*.rs", "*.go", "*.f90", "*.zig",
    // builds
    "CMakeLists.txt", "*/CMakeLists.txt", "*.cmake", "CMakePresets.json", "Makefile", "*/Makefile", "*.mk",
    "meson.build", "*/meson.build", "BUILD", "*/BUILD", "*.bazel", "*.bzl", "WORKSPACE", "configure.ac",
    "Makefile.am", "*/Makefile.am", "*.ninja",
    // what people call
    "*.sh", "*.bash", "*.bat", "*.ps1",
    // ours
    "tracker.toml"};

template <typename Patterns>
bool is_like(const Patterns& patterns, const std::string& path) {
  return std::any_of(std::begin(patterns), std::end(patterns),
                     [&](const auto& pattern) { return glob_match(pattern, path); });
}

}  // namespace

std::vector<std::string> possible_inputs(const std::vector<std::string>& changed, const Binary& binary,
                                         const std::string& baselines_directory) {
  std::vector<std::string> inputs;
  for (const auto& path : changed) {
    const bool is_baseline = path.starts_with(baselines_directory + "/");
    const bool may_be_read =
        binary.reads ? is_like(*binary.reads, path) : !is_like(kNoInputs, path) && !is_baseline;
    if (may_be_read) inputs.push_back(path);
  }
  return inputs;
}

}  // namespace tracker

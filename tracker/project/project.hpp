// What a repository has that can be measured, how it is built, and a first tracker.toml that says so.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace tracker::project {

struct DetectedBinary {
  std::string path;  // relative to the root
  std::vector<std::string>
      names;                  // of the benchmarks that it lists; none where it cannot list them (nvbench)
  std::string directory;      // that it has to run in, relative to the root, to list them; empty: the root
  bool is_silent = false;     // it was asked for them, and did not answer: it may need arguments
  bool is_cuda = false;       // it holds CUDA kernels, or is linked with CUDA's runtime
  bool has_cpu_time = false;  // one of its benchmarks states CPU time, by its name
  std::string build_file;  // of the build system that made it, relative to the root: "build/CMakeCache.txt"
};

// The executables below `root` that are built with Google Benchmark or nvbench, by path. Each that looks like
// one by what is in the file is started with --help and --benchmark_list_tests, nothing else. Links are not
// followed, but for Bazel's bazel-bin; folders of dependencies (_deps, node_modules, .git and the like) are
// left out. What looks like one and did not answer is silent.
std::vector<DetectedBinary> detect_binaries(const std::filesystem::path& root);

// The same for files that are named, relative to `root`. kUsage where one is no executable file.
std::vector<DetectedBinary> detect_named_binaries(const std::filesystem::path& root,
                                                  const std::vector<std::string>& paths);

// Sources that include Google Benchmark's or nvbench's header, a few of them, relative to `root`.
std::vector<std::string> benchmark_sources(const std::filesystem::path& root);

struct DetectedBuild {
  std::vector<std::vector<std::string>> commands;  // in order, at the root of a fresh checkout; may be none
  std::string from;  // what they were read from, for people: "build/CMakeCache.txt"
};

// The commands that make these binaries again, as the build folder that they lie in, or a Makefile at the
// root, tells: for CMake the generator, the build type, the compiler, its flags, and the options that may
// differ from their defaults; for Meson the build type and the options that were given by hand; of both, and
// of a Makefile, the targets, where they are found. For Bazel the labels of the targets.
DetectedBuild detect_build(const std::filesystem::path& root, const std::vector<DetectedBinary>& binaries);

// A tracker.toml of them, with what each line is for. Binaries with one file name, or with a benchmark of one
// name, get a prefix each.
std::string first_config_text(const std::vector<DetectedBinary>& binaries, const DetectedBuild& build,
                              const std::string& threshold);

// A workflow for GitHub Actions that compares pull requests with their base on a runner of one's own.
std::string first_workflow_text();

// Calls act(path) for each regular file below `root` that its own authors wrote or built, and ends where it
// says false. Links are not followed; folders of dependencies are left out.
void for_each_file_below(const std::filesystem::path& root,
                         const std::function<bool(const std::filesystem::path&)>& act);

// Empty where it cannot be read, or is too large for what people write.
std::string text_of_file(const std::filesystem::path& path);

// Relative to the root, with '/' between folders.
std::string path_below(const std::filesystem::path& root, const std::filesystem::path& path);

}  // namespace tracker::project

// How a build folder of CMake was configured, read from what CMake left there.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tracker::measure {

struct CmakeConfiguration {
  std::string source;                  // the folder of its CMakeLists.txt, relative to the root: "."
  std::vector<std::string> arguments;  // for `cmake -S … -B …`: the generator, the build type and the options
  bool has_many_types = false;         // of "Ninja Multi-Config": the build names its type
};

// From `cache`, the CMakeCache.txt. An option is stated where it may differ from its default: the files of
// CMake below `root` say what the defaults are, and CMake's manual does for compilers and their flags. A
// debug build becomes a release build.
CmakeConfiguration read_cmake_configuration(const std::filesystem::path& root,
                                            const std::filesystem::path& cache);

}  // namespace tracker::measure

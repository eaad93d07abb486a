#include "tracker/measure/benchmark_inputs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tracker {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> inputs(const std::vector<std::string>& changed, const Binary& binary = {}) {
  return possible_inputs(changed, binary, "baselines");
}

TEST(BenchmarkInputs, WhatIsCompiledBuildsOrDocumentsIsNone) {
  EXPECT_THAT(
      inputs({".github/workflows/ci.yml", "README.md", "docs/images/a.png", "LICENSE", "src/a.cpp",
              "src/kernels/b.cu", "include/c.h", "CMakeLists.txt", "src/CMakeLists.txt", "cmake/d.cmake",
              "tools/run.sh", "tracker.toml", "baselines/nvidia-h200.json", ".clang-format"}),
      IsEmpty());
}

TEST(BenchmarkInputs, WhateverElseMayBeRead) {
  EXPECT_THAT(inputs({"data/words.txt", "bench/input.json", "scripts/make_data.py", "third_party/lib",
                      "docs.bin", "src/a.cpp"}),
              ElementsAre("data/words.txt", "bench/input.json", "scripts/make_data.py", "third_party/lib",
                          "docs.bin"));
}

TEST(BenchmarkInputs, ABinaryThatSaysWhatItReadsIsBelieved) {
  Binary binary;
  binary.reads = {{"data/*", "kernels/*.cu"}};
  EXPECT_THAT(inputs({"data/words.txt", "other.txt", "kernels/a.cu", "README.md"}, binary),
              ElementsAre("data/words.txt", "kernels/a.cu"));
  binary.reads = std::vector<std::string>{};
  EXPECT_THAT(inputs({"data/words.txt", "other.txt"}, binary), IsEmpty());
}

}  // namespace
}  // namespace tracker

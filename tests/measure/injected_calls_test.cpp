// What the injected library saw → a benchmark's code. Whole passes are told in tests/e2e/injection_test.cpp.
#include "tracker/measure/injected_calls.hpp"

#include <gmock/gmock.h>

#include "tests/source_tree.hpp"
#include "tracker/base/file.hpp"

namespace tracker {
namespace {

using testing::ElementsAre;

InjectedCalls two_kernels() {
  InjectedCalls calls;
  calls.kernels = {{"_Z5firstPf", "", 90, 32, 1024, 0}, {"_Z6secondPf", "", 90, 64, 1024, 16}};
  InjectedOp op;
  op.kernel = 0;
  op.launch.grid = "8";
  op.launch.block = "256";
  op.threads_per_block = 256;
  op.blocks_per_sm = 8;
  calls.ops.push_back(op);
  op.kernel = 1;
  op.blocks_per_sm = 4;
  calls.ops.push_back(op);
  InjectedOp copy;
  copy.launch.kernel = "copy of 4 bytes to the host";
  calls.ops.push_back(copy);
  return calls;
}

TEST(InjectedCalls, CountersAreTheMostOrWhatAllHave) {
  const auto found = code_of_ops(two_kernels(), {0, 1, 2}, "/nowhere");
  std::vector<std::string> kernels;
  for (const auto& launch : found.code.launches) kernels.push_back(launch.kernel);
  EXPECT_THAT(kernels, ElementsAre("first", "second", "copy of 4 bytes to the host"));
  EXPECT_EQ(found.counters.at("registers"), 64);
  EXPECT_EQ(found.counters.at("local_bytes"), 16);
  EXPECT_EQ(found.counters.at("shared_static_bytes"), 1024);
  EXPECT_EQ(found.counters.at("threads_per_block"), 256);
  EXPECT_EQ(found.counters.count("blocks_per_sm"), 0u) << "they differ";
  EXPECT_EQ(found.code.hash, "");
  EXPECT_EQ(found.code.why_no_hash, "its module was not seen");
}

// As the driver loaded it on an H100: the kernel's own hash, whatever else its module has.
TEST(InjectedCalls, HaveTheMachineCodeOfTheirModule) {
  const std::string folder = TRACKER_TEST_DATA "/injection";
  const auto calls =
      parse_injection_lines(read_file(folder + "/block_sum.ndjson", 1 << 20), "block_sum.ndjson");
  const auto found = code_of_ops(calls, {3, 4, 5}, folder);
  EXPECT_EQ(found.code.hash.size(), 16u);
  EXPECT_GT(found.code.bytes, 0);
  EXPECT_GT(found.code.instructions.at("BAR"), 0);
  EXPECT_EQ(found.code.launches.at(1).kernel, "block_sum");
  EXPECT_EQ(found.code.launches.at(1).grid, "1056");
  EXPECT_EQ(found.counters.at("registers"), 12);
}

TEST(InjectedCalls, AnIterationOfVeryManyIsNotListed) {
  const auto found = code_of_ops(two_kernels(), std::vector<std::size_t>(65, 0), "/nowhere");
  EXPECT_EQ(found.code.launches.size(), 0u);
  EXPECT_EQ(found.code.why_no_hash, "an iteration makes 65 calls");
}

TEST(InjectedCalls, NvbenchIsAskedForOneState) {
  EXPECT_THAT(nvbench_choice("copy"), ElementsAre("-b", "copy"));
  EXPECT_THAT(nvbench_choice("copy/T=I32 Elements=2^20"),
              ElementsAre("-b", "copy", "-a", "T=I32", "-a", "Elements[pow2]=20"));
  EXPECT_THAT(nvbench_choice("a/b/Device=1 Op=a b N=4"),
              ElementsAre("-b", "a/b", "-d", "1", "-a", "Op=a b", "-a", "N=4"));
}

}  // namespace
}  // namespace tracker

// Lines of the injected library, and which of its calls are an iteration's.
#include "tracker/formats/injection_lines.hpp"

#include <gmock/gmock.h>

#include "tests/formats/support.hpp"
#include "tests/source_tree.hpp"
#include "tracker/base/file.hpp"

namespace tracker::formats {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string kHead =
    R"({"schema": "tracker.injection/1", "cupti": 130000, "driver": 13000, "is_whole": true})"
    "\n"
    R"({"kernel": 0, "name": "_Z4copyPf", "cubin": "0a", "architecture": 90, "registers": 12})"
    "\n"
    R"({"op": 0, "launch": 0, "grid": "8x2", "block": "256", "shared_bytes": 64})"
    "\n"
    R"({"op": 1, "what": "copy to the host", "bytes": 4})"
    "\n"
    R"({"op": 2, "what": "wait for the device"})"
    "\n";

InjectedCalls calls(const std::string& ranges) {
  return parse_injection_lines(kHead + ranges, "1.ndjson");
}

TEST(InjectionLines, HaveKernelsAndCalls) {
  const auto read = calls(R"({"range": "", "windows": [], "ops": [[[0,2],3]]})");
  ASSERT_EQ(read.kernels.size(), 1u);
  EXPECT_EQ(read.kernels[0].registers, 12);
  ASSERT_EQ(read.ops.size(), 3u);
  EXPECT_EQ(read.ops[0].launch.grid, "8x2");
  EXPECT_EQ(read.ops[0].launch.shared_bytes, 64);
  EXPECT_EQ(read.ops[1].launch.kernel, "copy of 4 bytes to the host");
  EXPECT_EQ(read.ops[2].launch.kernel, "wait for the device");
  EXPECT_EQ(read.ranges.at(0).ops.at(0).times, 3u);
}

// A single window of five, as do_bench estimates, is no iteration; nor is an empty one.
TEST(InjectionLines, AnIterationIsWhatLiesBetweenMostPairsOfEvents) {
  const auto read = calls(
      R"({"range": "", "windows": [{"ops": [[[2,0],5]], "count": 1}, {"ops": [[[0,1],1]], "count": 80}, )"
      R"({"ops": [], "count": 900}], "ops": [[[2,0],85]]})");
  EXPECT_THAT(ops_of_iteration(read, "x", 80), ElementsAre(0, 1));
}

// The measuring kit times an empty kernel of its own more often than a launch on the default stream.
TEST(InjectionLines, AnIterationIsNotWhatTheKitLaunchesForItself) {
  const auto read = calls(
      R"({"kernel": 1, "name": "_ZN7tracker3kit50_GLOBAL__N__0fbccc02_12empty_kernelEv", "architecture": 90})"
      "\n"
      R"({"op": 3, "launch": 1, "grid": "1", "block": "1", "shared_bytes": 0})"
      "\n"
      R"({"range": "", "windows": [{"ops": [[[3],1]], "count": 1280}, {"ops": [[[3,0],1]], "count": 60}, )"
      R"({"ops": [[[0],1]], "count": 50}], "ops": [[[3],1280],[[0],50]]})");
  EXPECT_THAT(ops_of_iteration(read, "x", 40), ElementsAre(3, 0)) << "what holds another kernel is a launch";
  const auto other = calls(
      R"({"kernel": 1, "name": "_Z12empty_kernelv", "architecture": 90})"
      "\n"
      R"({"op": 3, "launch": 1, "grid": "1", "block": "1", "shared_bytes": 0})"
      "\n"
      R"({"range": "", "windows": [{"ops": [[[3],1]], "count": 80}, {"ops": [[[0],1]], "count": 50}], "ops": []})");
  EXPECT_THAT(ops_of_iteration(other, "x", 40), ElementsAre(3)) << "a stranger's empty kernel is his own";
}

TEST(InjectionLines, WithoutEventsItIsWhatRepeatsWithTheIterations) {
  // Google Benchmark tried 1, 10 and 100 iterations of two launches and a wait.
  const auto read = calls(R"({"range": "", "windows": [], "ops": [[[1],2],[[0,0,2],111],[[1],1]]})");
  EXPECT_THAT(ops_of_iteration(read, "x", 100), ElementsAre(0, 0, 2));
  EXPECT_THAT(ops_of_iteration(calls(R"({"range": "", "windows": [], "ops": [[[0],222]]})"), "x", 100),
              ElementsAre(0, 0));
  EXPECT_THAT(ops_of_iteration(read, "x", 200), IsEmpty()) << "nothing came so often";
  EXPECT_THAT(ops_of_iteration(read, "x", 1), IsEmpty()) << "what is done once is not told from setting up";
}

TEST(InjectionLines, ARangeWithTheNameOfABenchmarkIsIts) {
  const auto read = calls(
      R"({"range": "", "windows": [{"ops": [[[1],1]], "count": 900}], "ops": []})"
      "\n"
      R"({"range": "outer\nscan/8/manual_time\n", "windows": [{"ops": [[[0],1]], "count": 9}], "ops": []})");
  EXPECT_TRUE(is_range_of(read.ranges.at(1), "scan/8"));
  EXPECT_FALSE(is_range_of(read.ranges.at(0), "scan/8"));
  EXPECT_THAT(ops_of_iteration(read, "scan/8", 9), ElementsAre(0));
}

InjectedCalls recorded_calls(const std::string& name) {
  const std::string path = TRACKER_TEST_DATA "/injection/" + name + ".ndjson";
  return parse_injection_lines(read_file(path, 1 << 20), path);
}

// What the ops of an iteration are called, of a recording made on an H100 (tests/data/README.md).
std::vector<std::string> iteration(const std::string& name, const std::string& benchmark, int iterations) {
  const auto calls = recorded_calls(name);
  std::vector<std::string> words;
  for (const auto place : ops_of_iteration(calls, benchmark, iterations)) {
    const auto& op = calls.ops.at(place);
    words.push_back(op.kernel ? calls.kernels.at(*op.kernel).name : op.launch.kernel);
  }
  return words;
}

TEST(InjectionLines, RecordedIterationsAreThoseOfTheSource) {
  EXPECT_THAT(iteration("block_sum", "BM_block_sum/1048576", 317),
              ElementsAre("memset of 4 bytes", "_Z9block_sumPKfPfi", "copy of 4 bytes to the host"));
  EXPECT_THAT(iteration("graph_saxpy", "BM_graph_saxpy/1048576", 594),
              ElementsAre("_Z5saxpyfPKfPfi", "_Z5saxpyfPKfPfi", "_Z5saxpyfPKfPfi"))
      << "a graph of three kernels";
  EXPECT_THAT(iteration("host_saxpy", "BM_host_saxpy/16777216", 79),
              ElementsAre("_Z5saxpyfPKfPfi", "wait for the device"));
  EXPECT_THAT(iteration("triton", "triton/softmax/4096x8192", 0), ElementsAre("row_softmax"));
  EXPECT_THAT(iteration("triton", "triton/scale_add/16777216", 0), ElementsAre("scale_add"));
}

TEST(InjectionLines, OthersAreRefusedByTheirLine) {
  EXPECT_THAT(error_of([] { parse_injection_lines("", "1.ndjson"); }), HasSubstr("has no line"));
  EXPECT_THAT(error_of([] { parse_injection_lines("{\"schema\": \"tracker.injection/9\"}", "1.ndjson"); }),
              HasSubstr("tracker.injection/9"));
  EXPECT_THAT(error_of([] { calls(R"({"range": "", "ops": [[[7],1]]})"); }), HasSubstr("line 6"));
  EXPECT_THAT(error_of([] { calls(R"({"op": 9, "what": "copy"})"); }), HasSubstr("the next number"));
  EXPECT_THAT(error_of([] { calls(R"({"op": 3, "launch": 4, "grid": "1", "block": "1"})"); }),
              HasSubstr("the number of a kernel"));
  EXPECT_THAT(error_of([] { calls("no JSON"); }), HasSubstr("expected an object of JSON"));
}

}  // namespace
}  // namespace tracker::formats

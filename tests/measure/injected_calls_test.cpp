// What the injected library saw → a benchmark's code. Whole passes are told in tests/e2e/injection_test.cpp.
#include "tracker/measure/injected_calls.hpp"

#include <functional>
#include <map>

#include <gmock/gmock.h>

#include "tests/source_tree.hpp"
#include "tracker/base/file.hpp"

namespace tracker::measure {
namespace {

using testing::ElementsAre;

formats::InjectedCalls two_kernels() {
  formats::InjectedCalls calls;
  calls.kernels = {{"_Z5firstPf", "", 90, 32, 1024, 0}, {"_Z6secondPf", "", 90, 64, 1024, 16}};
  formats::InjectedOp op;
  op.kernel = 0;
  op.launch.grid = "8";
  op.launch.block = "256";
  op.threads_per_block = 256;
  op.blocks_per_sm = 8;
  calls.ops.push_back(op);
  op.kernel = 1;
  op.blocks_per_sm = 4;
  calls.ops.push_back(op);
  formats::InjectedOp copy;
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
      formats::parse_injection_lines(read_file(folder + "/block_sum.ndjson", 1 << 20), "block_sum.ndjson");
  const auto found = code_of_ops(calls, {3, 4, 5}, folder);
  EXPECT_EQ(found.code.hash.size(), 16u);
  EXPECT_GT(found.code.bytes, 0);
  EXPECT_GT(found.code.instructions.at("BAR"), 0);
  EXPECT_EQ(found.code.launches.at(1).kernel, "block_sum");
  EXPECT_EQ(found.code.launches.at(1).grid, "1056");
  EXPECT_EQ(found.counters.at("registers"), 12);
}

// A graph of three kernels between two events, as an H100 ran it.
std::string whole_of_graph(const std::function<void(formats::InjectedCalls&)>& change) {
  const std::string folder = TRACKER_TEST_DATA "/injection";
  auto calls = formats::parse_injection_lines(read_file(folder + "/graph_saxpy.ndjson", 1 << 20),
                                              "graph_saxpy.ndjson");
  if (change) change(calls);
  return whole_of(calls, "graph_saxpy", 600, folder);
}

TEST(InjectedCalls, AllThatABenchmarkDoesHasAHash) {
  const std::string whole = whole_of_graph({});
  EXPECT_EQ(whole.size(), 16u);
  EXPECT_EQ(whole_of_graph([](formats::InjectedCalls& calls) {
              for (auto& repeated : calls.ranges.at(0).ops) ++repeated.times;
              calls.ranges.at(0).windows.at(0).count += 100;
            }),
            whole)
      << "another number of iterations";
  const std::map<std::string, std::function<void(formats::InjectedCalls&)>> changes{
      {"a launch's shape", [](auto& calls) { calls.ops.at(3).launch.block = "128"; }},
      {"its shared memory", [](auto& calls) { calls.ops.at(3).launch.shared_bytes = 64; }},
      {"its cluster", [](auto& calls) { calls.ops.at(3).launch.cluster = "2"; }},
      {"blocks per multiprocessor", [](auto& calls) { calls.ops.at(3).blocks_per_sm = 4; }},
      {"the kernel", [](auto& calls) { calls.kernels.at(0).name = "_Z9block_sumPKfPfi"; }},
      {"how often it is launched", [](auto& calls) { calls.ranges.at(0).windows.at(0).ops.at(0).times = 2; }},
      {"another pair of events",
       [](auto& calls) {
         calls.ranges.at(0).windows.push_back({{{{3}, 1}}, 700});
       }},
      {"what is copied before", [](auto& calls) { calls.ops.at(2).launch.kernel = "copy of 8 bytes"; }},
  };
  for (const auto& [what, change] : changes) {
    EXPECT_NE(whole_of_graph(change), whole) << what;
    EXPECT_NE(whole_of_graph(change), "") << what;
  }
}

TEST(InjectedCalls, WhatIsNotKnownHasNoHashOfAll) {
  const std::map<std::string, std::function<void(formats::InjectedCalls&)>> changes{
      {"calls that were not kept", [](auto& calls) { calls.is_whole = false; }},
      {"a module that was not seen", [](auto& calls) { calls.kernels.at(0).cubin = ""; }},
      {"a module that was not kept", [](auto& calls) { calls.kernels.at(0).cubin = "00"; }},
      {"a module without the kernel", [](auto& calls) { calls.kernels.at(0).name = "other"; }},
      {"a second kernel, without a module",
       [](auto& calls) {
         calls.kernels.push_back({"_Z5saxpyfPKfPfi", "", 90, 14, 0, 0});
         calls.ops.push_back(calls.ops.at(3));
         calls.ops.back().kernel = 1;
         calls.ranges.at(0).ops.push_back({{calls.ops.size() - 1}, 1});
       }},
      {"a wait between the events",
       [](auto& calls) {
         calls.ranges.at(0).windows.at(0).ops.push_back({{4}, 1});
       }},
      {"an allocation there",
       [](auto& calls) {
         calls.ranges.at(0).windows.at(0).ops.push_back({{0}, 1});
       }},
      {"a copy of as many bytes as nobody knows",
       [](auto& calls) {
         calls.ops.at(2).launch.kernel = "copy";
         calls.ranges.at(0).windows.at(0).ops.push_back({{2}, 1});
       }},
      {"events around many iterations", [](auto& calls) { calls.ranges.at(0).windows.at(0).count = 500; }},
      {"no events", [](auto& calls) { calls.ranges.at(0).windows.clear(); }},
      {"more windows than are written",
       [](auto& calls) { calls.ranges.at(0).windows.resize(64, calls.ranges.at(0).windows.at(0)); }},
  };
  for (const auto& [what, change] : changes) EXPECT_EQ(whole_of_graph(change), "") << what;
  const std::string folder = TRACKER_TEST_DATA "/injection";
  for (const char* name : {"block_sum", "host_saxpy"}) {  // it copies to the host; the host takes the time
    const auto calls =
        formats::parse_injection_lines(read_file(folder + "/" + name + ".ndjson", 1 << 20), name);
    EXPECT_EQ(whole_of(calls, name, 10, folder), "") << name;
  }
}

// Ranges of other benchmarks are theirs; what lies outside of all may set this one up.
TEST(InjectedCalls, AllOfABenchmarkIsItsRangeAndWhatLiesOutside) {
  const auto whole = [](std::size_t outside, std::size_t of_other) {
    return whole_of_graph([=](formats::InjectedCalls& calls) {
      calls.ranges.at(0).names = {"graph_saxpy"};
      calls.ranges.push_back({{}, {}, {{{outside}, 1}}});
      calls.ranges.push_back({{"other"}, {}, {{{of_other}, 1}}});
    });
  };
  EXPECT_NE(whole(0, 0), "");
  EXPECT_EQ(whole(0, 0), whole(0, 4));
  const auto resized = [](formats::InjectedCalls& calls) {
    calls.ranges.at(0).names = {"graph_saxpy"};
    calls.ops.push_back(calls.ops.at(0));
    calls.ops.back().launch.kernel = "allocation of 1 byte";
    calls.ranges.push_back({{}, {}, {{{calls.ops.size() - 1}, 1}}});
  };
  EXPECT_NE(whole_of_graph(resized), whole(0, 0));
}

TEST(InjectedCalls, AnIterationOfVeryManyIsNotListed) {
  const auto found = code_of_ops(two_kernels(), std::vector<std::size_t>(65, 0), "/nowhere");
  EXPECT_EQ(found.code.launches.size(), 0u);
  EXPECT_EQ(found.code.why_no_hash, "an iteration makes 65 calls");
}

TEST(InjectedCalls, NvbenchIsAskedForOneState) {
  EXPECT_THAT(nvbench_choice("copy"), ElementsAre("-b", "copy", "--profile"));
  EXPECT_THAT(nvbench_choice("copy/T=I32 Elements=2^20"),
              ElementsAre("-b", "copy", "-a", "T=I32", "-a", "Elements[pow2]=20", "--profile"));
  EXPECT_THAT(nvbench_choice("a/b/Device=1 Op=a b N=4"),
              ElementsAre("-b", "a/b", "-d", "1", "-a", "Op=a b", "-a", "N=4", "--profile"));
  // The program's own choice would be measured beside it.
  EXPECT_THAT(nvbench_choice("copy/T=I32", {"--timeout", "1", "-b", "copy", "-a", "T=[I32,I64]",
                                            "--benchmark", "0", "--axis", "N=4", "-d", "0"}),
              ElementsAre("--timeout", "1", "-d", "0", "-b", "copy", "-a", "T=I32", "--profile"));
  EXPECT_THAT(nvbench_choice("copy", {"-b"}), ElementsAre("-b", "copy", "--profile"));
}

}  // namespace
}  // namespace tracker::measure

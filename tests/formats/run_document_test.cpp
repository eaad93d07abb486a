#include "tracker/formats/run_document.hpp"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/formats/support.hpp"
#include "tests/formats/whole_run.hpp"

namespace tracker {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(RunDocument, ComesBackExactly) {
  const auto run = whole_run();
  const std::string text = write_run(run);
  const auto again = read_run(text, "run.json");
  EXPECT_EQ(write_run(again), text);
  EXPECT_EQ(again.invocations[0].build, 2);
  EXPECT_EQ(again.id, run.id);
  EXPECT_EQ(again.job, run.job);
  EXPECT_EQ(again.commit, run.commit);
  EXPECT_TRUE(again.dirty);
  EXPECT_EQ(again.selection.expression, "transpose/.*");
  EXPECT_TRUE(again.isolated);
  EXPECT_THAT(again.interim_analyses, ElementsAre(5, 8));
  EXPECT_EQ(again.started_at, run.started_at);
  EXPECT_EQ(again.length_s, 61.25);
  EXPECT_EQ(again.device.kind, DeviceKind::kGpu);
  EXPECT_EQ(again.device.memory_bytes, run.device.memory_bytes);
  EXPECT_EQ(again.device.ecc, false);
  EXPECT_EQ(again.device.peak_flops, 6.69e13);
  EXPECT_EQ(again.software.flags, "-O3 \"quoted\" \\ µ");
  EXPECT_EQ(again.host.cpu_count, 16);
  ASSERT_EQ(again.benchmarks.size(), 2u);
  EXPECT_EQ(again.benchmarks[0].time_base, TimeBase::kManual);
  EXPECT_EQ(again.benchmarks[0].attributes, run.benchmarks[0].attributes);
  EXPECT_EQ(again.benchmarks[0].counters, run.benchmarks[0].counters);
  EXPECT_EQ(again.benchmarks[0].bytes_per_iteration, 1.0 / 3);
  EXPECT_EQ(again.benchmarks[0].code, run.benchmarks[0].code);
  EXPECT_EQ(again.benchmarks[1].code, run.benchmarks[1].code);
  EXPECT_EQ(again.benchmarks[1].error, "out of memory");
  ASSERT_EQ(again.invocations.size(), 1u);
  EXPECT_EQ(again.invocations[0].round, 3);
  EXPECT_EQ(again.invocations[0].excluded.reason, ExclusionReason::kWarmUp);
  ASSERT_EQ(again.failures.size(), 1u);
  EXPECT_EQ(again.failures[0].what, "was killed by signal 9 in invocation 2");
  const Conditions& conditions = again.invocations[0].conditions;
  EXPECT_EQ(conditions.core_clock_mhz_min, 1755);
  EXPECT_EQ(conditions.other_processes, 2);
  EXPECT_THAT(conditions.throttle_reasons, ElementsAre("power_cap", "thermal"));
  const Samples& samples = again.invocations[0].samples.at("transpose/smem/f32");
  EXPECT_THAT(samples.real_time_ns, ElementsAre(9772.6676123265968, 5e-324));
  EXPECT_THAT(samples.iterations, ElementsAre(std::numeric_limits<std::int64_t>::max(), 1));
  const auto& misses = samples.counters.at("misses");
  EXPECT_TRUE(std::isnan(misses[0]));
  EXPECT_EQ(misses[1], 0.1);
}

TEST(RunDocument, WhatIsAbsentStaysAbsent) {
  tracker::Run run;
  run.id = "a";
  run.device.model = "x";
  const auto again = read_run(write_run(run), "run.json");
  EXPECT_EQ(write_run(again), write_run(run));
  EXPECT_EQ(again.device.kind, DeviceKind::kCpu);
  EXPECT_EQ(again.device.uuid, std::nullopt);
  EXPECT_EQ(again.device.memory_bytes, std::nullopt);
  EXPECT_EQ(again.device.ecc, std::nullopt);
  EXPECT_EQ(again.software.driver, std::nullopt);
  EXPECT_EQ(again.host.cpu, std::nullopt);
  EXPECT_EQ(again.commit, "");
  EXPECT_THAT(again.benchmarks, IsEmpty());
  EXPECT_THAT(again.invocations, IsEmpty());
}

TEST(RunDocument, IsReadableText) {
  tracker::Run run;
  run.id = "a";
  run.job = "a";
  run.device.model = "x";
  Benchmark benchmark;
  benchmark.name = "b";
  run.benchmarks = {benchmark};
  run.invocations.resize(1);
  run.invocations[0].samples["b"] = {{1.5, 2}, {1, 1}, {10, 10}, {{"n", {1, 2}}}};
  const std::string text = write_run(run);
  EXPECT_THAT(text, HasSubstr("{\n \"schema\": \"tracker.run/1\",\n \"id\": \"a\",\n"));
  EXPECT_THAT(text, HasSubstr(R"(   "samples": {
    "b": {
     "real_time_ns": [1.5,2.0],
     "cpu_time_ns": [1.0,1.0],
     "iterations": [10,10],
     "counters": {
      "n": [1.0,2.0]
     }
    }
   }
)"));
}

TEST(RunDocument, ShortDocumentsAndNewFieldsAreRead) {
  const auto run =
      read_run(R"({"schema": "tracker.run/1", "id": "a", "commit": "", "started_at": "", "new": [{}],
      "device": {"kind": "cpu", "model": "x", "colour": "green"}, "benchmarks": [{"name": "b", "time_base": "real"}],
      "invocations": [{"samples": {"b": {"real_time_ns": [1], "cpu_time_ns": [0], "iterations": [1]}}}]})",
               "run.json");
  EXPECT_EQ(run.job, "a");
  EXPECT_FALSE(run.dirty);
  EXPECT_EQ(run.benchmarks[0].time_base, TimeBase::kReal);
  EXPECT_THAT(run.invocations[0].samples.at("b").real_time_ns, ElementsAre(1));
}

// The fast lane takes what is plain; the JSON library all else. Both must say the same.
TEST(RunDocument, IsReadTheSameByBothWays) {
  tracker::Run plain = whole_run();
  plain.software.flags = "-O3";
  plain.selection.expression = "transpose";
  const std::string text = write_run(plain);
  EXPECT_EQ(write_run(read_run(text, "run.json")), text);
  EXPECT_EQ(write_run(run_from_json(nlohmann::json::parse(text), "run.json")), text);
  EXPECT_EQ(find_benchmark(read_run(text, "run.json"), plain.benchmarks[1].name)->error, "out of memory");
  auto reordered = nlohmann::json::parse(text);  // keys sorted: "benchmarks" stay before "invocations"
  EXPECT_EQ(write_run(read_run(reordered.dump(), "run.json")), text);
}

// What older documents say in words is known for what it is.
TEST(RunDocument, KeepsWhichBenchmarksWereAskedFor) {
  const auto again = [](const RunSelection& selection) {
    auto run = whole_run();
    run.selection = selection;
    return read_run(write_run(run), "x").selection;
  };
  for (const RunSelection& selection : {RunSelection{}, RunSelection{"gemm/.*"}, RunSelection{"^(a|b)$", 2},
                                        RunSelection{"", 30000}, RunSelection{"12 apples"}})
    EXPECT_EQ(again(selection), selection) << selection.expression;
  EXPECT_EQ(again({"300 benchmarks"}), (RunSelection{"", 300}));
  EXPECT_EQ(again({"1 benchmark"}), (RunSelection{"", 1}));
  EXPECT_EQ(again({"99999999999999999999 benchmarks"}).named, 0);
}

}  // namespace
}  // namespace tracker

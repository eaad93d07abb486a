#include "tracker/formats/assemble.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/formats/support.hpp"
#include "tracker/formats/run_document.hpp"
#include "tracker/model/metric.hpp"

namespace tracker::formats {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsNan;
using testing::Pair;
using testing::SizeIs;

const RunFacts kFacts{.id = "20261120T124901Z-3f9a0c1e",
                      .job = "job",
                      .commit = "0123456789012345678901234567890123456789",
                      .dirty = true};

BenchmarkFile file(const std::vector<std::string>& rows, const std::string& model = "NVIDIA H200") {
  BenchmarkFile file = parse(rows);
  file.device = test_device(model);
  return file;
}

tracker::Run assemble_one(std::vector<BenchmarkFile> files) {
  auto runs = assemble_runs(std::move(files), kFacts);
  EXPECT_THAT(runs, SizeIs(1));
  return runs.at(0);
}

TEST(Assemble, FactsGoIntoTheRun) {
  BenchmarkFile first = file({row("a")});
  first.software.driver = "580";
  const auto run = assemble_one({first});
  EXPECT_EQ(run.id, kFacts.id);
  EXPECT_EQ(run.job, "job");
  EXPECT_EQ(run.commit, kFacts.commit);
  EXPECT_TRUE(run.dirty);
  EXPECT_EQ(run.device.model, "NVIDIA H200");
  EXPECT_EQ(run.software.driver, "580");
  EXPECT_EQ(run.host.name, "vm");
}

TEST(Assemble, WhatOneBinaryDoesNotStateComesFromAnother) {
  BenchmarkFile first = file({row("a")});
  first.software.driver = "580";
  BenchmarkFile second = file({row("b")});
  second.software.driver = "other";
  second.software.cublas = "13.1.0";
  const auto run = assemble_one({first, second});
  EXPECT_EQ(run.software.cublas, "13.1.0");
  EXPECT_EQ(run.software.driver, "580");
}

TEST(Assemble, WhatEachBinaryStatesOfItsSoftwareIsKept) {
  BenchmarkFile first = file({row("a")});
  BenchmarkFile second = file({row("b")});
  first.invocation.binary = first.benchmarks.front().binary = "copy_bench";
  second.invocation.binary = second.benchmarks.front().binary = "gemm_bench";
  for (auto* one : {&first, &second}) one->software.compiler = "GNU 12";
  second.software.cublas = "13.1.0";
  const auto run = assemble_one({first, second});
  EXPECT_EQ(run.software.cublas, "13.1.0");
  EXPECT_THAT(run.binary_software, SizeIs(1)) << "of those alone that state another one";
  EXPECT_FALSE(software_of(run, run.benchmarks[0]).cublas);
  EXPECT_EQ(software_of(run, run.benchmarks[1]).cublas, "13.1.0");
  const auto again = read_run(write_run(run), "again");
  EXPECT_EQ(again.binary_software, run.binary_software);
  EXPECT_EQ(write_run(again), write_run(run));
}

TEST(Assemble, NoFilesNoRuns) {
  EXPECT_THAT(assemble_runs({}, kFacts), IsEmpty());
}

TEST(Assemble, WhatIsEqualInEverySampleIsKeptOnce) {
  const auto run = assemble_one(
      {file({row("a", R"("registers": 32, "misses": 1)"), row("a", R"("registers": 32, "misses": 2)")}),
       file({row("a", R"("registers": 32, "misses": 1)")})});
  EXPECT_THAT(run.benchmarks[0].counters, ElementsAre(Pair("registers", 32)));
  EXPECT_THAT(run.invocations[0].samples.at("a").counters, ElementsAre(Pair("misses", ElementsAre(1, 2))));
  EXPECT_THAT(run.invocations[1].samples.at("a").counters, ElementsAre(Pair("misses", ElementsAre(1))));
}

TEST(Assemble, ACounterThatSomeSamplesLackIsNotTheSameInAll) {
  const auto run = assemble_one({file({row("a", R"("throttle": 1)"), row("a")})});
  EXPECT_THAT(run.benchmarks[0].counters, IsEmpty());
  EXPECT_THAT(run.invocations[0].samples.at("a").counters,
              ElementsAre(Pair("throttle", ElementsAre(1, IsNan()))));
  const auto other = assemble_one({file({row("a", R"("throttle": 1)")}), file({row("a")})});
  EXPECT_THAT(other.benchmarks[0].counters, IsEmpty());
  EXPECT_THAT(other.invocations[0].samples.at("a").counters, ElementsAre(Pair("throttle", ElementsAre(1))));
  EXPECT_THAT(other.invocations[1].samples.at("a").counters, IsEmpty());
}

TEST(Assemble, CodeIsKnownWhereAllInvocationsSayTheSame) {
  const std::string one = row("a", R"("label": "fast code=0123456789abcdef launch=k:4:32")");
  const std::string other = row("a", R"("label": "code=fedcba9876543210 launch=k:4:32")");
  const std::string failed = row("a", R"("error_occurred": true)");
  const Code known{.hash = "0123456789abcdef", .launches = {{"k", "4", "32", "", 0}}};
  const auto code_of = [](std::vector<BenchmarkFile> files) {
    return assemble_one(std::move(files)).benchmarks[0].code;
  };
  EXPECT_EQ(code_of({file({one, one}), file({one})}), known);
  EXPECT_EQ(code_of({file({one}), file({failed})}), known);
  EXPECT_EQ(code_of({file({row("a")}), file({row("a")})}), std::nullopt);
  const Code differs{.launches = known.launches, .why_no_hash = "not the same in all invocations"};
  EXPECT_EQ(code_of({file({one}), file({other}), file({one})}), differs);
  EXPECT_EQ(code_of({file({one, other, one})}), differs);
  const Code partly{.why_no_hash = "not stated by all invocations"};
  EXPECT_EQ(code_of({file({one}), file({row("a")})}), partly);
  EXPECT_EQ(code_of({file({row("a")}), file({one})}), partly);
}

TEST(Assemble, StatedWorkIsKeptAndItsRateDerived) {
  const auto run = assemble_one({file({row(
      "a",
      R"("bytes_per_iteration": 8000, "flops_per_iteration": 100, "items_per_iteration": 7, "bytes_per_second": 5.3e9, "flops": 6e7)")})});
  EXPECT_EQ(run.benchmarks[0].bytes_per_iteration, 8000);
  EXPECT_EQ(run.benchmarks[0].flops_per_iteration, 100);
  EXPECT_EQ(run.benchmarks[0].items_per_iteration, 7);
  EXPECT_THAT(run.benchmarks[0].counters, IsEmpty());
  EXPECT_THAT(run.invocations[0].samples.at("a").counters, IsEmpty());
}

TEST(Assemble, WorkBehindARateIsByTheBenchmarksOwnClock) {
  // 2 µs real, 1.5 µs CPU: 6000 bytes are 3e9 B/s by the one and 4e9 B/s by the other.
  const auto run = assemble_one({file({row("cpu", R"("bytes_per_second": 4e9, "items_per_second": 2e6)"),
                                       row("real/real_time", R"("bytes_per_second": 3e9)"),
                                       row("manual/manual_time", R"("bytes_per_second": 3e9)")})});
  for (const auto& benchmark : run.benchmarks)
    EXPECT_EQ(benchmark.bytes_per_iteration, 6000) << benchmark.name;
  EXPECT_EQ(run.benchmarks[0].items_per_iteration, 3);
}

TEST(Assemble, ARateWithoutCommonWorkStaysACounter) {
  const auto run =
      assemble_one({file({row("a", R"("bytes_per_second": 4e9)"), row("a", R"("bytes_per_second": 5e9)")})});
  EXPECT_EQ(run.benchmarks[0].bytes_per_iteration, std::nullopt);
  EXPECT_THAT(
      metric_samples(find_metric("bytes_per_second"), run.benchmarks[0], run.invocations[0].samples.at("a")),
      ElementsAre(4e9, 5e9));
}

TEST(Assemble, WorkThatIsNoneIsNotJudged) {
  for (const char* none :
       {R"("bytes_per_second": 0)", R"("bytes_per_iteration": 0)", R"("bytes_per_iteration": -8)"}) {
    const auto run = assemble_one({file({row("a", none)})});
    EXPECT_EQ(run.benchmarks[0].bytes_per_iteration, std::nullopt) << none;
    EXPECT_EQ(default_metric(run.benchmarks[0]).name, "cpu_time") << none;
  }
}

TEST(Assemble, TwoDevicesAreTwoRuns) {
  const auto runs = assemble_runs(
      {file({row("a")}, "NVIDIA H200"), file({row("a")}, "NVIDIA L4"), file({row("a")}, "NVIDIA H200")},
      kFacts);
  ASSERT_THAT(runs, SizeIs(2));
  EXPECT_EQ(runs[0].device.model, "NVIDIA H200");
  EXPECT_EQ(runs[0].id, kFacts.id + "-1");
  EXPECT_THAT(runs[0].invocations, SizeIs(2));
  EXPECT_EQ(runs[1].device.model, "NVIDIA L4");
  EXPECT_EQ(runs[1].id, kFacts.id + "-2");
  EXPECT_EQ(runs[1].job, "job");
}

// A job of several boards of one model: each invocation says where it ran, and the run claims none.
TEST(Assemble, InvocationsNameTheirBoardsWhereThereAreSeveral) {
  BenchmarkFile first = file({row("a")});
  BenchmarkFile second = file({row("a")});
  BenchmarkFile unknown = file({row("a")});
  first.device->uuid = "GPU-1";
  second.device->uuid = "GPU-2";
  unknown.device->uuid.reset();
  for (auto* one : {&first, &second, &unknown}) one->device->kind = DeviceKind::kGpu;
  const auto spread = assemble_one({first, second});
  EXPECT_EQ(spread.device.uuid, std::nullopt);
  EXPECT_EQ(spread.invocations[0].board, "GPU-1");
  EXPECT_EQ(spread.invocations[1].board, "GPU-2");
  EXPECT_THAT(boards_of(spread), ElementsAre("GPU-1", "GPU-2"));
  const auto one = assemble_one({first, first, unknown});
  EXPECT_EQ(one.device.uuid, "GPU-1");
  for (const auto& invocation : one.invocations) EXPECT_EQ(invocation.board, "");
  EXPECT_THAT(boards_of(one), ElementsAre("GPU-1"));
  EXPECT_THAT(boards_of(assemble_one({unknown})), IsEmpty());
}

TEST(Assemble, BenchmarksOfSeveralBinariesInOneRun) {
  BenchmarkFile gemm = file({row("g")});
  gemm.benchmarks[0].binary = "bench_gemm";
  const auto run = assemble_one({file({row("a")}), gemm, file({row("b"), row("a")})});
  ASSERT_THAT(run.benchmarks, SizeIs(3));
  EXPECT_EQ(run.benchmarks[2].name, "b");
  EXPECT_EQ(run.benchmarks[1].binary, "bench_gemm");
}

TEST(Assemble, OneNameInTwoBinariesIsAnError) {
  BenchmarkFile other = file({row("a")});
  other.benchmarks[0].binary = "bench_gemm";
  EXPECT_THAT(error_of([&] {
                assemble_runs({file({row("a")}), other}, kFacts);
              }),
              HasSubstr("benchmark 'a' is in two binaries, 'bench_transpose' and 'bench_gemm'"));
}

TEST(Assemble, OneNameByTwoClocksIsAnError) {
  EXPECT_THAT(error_of([] {
                assemble_runs({file({row("a")}), file({row("a/manual_time")})}, kFacts);
              }),
              AllOf(HasSubstr("'out.json': benchmark 'a' is timed by another clock"),
                    HasSubstr("record these files apart")));
}

TEST(Assemble, ABenchmarkThatFailedInAnyInvocationIsFailed) {
  const std::string failing = row("a", R"("error_occurred": true, "error_message": "out of memory")");
  for (const bool first : {true, false}) {
    const auto bad = file({failing, row("b")});
    const auto good = file({row("a", R"("registers": 32)"), row("b")});
    const auto run = first ? assemble_one({bad, good}) : assemble_one({good, bad});
    EXPECT_EQ(run.benchmarks[0].error, "out of memory") << first;
    EXPECT_EQ(run.benchmarks[1].error, std::nullopt);
    EXPECT_THAT(metric_values(find_metric("cpu_time"), run.benchmarks[1], run), SizeIs(2));
  }
}

TEST(Assemble, TheRunLastsFromItsFirstInvocationToTheEndOfItsLast) {
  BenchmarkFile late = file({row("a")});
  late.invocation.started_at = "2026-11-20T12:00:30Z";
  late.invocation.length_s = 4;
  BenchmarkFile early = late;
  early.invocation.started_at = "2026-11-20T12:00:00Z";
  BenchmarkFile undated = late;
  undated.invocation.started_at = "";
  const auto run = assemble_one({late, undated, early});
  EXPECT_EQ(run.started_at, "2026-11-20T12:00:00Z");
  EXPECT_EQ(run.length_s, 34);
}

}  // namespace
}  // namespace tracker::formats

// Files that Google Benchmark 1.7 wrote on an H200: tests/data/h200.
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/formats/support.hpp"
#include "tests/source_tree.hpp"
#include "tracker/formats/assemble.hpp"
#include "tracker/formats/run_document.hpp"
#include "tracker/model/metric.hpp"

namespace tracker::formats {
namespace {

using testing::ElementsAre;
using testing::Pair;
using testing::SizeIs;

BenchmarkFile recorded(const std::string& name) {
  BenchmarkFile file = read_google_benchmark(recorded_path(name));
  file.device = test_device();
  return file;
}

tracker::Run job3() {
  std::vector<BenchmarkFile> files;
  files.push_back(recorded("job3/r01-inject0.json"));
  files.push_back(recorded("job3/r02-inject0.json"));
  return assemble_runs(std::move(files), {.id = "a", .job = "a", .commit = "", .dirty = false}).at(0);
}

TEST(Recorded, NamesAttributesAndSamples) {
  const BenchmarkFile file = recorded("job3/r01-inject0.json");
  std::vector<std::string> names;
  for (const auto& benchmark : file.benchmarks) {
    names.push_back(benchmark.name);
    EXPECT_THAT(benchmark.attributes, ElementsAre(Pair("manual_time", "")));
    EXPECT_EQ(benchmark.time_base, TimeBase::kManual);
    EXPECT_EQ(benchmark.binary, "noise");
    const Samples& samples = file.invocation.samples.at(benchmark.name);
    EXPECT_THAT(samples.real_time_ns, SizeIs(10));
    EXPECT_THAT(samples.cpu_time_ns, SizeIs(10));
    EXPECT_THAT(samples.iterations, SizeIs(10));
    const std::string rate = benchmark.name.starts_with("gemm") || benchmark.name.starts_with("cublas")
                                 ? "flops"
                                 : "bytes_per_second";
    EXPECT_THAT(samples.counters, ElementsAre(Pair(rate, SizeIs(10)))) << benchmark.name;
  }
  EXPECT_EQ(names.size(), 16u);
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), 16u);
  EXPECT_EQ(names.front(), "memcpy_d2d/2048");
  const Samples& first = file.invocation.samples.at("memcpy_d2d/2048");
  EXPECT_DOUBLE_EQ(first.real_time_ns[0], 9772.6676123265968);
  EXPECT_DOUBLE_EQ(first.cpu_time_ns[1], 15598.029453015418);
  EXPECT_EQ(first.iterations[0], 2852);
}

TEST(Recorded, Context) {
  const BenchmarkFile file = read_google_benchmark(recorded_path("job3/r01-inject0.json"));
  EXPECT_EQ(file.invocation.started_at, "2026-11-20T12:49:01Z");
  EXPECT_EQ(file.invocation.binary, "noise");
  EXPECT_EQ(file.host.name, "vm");
  EXPECT_EQ(file.host.cpu_count, 16);
  EXPECT_DOUBLE_EQ(file.invocation.conditions.load_average.value(), 0.222168);
  EXPECT_FALSE(file.device) << "it names no device.model";
  EXPECT_FALSE(file.software.driver);
}

TEST(Recorded, WorkIsDerivedOnceFromTheRates) {
  const auto run = job3();
  // Read and written once, in float32; a multiplication and an addition for each of n³.
  EXPECT_EQ(find_benchmark(run, "memcpy_d2d/2048")->bytes_per_iteration, 2.0 * 4 * 2048 * 2048);
  EXPECT_EQ(find_benchmark(run, "gemm_smem/1024")->flops_per_iteration, 2.0 * 1024 * 1024 * 1024);
  for (const auto& benchmark : run.benchmarks) {
    EXPECT_NE(benchmark.bytes_per_iteration.has_value(), benchmark.flops_per_iteration.has_value())
        << benchmark.name;
    for (const auto& invocation : run.invocations)
      EXPECT_TRUE(invocation.samples.at(benchmark.name).counters.empty()) << benchmark.name;
  }
}

TEST(Recorded, RatesComeBackAsPrinted) {
  const BenchmarkFile file = recorded("job3/r01-inject0.json");
  const auto run = job3();
  for (const auto& benchmark : run.benchmarks) {
    const Samples& samples = run.invocations[0].samples.at(benchmark.name);
    for (const auto& [rate, printed] : file.invocation.samples.at(benchmark.name).counters) {
      const auto derived = metric_samples(find_metric(rate), benchmark, samples);
      ASSERT_EQ(derived.size(), printed.size());
      for (std::size_t i = 0; i < printed.size(); ++i)
        EXPECT_NEAR(derived[i] / printed[i], 1, 1e-12) << benchmark.name;
    }
  }
}

TEST(Recorded, ARunOfTwoInvocations) {
  const auto run = job3();
  ASSERT_THAT(run.invocations, SizeIs(2));
  EXPECT_EQ(run.started_at, "2026-11-20T12:49:01Z");
  EXPECT_GT(run.length_s, 0);
  EXPECT_THAT(metric_values(find_metric("real_time"), run.benchmarks[0], run), SizeIs(2));
}

TEST(Recorded, StoredAndReadAgainItIsTheSame) {
  const std::string text = write_run(job3());
  EXPECT_EQ(write_run(read_run(text, "run.json")), text);
}

TEST(Recorded, EveryFileOfTheSetIsRead) {
  for (const char* name : {"job1/r01-inject0.json", "job3/r01-inject0.json", "job3/r02-inject0.json"})
    EXPECT_GE(recorded(name).benchmarks.size(), 14u) << name;
}

// tests/data/h200_code.json: what gemm_bench says of its kernels and of cuBLAS'.
TEST(Recorded, MachineCode) {
  const auto path = std::string(TRACKER_TEST_DATA) + "/h200_code.json";
  const auto run = assemble_runs({read_google_benchmark(path)}, {.id = "a", .job = "a"}).at(0);
  const Benchmark* smem = find_benchmark(run, "gemm/smem/f32/1024x1024x1024");
  ASSERT_TRUE(smem != nullptr && smem->code);
  EXPECT_EQ(smem->code->hash, "9699d3bf4e240b63");
  EXPECT_EQ(smem->code->bytes, 2688);
  EXPECT_EQ(smem->code->instructions.at("FFMA"), 33);
  EXPECT_THAT(smem->code->launches, ElementsAre(KernelLaunch{"smem_kernel", "32x32", "32x32", "", 0}));
  EXPECT_EQ(smem->counters.at("registers"), 32);
  EXPECT_EQ(smem->counters.at("blocks_per_sm"), 2);
  const Benchmark* cublas = find_benchmark(run, "gemm/cublas/f32/1024x1024x1024");
  ASSERT_TRUE(cublas != nullptr && cublas->code);
  EXPECT_EQ(cublas->code->hash, "");
  EXPECT_EQ(cublas->code->why_no_hash, "not in the executable");
  ASSERT_THAT(cublas->code->launches, SizeIs(1));
  EXPECT_EQ(cublas->code->launches[0].shared_bytes, 18816);
  EXPECT_EQ(cublas->counters.at("registers"), 224);
  EXPECT_FALSE(is_same_code(*cublas->code, *cublas->code));  // nobody knows

  const auto again = read_run(write_run(run), "run.json");
  EXPECT_EQ(find_benchmark(again, smem->name)->code, smem->code);
  EXPECT_EQ(find_benchmark(again, cublas->name)->code, cublas->code);
}

}  // namespace
}  // namespace tracker::formats

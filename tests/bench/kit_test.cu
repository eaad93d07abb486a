// What the kit takes as a launch, with the real Google Benchmark: needs a GPU.
#include <string>
#include <utility>
#include <vector>

#include <cub/device/device_reduce.cuh>
#include <cublas_v2.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tracker/bench.hpp"

namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr int kCount = 1 << 20;
constexpr int kThreads = 256;
constexpr std::size_t kBytes = kCount * sizeof(float);

__global__ void double_values(const float* in, float* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 2 * in[i];
}

// The one row of a benchmark with manual time.
struct Row {
  std::string error;
  std::string label;
  double time_us = 0;
  benchmark::UserCounters counters;
};

class Rows : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs)
      row = {run.error_occurred ? run.error_message : "", run.report_label, run.GetAdjustedRealTime(),
             run.counters};
  }
  Row row;
};

Row measure(const std::function<void(benchmark::State&)>& body) {
  benchmark::ClearRegisteredBenchmarks();
  benchmark::RegisterBenchmark("it", [&](benchmark::State& state) { body(state); })
      ->UseManualTime()
      ->Unit(benchmark::kMicrosecond);
  Rows rows;
  benchmark::RunSpecifiedBenchmarks(&rows);
  return rows.row;
}

class TimeLaunchCuda : public ::testing::Test {
 protected:
  void SetUp() override {
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess || count == 0) GTEST_SKIP() << "no usable CUDA device";
    ASSERT_EQ(cudaMalloc(&in, kBytes), cudaSuccess);
    ASSERT_EQ(cudaMalloc(&out, kBytes), cudaSuccess);
    ASSERT_EQ(cudaMemset(in, 1, kBytes), cudaSuccess);
    ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  }
  void TearDown() override {
    if (in == nullptr) return;
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    cudaStreamDestroy(stream);
    cudaFree(out);
    cudaFree(in);
  }
  void launch(cudaStream_t where) const { double_values<<<kCount / kThreads, kThreads, 0, where>>>(in, out); }

  // Of a launch on `stream`.
  Row timed(const tracker::Launch& what, const tracker::TimeOptions& options = {}) const {
    return measure([&](benchmark::State& state) { tracker::time_launch(state, stream, what, options); });
  }

  float* in = nullptr;
  float* out = nullptr;
  cudaStream_t stream = nullptr;
};

TEST_F(TimeLaunchCuda, StatesTimeCodeAndShapeOfALaunchOnAStreamOfItsOwn) {
  const Row row = timed([&] { launch(stream); });
  EXPECT_EQ(row.error, "");
  EXPECT_GT(row.time_us, 2);
  EXPECT_LT(row.time_us, 100);
  EXPECT_THAT(row.label, HasSubstr("double_values"));
  EXPECT_THAT(row.label, HasSubstr("4096"));
  EXPECT_EQ(row.counters.at("threads_per_block").value, kThreads);
  EXPECT_GT(row.counters.at("sm_cycles").value, 0);
}

TEST_F(TimeLaunchCuda, TakesTheDefaultStreamAndStreamsOfTheKit) {
  const auto on_default = [&](benchmark::State& state) {
    tracker::time_launch(state, nullptr, [&] { launch(nullptr); });
  };
  const Row row = measure(on_default);
  EXPECT_EQ(row.error, "");
  EXPECT_GT(row.time_us, 2);
  const Row turns = measure([&](benchmark::State& state) {
    tracker::time_launch(state, [&](cudaStream_t where) { launch(where); });
  });
  EXPECT_EQ(turns.error, "");
  EXPECT_NEAR(turns.time_us, row.time_us, 0.2 * row.time_us);
}

TEST_F(TimeLaunchCuda, TakesSeveralKernelsForkedStreamsAndGraphs) {
  const double one_us = timed([&] { launch(stream); }).time_us;
  EXPECT_GT(timed([&] {
              for (int i = 0; i < 4; ++i) launch(stream);
            }).time_us,
            one_us + 3);
  cudaStream_t other = nullptr;
  cudaEvent_t fork = nullptr;
  cudaEvent_t join = nullptr;
  ASSERT_EQ(cudaStreamCreate(&other), cudaSuccess);
  ASSERT_EQ(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming), cudaSuccess);
  ASSERT_EQ(cudaEventCreateWithFlags(&join, cudaEventDisableTiming), cudaSuccess);
  const Row forked = timed([&] {
    cudaEventRecord(fork, stream);
    cudaStreamWaitEvent(other, fork, 0);
    launch(other);
    cudaEventRecord(join, other);
    cudaStreamWaitEvent(stream, join, 0);
  });
  EXPECT_EQ(forked.error, "");
  EXPECT_THAT(forked.label, HasSubstr("double_values"));
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t ready = nullptr;
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
  launch(stream);
  launch(stream);
  ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  ASSERT_EQ(cudaGraphInstantiate(&ready, graph, 0), cudaSuccess);
  const Row replayed = timed([&] { return cudaGraphLaunch(ready, stream); });
  EXPECT_EQ(replayed.error, "");
  EXPECT_GT(replayed.time_us, one_us);
  EXPECT_EQ(replayed.label, "");  // CUDA captures no launch of a graph
  cudaGraphExecDestroy(ready);
  cudaGraphDestroy(graph);
  cudaEventDestroy(join);
  cudaEventDestroy(fork);
  cudaStreamDestroy(other);
}

// Some suites end the CUDA context in each benchmark, and what the kit has there goes with it.
TEST_F(TimeLaunchCuda, MeasuresAfterTheContextWasReset) {
  const double before_us = timed([&] { launch(stream); }).time_us;
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(cudaDeviceReset(), cudaSuccess);
    SetUp();
    const Row row = timed([&] { launch(stream); });
    EXPECT_EQ(row.error, "");
    EXPECT_NEAR(row.time_us, before_us, 0.2 * before_us);
    EXPECT_THAT(row.label, HasSubstr("double_values"));
  }
}

TEST_F(TimeLaunchCuda, TakesCallsOfLibraries) {
  std::size_t bytes = 0;
  void* scratch = nullptr;
  ASSERT_EQ(cub::DeviceReduce::Sum(nullptr, bytes, in, out, kCount, stream), cudaSuccess);
  ASSERT_EQ(cudaMalloc(&scratch, bytes), cudaSuccess);
  const Row sum = timed([&] { return cub::DeviceReduce::Sum(scratch, bytes, in, out, kCount, stream); });
  EXPECT_EQ(sum.error, "");
  EXPECT_THAT(sum.label, HasSubstr("Reduce"));
  cudaFree(scratch);
  cublasHandle_t handle = nullptr;
  ASSERT_EQ(cublasCreate(&handle), CUBLAS_STATUS_SUCCESS);
  const float one = 1;
  const float zero = 0;
  const Row product = measure([&](benchmark::State& state) {
    tracker::time_launch(state, [&](cudaStream_t where) {
      cublasSetStream(handle, where);
      cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 512, 512, 512, &one, in, 512, in, 512, &zero, out, 512);
    });
  });
  EXPECT_EQ(product.error, "");
  EXPECT_GT(product.time_us, 5);
  cublasDestroy(handle);
}

TEST_F(TimeLaunchCuda, TimesALaunchThatWaitsAndSaysSo) {
  const Row row = timed([&] {
    launch(stream);
    EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  });
  EXPECT_EQ(row.error, "");
  EXPECT_GT(row.time_us, 2);
  EXPECT_EQ(row.counters.at("stream_held_back").value, 0);
}

TEST_F(TimeLaunchCuda, PreparesEachLaunchAndDoesNotTimeThat) {
  const double alone_us = timed([&] { launch(stream); }).time_us;
  int prepared = 0;
  int launched = 0;
  const auto prepare = [&](cudaStream_t where) {
    ++prepared;
    for (int i = 0; i < 10; ++i) launch(where);
    EXPECT_EQ(cudaStreamSynchronize(where), cudaSuccess);
  };
  const Row row = timed(
      [&] {
        ++launched;
        launch(stream);
      },
      {.prepare = prepare});
  EXPECT_EQ(row.error, "");
  EXPECT_EQ(prepared, launched);
  EXPECT_NEAR(row.time_us, alone_us, 0.2 * alone_us);
  EXPECT_THAT(timed([&] { launch(stream); }, {.prepare = prepare, .timing = tracker::Timing::kHot}).error,
              HasSubstr("only be timed cold"));
}

TEST_F(TimeLaunchCuda, RefusesWrongResultsAndNamesWhatFails) {
  const Row wrong =
      timed([&] { launch(stream); }, {.check = [](cudaStream_t) { return tracker::exact_error(1, 2); }});
  EXPECT_THAT(wrong.error, HasSubstr("wrong result: 50 %"));
  const Row failed = timed([&] { double_values<<<1, 4096, 0, stream>>>(in, out); });
  EXPECT_THAT(failed.error, HasSubstr("launching the kernel: invalid"));
  EXPECT_THAT(timed([&] { launch(stream); }).error, Not(HasSubstr("launching")));  // it leaves nothing behind
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  ::testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}

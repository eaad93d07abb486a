// The kit as it is built without CUDA, with the real Google Benchmark.
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tracker/bench.hpp"

namespace {

using ::testing::HasSubstr;

struct Row {
  std::string name;
  std::string error;
  benchmark::UserCounters counters;
};

class Rows : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs)
      rows.push_back({run.benchmark_name(), run.error_occurred ? run.error_message : "", run.counters});
  }
  std::vector<Row> rows;
};

Row measure(const std::function<void(benchmark::State&)>& body) {
  benchmark::ClearRegisteredBenchmarks();
  benchmark::RegisterBenchmark("it", [&](benchmark::State& state) { body(state); })
      ->UseManualTime()
      ->Iterations(5);
  Rows rows;
  benchmark::RunSpecifiedBenchmarks(&rows);
  EXPECT_EQ(rows.rows.size(), 1U);
  return rows.rows.empty() ? Row{} : rows.rows.front();
}

TEST(TimeLaunchWithoutGpu, TimesTheCallAndStatesItsWork) {
  int calls = 0;
  const Row row = measure([&](benchmark::State& state) {
    tracker::time_launch(state, nullptr, [&] { ++calls; }, {.work = tracker::bytes_of_work(64)});
  });
  EXPECT_EQ(row.error, "");
  EXPECT_EQ(calls, 6);  // one to warm up
  EXPECT_EQ(row.counters.at("bytes_per_iteration").value, 64);
}

TEST(TimeLaunchWithoutGpu, PreparesEachCall) {
  std::string order;
  measure([&](benchmark::State& state) {
    tracker::time_launch(state, nullptr, [&] { order += "l"; },
                         {.prepare = [&](cudaStream_t) { order += "p"; }});
  });
  EXPECT_EQ(order, "plplplplplpl");
}

TEST(TimeLaunchWithoutGpu, GivesAStreamToWhatTakesOne) {
  const Row row = measure([](benchmark::State& state) {
    tracker::time_launch(state, [](cudaStream_t stream) { EXPECT_EQ(stream, nullptr); });
  });
  EXPECT_EQ(row.error, "");
}

TEST(TimeLaunchWithoutGpu, RefusesAWrongResultBeforeItIsTimed) {
  int calls = 0;
  const Row row = measure([&](benchmark::State& state) {
    tracker::time_launch(state, nullptr, [&] { ++calls; },
                         {.check = [](cudaStream_t) { return tracker::exact_error(1, 4); }});
  });
  EXPECT_THAT(row.error, HasSubstr("25 %"));
  EXPECT_EQ(calls, 1);
}

TEST(LaunchWithoutGpu, GivesTheCodeOfWhatGivesOne) {
  enum class Code { kNone = 0, kInvalid = 1 };
  EXPECT_EQ(tracker::Launch([] { return Code::kInvalid; })(nullptr), 1);
  EXPECT_EQ(tracker::Launch([](cudaStream_t) { return 7; })(nullptr), 7);
  EXPECT_EQ(tracker::Launch([] {})(nullptr), 0);
  EXPECT_FALSE(tracker::Launch([] {}).takes_stream());
  EXPECT_FALSE(static_cast<bool>(tracker::Launch()));
}

TEST(MainWithoutGpu, LeavesGpuBenchmarksOutAndRunsTheOthers) {
  benchmark::ClearRegisteredBenchmarks();
  int calls = 0;
  benchmark::RegisterBenchmark("host", [&](benchmark::State& state) {
    for (auto _ : state) ++calls;
  })->Iterations(3);
  TRACKER_GPU_BENCHMARK(
      "gpu", tracker::bytes_of_work(1), [&](cudaStream_t) { ADD_FAILURE(); },
      .check = [](cudaStream_t) { return tracker::ResultError{}; });
  std::string program = "program";
  std::vector<char*> arguments{program.data(), nullptr};
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(tracker::benchmark_main(1, arguments.data()), 0);
  EXPECT_THAT(::testing::internal::GetCapturedStderr(), HasSubstr("1 GPU benchmarks are left out"));
  EXPECT_EQ(calls, 3);
}

}  // namespace

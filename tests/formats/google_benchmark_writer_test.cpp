// What is exported can be recorded again, with the same samples.
#include "tracker/formats/google_benchmark_writer.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "tests/formats/support.hpp"
#include "tests/formats/whole_run.hpp"
#include "tracker/base/file.hpp"
#include "tracker/formats/assemble.hpp"
#include "tracker/formats/run_document.hpp"

namespace tracker {
namespace {

Run recorded_again(const Run& run) {
  std::vector<BenchmarkFile> files;
  for (const auto& invocation : run.invocations)
    files.push_back(parse_google_benchmark(write_google_benchmark(run, invocation), "exported.json"));
  RunFacts facts{.id = run.id, .job = run.job, .commit = run.commit};
  return assemble_runs(std::move(files), facts).front();
}

TEST(GoogleBenchmarkWriter, WritesARecordingThatIsTheSameAgain) {
  std::vector<BenchmarkFile> files;
  for (const char* name : {"job3/r01-inject0.json"})
    files.push_back(parse_google_benchmark(read_file(recorded_path(name), 1 << 20), name));
  for (auto& file : files) file.device = test_device();
  const tracker::Run run = assemble_runs(std::move(files), {.id = "a", .job = "a"}).front();
  EXPECT_EQ(write_run(recorded_again(run)), write_run(run));
}

TEST(GoogleBenchmarkWriter, KeepsCodeWorkErrorsAndTheClock) {
  tracker::Run run = whole_run();
  run.benchmarks[1].binary = run.invocations[0].binary;
  run.invocations[0].samples.begin()->second.iterations = {1000, 1};
  const tracker::Run again = recorded_again(run);
  ASSERT_EQ(again.benchmarks.size(), 2U);
  EXPECT_EQ(again.benchmarks[0].name, run.benchmarks[0].name);
  EXPECT_EQ(again.benchmarks[0].attributes, run.benchmarks[0].attributes);
  EXPECT_EQ(again.benchmarks[0].time_base, TimeBase::kManual);
  EXPECT_EQ(again.benchmarks[0].bytes_per_iteration, run.benchmarks[0].bytes_per_iteration);
  EXPECT_EQ(again.benchmarks[0].counters, run.benchmarks[0].counters);
  EXPECT_EQ(again.benchmarks[0].code, run.benchmarks[0].code);
  EXPECT_EQ(again.benchmarks[1].error, "out of memory");
  EXPECT_EQ(device_key(again.device), device_key(run.device));
  const Samples& samples = again.invocations[0].samples.at(run.benchmarks[0].name);
  EXPECT_EQ(samples.real_time_ns, run.invocations[0].samples.begin()->second.real_time_ns);
  EXPECT_EQ(samples.counters.at("misses")[1], 0.1);
}

TEST(GoogleBenchmarkWriter, SaysTheClockOfNamesWithoutSuffixes) {
  tracker::Run run = whole_run();
  run.benchmarks[0].name = "x/threads:4";
  run.benchmarks[0].attributes.clear();
  run.benchmarks[0].time_base = TimeBase::kReal;
  run.invocations[0].samples = {{"x/threads:4", {{5}, {2}, {1}, {}}}};
  const auto document = nlohmann::json::parse(write_google_benchmark(run, run.invocations[0]));
  EXPECT_EQ(document["benchmarks"][0]["run_name"], "x/real_time/threads:4");
  EXPECT_DOUBLE_EQ(document["benchmarks"][0]["bytes_per_second"].get<double>(), 1.0 / 3 / 5e-9);
  EXPECT_EQ(recorded_again(run).benchmarks[0].name, "x/threads:4");
}

}  // namespace
}  // namespace tracker

#include "tracker/measure/executions.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tracker {
namespace {

BenchmarkFile execution(const std::string& name, double time_ns,
                        std::map<std::string, std::vector<double>> counters = {}) {
  BenchmarkFile file;
  Benchmark benchmark;
  benchmark.name = name;
  file.benchmarks.push_back(benchmark);
  file.invocation.samples[name] = {{time_ns}, {time_ns}, {10}, std::move(counters)};
  return file;
}

TEST(Executions, RepetitionsFollowOneAnother) {
  auto file = execution("a", 1, {{"lost", {3}}});
  file.invocation.conditions.temperature_c_max = 50;
  auto next = execution("a", 2);
  next.invocation.conditions.temperature_c_max = 60;
  append_execution(file, next);
  append_execution(file, execution("a", 3, {{"lost", {4}}, {"new", {5}}}));
  EXPECT_EQ(file.invocation.executions, 3);
  const Samples& samples = file.invocation.samples.at("a");
  EXPECT_EQ(samples.real_time_ns, (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(samples.iterations, (std::vector<std::int64_t>{10, 10, 10}));
  EXPECT_EQ(samples.counters.at("lost")[0], 3);
  EXPECT_TRUE(std::isnan(samples.counters.at("lost")[1])) << "a repetition without it";
  EXPECT_EQ(samples.counters.at("lost")[2], 4);
  EXPECT_TRUE(std::isnan(samples.counters.at("new")[1]));
  EXPECT_EQ(samples.counters.at("new")[2], 5);
  EXPECT_EQ(file.invocation.conditions.temperature_c_max, 60);
}

TEST(Executions, OneErrorIsAnErrorOfTheBenchmark) {
  auto file = execution("a", 1);
  auto failed = execution("a", 2);
  failed.benchmarks[0].error = "no device";
  failed.invocation.samples.clear();
  append_execution(file, failed);
  EXPECT_EQ(file.benchmarks.at(0).error, "no device");
  EXPECT_TRUE(file.invocation.samples.empty());
}

}  // namespace
}  // namespace tracker

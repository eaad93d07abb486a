#include "tracker/model/metric.hpp"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tracker {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// 2 µs by the manual (or real) clock, 8 µs of CPU time; the second repetition takes twice as long.
Samples two_samples() {
  Samples samples;
  samples.real_time_ns = {2000, 4000};
  samples.cpu_time_ns = {8000, 16000};
  samples.iterations = {10, 10};
  samples.counters["spread"] = {3, 5};
  samples.counters["sm_cycles"] = {3e4, 4e4};
  samples.counters["energy_j_per_iteration"] = {1.5, 1.25};
  return samples;
}

Benchmark busy(TimeBase base) {
  Benchmark benchmark;
  benchmark.name = "x";
  benchmark.time_base = base;
  benchmark.bytes_per_iteration = 8000;
  benchmark.flops_per_iteration = 1600;
  benchmark.items_per_iteration = 4;
  benchmark.counters["registers"] = 32;
  return benchmark;
}

TEST(Metrics, EveryRowOfTheTable) {
  struct Row {
    std::string name;
    std::string unit;
    Better better;
    std::vector<double> by_manual;
    std::vector<double> by_cpu;
  };
  const std::vector<Row> rows{{"real_time", "s", Better::kLower, {2e-6, 4e-6}, {2e-6, 4e-6}},
                              {"cpu_time", "s", Better::kLower, {8e-6, 16e-6}, {8e-6, 16e-6}},
                              {"bytes_per_second", "B/s", Better::kHigher, {4e9, 2e9}, {1e9, 0.5e9}},
                              {"flops", "FLOP/s", Better::kHigher, {8e8, 4e8}, {2e8, 1e8}},
                              {"items_per_second", "1/s", Better::kHigher, {2e6, 1e6}, {5e5, 2.5e5}},
                              {"sm_cycles", "cycles", Better::kLower, {3e4, 4e4}, {3e4, 4e4}},
                              {"energy_j_per_iteration", "J", Better::kLower, {1.5, 1.25}, {1.5, 1.25}}};
  ASSERT_EQ(rows.size(), builtin_metrics().size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Metric& metric = builtin_metrics()[i];
    EXPECT_EQ(metric.name, rows[i].name);
    EXPECT_EQ(metric.unit, rows[i].unit);
    EXPECT_EQ(metric.better, rows[i].better);
    for (const auto base : {TimeBase::kManual, TimeBase::kReal, TimeBase::kCpu}) {
      const auto& expected = base == TimeBase::kCpu ? rows[i].by_cpu : rows[i].by_manual;
      EXPECT_THAT(metric_samples(metric, busy(base), two_samples()),
                  ElementsAre(DoubleEq(expected[0]), DoubleEq(expected[1])))
          << metric.name;
    }
  }
}

TEST(Metrics, CountersThatVaryAndThatDoNot) {
  EXPECT_THAT(metric_samples(find_metric("spread"), busy(TimeBase::kCpu), two_samples()), ElementsAre(3, 5));
  EXPECT_THAT(metric_samples(find_metric("registers"), busy(TimeBase::kCpu), two_samples()),
              ElementsAre(32, 32));
  EXPECT_THAT(metric_samples(find_metric("nonesuch"), busy(TimeBase::kCpu), two_samples()), IsEmpty());
  EXPECT_EQ(find_metric("spread").unit, "");
  EXPECT_EQ(find_metric("spread").better, Better::kHigher);
}

TEST(Metrics, ARateWithoutWorkIsTheCounterOfThatName) {
  Benchmark benchmark;
  Samples samples = two_samples();
  EXPECT_THAT(metric_samples(find_metric("bytes_per_second"), benchmark, samples), IsEmpty());
  samples.counters["bytes_per_second"] = {7, 9};
  EXPECT_THAT(metric_samples(find_metric("bytes_per_second"), benchmark, samples), ElementsAre(7, 9));
}

TEST(Metrics, TheDefaultIsBandwidthOrTheClockMeasuredBy) {
  EXPECT_EQ(default_metric(busy(TimeBase::kManual)).name, "bytes_per_second");
  Benchmark benchmark = busy(TimeBase::kManual);
  benchmark.bytes_per_iteration.reset();
  EXPECT_EQ(default_metric(benchmark).name, "real_time");
  benchmark.time_base = TimeBase::kReal;
  EXPECT_EQ(default_metric(benchmark).name, "real_time");
  benchmark.time_base = TimeBase::kCpu;
  EXPECT_EQ(default_metric(benchmark).name, "cpu_time");
}

Invocation with_times(const std::vector<double>& times_ns) {
  Invocation invocation;
  Samples& samples = invocation.samples["x"];
  samples.real_time_ns = times_ns;
  samples.cpu_time_ns = times_ns;
  samples.iterations.assign(times_ns.size(), 1);
  return invocation;
}

TEST(MetricValues, OneMedianAnInvocationInTheirOrder) {
  tracker::Run run;
  run.invocations = {with_times({3000, 1000, 2000}), Invocation{}, with_times({5000, 1000, 2000, 4000})};
  EXPECT_THAT(metric_values(find_metric("real_time"), busy(TimeBase::kReal), run),
              ElementsAre(DoubleEq(2e-6), DoubleEq(3e-6)));
}

TEST(MetricValues, TheFastestRepetitionIsTheBestInTheMetricsDirection) {
  Benchmark benchmark;
  benchmark.name = "k";
  benchmark.time_base = TimeBase::kReal;
  benchmark.bytes_per_iteration = 1000;
  tracker::Run run;
  run.invocations.resize(1);
  run.invocations[0].samples["k"] = {{120, 100, 500}, {90, 80, 70}, {1, 1, 1}, {{"hits", {3, 9, 5}}}};
  const auto value = [&](Metric metric, Statistic statistic) {
    metric.statistic = statistic;
    return metric_values(metric, benchmark, run).at(0);
  };
  const Metric misses{"hits", "", Better::kLower};
  EXPECT_DOUBLE_EQ(value(find_metric("real_time"), Statistic::kFastest), 100e-9);
  EXPECT_DOUBLE_EQ(value(find_metric("real_time"), Statistic::kMedian), 120e-9);
  EXPECT_DOUBLE_EQ(value(find_metric("bytes_per_second"), Statistic::kFastest), 1000 / 100e-9);
  EXPECT_DOUBLE_EQ(value(find_metric("hits"), Statistic::kFastest), 9);
  EXPECT_DOUBLE_EQ(value(misses, Statistic::kFastest), 3);
}

TEST(FindMetric, CountersThatEverybodyWantsFewOfSayItByTheirNames) {
  for (const char* cost : {"spills", "allocs_per_iter", "shared_bank_conflicts", "instructions",
                           "net_heap_growth", "L2_misses", "max_bytes_used", "latency"})
    EXPECT_EQ(find_metric(cost).better, Better::kLower) << cost;
  for (const char* gain :
       {"instructions_per_cycle", "instructions_per_second", "hits", "occupancy", "allocation rate"})
    EXPECT_EQ(find_metric(gain).better, Better::kHigher) << gain;
}

// By hand, as NumPy's percentile() gives it: between the places 3 and 4 of five, at .9 · 4 = 3.6.
TEST(MetricValues, APercentileLiesBetweenTwoRepetitions) {
  tracker::Run run;
  run.invocations = {with_times({5000, 1000, 3000, 2000, 4000}), with_times({700})};
  Metric metric = find_metric("real_time");
  metric.statistic = Statistic::kP90;
  EXPECT_THAT(metric_values(metric, busy(TimeBase::kReal), run),
              ElementsAre(DoubleEq(4.6e-6), DoubleEq(7e-7)));
  run.invocations[0].samples["x"].repetitions = 40;  // five of these are kept: no percentile is known
  EXPECT_THAT(metric_values(metric, busy(TimeBase::kReal), run), ElementsAre(DoubleEq(7e-7)));
  EXPECT_EQ(repetitions_for(Statistic::kP90), 10);
  EXPECT_EQ(repetitions_for(Statistic::kP99), 100);
  EXPECT_EQ(repetitions_for(Statistic::kFastest), 0);
}

TEST(MetricValues, ARepetitionWithoutTheCounterIsLeftOut) {
  tracker::Run run;
  run.invocations = {with_times(std::vector<double>(5, 1000)), with_times({1000, 1000})};
  run.invocations[0].samples["x"].counters["misses"] = {kNaN, 4, kNaN, 2, 9};
  run.invocations[1].samples["x"].counters["misses"] = {kNaN, kNaN};
  EXPECT_THAT(metric_values(find_metric("misses"), busy(TimeBase::kReal), run), ElementsAre(4));
}

TEST(MetricPeak, IsTheDevicesOwn) {
  Device device;
  device.peak_bytes_per_second = 4.8e12;
  device.peak_flops = 67e12;
  EXPECT_EQ(metric_peak(find_metric("bytes_per_second"), device, nullptr), 4.8e12);
  EXPECT_EQ(metric_peak(find_metric("flops"), device, nullptr), 67e12);
  EXPECT_EQ(metric_peak(find_metric("real_time"), device, nullptr), std::nullopt);
  EXPECT_EQ(metric_peak(find_metric("registers"), device, nullptr), std::nullopt);
  EXPECT_EQ(metric_peak(find_metric("bytes_per_second"), Device{}, nullptr), std::nullopt);
}

TEST(Metrics, ABenchmarkMayStateItsOwnPeak) {
  Device device;
  device.peak_bytes_per_second = 4.8e12;
  device.peak_flops = 67e12;
  Benchmark benchmark;
  EXPECT_EQ(metric_peak(find_metric("flops"), device, &benchmark), 67e12);
  benchmark.counters["peak_flops"] = 989e12;
  EXPECT_EQ(metric_peak(find_metric("flops"), device, &benchmark), 989e12);
  EXPECT_EQ(metric_peak(find_metric("bytes_per_second"), device, &benchmark), 4.8e12);
  for (const double garbage : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    benchmark.counters["peak_flops"] = garbage;
    EXPECT_EQ(metric_peak(find_metric("flops"), device, &benchmark), 67e12) << garbage;
  }
}

}  // namespace
}  // namespace tracker

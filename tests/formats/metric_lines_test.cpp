// Runs for databases of metrics.
#include "tracker/formats/metric_lines.hpp"

#include <gmock/gmock.h>

namespace tracker::formats {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

Run measured_run() {
  Run run;
  run.id = "20261120T124901Z-1";
  run.commit = std::string(40, 'a');
  run.started_at = "2026-11-20T12:49:01Z";
  run.device.kind = DeviceKind::kGpu;
  run.device.model = "Test GPU";
  Benchmark benchmark;
  benchmark.name = "copy \"a\", b=c\\d";
  benchmark.time_base = TimeBase::kManual;
  benchmark.bytes_per_iteration = 1000;
  run.benchmarks.push_back(benchmark);
  for (const double time_ns : {1000.0, 2000.0, 4000.0}) {
    Samples samples;
    samples.real_time_ns = {time_ns};
    samples.cpu_time_ns = {500};
    samples.iterations = {1};
    run.invocations.emplace_back().samples[benchmark.name] = samples;
  }
  return run;
}

TEST(MetricLines, OpenMetricsHasAGaugeForEachMetric) {
  const std::string text = write_openmetrics({measured_run()});
  EXPECT_THAT(
      text, HasSubstr("# TYPE tracker_real_time_seconds gauge\n# UNIT tracker_real_time_seconds seconds\n"));
  EXPECT_THAT(text,
              HasSubstr("tracker_real_time_seconds{benchmark=\"copy \\\"a\\\", b=c\\\\d\",commit=\"aaaa"));
  EXPECT_THAT(text, HasSubstr("run=\"20261120T124901Z-1\"} 2e-06 1795178941\n"));
  EXPECT_THAT(text, HasSubstr("tracker_bandwidth_bytes_per_second{"));
  EXPECT_THAT(text, HasSubstr("} 500000000 1795178941\n"));
  EXPECT_THAT(text, Not(HasSubstr("flops"))) << "it states none";
  EXPECT_THAT(text, EndsWith("# EOF\n"));
  EXPECT_EQ(write_openmetrics({}), "# EOF\n");
}

TEST(MetricLines, InfluxHasALineForEachBenchmark) {
  const std::string text = write_influx({measured_run()});
  EXPECT_THAT(text, HasSubstr("tracker,benchmark=copy\\ \"a\"\\,\\ b\\=c/d,commit=aaaa"));
  EXPECT_THAT(text,
              HasSubstr(" real_time=2e-06,cpu_time=5e-07,bytes_per_second=500000000 1795178941000000000\n"));
  EXPECT_EQ(write_influx({}), "");
}

TEST(MetricLines, WhatFailedHasNoValue) {
  tracker::Run failed = measured_run();
  failed.benchmarks[0].error = "out of memory";
  EXPECT_EQ(write_influx({failed}), "");
}

}  // namespace
}  // namespace tracker::formats

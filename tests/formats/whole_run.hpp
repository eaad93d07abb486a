// A run in which every field has a value of its own.
#pragma once

#include <limits>

#include "tracker/model/run.hpp"

namespace tracker::formats {

inline tracker::Run whole_run() {
  tracker::Run run;
  run.id = "20261120T124901Z-3f9a0c1e-1";
  run.job = "20261120T124901Z-3f9a0c1e";
  run.commit = "0123456789abcdef0123456789abcdef01234567";
  run.dirty = true;
  run.selection.expression = "transpose/.*";
  run.isolated = true;
  run.interim_analyses = {5, 8};
  run.started_at = "2026-11-20T12:49:01Z";
  run.length_s = 61.25;
  run.device = {DeviceKind::kGpu, "NVIDIA H200", "GPU-5f1c", "9.0", "1g.18gb", 150754820096,
                62914560,         132,           false,      700,   3201,      1980.5,
                4.9167e12,        6.69e13};
  run.software = {"580.159.04", "13.0", "13.1", "13.1.0", "GNU 12.2", "-O3 \"quoted\" \\ µ", "Release"};
  run.host = {"vm", "Intel(R) Xeon(R)", 16, "Debian 12"};
  Benchmark measured;
  measured.name = "transpose/smem/f32";
  measured.binary = "bench_transpose";
  measured.time_base = TimeBase::kManual;
  measured.attributes = {{"manual_time", ""}, {"iterations", "10"}};
  measured.bytes_per_iteration = 1.0 / 3;
  measured.flops_per_iteration = 2e9;
  measured.items_per_iteration = 7;
  measured.counters = {{"registers", 32}, {"occupancy", 0.875}};
  measured.code =
      Code{.hash = "0123456789abcdef",
           .bytes = 1536,
           .launches = {{"memset", "", "", "", 0}, {"smem_kernel", "256x256", "32x8", "2x1", 4224}},
           .instructions = {{"LDG", 4}, {"other", 1}}};
  measured.host_code = "fedcba9876543210";
  Benchmark failed;
  failed.name = "gemm/naive";
  failed.binary = "bench_gemm";
  failed.error = "out of memory";
  failed.code = Code{.why_no_hash = "compiled by the driver from PTX"};
  run.benchmarks = {measured, failed};
  Invocation invocation;
  invocation.binary = "bench_transpose";
  invocation.started_at = "2026-11-20T12:49:02Z";
  invocation.length_s = 12.5;
  invocation.round = 3;
  invocation.build = 2;
  invocation.board = "GPU-7";
  invocation.excluded = exclusion_of("warm-up");
  invocation.conditions = {1755, 1980, 3201, 55, 0.75, {"power_cap", "thermal"}, 2, 0.5};
  invocation.samples[measured.name] = {{9772.6676123265968, 5e-324},
                                       {15618.342917251052, 0},
                                       {std::numeric_limits<std::int64_t>::max(), 1},
                                       {{"misses", {std::numeric_limits<double>::quiet_NaN(), 0.1}}}};
  run.invocations = {invocation};
  run.programs = {{"bench_transpose", {"1111222233334444", "5555666677778888"}},
                  {"bench_gemm", {"9999", ""}}};
  run.failures = {{"bench_gemm", "was killed by signal 9 in invocation 2"}};
  run.aggregates_only = {"transpose/mean"};
  run.same_program = SameProgramAs{"fedcba9876543210fedcba9876543210fedcba98", {"gemm/a", "gemm/b"}, 41.5};
  return run;
}

}  // namespace tracker::formats

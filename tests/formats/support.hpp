// What the tests of this module share: Google Benchmark's JSON in small pieces, and errors as text.
#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/source_tree.hpp"
#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"
#include "tracker/formats/google_benchmark.hpp"

namespace tracker::formats {

// The message of the usage error that the call must throw; its hint follows after " | ".
template <typename Call>
std::string error_of(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kUsage);
    return error.what() + (error.hint().empty() ? "" : " | " + error.hint());
  }
  ADD_FAILURE() << "no error";
  return "";
}

// One iteration row: 2 µs of real and 1.5 µs of CPU time; `more` is further fields.
inline std::string row(const std::string& name, const std::string& more = "",
                       const std::string& times = R"("real_time": 2.0, "cpu_time": 1.5)") {
  return R"({"name": ")" + name + R"(", "run_name": ")" + name +
         R"(", "run_type": "iteration", "repetitions": 2, "threads": 1, "iterations": 10, )" + times +
         R"(, "time_unit": "us")" + (more.empty() ? "" : ", " + more) + "}";
}

inline std::string document(const std::vector<std::string>& rows, const std::string& context = "") {
  const std::string own = R"("date": "2026-11-20T12:49:01+01:00", "host_name": "vm", "num_cpus": 16,
                             "executable": "./build/bench_transpose", "load_avg": [0.5, 0.25])";
  return R"({"context": {)" + own + (context.empty() ? "" : ", " + context) + R"(}, "benchmarks": [)" +
         join(rows, ",\n") + "]}";
}

inline BenchmarkFile parse(const std::vector<std::string>& rows, const std::string& context = "") {
  return parse_google_benchmark(document(rows, context), "out.json");
}

inline Device test_device(const std::string& model = "NVIDIA H200") {
  Device device;
  device.kind = DeviceKind::kGpu;
  device.model = model;
  return device;
}

inline std::string recorded_path(const std::string& name) {
  return std::string(TRACKER_H200_JOBS) + "/" + name;
}

}  // namespace tracker::formats

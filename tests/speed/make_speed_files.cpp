// make_speed_files FOLDER [BENCHMARKS INVOCATIONS REPETITIONS]: base/NN.json and candidate/NN.json for
// tracker, one invocation a file, and the same rows as base.json and candidate.json for compare.py, which
// takes one file a side.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "tests/speed/workload.hpp"
#include "tracker/base/error.hpp"
#include "tracker/base/file.hpp"

namespace tracker::speed {
namespace {

std::string number(double value) {
  std::string text(32, '\0');
  const int length = std::snprintf(text.data(), text.size(), "%.16e", value);
  text.resize(static_cast<std::size_t>(length));
  return text;
}

// As Google Benchmark 1.7 prints it.
std::string row(int benchmark, int repetition, int repetitions, double time_ns) {
  const std::string name = benchmark_name(benchmark) + "/manual_time";
  std::string text = "    {\n";
  const auto add = [&](const char* key, const std::string& value) {
    text += std::string("      \"") + key + "\": " + value + ",\n";
  };
  add("name", "\"" + name + "\"");
  add("family_index", std::to_string(benchmark));
  add("per_family_instance_index", "0");
  add("run_name", "\"" + name + "\"");
  add("run_type", "\"iteration\"");
  add("repetitions", std::to_string(repetitions));
  add("repetition_index", std::to_string(repetition));
  add("threads", "1");
  add("iterations", "1853");
  add("real_time", number(time_ns / 1000));
  add("cpu_time", number(time_ns / 1000 + 5));
  add("time_unit", "\"us\"");
  return text + "      \"bytes_per_second\": " + number(kBytesPerIteration / (time_ns * 1e-9)) + "\n    }";
}

std::string document(int minute, const std::string& rows) {
  std::string date = "2026-11-20T10:00:00+00:00";
  date.replace(
      11, 5,
      std::string(minute < 60 ? "10:" : "11:") + (minute % 60 < 10 ? "0" : "") + std::to_string(minute % 60));
  return "{\n  \"context\": {\n    \"date\": \"" + date +
         "\",\n    \"host_name\": \"vm\",\n    \"executable\": \"./bench\",\n    \"num_cpus\": 16,\n    "
         "\"mhz_per_cpu\": 2100,\n    \"cpu_scaling_enabled\": false,\n    \"caches\": [\n    ],\n    "
         "\"load_avg\": [0.45,0.1,0.03],\n    \"library_build_type\": \"release\"\n  },\n  \"benchmarks\": "
         "[\n" +
         rows + "\n  ]\n}\n";
}

void add_rows(const std::vector<std::string>& rows, std::string& text) {
  for (const auto& one : rows) text += (text.empty() ? "" : ",\n") + one;
}

void write_side(const std::filesystem::path& folder, int side, const Workload& load) {
  const std::string name = side == 0 ? "base" : "candidate";
  std::vector<std::string> merged(static_cast<std::size_t>(load.benchmarks));
  for (int i = 0; i < load.invocations; ++i) {
    InvocationTimes times(side, i);
    std::string all;
    for (int b = 0; b < load.benchmarks; ++b) {
      times.next_benchmark(b);
      for (int r = 0; r < load.repetitions; ++r) {
        const double time_ns = times.next_time_ns();
        add_rows({row(b, r, load.repetitions, time_ns)}, all);
        add_rows({row(b, i * load.repetitions + r, load.invocations * load.repetitions, time_ns)},
                 merged[static_cast<std::size_t>(b)]);
      }
    }
    write_file(folder / name / (std::to_string(i) + ".json"), document(2 * i + side, all));
  }
  std::string all;
  add_rows(merged, all);
  write_file(folder / (name + ".json"), document(side, all));
}

}  // namespace
}  // namespace tracker::speed

int main(int argc, char** argv) {
  if (argc != 2 && argc != 5) {
    std::cerr << "usage: make_speed_files FOLDER [BENCHMARKS INVOCATIONS REPETITIONS]\n";
    return 2;
  }
  tracker::speed::Workload load;
  if (argc == 5) load = {std::atoi(argv[2]), std::atoi(argv[3]), std::atoi(argv[4])};
  try {
    for (const int side : {0, 1}) tracker::speed::write_side(argv[1], side, load);
  } catch (const tracker::Error& error) {
    std::cerr << "make_speed_files: " << error.what() << "\n";
    return 4;
  }
  return 0;
}

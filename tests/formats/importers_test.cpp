// Files of hyperfine and pytest-benchmark as those tools wrote them, of nvbench and Criterion in their form:
// tests/data/README.md.
#include <cmath>
#include <filesystem>
#include <numeric>

#include <gmock/gmock.h>

#include "tests/formats/support.hpp"
#include "tracker/base/file.hpp"
#include "tracker/formats/assemble.hpp"
#include "tracker/formats/file_format.hpp"
#include "tracker/formats/run_document.hpp"
#include "tracker/model/metric.hpp"

namespace tracker::formats {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

std::filesystem::path import_path(const std::string& name) {
  return std::filesystem::path(TRACKER_TEST_DATA) / "imports" / name;
}

BenchmarkFile read_import(const std::string& name) {
  std::uint32_t hash = kEmptyHash;
  auto file = read_measured_file(import_path(name), &hash);
  EXPECT_NE(hash, kEmptyHash) << "the content names the run";
  return file.invocations.at(0);
}

TEST(Importers, ReadHyperfineInNanoseconds) {
  const auto file = read_import("hyperfine/hyperfine.json");
  ASSERT_THAT(file.benchmarks, SizeIs(2));
  EXPECT_EQ(file.benchmarks[1].name, "true");
  EXPECT_EQ(file.benchmarks[1].time_base, TimeBase::kReal);
  const Samples& samples = file.invocation.samples.at("true");
  ASSERT_THAT(samples.real_time_ns, SizeIs(12));
  EXPECT_DOUBLE_EQ(samples.real_time_ns[0], 996060);
  EXPECT_DOUBLE_EQ(samples.cpu_time_ns[0], (0.00063275 + 0.00011941666666666665) * 1e9);
  EXPECT_EQ(samples.iterations[0], 1);
  EXPECT_FALSE(file.device);
}

TEST(Importers, TellHyperfinesParametersApart) {
  const auto file = read_import("hyperfine/hyperfine-parameters.json");
  ASSERT_THAT(file.benchmarks, SizeIs(2));
  EXPECT_EQ(file.benchmarks[0].name, "head -c 1000 /dev/zero");
  EXPECT_EQ(file.benchmarks[1].name, "head -c 20000 /dev/zero");
}

TEST(Importers, ReadNanobenchsEpochs) {
  const auto file = read_import("nanobench/results.json");
  ASSERT_THAT(file.benchmarks, SizeIs(3));
  EXPECT_EQ(file.benchmarks[0].name, "sums/sum of bytes");
  EXPECT_EQ(file.benchmarks[1].name, "sums/sort/64");
  EXPECT_EQ(file.benchmarks[2].name, "sums/sort/512");
  EXPECT_EQ(file.benchmarks[0].time_base, TimeBase::kReal);
  const Samples& samples = file.invocation.samples.at("sums/sum of bytes");
  ASSERT_THAT(samples.real_time_ns, SizeIs(3));
  EXPECT_DOUBLE_EQ(samples.real_time_ns[0], 1134.52106430155);
  EXPECT_EQ(samples.iterations[0], 902);
  EXPECT_EQ(samples.counters.at("bytes_per_iteration")[0], 4096);
}

TEST(Importers, NameNanobenchsBenchmarksWithoutTheDefaultTitle) {
  const auto file = parse_nanobench(
      R"({"results": [{"title": "benchmark", "name": "a", "unit": "op", "batch": 20, "complexityN": -1,
                       "measurements": [{"iterations": 3, "elapsed": 1e-06}]}]})",
      "n.json");
  EXPECT_EQ(file.benchmarks[0].name, "a");
  EXPECT_EQ(file.invocation.samples.at("a").counters.at("items_per_iteration")[0], 20);
}

TEST(Importers, ReadPytestBenchmarksRounds) {
  const auto file = read_import("pytest/data.json");
  EXPECT_EQ(file.invocation.started_at, "2026-11-22T08:41:00Z");
  ASSERT_TRUE(file.device);
  EXPECT_EQ(file.device->model, "AMD EPYC");
  ASSERT_THAT(file.benchmarks, SizeIs(3));
  EXPECT_EQ(file.benchmarks[1].name, "test_sort.py::test_join[10]");
  const Samples& samples = file.invocation.samples.at("test_sort.py::test_join[10]");
  ASSERT_THAT(samples.real_time_ns, SizeIs(6));
  EXPECT_DOUBLE_EQ(samples.real_time_ns[0], 163.30001017195173);
  EXPECT_EQ(samples.iterations[0], 50);
}

// --benchmark-save without --benchmark-save-data keeps no rounds.
TEST(Importers, TakePytestBenchmarksMedianWhereTheRoundsAreNotSaved) {
  const auto file = read_import("pytest/summary.json");
  ASSERT_THAT(file.benchmarks, SizeIs(3));
  for (const auto& [name, samples] : file.invocation.samples) EXPECT_THAT(samples.real_time_ns, SizeIs(1));
}

TEST(Importers, ReadNvbenchsSamples) {
  const auto file = read_import("nvbench/samples.json");
  EXPECT_EQ(file.invocation.binary, "copy_bench");
  ASSERT_TRUE(file.device);
  EXPECT_EQ(file.device->model, "NVIDIA H200");
  EXPECT_EQ(file.device->compute_capability, "9.0");
  EXPECT_EQ(file.device->core_clock_mhz, 1980);
  EXPECT_EQ(file.device->peak_bytes_per_second, 4916736000000);
  EXPECT_EQ(file.invocation.conditions.core_clock_mhz_min, 1950);
  EXPECT_EQ(file.invocation.conditions.core_clock_mhz_max, 1965);
  ASSERT_THAT(file.benchmarks, SizeIs(3));
  EXPECT_EQ(file.benchmarks[2].skipped, true) << "what nvbench skipped, with its reason";
  EXPECT_EQ(file.benchmarks[0].name, "copy/Elements=2^20");
  EXPECT_EQ(file.benchmarks[0].time_base, TimeBase::kManual);
  const Samples& samples = file.invocation.samples.at("copy/Elements=2^20");
  ASSERT_THAT(samples.real_time_ns, SizeIs(12));
  EXPECT_THAT(samples.real_time_ns[0], DoubleNear(6200, 300));
  EXPECT_GT(samples.cpu_time_ns[0], samples.real_time_ns[0]);
}

// --jsonbin writes the clock of each sample beside its time.
TEST(Importers, KeepTheClockOfNvbenchsSamples) {
  const TemporaryDirectory folder;
  const auto copied = folder.path() / "samples.json";
  std::string text = read_file(import_path("nvbench/samples.json"), 1 << 20);
  const std::string tag = "\"summaries\": [";
  const auto place = text.find(tag);
  ASSERT_NE(place, std::string::npos);
  text.insert(place + tag.size(),
              R"({"tag": "nv/json/freqs-bin:nv/cold/sample_freqs", "data": [)"
              R"({"name": "filename", "type": "string", "value": "samples.json-freqs-bin/0.bin"},)"
              R"({"name": "size", "type": "int64", "value": "12"}]},)");
  std::filesystem::copy(import_path("nvbench/samples.json-bin"), folder.path() / "samples.json-bin");
  const auto without = parse_nvbench(text, copied).front();
  EXPECT_EQ(without.invocation.samples.at("copy/Elements=2^20").counters.count("condition_core_clock_mhz"),
            0u)
      << "the clocks were not copied along, and the times were";
  std::string clocks;
  for (int i = 0; i < 12; ++i) clocks += std::string("\xce\x08\xec\x4e", 4);  // 1.98e9
  write_file(folder.path() / "samples.json-freqs-bin/0.bin", clocks);
  const auto file = parse_nvbench(text, copied).front();
  const auto& counters = file.invocation.samples.at("copy/Elements=2^20").counters;
  ASSERT_THAT(counters.at("condition_core_clock_mhz"), SizeIs(12));
  EXPECT_NEAR(counters.at("condition_core_clock_mhz").front(), 1980, 1);
  // With --profile it reads no clocks, and says so by a file of none.
  write_file(folder.path() / "samples.json-freqs-bin/0.bin", "");
  const auto none = text.find(R"("value": "12"}]},)");
  text.replace(none, std::string(R"("value": "12")").size(), R"("value": "0")");
  const auto profiled = parse_nvbench(text, copied).front();
  EXPECT_EQ(profiled.invocation.samples.at("copy/Elements=2^20").counters.count("condition_core_clock_mhz"),
            0u);
}

TEST(Importers, ReadNvbenchsGpusOfTwoModelsApart) {
  const auto state = [](int device) {
    return R"({"name": "Device=)" + std::to_string(device) + R"( N=1", "device": )" + std::to_string(device) +
           R"(, "is_skipped": false, "summaries": [{"tag": "nv/cold/time/gpu/mean", "data": )"
           R"([{"name": "value", "type": "float64", "value": "0.001"}]}]})";
  };
  const std::string text = R"({"meta": {"argv": ["bench"]}, "devices": [{"id": 0, "name": "NVIDIA H200"}, )"
                           R"({"id": 1, "name": "NVIDIA L4"}], "benchmarks": [{"name": "copy", "states": [)" +
                           state(0) + "," + state(1) + "]}]}";
  const auto files = parse_nvbench(text, "two.json");
  ASSERT_THAT(files, SizeIs(2));
  EXPECT_EQ(files[0].device->model, "NVIDIA H200");
  EXPECT_EQ(files[1].device->model, "NVIDIA L4");
  for (const auto& file : files) {
    ASSERT_THAT(file.benchmarks, SizeIs(1));
    EXPECT_EQ(file.benchmarks[0].name, "copy/N=1");
  }
}

TEST(Importers, ReadPrimbench) {
  const auto file = read_import("primbench/results.json");
  ASSERT_TRUE(file.device);
  EXPECT_EQ(file.device->model, "AMD Instinct MI300X");
  EXPECT_EQ(file.device->compute_capability, "gfx942");
  EXPECT_EQ(file.device->core_count, 304);
  EXPECT_EQ(file.device->memory_bytes, 206141652992);
  EXPECT_EQ(file.host.name, "mi300");
  EXPECT_EQ(file.commit, "0123456789abcdef0123456789abcdef01234567");
  ASSERT_THAT(file.benchmarks, SizeIs(2));
  EXPECT_EQ(file.benchmarks[0].name, "block_scan/bs: 256, ipt: 4, key_type: int");
  const auto& batches = file.invocation.samples.at(file.benchmarks[0].name);
  EXPECT_THAT(batches.real_time_ns, ElementsAre(DoubleNear(33500, .01), DoubleNear(33600, .01),
                                                DoubleNear(33700, .01), DoubleNear(33400, .01)));
  const auto& rate = file.invocation.samples.at(file.benchmarks[1].name);
  EXPECT_THAT(rate.real_time_ns, ElementsAre(DoubleNear(67108.864, .01)));
  EXPECT_EQ(rate.counters.at("bytes_per_iteration").front(), 134217728);
}

TEST(Importers, DeriveNvbenchsBandwidthFromItsWork) {
  std::vector<BenchmarkFile> files;
  files.push_back(read_import("nvbench/samples.json"));
  const auto run = assemble_runs(std::move(files), {.id = "a", .job = "a"}).front();
  EXPECT_EQ(run.benchmarks[0].bytes_per_iteration, 8.0 * (1 << 20));
  EXPECT_EQ(run.benchmarks[0].items_per_iteration, 1 << 20);
}

// What nvbench itself printed of this run: 0.122871 ms a cold launch, 1.092 TB/s.
TEST(Importers, ReadWhatNvbenchWroteOnAnH200) {
  std::vector<BenchmarkFile> files;
  files.push_back(read_import("nvbench/throughput.json"));
  const auto& file = files.front();
  ASSERT_TRUE(file.device);
  EXPECT_EQ(file.device->model, "NVIDIA H200");
  EXPECT_EQ(file.invocation.binary, "throughput");
  const auto& times = file.invocation.samples.at("throughput_bench").real_time_ns;
  ASSERT_THAT(times, SizeIs(4080));
  const double mean = std::accumulate(times.begin(), times.end(), 0.0) / 4080;
  EXPECT_THAT(mean, DoubleNear(122871, 1));
  const auto run = assemble_runs(std::move(files), {.id = "a", .job = "a"}).front();
  EXPECT_THAT(run.benchmarks[0].bytes_per_iteration.value() / mean, DoubleNear(1092, 0.5)) << "GB/s";
}

TEST(Importers, TakeNvbenchsMedianWithoutItsSamples) {
  const auto file = read_import("nvbench/means.json");
  const Samples& samples = file.invocation.samples.at("copy/Elements=2^24");
  ASSERT_THAT(samples.real_time_ns, SizeIs(1));
  EXPECT_THAT(samples.real_time_ns[0], DoubleNear(44000, 2000));
  EXPECT_EQ(samples.iterations[0], 10);
}

TEST(Importers, RefuseNvbenchsFileWithoutItsSamplesFolder) {
  const std::string text = read_file(import_path("nvbench/samples.json"), 1 << 20);
  TemporaryDirectory folder;
  const auto path = folder.path() / "alone.json";
  EXPECT_THAT(error_of([&] { parse_nvbench(text, path); }),
              HasSubstr("its sample times 'samples.json-bin/0.bin' are not beside it | copy the folder"));
  for (const std::string name : {"../0.bin", "/etc/passwd", "..", "a/..", ""}) {
    std::string hostile = text;
    const std::string before = "samples.json-bin/0.bin";
    hostile.replace(hostile.find(before), before.size(), name);
    EXPECT_THAT(error_of([&] { parse_nvbench(hostile, path); }), HasSubstr("are not beside it"));
  }
}

// 600 KB of text named one file of 16 MB 200 times, and took 9 GB.
TEST(Importers, BoundTheSamplesOfAFileThatNamesOneFileOften) {
  constexpr std::size_t kSamples = 500'000;
  TemporaryDirectory folder;
  std::string times;
  for (std::size_t i = 0; i < kSamples; ++i) times += std::string("\x00\x00\x80\x3f", 4);  // 1 s
  write_file(folder.path() / "many.json-bin/0.bin", times);
  const auto document = [](int states) {
    std::string list;
    for (int i = 0; i < states; ++i)
      list += std::string(i > 0 ? "," : "") + R"({"name": "Elements=)" + std::to_string(i) +
              R"(", "summaries": [{"tag": "nv/json/bin:nv/cold/sample_times", "data": [
                  {"name": "filename", "value": "many.json-bin/0.bin"}]}]})";
    return R"({"meta": {}, "devices": [], "benchmarks": [{"name": "copy", "states": [)" + list + "]}]}";
  };
  const auto path = folder.path() / "many.json";
  EXPECT_THAT(parse_nvbench(document(4), path).front().benchmarks, SizeIs(4));
  EXPECT_THAT(error_of([&] { parse_nvbench(document(200), path); }),
              HasSubstr("it has more than 2000000 samples"));
}

TEST(Importers, ReadCriterionsFolder) {
  const auto folders = measured_files_at(import_path("criterion"));
  ASSERT_THAT(folders, ElementsAre(import_path("criterion")));
  const auto file = read_import("criterion");
  ASSERT_THAT(file.benchmarks, SizeIs(3));
  EXPECT_EQ(file.benchmarks[0].name, "fib 20");
  EXPECT_EQ(file.benchmarks[1].name, "parse/json/1024");
  EXPECT_EQ(file.benchmarks[2].name, "sort/into/stable") << "its folder is sort_into/stable";
  const Samples& samples = file.invocation.samples.at("parse/json/1024");
  ASSERT_THAT(samples.real_time_ns, SizeIs(10));
  EXPECT_THAT(samples.real_time_ns[9], DoubleNear(850, 50));
  EXPECT_EQ(samples.iterations[9], 1000);
  EXPECT_EQ(samples.counters.at("bytes_per_iteration")[0], 1024);
  EXPECT_EQ(file.invocation.samples.at("sort/into/stable").counters.at("items_per_iteration")[0], 64);
}

TEST(Importers, TakeCopiesOfCriterionsFolderForOneInvocationEach) {
  TemporaryDirectory folder;
  for (const char* copy : {"1", "2"})
    std::filesystem::copy(import_path("criterion"), folder.path() / copy,
                          std::filesystem::copy_options::recursive);
  EXPECT_THAT(measured_files_at(folder.path()), ElementsAre(folder.path() / "1", folder.path() / "2"));
  EXPECT_THAT(error_of([&] { read_file_side(folder.path(), {}); }),
              HasSubstr("hold one and the same invocation"));
}

TEST(Importers, AreKnownByTheirContent) {
  EXPECT_EQ(format_of(R"({"results": []})").name, "hyperfine's JSON");
  EXPECT_EQ(format_of(R"j({"results": [{"median(elapsed)": 1}]})j").name, "nanobench's JSON");
  EXPECT_EQ(format_of(R"({"benchmarks": [], "datetime": "", "machine_info": {}})").name,
            "pytest-benchmark's JSON");
  EXPECT_EQ(format_of(R"({"benchmarks": [], "devices": [], "meta": {}})").name, "nvbench's JSON");
  EXPECT_EQ(format_of(R"({"benchmarks": [], "context": {}})").name, "Google Benchmark's JSON");
  EXPECT_EQ(format_of("nonsense").name, "Google Benchmark's JSON") << "whose reader says what is wrong";
}

Executions read_rows(const std::string& name) {
  const auto path = import_path("rows/" + name);
  return parse_results(read_file(path, 1 << 20), path);
}

TEST(Rows, OfCsvAreTimesAndOtherValues) {
  const auto executions = read_rows("rows.csv");
  ASSERT_THAT(executions, SizeIs(2));
  const BenchmarkFile& first = executions[0];
  ASSERT_THAT(first.benchmarks, SizeIs(5));
  EXPECT_EQ(first.benchmarks[0].time_base, TimeBase::kReal);
  EXPECT_THAT(first.invocation.samples.at("scan/64").real_time_ns, ElementsAre(12500, 12750));
  const Benchmark& copy = first.benchmarks[1];
  EXPECT_EQ(copy.name, "copy, both ways");
  EXPECT_EQ(copy.time_base, TimeBase::kNone);
  EXPECT_EQ(copy.unit + " " + copy.better, "B/s higher");
  EXPECT_THAT(first.invocation.samples.at("copy, both ways").counters.at(kStatedValue), ElementsAre(1.5e9));
  EXPECT_EQ(first.benchmarks[2].unit + " " + first.benchmarks[2].better, "B lower");
  EXPECT_THAT(first.invocation.samples.at("peak memory").counters.at(kStatedValue),
              ElementsAre(12 * 1048576));
  EXPECT_EQ(first.benchmarks[3].unit + " " + first.benchmarks[3].better, "tokens/s higher");
  EXPECT_EQ(first.benchmarks[4].unit + " " + first.benchmarks[4].better, "frames lower");
  EXPECT_THAT(executions[1].invocation.samples.at("scan/64").real_time_ns, ElementsAre(12250));
}

TEST(Rows, OfJsonLinesAreTakenFromBetweenOtherOutput) {
  const auto executions = read_rows("rows.ndjson");
  ASSERT_THAT(executions, SizeIs(1));
  EXPECT_EQ(executions[0].device->model, "NVIDIA H100");
  EXPECT_THAT(executions[0].invocation.samples.at("scan/64").real_time_ns, ElementsAre(12500, 13000));
}

// All of a file's keys stand in its first line where another tool has taken its line ends out.
TEST(Rows, AreNotTakenForThoseOfAnotherFormatInOneLine) {
  EXPECT_EQ(format_of(R"({"meta":{},"devices":[],"benchmarks":[{"name":"a","x":{"value":"1"}}]})").name,
            format_of("{\"meta\":{},\n\"devices\":[],\"benchmarks\":[]}").name);
  EXPECT_EQ(format_of(R"({"name": "a", "value": 1, "unit": "ns"})").name, std::string("JSON lines"));
}

TEST(Rows, OfGithubActionBenchmarkKeepTheirCommitsAndDirections) {
  const auto history = read_rows("data.js");
  ASSERT_THAT(history, SizeIs(2));
  EXPECT_EQ(history[0].commit, std::string(40, '1'));
  EXPECT_EQ(history[0].invocation.started_at, "2023-11-13T10:06:40Z");
  EXPECT_THAT(history[0].invocation.samples.at("C++ Benchmark/BM_a").real_time_ns, ElementsAre(12.5));
  ASSERT_THAT(history[1].benchmarks, SizeIs(2));
  EXPECT_EQ(history[1].benchmarks[1].name, "Throughput/served");
  EXPECT_EQ(history[1].benchmarks[1].better, "higher");
}

TEST(Rows, OfABrokenHistoryAreRefused) {
  EXPECT_THAT(error_of([&] { parse_results("window.BENCHMARK_DATA = 7", "data.js"); }), HasSubstr("data.js"));
  const std::string late =
      R"(window.BENCHMARK_DATA = {"entries": {"a": [{"commit": {"id": "1"}, "date": 1e300,
    "tool": "googlecpp", "benches": [{"name": "a", "value": 1, "unit": "ns"}]}]}})";
  EXPECT_THAT(error_of([&] { parse_results(late, "data.js"); }), HasSubstr("is no time in milliseconds"));
}

TEST(Rows, WhoseDirectionIsNotKnownAreRefusedUntilItIsSaid) {
  auto file = read_rows("custom.json").at(0);
  EXPECT_EQ(file.benchmarks[1].time_base, TimeBase::kReal) << "a time tells it by its unit";
  EXPECT_THAT(error_of([&] { require_direction(file, ""); }),
              HasSubstr("of 'Binary size' is better is not known"));
  require_direction(file, "lower");
  EXPECT_EQ(file.benchmarks[0].better, "lower");
}

TEST(Rows, NameTheLineThatIsWrong) {
  const auto refusal = [](const std::string& text) { return error_of([&] { parse_csv(text, "r.csv"); }); };
  EXPECT_THAT(refusal("name,value\na,fast\n"),
              HasSubstr("'r.csv': line 2: value: expected a number, not 'fast'"));
  EXPECT_THAT(refusal("name,value\n"), HasSubstr("'r.csv': it has no rows"));
  EXPECT_THAT(refusal("name,value,unit\na,1,ms\na,2,MB\n"), HasSubstr("has another unit or direction"));
  EXPECT_THAT(refusal("name,value,better\na,1,best\n"),
              HasSubstr("expected 'lower' or 'higher', not 'best'"));
  EXPECT_THAT(error_of([] { parse_json_lines("{\"name\": \"a\", \"value\": true}\n", "r.ndjson"); }),
              HasSubstr("'r.ndjson: line 1': value: expected a number"));
}

TEST(Rows, MayStateCountersBesideTheirValue) {
  const auto executions = parse_csv("name,value,unit,registers,why\na,1,ms,,x\na,2,ms,32,y\n", "r.csv");
  const auto& counters = executions[0].invocation.samples.at("a").counters;
  ASSERT_THAT(counters, SizeIs(1)) << "texts are none";
  EXPECT_TRUE(std::isnan(counters.at("registers")[0]));
  EXPECT_EQ(counters.at("registers")[1], 32);
  const auto lines =
      parse_json_lines("{\"name\": \"a\", \"value\": 1, \"unit\": \"ms\", \"registers\": 40}\n", "r");
  EXPECT_THAT(lines[0].invocation.samples.at("a").counters.at("registers"), ElementsAre(40));
}

TEST(Rows, OfATimeThatIsNoneFailTheirBenchmark) {
  const auto executions = parse_csv("name,value,unit\na,0,ms\na,1,ms\nb,0,MB\n", "r.csv");
  EXPECT_THAT(executions[0].benchmarks[0].error.value_or(""), HasSubstr("reported a time of 0"));
  EXPECT_FALSE(executions[0].invocation.samples.contains("a"));
  EXPECT_FALSE(executions[0].benchmarks[1].error) << "other values may be zero";
}

TEST(Rows, SurviveARunDocument) {
  auto executions = read_rows("rows.csv");
  for (auto& file : executions) {
    file.device = Device{};
    file.device->model = "NVIDIA H100";
  }
  const auto runs = assemble_runs(std::move(executions), {.id = "20261120T124901Z-0a1b2c3d"});
  const auto run = read_run(write_run(runs.at(0)), "run.json");
  const Benchmark* copy = find_benchmark(run, "copy, both ways");
  ASSERT_NE(copy, nullptr);
  EXPECT_EQ(copy->time_base, TimeBase::kNone);
  const Metric metric = default_metric(*copy);
  EXPECT_EQ(metric.unit, "B/s");
  EXPECT_EQ(metric.better, Better::kHigher);
  EXPECT_THAT(metric_values(metric, *copy, run), ElementsAre(1.5e9, 1.25e9));
  EXPECT_THAT(metric_values(find_metric("real_time"), *copy, run), ElementsAre()) << "it has no time";
}

TEST(Importers, FailABenchmarkWhoseTimeIsNone) {
  const auto file = parse_hyperfine(
      R"({"results": [{"command": "a", "times": [0.5, -1]}, {"command": "b", "times": []},
                      {"command": "c", "times": [0.5]}, {"command": "c", "times": [0.25]}]})",
      "h.json");
  EXPECT_THAT(file.benchmarks[0].error.value_or(""), HasSubstr("reported a time of"));
  EXPECT_EQ(file.benchmarks[1].error, "reported no times");
  EXPECT_EQ(file.benchmarks[3].name, "c#2");
  EXPECT_EQ(file.invocation.samples.at("c#2").real_time_ns[0], 0.25e9);
}

TEST(Importers, NameTheFileAndThePlaceOfWhatIsWrong) {
  EXPECT_THAT(error_of([] { parse_hyperfine(R"({"results": [{"command": "a"}]})", "h.json"); }),
              HasSubstr("'h.json': results[0]: no 'times'"));
  EXPECT_THAT(error_of([] { parse_hyperfine(R"({"results": []})", "h.json"); }),
              HasSubstr("'h.json': it has no benchmarks"));
  EXPECT_THAT(
      error_of([] { parse_criterion(R"({"full_id": "a"})", R"({"iters": [1], "times": []})", "new"); }),
      HasSubstr("'new/sample.json': times: expected as many entries as iters has"));
}

}  // namespace
}  // namespace tracker::formats

#include "tracker/formats/google_benchmark.hpp"

#include <cmath>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/formats/support.hpp"
#include "tests/formats/whole_run.hpp"
#include "tests/source_tree.hpp"
#include "tracker/base/file.hpp"
#include "tracker/formats/assemble.hpp"
#include "tracker/formats/run_document.hpp"

namespace tracker::formats {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsNan;
using testing::Pair;

std::vector<std::string> names_of(const BenchmarkFile& file) {
  std::vector<std::string> names;
  for (const auto& benchmark : file.benchmarks) names.push_back(benchmark.name);
  return names;
}

TEST(GoogleBenchmark, TimeUnitsAndClocks) {
  for (const auto& [unit, factor] :
       std::vector<std::pair<std::string, double>>{{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}}) {
    const auto file =
        parse({R"({"name": "x", "iterations": 3, "real_time": 2, "cpu_time": 0.5, "time_unit": ")" + unit +
               R"("})"});
    EXPECT_THAT(file.invocation.samples.at("x").real_time_ns, ElementsAre(2 * factor));
    EXPECT_THAT(file.invocation.samples.at("x").cpu_time_ns, ElementsAre(0.5 * factor));
  }
  const auto file = parse({row("a"), row("b/real_time"), row("c/manual_time"), row("d/process_time")});
  EXPECT_EQ(file.benchmarks[0].time_base, TimeBase::kCpu);
  EXPECT_EQ(file.benchmarks[1].time_base, TimeBase::kReal);
  EXPECT_EQ(file.benchmarks[2].time_base, TimeBase::kManual);
  EXPECT_EQ(file.benchmarks[3].time_base, TimeBase::kCpu);
}

TEST(GoogleBenchmark, RepetitionsStayInTheirOrderAndApart) {
  const auto file = parse(
      {row("a", "", R"("real_time": 1, "cpu_time": 1)"), row("b", "", R"("real_time": 9, "cpu_time": 9)"),
       row("a", "", R"("real_time": 3, "cpu_time": 3)"), row("a", "", R"("real_time": 2, "cpu_time": 2)")});
  EXPECT_THAT(names_of(file), ElementsAre("a", "b"));
  EXPECT_THAT(file.invocation.samples.at("a").real_time_ns, ElementsAre(1000, 3000, 2000));
}

TEST(GoogleBenchmark, CountersAreNumbersThatAreNotItsOwn) {
  const auto file =
      parse({row("a", R"("registers": 32, "label": "text", "flag": true, "family_index": 7, "note": "x")"),
             row("a", R"("late": 2, "family_index": 7)"), row("a", R"("registers": 40, "family_index": 7)")});
  const auto& counters = file.invocation.samples.at("a").counters;
  EXPECT_THAT(counters, ElementsAre(Pair("late", ElementsAre(IsNan(), 2, IsNan())),
                                    Pair("registers", ElementsAre(32, IsNan(), 40))));
}

TEST(GoogleBenchmark, ACounterCannotTakeTheTimesPlace) {
  const auto file = parse({row("a", R"("real_time": 999, "iterations": 3.7e+01, "run_type": "aggregate")")});
  EXPECT_THAT(file.invocation.samples.at("a").real_time_ns, ElementsAre(2000));
  EXPECT_THAT(file.invocation.samples.at("a").iterations, ElementsAre(10));
}

TEST(GoogleBenchmark, AggregatesAreNotSamples) {
  const std::string mean =
      R"({"name": "a_mean", "run_name": "a", "run_type": "aggregate", "aggregate_name": "mean",
                               "iterations": 2, "real_time": 5, "cpu_time": 5, "time_unit": "us"})";
  const auto file = parse({row("a"), row("a"), mean});
  EXPECT_THAT(names_of(file), ElementsAre("a"));
  EXPECT_EQ(file.invocation.samples.at("a").real_time_ns.size(), 2u);
  EXPECT_THAT(error_of([&] {
                const auto of_aggregates = parse({mean, mean});
                require_repetitions({&of_aggregates});
              }),
              AllOf(HasSubstr("'out.json': it has aggregates alone"),
                    HasSubstr("without --benchmark_report_aggregates_only")));
}

TEST(GoogleBenchmark, FieldsOfOtherVersions) {
  // Before 1.5: no run_type, no run_name. From 1.8 on: skipped, with a message.
  const auto old = parse(
      {R"({"name": "a/manual_time", "iterations": 3, "real_time": 2, "cpu_time": 1, "time_unit": "ns"})"});
  EXPECT_THAT(names_of(old), ElementsAre("a"));
  const auto skipped = parse(
      {row("a", R"("skipped": true, "skip_message": "needs sm_90")", R"("real_time": 0, "cpu_time": 0)"),
       row("b")});
  EXPECT_THAT(names_of(skipped), ElementsAre("a", "b"));
  EXPECT_EQ(skipped.benchmarks[0].skipped, true);
  EXPECT_EQ(skipped.benchmarks[0].error, "needs sm_90");
  EXPECT_EQ(skipped.benchmarks[1].skipped, std::nullopt);
  EXPECT_THAT(parse({row("a", R"("skipped": true, "skip_message": "x")")}).invocation.samples, IsEmpty());
}

TEST(GoogleBenchmark, AnErrorIsTheBenchmarksAndNotTheFiles) {
  const std::string failing = row("a", R"("error_occurred": true, "error_message": "out of memory")",
                                  R"("real_time": 0, "cpu_time": 0)");
  for (const auto& rows :
       {std::vector<std::string>{failing, row("b")}, {row("a"), failing, row("a"), row("b")}}) {
    const auto file = parse(rows);
    EXPECT_THAT(names_of(file), ElementsAre("a", "b"));
    EXPECT_EQ(file.benchmarks[0].error, "out of memory");
    EXPECT_EQ(file.benchmarks[1].error, std::nullopt);
    EXPECT_THAT(file.invocation.samples, ElementsAre(Pair("b", testing::_)));
  }
}

TEST(GoogleBenchmark, ATimeThatIsNoneIsAnErrorOfTheBenchmark) {
  for (const char* times : {R"("real_time": 0, "cpu_time": 0)", R"("real_time": 1, "cpu_time": 0)",
                            R"("real_time": 1, "cpu_time": -1)", R"("real_time": -1, "cpu_time": 1)",
                            R"("real_time": 1e308, "cpu_time": 1)"}) {
    const auto file = parse({row("a", "", times), row("b")});
    EXPECT_THAT(file.benchmarks[0].error.value_or(""), HasSubstr("reported a time ")) << times;
    EXPECT_EQ(file.invocation.samples.count("a"), 0u) << times;
  }
  const auto manual = parse({row("a/manual_time", "", R"("real_time": 1, "cpu_time": 0)")});
  EXPECT_EQ(manual.benchmarks[0].error, std::nullopt) << "CPU time is not what it is judged by";
}

TEST(GoogleBenchmark, NamesThatWouldBecomeOneStayApart) {
  const std::vector<std::string> rows{row("a"), row("a/manual_time"), row("a/real_time"),
                                      row("b/manual_time")};
  EXPECT_THAT(names_of(parse(rows)), ElementsAre("a", "a/manual_time", "a/real_time", "b"));
  // In whatever order they come, and whether or not one of them is skipped.
  EXPECT_THAT(names_of(parse({rows[1], rows[0]})), ElementsAre("a/manual_time", "a"));
  EXPECT_THAT(names_of(parse({row("a/manual_time"), row("a", R"("skipped": true)")})),
              ElementsAre("a/manual_time", "a"));
  const auto file = parse({rows[1], rows[0]});
  EXPECT_EQ(file.benchmarks[0].time_base, TimeBase::kManual);
  EXPECT_EQ(file.benchmarks[1].time_base, TimeBase::kCpu);
}

TEST(GoogleBenchmark, TwoOfTheSameNameStayApart) {
  const auto file = parse({row("a", R"("family_index": 0)"), row("a", R"("family_index": 1)"),
                           row("a#2", R"("family_index": 2)"), row("a", R"("family_index": 0)")});
  EXPECT_THAT(names_of(file), ElementsAre("a", "a#2", "a#2#2"));
  EXPECT_EQ(file.invocation.samples.at("a").real_time_ns.size(), 2u);
}

TEST(GoogleBenchmark, ThreadsAreAnotherBenchmark) {
  const auto file = parse({row("a/real_time/threads:1"), row("a/real_time/threads:8")});
  EXPECT_THAT(names_of(file), ElementsAre("a/threads:1", "a/threads:8"));
}

TEST(GoogleBenchmark, TheContextMayBeBare) {
  const auto file = parse_google_benchmark(R"({"context": {}, "benchmarks": [)" + row("a") + "]}", "x");
  EXPECT_EQ(file.host.name, "");
  EXPECT_EQ(file.host.cpu_count, std::nullopt);
  EXPECT_EQ(file.invocation.started_at, "");
  EXPECT_EQ(file.invocation.binary, "");
  EXPECT_EQ(file.invocation.conditions.load_average, std::nullopt);
  EXPECT_FALSE(file.device);
  const auto dated = parse_google_benchmark(
      R"({"context": {"date": "yesterday", "load_avg": []}, "benchmarks": [)" + row("a") + "]}", "x");
  EXPECT_EQ(dated.invocation.started_at, "");
}

TEST(GoogleBenchmark, TheContextIsRead) {
  const auto file = parse({row("a")});
  EXPECT_EQ(file.invocation.started_at, "2026-11-20T11:49:01Z");
  EXPECT_EQ(file.invocation.binary, "bench_transpose");
  EXPECT_EQ(file.benchmarks[0].binary, "bench_transpose");
  EXPECT_EQ(file.host.name, "vm");
  EXPECT_EQ(file.host.cpu_count, 16);
  EXPECT_EQ(file.invocation.conditions.load_average, 0.5);
}

TEST(GoogleBenchmark, AnotherShapeSaysHowToMakeIt) {
  for (const char* text : {"[]", "{}", "3", "null", R"({"context": {}})", R"({"benchmarks": []})",
                           R"({"context": [], "benchmarks": []})", R"({"context": {}, "benchmarks": {}})"})
    EXPECT_THAT(
        error_of([&] { parse_google_benchmark(text, "x.json"); }),
        AllOf(HasSubstr("'x.json': not Google Benchmark's JSON"), HasSubstr("--benchmark_out_format=json")))
        << text;
  EXPECT_THAT(error_of([] { parse({}); }), HasSubstr("does --benchmark_filter match any?"));
}

TEST(GoogleBenchmark, WrongTypesNameThePlace) {
  struct Row {
    std::string text;
    std::string message;
  };
  const Row rows[] = {
      {document({"3"}), "'out.json': benchmarks[0]: expected an object"},
      {document({row("a"), "{}"}), "'out.json': benchmarks[1].name: expected a name"},
      {document({R"({"name": 3})"}), "benchmarks[0].name: expected a text"},
      {document({R"({"name": "a", "run_type": 1})"}), "benchmarks[0].run_type: expected a text"},
      {document({R"({"name": "a", "skipped": 1})"}), "benchmarks[0].skipped: expected true or false"},
      {document({R"({"name": "a"})"}), "'out.json': benchmark 'a': no 'real_time'"},
      {document({row("a", "", R"("real_time": "2", "cpu_time": 1)")}),
       "benchmark 'a': real_time: expected a number"},
      {document({row("a", "", R"("real_time": null, "cpu_time": 1)")}),
       "benchmark 'a': real_time: expected a number"},
      {document({row("a", "", R"("real_time": 1, "cpu_time": [1])")}),
       "benchmark 'a': cpu_time: expected a number"},
      {document({R"({"name": "a", "iterations": -3, "real_time": 1, "cpu_time": 1})"}),
       "iterations: expected a count"},
      {document({R"({"name": "a", "iterations": 1e300, "real_time": 1, "cpu_time": 1})"}),
       "iterations: expected a whole number"},
      {document({R"({"name": "a", "iterations": 18446744073709551615, "real_time": 1, "cpu_time": 1})"}),
       "iterations: expected a whole number"},
      {document({R"({"name": "a", "real_time": 1, "cpu_time": 1, "time_unit": "h"})"}),
       "unknown time unit 'h'"},
      {document({row("a", R"("error_occurred": "yes")")}), "error_occurred: expected true or false"},
      {document({row("a", R"("family_index": "x")")}), "family_index: expected a whole number"},
      {R"({"context": {"host_name": 3}, "benchmarks": []})",
       "'out.json': context.host_name: expected a text"},
      {R"({"context": {"num_cpus": 1e30}, "benchmarks": []})", "context.num_cpus: expected a whole number"},
      {R"({"context": {"load_avg": ["x"]}, "benchmarks": []})",
       "context.load_avg: expected a list, each a number"},
  };
  for (const auto& row : rows)
    EXPECT_THAT(error_of([&] { parse_google_benchmark(row.text, "out.json"); }), HasSubstr(row.message));
}

// Each of these was judged "improved", or taken without a word.
TEST(GoogleBenchmark, WhatIsStatedTwiceOrNotAtAllIsSaid) {
  EXPECT_THAT(error_of([] {
                parse_google_benchmark(
                    document({R"({"name": "a", "iterations": 1, "real_time": 1, "cpu_time": 1})"}),
                    "out.json");
              }),
              HasSubstr("benchmark 'a': no 'time_unit'"));
  std::string none = row("a");
  none.replace(none.find("\"iterations\": 10"), 16, "\"iterations\": 0");
  EXPECT_EQ(parse({none, row("b")}).benchmarks.at(0).error, "reported 0 iterations");
  const auto twice = parse({row("a", R"("real_time": 1.0)"), row("a", R"("real_time": 1.0)")});
  EXPECT_EQ(twice.invocation.samples.at("a").real_time_ns, (std::vector<double>{2000, 2000}));
  EXPECT_THAT(notes_about_reading({&twice}),
              ElementsAre("a key stands twice in one row, and its first value is taken: real_time of a"));
  for (const char* key : {"context", "benchmarks"}) {
    std::string text = document({row("a")});
    text.insert(text.size() - 1, std::string(", \"") + key + "\": " + (*key == 'c' ? "{}" : "[]"));
    EXPECT_THAT(error_of([&] { parse_google_benchmark(text, "out.json"); }),
                HasSubstr("'" + std::string(key) + "' stands twice"));
  }
}

// A value a repetition of each counter: a file of 200 MB could ask for terabytes.
TEST(GoogleBenchmark, ManyCountersOfOneBenchmarkAreRefused) {
  std::vector<std::string> rows;
  for (int i = 0; i < 4000; ++i) rows.push_back(row("a", "\"c" + std::to_string(i) + "\": 1"));
  EXPECT_THAT(error_of([&] { parse(rows); }), HasSubstr("more than 10000000 values of counters"));
}

TEST(GoogleBenchmark, HostileNamesStayNames) {
  const auto file =
      parse({row("../../etc/passwd"), row("a\\u0000b"), row("`rm -rf /`; $(x)"), row("\\u001b[31m")});
  EXPECT_THAT(names_of(file), ElementsAre("../../etc/passwd", "`rm -rf /`; $(x)"));
  EXPECT_THAT(file.left_out, ElementsAre("benchmark 'a b', which is a name with control characters",
                                         "benchmark ' [31m', which is a name with control characters"));
  EXPECT_THAT(error_of([] { parse({row("\\u001b[31m", "", R"("real_time": "x", "cpu_time": 1)")}); }),
              HasSubstr("benchmark ' [31m': real_time"));
}

TEST(GoogleBenchmark, FilesAreRefusedBySizeBeforeTheyAreRead) {
  const TemporaryDirectory folder;
  const auto path = folder.path() / "huge.json";
  std::ofstream(path).put('{');
  std::filesystem::resize_file(path, std::uintmax_t{1} << 30);  // sparse: it takes no room
  EXPECT_THAT(error_of([&] { read_google_benchmark(path); }),
              AllOf(HasSubstr("huge.json' is larger than 256 MiB, and refused: it has 1024 MiB"),
                    HasSubstr("fewer")));
}

TEST(GoogleBenchmark, EmptyMissingAndFolders) {
  const TemporaryDirectory folder;
  std::ofstream(folder.path() / "empty.json").flush();
  EXPECT_THAT(error_of([&] { read_google_benchmark(folder.path() / "empty.json"); }),
              HasSubstr("empty.json' is empty"));
  EXPECT_THAT(error_of([&] { read_google_benchmark(folder.path() / "none.json"); }), HasSubstr("no file '"));
  EXPECT_THAT(error_of([&] { read_google_benchmark(folder.path()); }), HasSubstr("is a folder"));
}

// The cv of a counter that is always zero, as an H200's own JSON had it.
TEST(GoogleBenchmark, NanInAnAggregateIsNoSample) {
  const std::string iteration =
      R"({"name": "x", "run_name": "x", "run_type": "iteration", "iterations": 1, "real_time": 5.0, "cpu_time": 5.0, "time_unit": "ns", "spills": 0.0})";
  const std::string aggregate =
      R"({"name": "x_cv", "run_name": "x", "run_type": "aggregate", "real_time": -nan, "cpu_time": 0.1, "spills": NaN, "rate": -Infinity})";
  const auto document = [](const std::string& rows) {
    return R"({"context": {}, "benchmarks": [)" + rows + "]}";
  };
  const auto file = parse_google_benchmark(document(iteration + ",\n" + aggregate), "x.json");
  EXPECT_EQ(file.invocation.samples.at("x").real_time_ns, std::vector<double>{5});
}

// Complexity() adds two rows of the whole family, which has no samples of its own.
TEST(GoogleBenchmark, AFitOfComplexityIsNoBenchmark) {
  const auto fit = [](const std::string& name) {
    return R"({"name": "sort_)" + name + R"(", "run_name": "sort", "run_type": "aggregate",
               "repetitions": 1, "threads": 1, "aggregate_name": ")" +
           name + R"(", "aggregate_unit": "time", "cpu_coefficient": 0.19, "real_coefficient": 0.19,
               "big_o": "N", "rms": 0.01, "time_unit": "ns"})";
  };
  const auto file = parse({row("sort/64"), row("sort/512"), fit("BigO"), fit("RMS")});
  EXPECT_THAT(names_of(file), ElementsAre("sort/64", "sort/512"));
  EXPECT_THAT(file.aggregates_only, ElementsAre());
}

// What the binary of script/lib/releases writes with each release.
TEST(GoogleBenchmark, EveryReleaseIsReadAlike) {
  for (const auto* release : {"1.5.0", "1.6.1", "1.7.1", "1.8.3", "1.9.5"}) {
    SCOPED_TRACE(release);
    const auto file = read_google_benchmark(std::string(TRACKER_TEST_DATA) + "/google_benchmark/" + release +
                                            "/result.json");
    std::vector<std::string> names;
    for (const auto& benchmark : file.benchmarks) names.push_back(benchmark.name);
    EXPECT_THAT(names,
                ElementsAre("sum/1024", "sum/8192", "threads/threads:2", "by_hand", "not_a_number", "fails"));
    EXPECT_EQ(file.benchmarks.back().error, "no such device");
    EXPECT_THAT(file.aggregates_only, ElementsAre("aggregates_only"));
    EXPECT_THAT(file.dropped_counters, ElementsAre("not_a_number: infinite", "not_a_number: nan"));
    const Samples& samples = file.invocation.samples.at("not_a_number");
    EXPECT_EQ(samples.real_time_ns.size(), 2u);
    EXPECT_THAT(samples.counters, ElementsAre(std::pair("two", std::vector<double>{2, 2})));
    EXPECT_EQ(file.benchmarks[3].time_base, TimeBase::kManual);
    EXPECT_EQ(file.invocation.started_at.substr(0, 10), "2026-11-22");
  }
}

TEST(GoogleBenchmark, ATimeThatIsNoNumberIsAnErrorOfItsBenchmark) {
  const auto file = parse_google_benchmark(
      R"({"context": {}, "benchmarks": [
        {"name": "a", "run_type": "iteration", "iterations": 1, "real_time": NaN, "cpu_time": 1.0, "time_unit": "ns"},
        {"name": "b", "run_type": "iteration", "iterations": 1, "real_time": 2.0, "cpu_time": 1.0, "time_unit": "ns",
         "label": "x\": NaN", "lost": -inf}]})",
      "x.json");
  EXPECT_EQ(file.benchmarks.at(0).error, "reported a time that is no number");
  EXPECT_EQ(file.benchmarks.at(1).error, std::nullopt);
  EXPECT_THAT(file.dropped_counters, ElementsAre("b: lost"));
}

TEST(GoogleBenchmark, BenchmarksStandAsRegisteredHoweverTheyRan) {
  const auto row = [](const char* name, int family, int instance) {
    return std::string(R"({"name": ")") + name + R"(", "run_type": "iteration", "family_index": )" +
           std::to_string(family) + R"(, "per_family_instance_index": )" + std::to_string(instance) +
           R"(, "iterations": 1, "real_time": 5.0, "cpu_time": 5.0, "time_unit": "ns"})";
  };
  const auto file =
      parse_google_benchmark(R"({"context": {}, "benchmarks": [)" + row("c", 1, 0) + "," + row("b", 0, 1) +
                                 "," + row("a", 0, 0) + "," + row("c", 1, 0) + "]}",
                             "x.json");
  std::vector<std::string> names;
  for (const auto& benchmark : file.benchmarks) names.push_back(benchmark.name);
  EXPECT_EQ(names, (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(file.invocation.samples.at("c").real_time_ns.size(), 2u);
}

}  // namespace

// What is exported can be recorded again, with the same samples.

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

}  // namespace tracker::formats

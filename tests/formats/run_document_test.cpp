#include "tracker/formats/run_document.hpp"

#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/formats/mutator.hpp"
#include "tests/formats/support.hpp"
#include "tests/formats/whole_run.hpp"
#include "tracker/base/error.hpp"
#include "tracker/formats/assemble.hpp"
#include "tracker/formats/json_text.hpp"

namespace tracker::formats {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(RunDocument, ComesBackExactly) {
  const auto run = whole_run();
  const std::string text = write_run(run);
  const auto again = read_run(text, "run.json");
  EXPECT_EQ(write_run(again), text);
  EXPECT_EQ(again.invocations[0].build, 2);
  EXPECT_EQ(again.id, run.id);
  EXPECT_EQ(again.job, run.job);
  EXPECT_EQ(again.commit, run.commit);
  EXPECT_TRUE(again.dirty);
  EXPECT_EQ(again.selection.expression, "transpose/.*");
  EXPECT_TRUE(again.isolated);
  EXPECT_THAT(again.interim_analyses, ElementsAre(5, 8));
  EXPECT_EQ(again.started_at, run.started_at);
  EXPECT_EQ(again.length_s, 61.25);
  EXPECT_EQ(again.device.kind, DeviceKind::kGpu);
  EXPECT_EQ(again.device.memory_bytes, run.device.memory_bytes);
  EXPECT_EQ(again.device.ecc, false);
  EXPECT_EQ(again.device.peak_flops, 6.69e13);
  EXPECT_EQ(again.software.flags, "-O3 \"quoted\" \\ µ");
  EXPECT_EQ(again.host.cpu_count, 16);
  ASSERT_EQ(again.benchmarks.size(), 2u);
  EXPECT_EQ(again.benchmarks[0].time_base, TimeBase::kManual);
  EXPECT_EQ(again.benchmarks[0].attributes, run.benchmarks[0].attributes);
  EXPECT_EQ(again.benchmarks[0].counters, run.benchmarks[0].counters);
  EXPECT_EQ(again.benchmarks[0].bytes_per_iteration, 1.0 / 3);
  EXPECT_EQ(again.benchmarks[0].code, run.benchmarks[0].code);
  EXPECT_EQ(again.benchmarks[1].code, run.benchmarks[1].code);
  EXPECT_EQ(again.benchmarks[1].error, "out of memory");
  ASSERT_EQ(again.invocations.size(), 1u);
  EXPECT_EQ(again.invocations[0].round, 3);
  EXPECT_EQ(again.invocations[0].excluded.reason, ExclusionReason::kWarmUp);
  ASSERT_EQ(again.failures.size(), 1u);
  EXPECT_EQ(again.failures[0].what, "was killed by signal 9 in invocation 2");
  const Conditions& conditions = again.invocations[0].conditions;
  EXPECT_EQ(conditions.core_clock_mhz_min, 1755);
  EXPECT_EQ(conditions.other_processes, 2);
  EXPECT_THAT(conditions.throttle_reasons, ElementsAre("power_cap", "thermal"));
  const Samples& samples = again.invocations[0].samples.at("transpose/smem/f32");
  EXPECT_THAT(samples.real_time_ns, ElementsAre(9772.6676123265968, 5e-324));
  EXPECT_THAT(samples.iterations, ElementsAre(std::numeric_limits<std::int64_t>::max(), 1));
  const auto& misses = samples.counters.at("misses");
  EXPECT_TRUE(std::isnan(misses[0]));
  EXPECT_EQ(misses[1], 0.1);
}

TEST(RunDocument, WhatIsAbsentStaysAbsent) {
  tracker::Run run;
  run.id = "a";
  run.device.model = "x";
  const auto again = read_run(write_run(run), "run.json");
  EXPECT_EQ(write_run(again), write_run(run));
  EXPECT_EQ(again.device.kind, DeviceKind::kCpu);
  EXPECT_EQ(again.device.uuid, std::nullopt);
  EXPECT_EQ(again.device.memory_bytes, std::nullopt);
  EXPECT_EQ(again.device.ecc, std::nullopt);
  EXPECT_EQ(again.software.driver, std::nullopt);
  EXPECT_EQ(again.host.cpu, std::nullopt);
  EXPECT_EQ(again.commit, "");
  EXPECT_THAT(again.benchmarks, IsEmpty());
  EXPECT_THAT(again.invocations, IsEmpty());
}

TEST(RunDocument, IsReadableText) {
  tracker::Run run;
  run.id = "a";
  run.job = "a";
  run.device.model = "x";
  Benchmark benchmark;
  benchmark.name = "b";
  run.benchmarks = {benchmark};
  run.invocations.resize(1);
  run.invocations[0].samples["b"] = {{1.5, 2}, {1, 1}, {10, 10}, {{"n", {1, 2}}}};
  const std::string text = write_run(run);
  EXPECT_THAT(text, HasSubstr("{\n \"schema\": \"tracker.run/1\",\n \"id\": \"a\",\n"));
  EXPECT_THAT(text, HasSubstr(R"(   "samples": {
    "b": {
     "real_time_ns": [1.5,2.0],
     "cpu_time_ns": [1.0,1.0],
     "iterations": [10,10],
     "counters": {
      "n": [1.0,2.0]
     }
    }
   }
)"));
}

TEST(RunDocument, ShortDocumentsAndNewFieldsAreRead) {
  const auto run =
      read_run(R"({"schema": "tracker.run/1", "id": "a", "commit": "", "started_at": "", "new": [{}],
      "device": {"kind": "cpu", "model": "x", "colour": "green"}, "benchmarks": [{"name": "b", "time_base": "real"}],
      "invocations": [{"samples": {"b": {"real_time_ns": [1], "cpu_time_ns": [0], "iterations": [1]}}}]})",
               "run.json");
  EXPECT_EQ(run.job, "a");
  EXPECT_FALSE(run.dirty);
  EXPECT_EQ(run.benchmarks[0].time_base, TimeBase::kReal);
  EXPECT_THAT(run.invocations[0].samples.at("b").real_time_ns, ElementsAre(1));
}

// simdjson parses what is JSON without equal keys, nlohmann's library all else. What the document says, or
// why it is refused, must not tell which.
std::string outcome_of(const std::function<tracker::Run()>& read) {
  try {
    const auto run = read();
    EXPECT_EQ(run.by_name.size(), run.benchmarks.size()) << "names can be looked up";
    return write_run(run);
  } catch (const Error& error) {
    return "refused: " + std::string(error.what());
  }
}

std::string read_by_both(const std::string& text) {
  const auto outcome = outcome_of([&] { return read_run(text, "run.json"); });
  EXPECT_EQ(outcome, outcome_of([&] { return run_from_json(parse_json(text, "run.json"), "run.json"); }))
      << text;
  return outcome;
}

std::string recorded_run(const std::filesystem::path& file) {
  std::vector<BenchmarkFile> files{read_google_benchmark(file.string())};
  files[0].device = test_device();
  return write_run(assemble_runs(std::move(files), {.id = "a", .job = "a"}).at(0));
}

TEST(BothParsers, ReadAllThatIsRecorded) {
  std::vector<std::filesystem::path> files{TRACKER_TEST_DATA "/h200_code.json"};
  for (const auto& entry : std::filesystem::recursive_directory_iterator(recorded_path("")))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  ASSERT_GT(files.size(), 10u);
  for (const auto& file : files) {
    const std::string text = recorded_run(file);
    EXPECT_EQ(read_by_both(text), text) << file;
  }
}

TEST(BothParsers, ReadTextThatIsNotAscii) {
  auto run = whole_run();
  run.benchmarks[0].name = "größe/\"a\\b\"\n\t\x01";
  run.invocations[0].samples = {};
  EXPECT_EQ(read_by_both(write_run(run)), write_run(run));
}

TEST(BothParsers, ReadWhatIsUnusual) {
  const std::string text = write_run(whole_run());
  const auto changed = [&](const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return read_by_both(std::string(text).replace(at, from.size(), to));
  };
  EXPECT_THAT(changed("\"dirty\": true", "\"dirty\": true, \"dirty\": false"),
              HasSubstr("'dirty' stands twice"));
  EXPECT_THAT(changed("\"registers\": 32", "\"registers\": 32, \"a\": 1, \"registers\": 33"),
              HasSubstr("'registers' stands twice"));
  EXPECT_THAT(changed("\"dirty\": true", "\"dirty\": 1"), HasSubstr("dirty: expected true or false"));
  EXPECT_EQ(changed("\"dirty\": true", "\"dirty\": true, \"of a newer tracker\": {\"a\": [{}]}"), text);
  EXPECT_THAT(changed("\"dirty\": true", "\"dirty\": true, \"new\": {\"a\": [{\"b\": 1, \"b\": 1}]}"),
              HasSubstr("'b' stands twice"));
  EXPECT_THAT(changed("\"length_s\": 61.25", "\"length_s\": -0"), HasSubstr("\"length_s\": 0.0"));
  EXPECT_THAT(changed("\"length_s\": 61.25", "\"length_s\": -0.0"), HasSubstr("\"length_s\": -0.0"));
  EXPECT_THAT(changed("\"length_s\": 61.25", "\"length_s\": 123456789012345678901234567890"),
              HasSubstr("\"length_s\": 1.2345678901234568e+29"));
  for (const char* number : {"1e999", "061.25", "NaN", "1.", "nul"})
    EXPECT_THAT(changed("\"length_s\": 61.25", std::string("\"length_s\": ") + number),
                HasSubstr("refused: "));
  for (const char* number : {"16.0", "99999999999", "18446744073709551615", "-1.5", "\"16\""})
    EXPECT_THAT(changed("\"cpu_count\": 16", std::string("\"cpu_count\": ") + number),
                HasSubstr("host.cpu_count: expected a whole number"));
  EXPECT_THAT(changed("\"round\": 3", "\"round\": -3"), HasSubstr("round: expected a count"));
  EXPECT_THAT(changed("\"time_base\": \"manual\"", "\"time_base\": \"sun\""),
              HasSubstr("time_base: expected"));
  EXPECT_THAT(changed("5e-324", "0"), HasSubstr("refused: "));
  EXPECT_THAT(changed("5e-324", "5e-324, 1"), HasSubstr("refused: "));
  EXPECT_EQ(read_by_both("\xEF\xBB\xBF" + text), text);
  const auto nested = [&](int levels) {
    return changed("\"dirty\": true",
                   "\"dirty\": true, \"new\": " + std::string(levels, '[') + std::string(levels, ']'));
  };
  for (const int levels : {60, 63, 64, 98, 99}) EXPECT_EQ(nested(levels), text) << levels;
  EXPECT_THAT(nested(100), HasSubstr("nested more than 100 levels deep"));
  for (const auto& broken :
       {text + "{}", text + "]", text + std::string(1, '\0'), text.substr(0, text.size() - 2), std::string(),
        std::string("{}"), std::string("[]"), std::string("3")})
    read_by_both(broken);
}

TEST(BothParsers, ReadDamagedTextOrRefuseItAlike) {
  Mutator mutate(7);
  const std::string text = write_run(whole_run());
  int taken = 0;
  constexpr int kMutations = 6000;
  for (int i = 0; i < kMutations && !testing::Test::HasFailure(); ++i)
    taken += read_by_both(mutate(text)).starts_with("refused") ? 0 : 1;
  EXPECT_GT(taken, kMutations / 20);
  EXPECT_LT(taken, kMutations);
}

// What older documents say in words is known for what it is.
TEST(RunDocument, KeepsWhichBenchmarksWereAskedFor) {
  const auto again = [](const RunSelection& selection) {
    auto run = whole_run();
    run.selection = selection;
    return read_run(write_run(run), "x").selection;
  };
  for (const RunSelection& selection : {RunSelection{}, RunSelection{"gemm/.*"}, RunSelection{"^(a|b)$", 2},
                                        RunSelection{"", 30000}, RunSelection{"12 apples"}})
    EXPECT_EQ(again(selection), selection) << selection.expression;
  EXPECT_EQ(again({"300 benchmarks"}), (RunSelection{"", 300}));
  EXPECT_EQ(again({"1 benchmark"}), (RunSelection{"", 1}));
  EXPECT_EQ(again({"99999999999999999999 benchmarks"}).named, 0);
}

Profile whole_profile() {
  Profile profile;
  profile.id = "20261120T200431Z-7df43846";
  profile.commit = "0123456789abcdef0123456789abcdef01234567";
  profile.dirty = true;
  profile.started_at = "2026-11-20T20:04:32Z";
  profile.profiler = "ncu 2025.3.1";
  profile.device = whole_run().device;
  profile.software = whole_run().software;
  profile.benchmarks = {{"transpose/smem", "smem_kernel", 3, {{"dram__bytes.sum", 1.0 / 3}, {"a__b.pct", 0}}},
                        {"other \"name\"\n", "k<int>", 1, {}}};
  return profile;
}

// The error of the document after this change.
template <typename Change>
std::string profile_error_after(Change change) {
  auto document = nlohmann::json::parse(print_json(profile_to_json(whole_profile())));
  change(document);
  try {
    read_profile(document.dump(), "p.json");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kUsage);
    return error.what();
  }
  return "no error";
}

TEST(ProfileDocument, ComesBackExactly) {
  const auto profile = whole_profile();
  const std::string text = print_json(profile_to_json(profile));
  const auto again = read_profile(text, "p.json");
  EXPECT_EQ(print_json(profile_to_json(again)), text);
  EXPECT_EQ(again.id, profile.id);
  EXPECT_EQ(again.commit, profile.commit);
  EXPECT_TRUE(again.dirty);
  EXPECT_EQ(again.started_at, profile.started_at);
  EXPECT_EQ(again.profiler, profile.profiler);
  EXPECT_EQ(device_key(again.device), device_key(profile.device));
  EXPECT_EQ(again.software.flags, profile.software.flags);
  ASSERT_EQ(again.benchmarks.size(), 2u);
  EXPECT_EQ(again.benchmarks[0].kernel, "smem_kernel");
  EXPECT_EQ(again.benchmarks[0].launches, 3);
  EXPECT_EQ(again.benchmarks[0].counters, profile.benchmarks[0].counters);
  EXPECT_EQ(again.benchmarks[1].name, "other \"name\"\n");
}

TEST(ProfileDocument, RefusesWhatItIsNot) {
  using Json = nlohmann::json;
  EXPECT_EQ(profile_error_after([](Json&) {}), "no error");
  EXPECT_EQ(profile_error_after([](Json& d) { d["newer"] = 1; }), "no error");
  EXPECT_THAT(profile_error_after([](Json& d) { d["schema"] = "tracker.run/1"; }),
              HasSubstr("'p.json': schema 'tracker.run/1' is not"));
  EXPECT_THAT(profile_error_after([](Json& d) { d.erase("schema"); }), HasSubstr("schema"));
  EXPECT_THAT(profile_error_after([](Json& d) { d["commit"] = "../../x"; }),
              HasSubstr("commit: expected 40 hexadecimal digits"));
  EXPECT_THAT(profile_error_after([](Json& d) { d["device"]["kind"] = "tpu"; }), HasSubstr("device.kind"));
  EXPECT_THAT(profile_error_after([](Json& d) { d["benchmarks"][0]["launches"] = 0; }),
              HasSubstr("benchmarks[0].launches"));
  EXPECT_THAT(profile_error_after([](Json& d) { d["benchmarks"][0]["kernel"] = ""; }),
              HasSubstr("benchmarks[0].kernel"));
  EXPECT_THAT(profile_error_after([](Json& d) { d["benchmarks"][0]["counters"]["x"] = "1"; }),
              HasSubstr("benchmarks[0].counters"));
  EXPECT_THAT(profile_error_after([](Json& d) { d["benchmarks"][1]["name"] = "transpose/smem"; }),
              HasSubstr("'transpose/smem' stands twice"));
  EXPECT_THROW(read_profile("{", "p.json"), Error);
  EXPECT_THROW(read_profile("[]", "p.json"), Error);
}

}  // namespace
}  // namespace tracker::formats

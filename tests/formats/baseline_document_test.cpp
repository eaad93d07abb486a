#include "tracker/formats/baseline_document.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/formats/support.hpp"
#include "tests/formats/whole_run.hpp"
#include "tests/source_tree.hpp"
#include "tracker/base/error.hpp"
#include "tracker/base/file.hpp"
#include "tracker/formats/json_text.hpp"

namespace tracker::formats {
namespace {

using nlohmann::json;
using testing::HasSubstr;

Baseline promoted() {
  const auto run = whole_run();
  auto counted = run;
  for (auto& invocation : counted.invocations) invocation.excluded = {};
  return {device_key(run.device), run.commit, "2026-11-21T00:00:00Z", {run, counted}, {}};
}

Baseline with_noise() {
  Baseline baseline = promoted();
  BenchmarkNoise noise;
  noise.invocation = {1.25e-6, 8};
  noise.successive = {2.5e-6, 5.5};
  noise.same_board = {1e-5, 3.7};
  noise.metric = "real_time";
  baseline.noise = NoiseModel{{{"transpose/\"odd\"/f32", noise}}, 7};
  return baseline;
}

TEST(BaselineDocument, ComesBackExactly) {
  const std::string text = write_baseline(promoted());
  const Baseline again = read_baseline(text, "b.json");
  EXPECT_EQ(write_baseline(again), text);
  EXPECT_EQ(again.device, "nvidia-h200-140gib-700w-mig-1g.18gb");
  EXPECT_EQ(again.commit, promoted().commit);
  EXPECT_EQ(again.promoted_at, "2026-11-21T00:00:00Z");
  EXPECT_EQ(again.runs.size(), 2u);
}

TEST(BaselineDocument, KeepsTheNoiseModel) {
  const std::string text = write_baseline(with_noise());
  const Baseline again = read_baseline(text, "b.json");
  EXPECT_EQ(write_baseline(again), text);
  ASSERT_TRUE(again.noise);
  EXPECT_EQ(again.noise->jobs, 7);
  const auto& noise = again.noise->benchmarks.at("transpose/\"odd\"/f32");
  EXPECT_EQ(noise.metric, "real_time");
  EXPECT_EQ(noise.invocation.value, 1.25e-6);
  EXPECT_EQ(noise.invocation.degrees, 8);
  EXPECT_EQ(noise.successive.degrees, 5.5);
  EXPECT_EQ(noise.same_board.value, 1e-5);
  EXPECT_EQ(noise.other_board.degrees, 0) << "what was not known is not known again";
}

// One line a benchmark in each table: a reviewer sees which benchmarks changed, and by how much.
TEST(BaselineDocument, ABenchmarkTakesALineOfEachTable) {
  const std::string name = "transpose/naive_row/f32/8192x8192";
  auto run = whole_run();
  run.benchmarks = {Benchmark{.name = name, .time_base = TimeBase::kManual, .counters = {{"registers", 8}}}};
  index_benchmarks(run);
  run.invocations.resize(1);
  run.invocations.front().excluded = {};
  run.invocations.front().samples = {{name, {{4, 1000004, 2000000}, {7, 7, 7}, {1, 1, 1}, {}}}};
  run.invocations.resize(3, run.invocations.front());
  run.invocations[1].samples[name].real_time_ns = {1010004, 1010004, 1010004};
  run.invocations[2].samples[name].real_time_ns = {1, 1, 1};
  run.invocations[2].excluded = exclusion_of("warm-up");
  const std::string text = write_baseline({device_key(run.device), run.commit, "", {run}, {}});
  EXPECT_THAT(text, HasSubstr("\n \"medians\": {\n  \"" + name +
                              "\": {\"time_ns\": 1005000.0, \"spread\": 0.01, \"invocations\": 2}\n },\n"));
  std::istringstream lines(text);
  int named = 0;
  for (std::string line; std::getline(lines, line);) named += line.find(name) != std::string::npos ? 1 : 0;
  EXPECT_EQ(named, 1 + 1 + 3) << "a median, a benchmark, and the samples of three invocations";
  EXPECT_EQ(write_baseline(read_baseline(text, "b.json")), text);
}

TEST(BaselineDocument, ReadsThoseWithoutMedians) {
  json baseline = json::parse(write_baseline(promoted()));
  baseline.erase("medians");
  EXPECT_EQ(read_baseline(baseline.dump(), "b.json").runs.size(), 2u);
}

TEST(BaselineDocument, MayHaveNoNoiseModel) {
  EXPECT_FALSE(json::parse(write_baseline(promoted())).contains("noise"));
  EXPECT_FALSE(read_baseline(write_baseline(promoted()), "b.json").noise);
}

// The one that this repository is compared with.
TEST(BaselineDocument, ReadsTheOneOfThisRepository) {
  const std::string path = std::string(TRACKER_SOURCE_DIR) + "/baselines/nvidia-h200-140gib-700w.json";
  const Baseline baseline = read_baseline(read_file(path, 1 << 26), path);
  EXPECT_EQ(baseline.device, "nvidia-h200-140gib-700w");
  EXPECT_FALSE(baseline.runs.empty());
}

TEST(BaselineDocument, HostileOnesGetOneMessage) {
  struct Row {
    std::function<void(json&)> edit;
    std::string message;
  };
  const Row rows[] = {
      {[](json& b) { b = json::array(); }, "'b.json': expected an object"},
      {[](json& b) { b = json::object(); },
       "'b.json': not a baseline of schema 'tracker.baseline/1' | write it with: tracker baseline promote"},
      {[](json& b) { b["schema"] = 3; }, "'b.json': schema: expected a text"},
      {[](json& b) { b["schema"] = "tracker.run/1"; }, "not a baseline of schema"},
      {[](json& b) { b.erase("device"); }, "'b.json': no 'device'"},
      {[](json& b) { b["commit"] = nullptr; }, "commit: expected a text"},
      {[](json& b) { b["runs"] = json::object(); }, "runs: expected a list of runs"},
      {[](json& b) { b.erase("runs"); }, "runs: expected a list of runs"},
      {[](json& b) { b["runs"] = json::array(); }, "'b.json': a baseline without runs"},
      {[](json& b) { b["runs"][1]["schema"] = "x"; }, "'b.json': schema 'x' is not 'tracker.run/1'"},
      {[](json& b) { b["runs"][1]["device"]["model"] = "NVIDIA L4"; },
       "was measured on 'nvidia-l4-140gib-700w-mig-1g.18gb', not on 'nvidia-h200-140gib"},
      {[](json& b) { b["medians"].front()["time_ns"] = 1; },
       "' is not that of its samples | write the file with: tracker baseline promote"},
      {[](json& b) {
         b["medians"]["x"] = {{"time_ns", 1}};
       },
       "the median of 'x' is not that of its samples"},
      {[](json& b) { b["medians"] = json::object(); }, "the medians are not those of its benchmarks"},
      {[](json& b) { b["medians"] = 3; }, "medians: expected an object"},
      {[](json& b) { b["noise"] = 3; }, "noise: expected an object"},
      {[](json& b) { b["noise"].erase("jobs"); }, "noise: no 'jobs'"},
      {[](json& b) { b["noise"]["jobs"] = -1; }, "noise.jobs: expected a number that is not negative"},
      {[](json& b) { b["noise"]["benchmarks"] = json::array(); }, "noise.benchmarks: expected an object"},
      {[](json& b) { b["noise"]["benchmarks"]["x"] = json::object(); }, "noise.benchmarks['x']: no 'metric'"},
      {[](json& b) {
         b["noise"]["benchmarks"]["x"] = {{"metric", "real_time"}, {"invocation", 1}};
       },
       "noise.benchmarks['x'].invocation: expected an object"},
      {[](json& b) {
         b["noise"]["benchmarks"]["x"] = {{"metric", "real_time"},
                                          {"invocation", {{"variance", -1}, {"degrees", 2}}}};
       },
       "invocation.variance: expected a number that is not negative"},
      {[](json& b) {
         b["noise"]["benchmarks"]["x"] = {{"metric", "real_time"}, {"invocation", {{"variance", 1}}}};
       },
       "invocation: no 'degrees'"},
  };
  for (const auto& row : rows) {
    json baseline = json::parse(write_baseline(with_noise()));
    row.edit(baseline);
    EXPECT_THAT(error_of([&] { read_baseline(baseline.dump(), "b.json"); }), HasSubstr(row.message));
  }
}

}  // namespace
}  // namespace tracker::formats

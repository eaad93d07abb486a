// Run documents that a stranger wrote: each gets one error that names the file and the place.
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/formats/support.hpp"
#include "tests/formats/whole_run.hpp"
#include "tracker/formats/run_document.hpp"

namespace tracker::formats {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

using Edit = std::function<void(json&)>;

json& samples_of(json& run) {
  return run["invocations"][0]["samples"]["transpose/smem/f32"];
}

std::string error_after(const Edit& edit) {
  json run = json::parse(write_run(whole_run()));
  edit(run);
  return error_of([&] { run_from_json(run, "run.json"); });
}

TEST(HostileRun, EachGetsItsMessage) {
  struct Row {
    Edit edit;
    std::string message;
  };
  const Row rows[] = {
      {[](json& r) { r = 3; }, "'run.json': expected an object"},
      {[](json& r) { r = json::array(); }, "'run.json': expected an object"},
      {[](json& r) { r.erase("schema"); }, "'run.json': no 'schema'"},
      {[](json& r) { r["schema"] = 1; }, "schema: expected a text"},
      {[](json& r) { r["schema"] = "tracker.run/3"; }, "of a newer tracker: its schema is 'tracker.run/3'"},
      {[](json& r) { r["schema"] = "tracker.run/2"; }, "'compacted'"},
      {[](json& r) {
         r["schema"] = "tracker.run/2";
         r["compacted"] = {{"samples", 1}, {"bytes", 1}};
       },
       "no 'repetitions'"},
      {[](json& r) { r.erase("id"); }, "no 'id'"},
      {[](json& r) { r["id"] = ""; }, "id: expected letters, digits"},
      {[](json& r) { r["id"] = "../../x"; }, "id: expected letters, digits"},
      {[](json& r) { r["id"] = std::string(101, 'x'); }, "id: expected letters, digits"},
      {[](json& r) { r["job"] = nullptr; }, "job: expected a text"},
      {[](json& r) { r["commit"] = "HEAD"; }, "commit: expected 40 hexadecimal digits"},
      {[](json& r) { r["commit"] = std::string(40, '/'); }, "commit: expected 40 hexadecimal digits"},
      {[](json& r) { r["dirty"] = 1; }, "dirty: expected true or false"},
      {[](json& r) { r.erase("started_at"); }, "no 'started_at'"},
      {[](json& r) { r["length_s"] = "long"; }, "length_s: expected a number"},
      {[](json& r) { r["device"] = nullptr; }, "device: expected an object"},
      {[](json& r) { r["device"]["kind"] = "tpu"; }, "device.kind: expected 'gpu' or 'cpu'"},
      {[](json& r) { r["device"]["model"] = ""; }, "device.model: expected a name"},
      {[](json& r) { r["device"]["memory_bytes"] = 1e300; },
       "device.memory_bytes: expected a whole number or null"},
      {[](json& r) { r["device"]["core_count"] = true; },
       "device.core_count: expected a whole number or null"},
      {[](json& r) { r["device"]["core_count"] = std::int64_t{1} << 40; },
       "device.core_count: expected a whole number"},
      {[](json& r) { r["device"]["ecc"] = 1; }, "device.ecc: expected true or false or null"},
      {[](json& r) { r["software"] = "x"; }, "software: expected an object"},
      {[](json& r) { r["software"]["driver"] = 580; }, "software.driver: expected a text or null"},
      {[](json& r) { r["host"]["cpu_count"] = 1.5; }, "host.cpu_count: expected a whole number"},
      {[](json& r) { r["benchmarks"] = json::object(); }, "benchmarks: expected a list"},
      {[](json& r) { r["benchmarks"][0] = 3; }, "benchmarks[0]: expected an object"},
      {[](json& r) { r["benchmarks"][0]["name"] = ""; }, "benchmarks[0].name: expected a name"},
      {[](json& r) { r["benchmarks"][1]["name"] = r["benchmarks"][0]["name"]; },
       "'transpose/smem/f32' stands twice"},
      {[](json& r) { r["benchmarks"][1].erase("time_base"); }, "benchmarks[1]: no 'time_base'"},
      {[](json& r) { r["benchmarks"][1]["time_base"] = "wall"; },
       "time_base: expected 'manual', 'real', 'cpu' or 'none'"},
      {[](json& r) { r["benchmarks"][0]["attributes"] = {1}; },
       "attributes: expected an object, each a text"},
      {[](json& r) { r["benchmarks"][0]["counters"]["registers"] = nullptr; },
       "counters: expected an object, each a number"},
      {[](json& r) { r["benchmarks"][0]["bytes_per_iteration"] = "8"; },
       "bytes_per_iteration: expected a number or null"},
      {[](json& r) { r["invocations"] = 3; }, "invocations: expected a list"},
      {[](json& r) { r["invocations"][0]["conditions"] = 3; },
       "invocations[0].conditions: expected an object"},
      {[](json& r) { r["invocations"][0]["conditions"]["throttle_reasons"] = {1}; },
       "throttle_reasons: expected a list, each a text"},
      {[](json& r) { r["invocations"][0].erase("samples"); }, "invocations[0]: no 'samples'"},
      {[](json& r) { r["invocations"][0]["samples"] = json::array(); },
       "invocations[0].samples: expected an object"},
      {[](json& r) { r["invocations"][0]["samples"]["other"] = samples_of(r); },
       "samples: expected benchmarks of this run, and 'other' is none"},
      {[](json& r) { samples_of(r).erase("iterations"); },
       "invocations[0].samples['transpose/smem/f32']: no 'iterations'"},
      {[](json& r) { samples_of(r)["iterations"] = {1}; },
       "iterations: expected as many entries as real_time_ns has"},
      {[](json& r) {
         samples_of(r)["iterations"] = {1, -1};
       },
       "iterations: expected counts, none below zero"},
      {[](json& r) {
         samples_of(r)["iterations"] = {1, 1e19};
       },
       "iterations: expected a list, each a whole number"},
      {[](json& r) {
         samples_of(r)["cpu_time_ns"] = {1, 2, 3};
       },
       "cpu_time_ns: expected as many entries as real_time_ns has"},
      {[](json& r) {
         samples_of(r)["cpu_time_ns"] = {1, -1};
       },
       "cpu_time_ns: expected times above zero"},
      {[](json& r) {
         samples_of(r)["real_time_ns"] = {1, nullptr};
       },
       "real_time_ns: expected a list, each a number"},
      {[](json& r) {
         samples_of(r)["real_time_ns"] = {1, 0};
       },
       "real_time_ns: expected times above zero"},
      {[](json& r) { samples_of(r)["real_time_ns"] = 3; }, "real_time_ns: expected a list"},
      {[](json& r) {
         samples_of(r)["counters"] = {1, 2};
       },
       "counters: expected an object"},
      {[](json& r) { samples_of(r)["counters"]["misses"] = {1}; },
       "counters['misses']: expected as many entries"},
      {[](json& r) { samples_of(r)["counters"]["misses"] = 1; },
       "counters: expected an object, each a list, each a number or null"},
  };
  for (const auto& row : rows)
    EXPECT_THAT(error_after(row.edit), AllOf(testing::StartsWith("'run.json'"), HasSubstr(row.message)));
}

TEST(HostileRun, TheTimeThatIsJudgedIsAboveZero) {
  const auto by_cpu = [](json& r) { r["benchmarks"][0]["time_base"] = "cpu"; };
  EXPECT_THAT(error_after(by_cpu), HasSubstr("cpu_time_ns: expected times above zero"));
  json run = json::parse(write_run(whole_run()));
  by_cpu(run);
  samples_of(run)["cpu_time_ns"] = {1, 2};
  samples_of(run)["real_time_ns"] = {0, 1};
  EXPECT_NO_THROW(run_from_json(run, "run.json"));
}

TEST(HostileRun, TextThatIsNoJson) {
  for (const auto& text :
       {std::string("{"), std::string(1'000'000, '['), std::string("{\"schema\": \"\xFF\"}"),
        std::string("\0", 1), std::string("{\"schema\": \"tracker.run/1\", \"length_s\": 1e999}")})
    EXPECT_THAT(error_of([&] { read_run(text, "run.json"); }), testing::StartsWith("'run.json': "));
}

TEST(HostileRun, ManyBenchmarksDoNotTakeForever) {
  json run = json::parse(write_run(whole_run()));
  run["invocations"] = json::array();
  json& benchmarks = run["benchmarks"];
  const json one = benchmarks[1];
  for (int i = 0; i < 100'000; ++i) {
    benchmarks.push_back(one);
    benchmarks.back()["name"] = "b" + std::to_string(i);
  }
  EXPECT_EQ(run_from_json(run, "run.json").benchmarks.size(), 100'002u);
}

}  // namespace
}  // namespace tracker::formats

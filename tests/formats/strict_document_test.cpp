// What import refuses of documents that the ordinary readers take.
#include "tracker/formats/strict_document.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/formats/support.hpp"
#include "tests/formats/whole_run.hpp"
#include "tracker/base/error.hpp"
#include "tracker/formats/assemble.hpp"
#include "tracker/formats/baseline_document.hpp"
#include "tracker/formats/run_document.hpp"

namespace tracker::formats {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string refusal_of(const std::string& text, const ImportLimits& limits = kImportLimits) {
  try {
    read_run_strictly(text, "x.json", limits);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kUsage);
    return error.what();
  }
  return "taken";
}

Profile every_field_of_a_profile() {
  Profile profile;
  profile.id = "20261120T124901Z-3f9a0c1e";
  profile.commit = whole_run().commit;
  profile.started_at = "2026-11-20T12:49:01Z";
  profile.profiler = "ncu 2025.3.1";
  profile.device = whole_run().device;
  profile.software = whole_run().software;
  profile.benchmarks = {{"copy/8", "copy_kernel", 3, {{"dram__bytes.sum", 12.5}}}};
  return profile;
}

TEST(StrictDocument, TakesWhatTrackerWrites) {
  const std::string text = write_run(whole_run());
  EXPECT_EQ(write_run(read_run_strictly(text, "x.json")), text);
  const std::string profile = write_profile_strictly(every_field_of_a_profile());
  EXPECT_EQ(write_profile_strictly(read_profile_strictly(profile, "x.json")), profile);
}

TEST(StrictDocument, TakesWhatAnOlderTrackerDidNotWrite) {
  for (const char* field : {"looks", "isolated", "filter", "job", "software", "host", "failures"}) {
    json document = json::parse(write_run(whole_run()));
    document.erase(field);
    EXPECT_EQ(refusal_of(document.dump()), "taken") << field;
  }
}

TEST(StrictDocument, RefusesWhatTheReaderWouldLeaveAside) {
  const std::string long_name(1001, 'a');
  const std::vector<std::pair<std::string, std::string>> rows = {
      // a JSON patch's path and value, and what is said
      {R"(["/more", 1])", "'x.json': more is not known"},
      {R"(["/device/more", 1])", "'x.json': device.more is not known"},
      {R"(["/benchmarks/0/more", null])", "benchmarks[0].more is not known"},
      {R"(["/benchmarks/0/code/launches/0/more", 1])", "benchmarks[0].code.launches[0].more is not known"},
      {R"(["/invocations/0/conditions/more", {}])", "conditions.more is not known"},
      {R"(["/invocations/0/samples/transpose~1smem~1f32/more", []])", "more is not known"},
      {R"(["/failures/0/more", 1])", "failures[0].more is not known"},
      {R"(["/length_s", -1])", "length_s is below zero"},
      {R"(["/device/memory_bytes", -1])", "device.memory_bytes is below zero"},
      {R"(["/benchmarks/0/bytes_per_iteration", -0.5])", "benchmarks[0].bytes_per_iteration is below zero"},
      {R"(["/benchmarks/0/code/instructions/LDG", -4])", "instructions.LDG is below zero"},
      {R"(["/started_at", "yesterday"])", "started_at is no point in time: 'yesterday'"},
      {R"(["/invocations/0/samples/transpose~1smem~1f32/iterations/0", 0])",
       "samples['transpose/smem/f32']: iterations: expected counts above zero"},
      {R"(["/invocations/0/started_at", "12"])", "invocations[0].started_at is no point in time"},
      {R"(["/benchmarks/1/name", "a\nb"])", "benchmarks[1].name is a name with control characters"},
      {R"(["/benchmarks/0/counters/a\u001b", 1])", "is a name with control characters"},
      {R"(["/benchmarks/1/name", ")" + long_name + R"("])",
       "benchmarks[1].name is a name of 1001 bytes, more than 1000"},
      {R"(["/benchmarks/0/counters/)" + long_name + R"(", 1])", "is a name of 1001 bytes"},
      {R"(["/filter", ")" + std::string(65537, 'a') + R"("])",
       "filter is a text of 65537 bytes, more than 65536"},
  };
  for (const auto& [change, message] : rows) {
    json document = json::parse(write_run(whole_run()));
    const json path_and_value = json::parse(change);
    document[json::json_pointer(path_and_value[0].get<std::string>())] = path_and_value[1];
    EXPECT_THAT(refusal_of(document.dump()), HasSubstr(message));
  }
}

TEST(StrictDocument, TakesWhatMayBeBelowZero) {
  json document = json::parse(write_run(whole_run()));
  document["benchmarks"][0]["counters"]["error"] = -0.5;
  document["invocations"][0]["conditions"]["temperature_c_max"] = -3;
  EXPECT_EQ(refusal_of(document.dump()), "taken");
}

// Whatever is wrong is told in a message that can be read.
TEST(StrictDocument, TellsNoLongNames) {
  const std::string long_name(100'000, 'a');
  json unknown = json::parse(write_run(whole_run()));
  unknown["invocations"][0]["samples"][long_name] = 1;
  const std::string cut = "{\"benchmarks\": [{\"name\": \"" + long_name + "\", ";
  const std::string twice = "{\"" + long_name + "\": 1, \"" + long_name + "\": 2}";
  for (const auto& text : {unknown.dump(), cut, twice}) {
    const auto message = refusal_of(text);
    EXPECT_NE(message, "taken");
    EXPECT_LT(message.size(), 500u) << message.substr(0, 500);
  }
}

TEST(StrictDocument, RefusesEqualKeys) {
  std::string text = write_run(whole_run());
  text.insert(1, "\"id\": \"other\",");
  EXPECT_THAT(refusal_of(text), StartsWith("'x.json': 'id' stands twice"));
  EXPECT_THAT(error_of([&] { read_run(text, "x.json"); }), StartsWith("'x.json': 'id' stands twice"));
}

TEST(StrictDocument, BoundsWhatOneDocumentHolds) {
  const ImportLimits limits{.benchmarks = 100, .samples = 2000};
  auto many = whole_run();
  many.invocations.clear();
  for (std::size_t i = many.benchmarks.size(); i <= limits.benchmarks; ++i) {
    many.benchmarks.push_back(many.benchmarks[1]);
    many.benchmarks.back().name = std::to_string(i);
  }
  EXPECT_THAT(refusal_of(write_run(many), limits), HasSubstr("has 101 benchmarks, more than 100"));
  EXPECT_EQ(refusal_of(write_run(many)), "taken");
  auto long_one = whole_run();
  const std::size_t half = limits.samples / 2 + 1;
  Samples samples{
      std::vector<double>(half, 1), std::vector<double>(half, 1), std::vector<std::int64_t>(half, 1), {}};
  long_one.invocations[0].samples = {{long_one.benchmarks[0].name, samples}};
  long_one.invocations.push_back(long_one.invocations[0]);
  EXPECT_THAT(refusal_of(write_run(long_one), limits), HasSubstr("has 2002 samples, more than 2000"));
  EXPECT_EQ(refusal_of(write_run(long_one)), "taken");
}

// At their real limits, each of these made judging or importing take minutes.
TEST(StrictDocument, BoundsTheWorkThatADocumentAsksFor) {
  auto analysed = whole_run();
  analysed.interim_analyses.clear();
  while (analysed.interim_analyses.size() <= kImportLimits.interim_analyses)
    analysed.interim_analyses.push_back(static_cast<int>(analysed.interim_analyses.size()) + 1);
  EXPECT_THAT(refusal_of(write_run(analysed)), HasSubstr("has 51 looks, more than 50"));
  const std::size_t benchmarks = 100;
  const ImportLimits limits{.values = 10'000, .names_bytes = benchmarks * 1000, .places = 5000};
  auto many = whole_run();
  const auto grow_to = [&](std::size_t count, char letter) {
    while (many.benchmarks.size() < count) {
      many.benchmarks.push_back(many.benchmarks[1]);
      many.benchmarks.back().name =
          std::string(kImportLimits.name_bytes - 10, letter) + std::to_string(many.benchmarks.size());
    }
  };
  grow_to(benchmarks, 'x');
  many.invocations[0].samples.clear();
  many.invocations.resize(limits.places / benchmarks + 1, many.invocations[0]);
  EXPECT_THAT(refusal_of(write_run(many), limits), HasSubstr("benchmarks times invocations, more than 5000"));
  many.invocations.clear();
  grow_to(2 * benchmarks, 'y');
  EXPECT_THAT(refusal_of(write_run(many), limits), HasSubstr("bytes of names, more than 100000"));
  EXPECT_THAT(refusal_of("[" + std::string(limits.values + 1, ',') + "]", limits),
              HasSubstr("has 10001 values, more than 10000"));
}

struct OddFile {
  std::string text;      // of Google Benchmark
  std::string left_out;  // what is said of it; empty: nothing
};

std::vector<OddFile> odd_files() {
  const std::string good = row("good");
  const std::string long_name(1001, 'n');
  const std::string long_text(70'000, 'e');
  const std::string failed = R"("error_occurred": true, "error_message": ")" + long_text + '"';
  return {{document({good, row("a\\tb")}), "benchmark 'a b', which is a name with control characters"},
          {document({good, row("a\\u007fb")}), "which is a name with control characters"},
          {document({good, row(long_name)}), "which is a name of 1001 bytes, more than 1000"},
          {document({row("good", "\"" + long_name + "\": 3.5")}), "'good': counter 'nnn"},
          {document({row("good", R"("a\nb": 3.5)")}), "'good': counter 'a b', which is a name with control"},
          {document({good, row("bad", failed)}), "'bad': error, which is a text of 70000 bytes"},
          {document({good, row("zero", "", R"("real_time": 0, "cpu_time": 0)")}), ""},
          {document({good, row("below", "", R"("real_time": -1, "cpu_time": -1)")}), ""},
          {document({row("good", R"("error": -2.5)")}), ""},
          {document({row("good", R"("sm_clock_mhz": -5)")}), ""},
          {document({good},
                    R"("device.model": "X\u0001", "device.kind": "gpu", "device.uuid": ")" + long_text + '"'),
           "uuid, which is a text of 70000 bytes"},
          {R"({"context": {"num_cpus": -4, "host_name": "a\nb", "load_avg": [-1], "executable": "/x/a\nb",
           "date": "2026-02-30T25:00:00"}, "benchmarks": [)" +
               good + "]}",
           "cpu_count, which is below zero"}};
}

// One rule says what a name and a value may be: what a job records, another one can import.
TEST(StrictDocument, TakesWhateverIsRecorded) {
  for (const auto& [text, left_out] : odd_files()) {
    BenchmarkFile file = parse_google_benchmark(text, "out.json");
    const std::string notes = join(notes_about_reading({&file}), "\n");
    EXPECT_THAT(notes, HasSubstr(left_out));
    EXPECT_EQ(notes.empty(), left_out.empty()) << notes;
    if (!file.device) file.device = test_device();
    for (const auto& run : assemble_runs({file}, {.id = "a", .job = "a"})) {
      EXPECT_NE(find_benchmark(run, "good"), nullptr);
      EXPECT_EQ(refusal_of(write_run_strictly(run)), "taken");
    }
  }
}

TEST(StrictDocument, RefusesAFileOfWhichNothingIsLeft) {
  EXPECT_THAT(error_of([] { parse({row("a\\nb")}); }),
              StartsWith("'out.json': left out is benchmark 'a b', which is a name with control characters"));
}

TEST(StrictDocument, RecordsNoMoreThanIsImported) {
  const std::string said = error_of([] { write_run_strictly(whole_run(), {.samples = 1}); });
  EXPECT_THAT(said, HasSubstr("samples, more than 1 | nothing was recorded"));
  auto named = whole_run();
  named.programs["a\nb"] = {};
  EXPECT_THAT(error_of([&] { write_run_strictly(named); }), HasSubstr("is a name with control characters"));
}

TEST(StrictDocument, RefusesAProfileInTheSameWay) {
  json document = json::parse(write_profile_strictly(every_field_of_a_profile()));
  document["benchmarks"][0]["more"] = 1;
  try {
    read_profile_strictly(document.dump(), "p.json");
    ADD_FAILURE() << "taken";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), StartsWith("'p.json': benchmarks[0].more is not known"));
  }
}

}  // namespace
}  // namespace tracker::formats

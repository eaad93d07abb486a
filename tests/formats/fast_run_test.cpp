// The fast lane reads a run as the general reader does, or leaves it to that one.

#include <filesystem>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/formats/mutator.hpp"
#include "tests/formats/support.hpp"
#include "tests/formats/whole_run.hpp"
#include "tracker/base/file.hpp"
#include "tracker/formats/assemble.hpp"
#include "tracker/formats/json_text.hpp"
#include "tracker/formats/run_document.hpp"
#include "tracker/formats/run_fields.hpp"

namespace tracker {
namespace {

std::string in_general(const std::string& text) {
  try {
    return write_run(run_from_json(parse_json(text, "run.json"), "run.json"));
  } catch (const Error& error) {
    return "refused: " + std::string(error.what());
  }
}

// Whether the fast lane takes it; if so, as the general reader does.
bool is_fast(const std::string& text) {
  const auto run = read_run_fast(text);
  if (!run) return false;
  EXPECT_EQ(write_run(*run), in_general(text)) << text;
  EXPECT_EQ(run->by_name.size(), run->benchmarks.size()) << "names can be looked up";
  return true;
}

std::string recorded_run(const std::filesystem::path& file) {
  std::vector<BenchmarkFile> files{read_google_benchmark(file.string())};
  files[0].device = test_device();
  return write_run(assemble_runs(std::move(files), {.id = "a", .job = "a"}).at(0));
}

TEST(FastRun, TakesAllThatIsRecorded) {
  int count = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(recorded_path(""))) {
    if (entry.path().extension() != ".json") continue;
    EXPECT_TRUE(is_fast(recorded_run(entry.path()))) << entry.path();
    ++count;
  }
  EXPECT_GT(count, 10);
  EXPECT_TRUE(is_fast(recorded_run(TRACKER_TEST_DATA "/h200_code.json")));
  EXPECT_TRUE(is_fast(write_run(whole_run())));
}

TEST(FastRun, TakesTextThatIsNotAscii) {
  auto run = whole_run();
  run.benchmarks[0].name = "größe/\"a\\b\"\n\t\x01";
  run.invocations[0].samples = {};
  EXPECT_TRUE(is_fast(write_run(run)));
}

// `from`, which stands once in the text at least, made `to`.
std::string changed(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(FastRun, LeavesWhatIsUnusualToTheGeneralReader) {
  const std::string text = write_run(whole_run());
  const auto leaves = [&](const std::string& from, const std::string& to) {
    EXPECT_FALSE(is_fast(changed(text, from, to))) << to;
  };
  leaves("\"dirty\": true", "\"dirty\": true, \"dirty\": false");
  leaves("\"dirty\": true", "\"dirty\": 1");
  leaves("\"dirty\": true", "\"dirty\": true, \"of a newer tracker\": {}");
  leaves("\"length_s\": 61.25", "\"length_s\": -0");
  leaves("\"length_s\": 61.25", "\"length_s\": 1e999");
  leaves("\"length_s\": 61.25", "\"length_s\": 061.25");
  leaves("\"length_s\": 61.25", "\"length_s\": NaN");
  leaves("\"cpu_count\": 16", "\"cpu_count\": 16.0");
  leaves("\"cpu_count\": 16", "\"cpu_count\": 99999999999");
  leaves("\"registers\": 32", "\"registers\": 32, \"registers\": 33");
  leaves("\"round\": 3", "\"round\": -3");
  leaves("\"time_base\": \"manual\"", "\"time_base\": \"sun\"");
  leaves("\"schema\": \"tracker.run/1\"", "\"schema\": \"tracker.run/2\"");
  leaves("5e-324", "0");
  leaves("5e-324", "5e-324, 1");
  EXPECT_FALSE(is_fast(text + "{}"));
  EXPECT_FALSE(is_fast(text + "]"));
  EXPECT_FALSE(is_fast(text.substr(0, text.size() - 2)));
  EXPECT_FALSE(is_fast(""));
  EXPECT_FALSE(is_fast("{}"));
}

// Releases of simdjson differ in whether they skip it.
TEST(FastRun, ReadsAByteOrderMarkAsTheGeneralReaderOrNotAtAll) {
  const std::string text = write_run(whole_run());
  EXPECT_EQ(in_general("\xEF\xBB\xBF" + text), text);
  is_fast("\xEF\xBB\xBF" + text);
}

TEST(FastRun, ReadsDamagedTextAsTheGeneralReaderOrNotAtAll) {
  Mutator mutate(7);
  const std::string text = write_run(whole_run());
  int fast = 0;
  constexpr int kMutations = 6000;
  for (int i = 0; i < kMutations && !testing::Test::HasFailure(); ++i) fast += is_fast(mutate(text)) ? 1 : 0;
  EXPECT_GT(fast, kMutations / 20);
  EXPECT_LT(fast, kMutations);
}

}  // namespace
}  // namespace tracker

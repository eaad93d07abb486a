// Recorded files, damaged at random places: whatever comes out, it is a value or a tracker::Error. The seeds
// are fixed, so a failure stays one.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/formats/mutator.hpp"
#include "tests/formats/support.hpp"
#include "tests/formats/whole_run.hpp"
#include "tracker/base/file.hpp"
#include "tracker/formats/assemble.hpp"
#include "tracker/formats/config_file.hpp"
#include "tracker/formats/run_document.hpp"

namespace tracker::formats {
namespace {

struct Outcome {
  int accepted = 0;
  int refused = 0;
};

// What is accepted must also be usable: `use` may not throw.
template <typename Read, typename Use>
Outcome survive(unsigned seed, int mutations, const std::string& text, Read read, Use use) {
  Mutator mutate(seed);
  Outcome outcome;
  for (int i = 0; i < mutations; ++i) {
    const std::string damaged = mutate(text);
    SCOPED_TRACE("mutation " + std::to_string(i));
    try {
      auto value = read(damaged);
      ++outcome.accepted;
      EXPECT_NO_THROW(use(std::move(value)));
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::kUsage);
      EXPECT_EQ(printable(error.what()), error.what()) << "messages are fit for a terminal";
      ++outcome.refused;
    } catch (const std::exception& error) {
      ADD_FAILURE() << "not a tracker::Error: " << error.what();
    }
    if (testing::Test::HasFailure()) break;
  }
  return outcome;
}

void store_and_read_again(BenchmarkFile file) {
  file.device = file.device.value_or(test_device());
  std::vector<BenchmarkFile> files;
  files.push_back(std::move(file));
  for (const auto& run :
       assemble_runs(std::move(files), {.id = "a", .job = "a", .commit = "", .dirty = false})) {
    const std::string text = write_run(run);
    EXPECT_EQ(write_run(read_run(text, "run.json")), text);
  }
}

TEST(Mutation, GoogleBenchmarkFiles) {
  const auto read = [](const std::string& text) { return parse_google_benchmark(text, "damaged.json"); };
  const Outcome small = survive(1, 4000, short_recording(12), read, store_and_read_again);
  EXPECT_GT(small.accepted, 400);
  EXPECT_GT(small.refused, 400);
  survive(2, 100, read_file(recorded_path("job3/r01-inject0.json"), 1 << 20), read, store_and_read_again);
}

TEST(Mutation, RunDocuments) {
  const Outcome outcome = survive(
      3, 4000, write_run(whole_run()), [](const std::string& text) { return read_run(text, "damaged.json"); },
      [](const tracker::Run& run) {
        const std::string text = write_run(run);
        EXPECT_EQ(write_run(read_run(text, "run.json")), text);
      });
  EXPECT_GT(outcome.accepted, 400);
  EXPECT_GT(outcome.refused, 400);
}

TEST(Mutation, ConfigFiles) {
  const std::string text = R"([measure]
build = [["cmake", "--preset", "release"]]
invocations = 5
timeout_s = 12.5
[[binary]]
path = "build/bench"
when = "gpu"
[[policy]]
match = "transpose/*"
threshold = "2%"
report_only = false
)";
  const Outcome outcome = survive(
      4, 3000, text, [](const std::string& damaged) { return parse_config(damaged, "tracker.toml"); },
      [](const Config&) {});
  EXPECT_GT(outcome.accepted, 100);
  EXPECT_GT(outcome.refused, 400);
}

}  // namespace
}  // namespace tracker::formats

// Recorded files, damaged at random places: whatever comes out, it is a value or a tracker::Error. The seeds
// are fixed, so a failure stays one.
#include <fstream>
#include <random>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/formats/support.hpp"
#include "tests/formats/whole_run.hpp"
#include "tracker/base/file.hpp"
#include "tracker/formats/assemble.hpp"
#include "tracker/formats/config_file.hpp"
#include "tracker/formats/run_document.hpp"

namespace tracker {
namespace {

class Mutator {
 public:
  explicit Mutator(unsigned seed) : engine_(seed) {}

  std::string operator()(std::string text) {
    const std::size_t damages = 1 + below(3);
    for (std::size_t i = 0; i < damages && !text.empty(); ++i) damage(text);
    return text;
  }

 private:
  std::size_t below(std::size_t end) {
    return std::uniform_int_distribution<std::size_t>(0, end - 1)(engine_);
  }

  void damage(std::string& text) {
    static const std::vector<std::string> words{"NaN",
                                                "-Infinity",
                                                "1e999",
                                                "-1",
                                                "0",
                                                "1e308",
                                                "null",
                                                "true",
                                                "\"\"",
                                                "[",
                                                "]",
                                                "{",
                                                "}",
                                                ",",
                                                ":",
                                                "\"",
                                                "\\",
                                                "\xFF",
                                                std::string("\0", 1),
                                                "9223372036854775808",
                                                "-9223372036854775808",
                                                "0.5",
                                                "[[",
                                                "\\u0000",
                                                "#"};
    const std::size_t at = below(text.size());
    const std::size_t length = std::min(text.size() - at, 1 + below(40));
    switch (below(6)) {
      case 0:
        text[at] = static_cast<char>(below(256));
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(at, words[below(words.size())]);
        break;
      case 3:
        text.insert(below(text.size()), std::string(text.substr(at, length)));
        break;
      case 4:
        replace_value(text, at, words[below(words.size())]);
        break;
      case 5:
        if (below(10) == 0) text.resize(at);
        break;
    }
  }

  // The next value after `at`: damage that is still JSON reaches what lies behind the parser.
  static void replace_value(std::string& text, std::size_t at, const std::string& word) {
    const std::size_t from = text.find(": ", at);
    if (from == std::string::npos) return;
    const std::size_t end = text.find_first_of(",\n}", from);
    if (end != std::string::npos) text.replace(from + 2, end - from - 2, word);
  }

  std::mt19937 engine_;
};

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

// The first rows of a recorded file: damage lands on another field each time.
std::string short_recording(std::size_t rows) {
  auto file = nlohmann::ordered_json::parse(read_file(recorded_path("job3/r01-inject0.json"), 1 << 20));
  auto& benchmarks = file["benchmarks"].get_ref<nlohmann::ordered_json::array_t&>();
  benchmarks.resize(rows);
  return file.dump(1);
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
}  // namespace tracker

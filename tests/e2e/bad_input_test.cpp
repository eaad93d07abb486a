// Bad input: one clear message that names the thing and the next step, the right exit code, nothing lost.
#include <algorithm>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/scratch.hpp"
#include "tracker/base/text.hpp"

namespace tracker::e2e {
namespace {

using testing::HasSubstr;

std::string google_benchmark(const std::string& model, const std::string& time) {
  return R"({"context": {"date": "2026-01-01T00:00:00Z", "device.kind": "gpu", "device.model": ")" + model +
         R"("}, "benchmarks": [{"name": "x", "run_name": "x", "run_type": "iteration", "iterations": 1, "real_time": )" +
         time + R"(, "cpu_time": 1.0, "time_unit": "us"}]})";
}

struct BadFile {
  const char* name;
  std::string text;
  const char* message;
};

class BadFileTest : public testing::TestWithParam<BadFile> {};

TEST_P(BadFileTest, IsRefusedByNameAndNothingIsRecorded) {
  const Scratch scratch;
  scratch.commit_speeds("x 100 0.01\n");
  scratch.write("out/bad.json", GetParam().text);
  const auto result = scratch.tracker({"record", "out/bad.json"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.errors, HasSubstr("'out/bad.json'"));
  EXPECT_THAT(result.errors, HasSubstr(GetParam().message));
  EXPECT_EQ(scratch.git({"for-each-ref", "refs/tracker"}), "");
}

INSTANTIATE_TEST_SUITE_P(
    BadInput, BadFileTest,
    testing::Values(
        BadFile{"Truncated", google_benchmark("T", "1").substr(0, 150), "it ends in the middle"},
        BadFile{"Empty", "", "is empty"},
        BadFile{"NotJson", "Run on (16 X 2100 MHz CPU s)\n", "not valid JSON"},
        BadFile{"OtherJson", "{\"a\": 1}", "not Google Benchmark's JSON"},
        BadFile{
            "Aggregates",
            R"({"context": {}, "benchmarks": [{"name": "x_mean", "run_name": "x", "run_type": "aggregate"}]})",
            "aggregates alone"},
        BadFile{
            "OnlyErrors",
            R"({"context": {"device.model": "T"}, "benchmarks": [{"name": "x", "run_type": "iteration", "time_unit": "parsec", "real_time": 1}]})",
            "unknown time unit 'parsec'"}),
    [](const auto& bad) { return bad.param.name; });

TEST(BadInput, AHugeFileIsRefusedBySize) {
  const Scratch scratch;
  scratch.commit_speeds("x 100 0.01\n");
  scratch.write("out/huge.json", "{");
  std::filesystem::resize_file(scratch.root() / "out/huge.json", std::uintmax_t{1} << 30);  // sparse
  const auto result = scratch.tracker({"record", "out/huge.json"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.errors,
              HasSubstr("'out/huge.json' is larger than 256 MiB, and refused: it has 1024 MiB"));
}

TEST(BadInput, FilesOfTwoDevicesAreNoJob) {
  const Scratch scratch;
  scratch.commit_speeds("x 100 0.01\n");
  scratch.write("out/a.json", google_benchmark("GPU A", "1"));
  scratch.write("out/b.json", google_benchmark("GPU B", "1"));
  const auto result = scratch.tracker({"record", "--job", "night", "out/a.json", "out/b.json"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.errors, HasSubstr("'out/a.json' of gpu-a, 'out/b.json' of gpu-b"));
  const auto apart = scratch.tracker({"record", "out/a.json", "out/b.json"});
  EXPECT_EQ(apart.exit_code, 0);
  EXPECT_THAT(apart.output, testing::AllOf(HasSubstr("gpu-a"), HasSubstr("gpu-b")));
}

// A model, completed by what the file says, and the key that comes of it are one device.
TEST(BadInput, ACpusModelAndItsKeyAreOneDevice) {
  const Scratch scratch;
  scratch.commit_speeds("x 100 0.01\n");
  const std::string rows = R"(}, "benchmarks": [{"name": "x", "run_type": "iteration", "iterations": 1,)";
  const std::string times = R"("real_time": 1.0, "cpu_time": 1.0, "time_unit": "us"}]})";
  for (const char* second : {"1", "2"})
    scratch.write("out/" + std::string(second) + ".json", R"({"context": {"date": "2026-11-20T12:00:0)" +
                                                              std::string(second) + R"(Z", "num_cpus": 2)" +
                                                              rows + times);
  ASSERT_EQ(scratch.tracker({"record", "--cpu", "Intel(R) Xeon(R) Processor", "out/1.json"}).exit_code, 0);
  ASSERT_EQ(scratch.tracker({"record", "--cpu", "cpu-intel-xeon-processor-2t", "out/2.json"}).exit_code, 0);
  const auto log = scratch.tracker({"log"});
  EXPECT_THAT(log.output, testing::StartsWith("cpu-intel-xeon-processor-2t\n"));
  EXPECT_EQ(std::count(log.output.begin(), log.output.end(), '\n'), 3) << log.output;
}

TEST(BadInput, AnUnknownRevisionIsNamed) {
  const Scratch scratch;
  scratch.commit_speeds("x 100 0.01\n");
  const auto result = scratch.tracker({"compare", "mian"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.errors, HasSubstr("'mian'"));
  EXPECT_THAT(result.errors, HasSubstr("main"));
}

TEST(BadInput, AShallowCloneSaysHowToDeepenIt) {
  const Scratch scratch;
  scratch.commit_speeds("x 100 0.01\n");
  scratch.commit_speeds("x 200 0.01\n");
  scratch.git({"clone", "-q", "--depth", "1", "file://" + scratch.root().string(), "out/shallow"});
  const auto result = scratch.tracker({"-C", "out/shallow", "compare", "HEAD~1"});
  EXPECT_EQ(result.exit_code, 4) << result.errors;
  EXPECT_THAT(result.errors, HasSubstr("shallow"));
  EXPECT_THAT(result.errors, HasSubstr("fetch-depth: 0"));
}

TEST(BadInput, ARepositoryWithoutCommits) {
  const Scratch scratch;
  const auto result = scratch.tracker({"run"});
  EXPECT_EQ(result.exit_code, 4) << result.errors;
  EXPECT_THAT(result.errors, HasSubstr("no commits yet"));
}

TEST(BadInput, NoRepositoryAtAll) {
  const Scratch scratch;
  const auto result = scratch.tracker({"-C", "/", "log"});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.errors, HasSubstr("repository"));
}

TEST(BadInput, AMistypedKeyInTheConfiguration) {
  const Scratch scratch;
  scratch.write("tracker.toml", "[measure]\ninvocation = 3\n");
  scratch.commit_speeds("x 100 0.01\n");
  const auto result = scratch.tracker({"run"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.errors,
            "tracker: error: tracker.toml:2:1: unknown key 'invocation' in [measure]\n"
            "  next: did you mean 'invocations'?\n");
}

// What GitHub Actions would obey in what was printed: a line that begins with "::", or "##[" anywhere.
std::string commands_in(const std::string& printed) {
  std::string found;
  for (std::string line : split(printed, '\n')) {
    for (const auto& part : split(line, '\r')) {
      const std::size_t begin = std::min(part.find_first_not_of(" \t\v\f"), part.size());
      if (part.substr(begin).starts_with("::") || part.find("##[") != part.npos) found += part + "\n";
    }
  }
  return found;
}

// Paths, revisions and options hold line ends: none of them may give a command to the runner.
TEST(BadInput, NothingThatIsGivenCommandsTheRunner) {
  const Scratch scratch;
  scratch.commit_speeds("x 100 0.01\n");
  ASSERT_EQ(scratch.tracker({"run", "-n", "3"}).exit_code, 0);
  const std::string bad = "a\nFORGED\n::error::x\r ::error::y ##[error]z\x1b[31m\x9b";
  const std::filesystem::path here = scratch.folder() / bad;
  std::filesystem::create_directories(here);
  scratch.git({"clone", "-q", scratch.root().string(), (here / "clone").string()});
  write_file(here / "tracker.toml", "[store]\nref = \"" + std::string("refs/heads/x") + "\"\n");
  write_file(here / "x.json", "{");
  const std::vector<std::vector<std::string>> calls = {{"-C", (here / "clone").string(), "doctor"},
                                                       {"-C", (here / "clone").string()},
                                                       {"-C", (here / "none").string(), "log"},
                                                       {"--config", (here / "tracker.toml").string(), "log"},
                                                       {"--config", (here / "none.toml").string(), "log"},
                                                       {"--store", bad, "log"},
                                                       {"log", bad},
                                                       {"log", "--device", bad},
                                                       {"compare", bad, "HEAD"},
                                                       {"compare", "HEAD", "HEAD", "--filter", bad + "("},
                                                       {"compare", "HEAD", "HEAD", "--threshold", bad},
                                                       {"explain", bad},
                                                       {"record", (here / "x.json").string()},
                                                       {"record", (here / "none.json").string()},
                                                       {"run", "--", (here / "bench").string()},
                                                       {"plot", "--out", (here / "charts").string()},
                                                       {"site", (here / "site").string()},
                                                       {"export", "--out", (here / "exported").string()},
                                                       {"import", (here / "exported").string()},
                                                       {"sync", bad},
                                                       {"store", "drop", bad, "--reason", bad},
                                                       {"bisect", bad, "HEAD"},
                                                       {"accept", bad, "--reason", bad},
                                                       {bad}};
  for (const auto& call : calls) {
    const auto result = scratch.tracker(call);
    EXPECT_EQ(commands_in(result.output), "") << testing::PrintToString(call);
    EXPECT_EQ(commands_in(result.errors), "") << testing::PrintToString(call);
    EXPECT_EQ(result.errors.find('\x1b'), std::string::npos) << testing::PrintToString(call);
    for (const auto* printed : {&result.output, &result.errors})
      EXPECT_EQ(printed->find("\nFORGED"), std::string::npos) << testing::PrintToString(call);
  }
}

TEST(BadInput, AReadOnlyRepositoryKeepsTheResults) {
  const Scratch scratch;
  scratch.commit_speeds("x 100 0.01\n");
  // A lock that nobody gives back stops every writer, root too.
  std::filesystem::create_directories(scratch.root() / ".git/refs/tracker");
  std::filesystem::create_directories(scratch.root() / ".git/refs/tracker/v1.lock/occupied");
  const auto result = scratch.tracker({"run", "-n", "2"});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.errors, HasSubstr("nothing is lost"));
  std::filesystem::remove_all(scratch.root() / ".git/refs/tracker");
  std::string kept;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(scratch.root() / ".git/tracker/spool"))
    if (entry.path().string().ends_with(".run.json")) kept = entry.path().string();
  ASSERT_FALSE(kept.empty());
  EXPECT_EQ(scratch.tracker({"record", kept}).exit_code, 0);
  EXPECT_THAT(scratch.tracker({"log"}).output, HasSubstr("1 benchmarks ×  2 invocations"));
}

}  // namespace
}  // namespace tracker::e2e

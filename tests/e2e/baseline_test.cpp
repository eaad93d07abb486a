// tracker baseline: what is promoted is what the device can do and did before, or what a person says is
// meant.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/e2e/scratch.hpp"

namespace tracker::e2e {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// 1 MB in 10 µs is 100 GB/s, of 120 GB/s that the board can do.
constexpr double kBytes = 1e6;
constexpr double kPeak = 120e9;

using Times = std::map<std::string, double>;  // microseconds, by benchmark

Times times(double copy = 10, double gemm = 500) {
  return {{"copy/a", copy}, {"copy/b", 20}, {"gemm/c", gemm}, {"gemm/d", 600}, {"gemm/e", 700}};
}

struct Job {
  int day = 1;
  int invocations = 5;
  std::string board = "GPU-1";
  std::string model = "Test GPU";
  int disturbed = 0;  // so many of its invocations had another process on the GPU
};

json row(const std::string& name, double time_us, bool disturbed) {
  json row = {{"name", name},
              {"run_name", name},
              {"run_type", "iteration"},
              {"iterations", 10},
              {"real_time", time_us},
              {"cpu_time", time_us},
              {"time_unit", "us"},
              {"threads", 1},
              {"repetitions", 1},
              {"repetition_index", 0},
              {"condition_other_processes", disturbed ? 1 : 0}};
  if (name.starts_with("copy")) row["bytes_per_iteration"] = kBytes;
  return row;
}

class BaselineCommand : public testing::Test {
 protected:
  BaselineCommand() { scratch_.commit_speeds(""); }

  void commit() const { scratch_.commit_speeds(""); }

  // Records one job for HEAD: made-up files, so that every test sees the same noise of 0.05 %.
  void record(const Times& of, const Job& job = {}) const {
    std::vector<std::string> arguments{"record"};
    for (int i = 0; i < job.invocations; ++i) {
      json file = {
          {"context",
           {{"date", "2026-01-" + std::to_string(10 + job.day) + "T00:0" + std::to_string(i) + ":00+00:00"},
            {"host_name", "test"},
            {"executable", "./bench"},
            {"device.kind", "gpu"},
            {"device.model", job.model},
            {"device.uuid", job.board},
            {"device.peak_bytes_per_second", std::to_string(kPeak)}}},
          {"benchmarks", json::array()}};
      int place = 0;
      for (const auto& [name, time_us] : of)
        file["benchmarks"].push_back(
            row(name, time_us * (1 + 0.0005 * ((i * 7 + ++place * 3 + job.day) % 5 - 2)), i < job.disturbed));
      const auto path = scratch_.folder() / (std::to_string(job.day) + "-" + std::to_string(i) + ".json");
      write_file(path, file.dump());
      arguments.push_back(path.string());
    }
    const auto result = scratch_.tracker(arguments);
    ASSERT_EQ(result.exit_code, 0) << result.errors;
  }

  ProcessResult promote(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments{"baseline", "promote"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return scratch_.tracker(arguments);
  }

  bool has_baseline() const { return std::filesystem::exists(path()); }
  std::filesystem::path path() const { return scratch_.root() / "baselines/test-gpu.json"; }
  json baseline() const { return json::parse(read_file(path(), 1 << 26)); }

  const Scratch scratch_;
};

TEST_F(BaselineCommand, PromotesTheFirstAndKeepsItsNoise) {
  record(times());
  const auto result = promote();
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("promoted 1 run of 1 job of "));
  EXPECT_THAT(result.output, HasSubstr("to baselines/test-gpu.json"));
  EXPECT_THAT(result.errors, HasSubstr("a second one of the same commit on another day"));
  const auto noise = baseline().at("noise").at("benchmarks").at("copy/a");
  EXPECT_EQ(noise.at("metric"), "bytes_per_second");
  EXPECT_EQ(noise.at("invocation").at("degrees"), 4);
  EXPECT_NEAR(noise.at("invocation").at("variance"), 0.5e-6, 0.4e-6);
}

TEST_F(BaselineCommand, TakesAllJobsOfTheCommit) {
  for (const int day : {1, 2, 3, 4}) record(times(), {.day = day});
  const auto result = promote();
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("promoted 4 runs of 4 jobs"));
  EXPECT_THAT(result.errors, IsEmpty());
  EXPECT_TRUE(baseline().at("noise").at("benchmarks").at("copy/a").contains("same_board"));
  const auto shown = scratch_.tracker({"baseline", "show"});
  EXPECT_EQ(shown.exit_code, 0);
  EXPECT_THAT(shown.output, HasSubstr("4 runs of 4 jobs, noise learned from 4 jobs"));
  EXPECT_THAT(shown.output, HasSubstr("median of 20 in 4 jobs, ±0.0"));
  EXPECT_THAT(shown.output, HasSubstr("% between jobs"));
}

TEST_F(BaselineCommand, LeavesDisturbedRunsOut) {
  record(times(), {.day = 1, .disturbed = 1});
  const auto refused = promote();
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_THAT(refused.errors, HasSubstr("is fit to be a baseline: another process was on the GPU"));
  EXPECT_FALSE(has_baseline());
  record(times(), {.day = 2});
  const auto result = promote();
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("promoted 1 run of 1 job"));
  EXPECT_THAT(result.errors, HasSubstr("is left out: another process was on the GPU"));
}

TEST_F(BaselineCommand, WritesNothingOutsideOfTheRepository) {
  record(times());
  const auto elsewhere = scratch_.folder() / "elsewhere";
  std::filesystem::create_directory(elsewhere);
  std::filesystem::create_directory_symlink(elsewhere, scratch_.root() / "baselines");
  const auto result = promote();
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.errors, HasSubstr("leads out of the repository"));
  EXPECT_TRUE(std::filesystem::is_empty(elsewhere));
}

TEST_F(BaselineCommand, NeedsThreeInvocations) {
  record(times(), {.invocations = 2});
  const auto refused = promote();
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_THAT(refused.errors,
              HasSubstr("benchmark 'copy/a' has 2 invocations that count, and 3 are the least"));
  EXPECT_FALSE(has_baseline());
}

TEST_F(BaselineCommand, RefusesWhatTheDeviceCannotDo) {
  record(times(1));  // 1 TB/s
  const auto refused = promote({"--accept", "*"});
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_THAT(refused.errors, HasSubstr("1 benchmark has a value that is not to be believed"));
  EXPECT_THAT(refused.errors, HasSubstr("copy/a: 1.000 TB/s is past the 120.0 GB/s that the device can do"));
  EXPECT_THAT(refused.errors, Not(HasSubstr("copy/b")));
  EXPECT_THAT(refused.errors, HasSubstr("may_exceed_peak"));
  EXPECT_FALSE(has_baseline());
}

TEST_F(BaselineCommand, RefusesWhatIsFarOffTheCommitsBefore) {
  record(times());
  commit();
  record(times(20, 250), {.day = 2});
  const auto refused = promote();
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_THAT(refused.errors, HasSubstr("2 benchmarks have values that are not to be believed"));
  EXPECT_THAT(refused.errors,
              HasSubstr("copy/a: against " + scratch_.git({"rev-parse", "--short=7", "HEAD~1"})));
  EXPECT_THAT(refused.errors, HasSubstr("gemm/c: against "));
  EXPECT_THAT(refused.errors, HasSubstr("100.0 GB/s → 50.0"));
  EXPECT_THAT(refused.errors, HasSubstr("--accept"));
  EXPECT_FALSE(has_baseline());
}

TEST_F(BaselineCommand, RefusesWhatIsFarOffTheBaselineUntilAChangeIsAccepted) {
  record(times());
  ASSERT_EQ(promote().exit_code, 0);
  const std::string before = read_file(path(), 1 << 26);
  commit();
  record(times(12, 250), {.day = 2});
  commit();
  record(times(12, 250), {.day = 3});
  const auto refused = promote();
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_THAT(refused.errors, HasSubstr("copy/a: against the baseline until now ("));
  EXPECT_THAT(refused.errors, HasSubstr("gemm/c: against the baseline until now ("));
  const auto half = promote({"--accept", "gemm/*"});
  EXPECT_EQ(half.exit_code, 3);
  EXPECT_THAT(half.errors, Not(HasSubstr("gemm/c")));
  EXPECT_EQ(read_file(path(), 1 << 26), before) << "a refusal writes nothing";
  const auto accepted = promote({"--accept", "gemm/*", "--accept", "copy/a"});
  EXPECT_EQ(accepted.exit_code, 0) << accepted.errors;
  EXPECT_THAT(accepted.output, HasSubstr("accepted a change: gemm/c: against the baseline"));
  EXPECT_THAT(accepted.output, HasSubstr("2× faster"));
  EXPECT_THAT(accepted.output, HasSubstr("accepted a regression: copy/a: against the baseline"));
  EXPECT_THAT(accepted.output, HasSubstr("% less bandwidth"));
  EXPECT_EQ(promote().exit_code, 0) << "what was accepted is expected from now on";
}

TEST_F(BaselineCommand, RefusesToLoseABenchmark) {
  record(times());
  ASSERT_EQ(promote().exit_code, 0);
  commit();
  auto fewer = times();
  fewer.erase("gemm/e");
  record(fewer, {.day = 2});
  const auto refused = promote();
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_THAT(refused.errors, HasSubstr("gemm/e: against the baseline until now"));
  EXPECT_EQ(promote({"--accept", "gemm/e"}).exit_code, 0);
}

TEST_F(BaselineCommand, NamesTenAndCountsTheRest) {
  Times many;
  for (int i = 10; i < 35; ++i) many["copy/" + std::to_string(i)] = 1;
  record(many);
  const auto refused = promote();
  EXPECT_THAT(refused.errors, HasSubstr("25 benchmarks have values"));
  EXPECT_THAT(refused.errors, HasSubstr("copy/19: "));
  EXPECT_THAT(refused.errors, Not(HasSubstr("copy/20: ")));
  EXPECT_THAT(refused.errors, HasSubstr("and 15 more"));
}

TEST_F(BaselineCommand, WritesAllDevicesOrNone) {
  record(times());
  record(times(1), {.day = 2, .model = "Zeta GPU"});
  const auto refused = promote();
  EXPECT_EQ(refused.exit_code, 3);
  EXPECT_THAT(refused.errors, HasSubstr(" on zeta-gpu, 1 benchmark"));
  EXPECT_FALSE(has_baseline());
  EXPECT_EQ(promote({"--device", "test-*"}).exit_code, 0);
  EXPECT_TRUE(has_baseline());
}

TEST_F(BaselineCommand, SaysWhichPatternAcceptedNothing) {
  record(times());
  const auto result = promote({"--accept", "cpoy/*"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.errors, HasSubstr("nothing that changed matches --accept 'cpoy/*'"));
}

TEST_F(BaselineCommand, DoesNotWriteOverWhatItCannotRead) {
  record(times());
  scratch_.write("baselines/test-gpu.json", "<<<<<<< HEAD\n");
  const auto result = promote();
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.errors, HasSubstr("restore it (git checkout), or remove it"));
  EXPECT_EQ(read_file(path(), 1 << 20), "<<<<<<< HEAD\n");
}

// As it was written before there was a noise model.
TEST_F(BaselineCommand, ReadsABaselineWithoutNoise) {
  record(times());
  ASSERT_EQ(promote().exit_code, 0);
  auto old = baseline();
  old.erase("noise");
  scratch_.write("baselines/test-gpu.json", old.dump());
  const auto shown = scratch_.tracker({"baseline", "show"});
  EXPECT_EQ(shown.exit_code, 0) << shown.errors;
  EXPECT_THAT(shown.output, HasSubstr("1 run of 1 job\n"));
  commit();
  record(times(20), {.day = 2});
  EXPECT_EQ(scratch_.tracker({"compare", "baseline"}).exit_code, 1);
  EXPECT_EQ(promote().exit_code, 3);
  EXPECT_EQ(promote({"--accept", "copy/a"}).exit_code, 0);
  EXPECT_TRUE(baseline().contains("noise"));
}

// What was learned goes with the file: a clone without the store's other runs knows it too.
TEST_F(BaselineCommand, JudgesByTheNoiseItWasPromotedWith) {
  for (int day = 1; day <= 6; ++day) {
    record(times(), {.day = day});
    commit();
  }
  record(times(), {.day = 7});
  ASSERT_EQ(promote().exit_code, 0);
  scratch_.git({"update-ref", "-d", "refs/tracker/v1"});
  commit();
  record(times(), {.day = 8});
  EXPECT_THAT(scratch_.tracker({"compare", "baseline"}).output, HasSubstr("jobs is learned from"));
  auto without = baseline();
  without.erase("noise");
  scratch_.write("baselines/test-gpu.json", without.dump());
  EXPECT_THAT(scratch_.tracker({"compare", "baseline"}).output, HasSubstr("jobs is a cautious default"));
}

}  // namespace
}  // namespace tracker::e2e

// How a job measures, as its stored runs and its messages tell: isolation, retakes, neighbours.
#include <algorithm>
#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/e2e/scratch.hpp"
#include "tracker/base/text.hpp"

namespace tracker::e2e {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

constexpr char kSteady[] =
    "copy/a/8 10000 0.001\ncopy/b/8 20000 0.001\ngemm/c/8 500000 0.001\ngemm/d/8 600000 0.001\n";

// The runs in the store, in the order of their paths.
std::vector<json> stored_runs(const Scratch& scratch) {
  std::vector<json> runs;
  for (const auto& path : split(scratch.git({"ls-tree", "-r", "--name-only", "refs/tracker/v1"}), '\n'))
    runs.push_back(json::parse(scratch.git({"show", "refs/tracker/v1:" + path})));
  return runs;
}

std::set<std::string> names_in(const json& invocation) {
  std::set<std::string> names;
  for (const auto& [name, samples] : invocation.at("samples").items()) names.insert(name);
  return names;
}

std::map<std::string, std::string> counting_starts(const Scratch& scratch) {
  return {{"FAKE_BENCH_LOG", (scratch.folder() / "starts").string()}};
}

TEST(Measuring, IsolatedEveryBenchmarkHasAProcessOfItsOwn) {
  const Scratch scratch;
  scratch.commit_speeds(kSteady);
  const auto result = scratch.tracker({"run", "-n", "3", "--isolate"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("recorded 4 benchmarks × 3 invocations"));
  EXPECT_THAT(result.errors, HasSubstr("fake_bench, copy/a/8, invocation 1 of 3"));
  const auto runs = stored_runs(scratch);
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_EQ(runs[0].at("isolated"), true);
  std::map<int, std::set<std::string>> by_round;
  for (const auto& invocation : runs[0].at("invocations")) {
    EXPECT_EQ(invocation.at("samples").size(), 1u);
    by_round[invocation.at("round")].merge(names_in(invocation));
  }
  EXPECT_EQ(by_round.size(), 3u);
  for (const auto& [round, names] : by_round)
    EXPECT_EQ(names, (std::set<std::string>{"copy/a/8", "copy/b/8", "gemm/c/8", "gemm/d/8"})) << round;
  std::vector<std::string> listed;
  for (const auto& benchmark : runs[0].at("benchmarks")) listed.push_back(benchmark.at("name"));
  EXPECT_THAT(listed, testing::ElementsAre("copy/a/8", "copy/b/8", "gemm/c/8", "gemm/d/8"));
}

TEST(Measuring, TheRealLibraryTakesTheFiltersThatIsolate) {
  const Scratch scratch;
  scratch.write("tracker.toml", "");
  scratch.commit_speeds("");
  const auto result = scratch.tracker(
      {"run", "-n", "2", "-r", "1", "--isolate", "--filter", "gemm_cpu/.*/384x200x100", "--", CPU_BENCH});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("recorded 3 benchmarks × 2 invocations"));
  const auto runs = stored_runs(scratch);
  for (const auto& invocation : runs.at(0).at("invocations"))
    EXPECT_EQ(invocation.at("samples").size(), 1u) << invocation;
}

TEST(Measuring, LongJobsPrintAHundredLinesAtMost) {
  const Scratch scratch;
  std::string many;
  for (int i = 0; i < 60; ++i) many += "x/" + std::to_string(i) + " 1000 0.001\n";
  scratch.commit_speeds(many);
  const auto result = scratch.tracker({"run", "-n", "4", "--isolate"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_LE(std::count(result.errors.begin(), result.errors.end(), '\n'), 102);
  EXPECT_THAT(result.errors, HasSubstr("[240/240]"));
}

TEST(Measuring, CtrlCWhileABinaryListsLeavesNothingBehind) {
  const Scratch scratch;
  scratch.write("bench", "#!/bin/sh\ntouch listing\nsleep 100\n");
  std::filesystem::permissions(scratch.root() / "bench", std::filesystem::perms::owner_all);
  scratch.commit_speeds("");
  ProcessSpec spec;
  spec.argv = {"bash", "-mc",
               "\"$0\" run --isolate -- ./bench & tracker=$!; while ! test -f listing; do :; done; "
               "kill -INT $tracker; wait $tracker; echo \"code $?\"",
               TRACKER_BINARY};
  spec.directory = scratch.root();
  spec.timeout = std::chrono::minutes(1);
  const auto result = run_process(spec);
  EXPECT_THAT(result.output, HasSubstr("code 130"));
  EXPECT_THAT(result.errors, HasSubstr("interrupted; nothing was recorded"));
  EXPECT_TRUE(std::filesystem::is_empty(scratch.root() / ".git" / "tracker" / "spool"));
}

TEST(Measuring, AFilterThatMatchesNothingIsAUsageError) {
  const Scratch scratch;
  scratch.commit_speeds(kSteady);
  const auto result = scratch.tracker({"run", "--filter", "nonesuch"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.errors, HasSubstr("no benchmark matches 'nonesuch'"));
}

TEST(Measuring, ADisturbedInvocationIsRetakenAndNothingIsDropped) {
  const Scratch scratch;
  scratch.commit_speeds(std::string(kSteady) + "on 2 2 condition_throttle_sw_thermal 1\n");
  const auto result = scratch.tracker_with(counting_starts(scratch), {"run"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.errors, HasSubstr("1 invocation left out and retaken: throttled: sw_thermal"));
  EXPECT_THAT(result.output, HasSubstr("× 5 invocations"));
  const auto runs = stored_runs(scratch);
  ASSERT_EQ(runs.size(), 1u);
  const auto& invocations = runs[0].at("invocations");
  ASSERT_EQ(invocations.size(), 6u);
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(invocations[i].at("round"), i + 1);
    EXPECT_EQ(invocations[i].at("left_out"), i == 1 ? "throttled: sw_thermal" : "");
    EXPECT_EQ(invocations[i].at("samples").size(), 4u);
  }
}

TEST(Measuring, AMachineThatIsAlwaysSharedIsSaidToBe) {
  const Scratch scratch;
  scratch.commit_speeds(std::string(kSteady) + "on 1 99 condition_other_processes 2\n");
  const auto result = scratch.tracker_with(counting_starts(scratch), {"run"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.errors,
              HasSubstr("'fake_bench' was disturbed too often to leave that out (another process "
                        "was on the GPU): 6 disturbed invocations count"));
  EXPECT_THAT(result.output, HasSubstr("× 6 invocations"));
}

// What tells pairs apart.
std::map<int, std::string> rounds_of(const json& run) {
  std::map<int, std::string> rounds;
  for (const auto& invocation : run.at("invocations"))
    rounds[invocation.at("round")] = invocation.at("left_out");
  return rounds;
}

TEST(Measuring, BothSidesOfADisturbedPairAreRetaken) {
  const Scratch scratch;
  scratch.write("tracker.toml", building_config());
  const std::string disturbed = std::string(kSteady) + "on 5 5 condition_other_processes 1\n";
  scratch.commit_speeds(disturbed);
  scratch.commit_speeds(disturbed);
  const auto result = scratch.tracker_with(counting_starts(scratch), {"compare", "HEAD~1", "--measure"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.errors, HasSubstr("2 invocations left out and retaken: another process was on the GPU"));
  std::set<std::string> reasons;
  for (const auto& run : stored_runs(scratch)) {
    const auto rounds = rounds_of(run);
    EXPECT_EQ(rounds.size(), 6u);
    EXPECT_EQ(rounds.at(6), "");
    reasons.insert(rounds.at(3));
  }
  EXPECT_EQ(reasons, (std::set<std::string>{"another process was on the GPU", "its pair was disturbed"}));
}

TEST(Measuring, NamesCommitsAndFiltersInFewWords) {
  const Scratch scratch;
  scratch.write("tracker.toml", building_config());
  scratch.commit_speeds(kSteady);
  scratch.commit_speeds(kSteady);
  const std::string base = scratch.git({"rev-parse", "HEAD~1"});
  const std::string filter = "^(" + std::string(60, '.') + "|.*)$";
  const auto result = scratch.tracker({"compare", base, "HEAD", "--measure", "--filter", filter});
  EXPECT_THAT(result.errors, HasSubstr("building " + base.substr(0, 7) + "\n"));
  EXPECT_THAT(result.errors, HasSubstr("building HEAD ("));
  const std::string listed = scratch.tracker({"log"}).output;
  EXPECT_THAT(listed, HasSubstr("[only ^("));
  EXPECT_EQ(listed.find(filter), std::string::npos) << listed;
}

TEST(Measuring, NeighboursAreTheSameOnBothSides) {
  const Scratch scratch;
  scratch.write("tracker.toml", building_config());
  scratch.commit_speeds(std::string(kSteady) + "gone/e/8 1000 0.001\n");
  scratch.commit_speeds("new/f/8 1000 0.001\n" + std::string(kSteady));
  const auto result = scratch.tracker({"compare", "HEAD~1", "--measure", "--all"});
  EXPECT_EQ(result.exit_code, 1) << result.errors;  // one is missing
  EXPECT_THAT(result.errors, HasSubstr("other benchmarks on the two sides (1 only at HEAD~1 ("));
  std::set<std::set<std::string>> sets;
  for (const auto& run : stored_runs(scratch))
    for (const auto& invocation : run.at("invocations")) sets.insert(names_in(invocation));
  EXPECT_EQ(sets, (std::set<std::set<std::string>>{
                      {"copy/a/8", "copy/b/8", "gemm/c/8", "gemm/d/8"}, {"gone/e/8"}, {"new/f/8"}}));
  EXPECT_THAT(result.output, HasSubstr("new/f/8"));
}

TEST(Measuring, TheCommandInTheFooterMeasuresAsMuchAgain) {
  const Scratch scratch;
  scratch.write("tracker.toml", building_config());
  scratch.commit_speeds(kSteady);
  scratch.commit_speeds("copy/b/8 28000 0.001\ncopy/a/8 10000 0.001\n");
  const auto result = scratch.tracker(
      {"compare", "HEAD~1", "--measure", "--filter", "copy/a", "-n", "3", "--format", "markdown"});
  EXPECT_THAT(result.output, HasSubstr("--measure -n 3 --filter copy/a`")) << result.errors;
}

TEST(Measuring, AComparisonCanBeIsolatedToo) {
  const Scratch scratch;
  scratch.write("tracker.toml", building_config());
  scratch.commit_speeds(kSteady);
  scratch.commit_speeds("copy/b/8 28000 0.001\ncopy/a/8 10000 0.001\n");
  const auto result =
      scratch.tracker({"compare", "HEAD~1", "--measure", "--isolate", "-n", "3", "--format", "json"});
  EXPECT_EQ(result.exit_code, 1) << result.errors;
  EXPECT_THAT(result.errors, Not(HasSubstr("other benchmarks"))) << "each is alone on both sides";
  for (const auto& run : stored_runs(scratch)) {
    EXPECT_EQ(run.at("isolated"), true);
    for (const auto& invocation : run.at("invocations")) EXPECT_EQ(invocation.at("samples").size(), 1u);
  }
  const json document = json::parse(result.output);
  for (const auto& comparison : document.at("reports").at(0).at("comparisons")) {
    if (comparison.at("benchmark") == "copy/b/8") {
      EXPECT_EQ(comparison.at("verdict"), "regressed");
      EXPECT_EQ(comparison.at("invocations"), (std::vector<int>{3, 3}));
    }
  }
}

}  // namespace
}  // namespace tracker::e2e

// How a job measures, as its stored runs and its messages tell: isolation, retakes, neighbours.
#include <algorithm>
#include <map>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/e2e/scratch.hpp"
#include "tests/source_tree.hpp"
#include "tracker/base/text.hpp"

namespace tracker::e2e {
namespace {

using nlohmann::json;
using testing::AllOf;
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

// What one side was measured for is not lost because the other delivers nothing.
void expect_what_was_measured(const Scratch& scratch, const ProcessResult& result, const std::string& commit,
                              std::size_t invocations) {
  EXPECT_EQ(result.exit_code, 4) << result.output << result.errors;
  EXPECT_THAT(result.errors, HasSubstr("no benchmark binary delivered results at "));
  EXPECT_THAT(result.errors, HasSubstr("; what was measured at "));
  const auto runs = stored_runs(scratch);
  ASSERT_EQ(runs.size(), 1u) << result.errors;
  EXPECT_EQ(runs[0].at("commit"), commit);
  EXPECT_EQ(runs[0].at("invocations").size(), invocations);
}

TEST(Measuring, OneSideThatDeliversNothingCostsNotTheOther) {
  const std::string crash = std::string(kSteady) + "crash\n";
  const std::vector<std::string> in_one_build{"compare", "HEAD~1", "--measure", "-n", "3"};
  const std::vector<std::string> in_two_builds{"compare", "HEAD~1", "--measure", "--rebuild", "2", "-n", "2"};
  for (const bool base_crashes : {false, true})
    for (const auto* command : {&in_one_build, &in_two_builds}) {
      const Scratch scratch;
      scratch.write("tracker.toml", building_config());
      scratch.commit_speeds(base_crashes ? crash : kSteady);
      scratch.commit_speeds(base_crashes ? kSteady : crash);
      const auto measured = scratch.git({"rev-parse", base_crashes ? "HEAD" : "HEAD~1"});
      expect_what_was_measured(scratch, scratch.tracker(*command), measured,
                               command == &in_one_build ? 3 : 4);
    }
}

TEST(Measuring, AWorkingTreeThatDeliversNothingCostsNotItsCommit) {
  const std::string crash = std::string(kSteady) + "crash\n";
  for (const bool base_crashes : {false, true}) {
    const Scratch scratch;
    scratch.write("tracker.toml", building_config());
    scratch.commit_speeds(base_crashes ? crash : kSteady);
    scratch.write("speeds.txt", base_crashes ? kSteady : crash);
    const auto result = scratch.tracker({"compare", "HEAD", "--worktree", "-n", "3"});
    expect_what_was_measured(scratch, result, scratch.git({"rev-parse", "HEAD"}), 3);
    EXPECT_THAT(result.errors, HasSubstr(base_crashes ? "; what was measured at the working tree is recorded"
                                                      : "delivered results at the working tree; what"));
    EXPECT_EQ(stored_runs(scratch)[0].at("dirty"), base_crashes);
  }
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
  EXPECT_THAT(result.errors, testing::ContainsRegex("fake_bench, copy/./8, invocation . of 3"));
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
  EXPECT_LE(std::count(result.errors.begin(), result.errors.end(), '\n'), 106);
  EXPECT_THAT(result.errors, HasSubstr("[240/240]"));
}

TEST(Measuring, SaysBeforehandHowLongItTakesAndWhatMakesItShorter) {
  const Scratch scratch;
  std::string many;
  for (int i = 0; i < 62; ++i) many += "x/" + std::to_string(i) + " 1000 0.001\n";
  scratch.commit_speeds(many);
  const auto result = scratch.tracker({"run", "-n", "2", "-r", "5"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.errors,
              HasSubstr("62 benchmarks × 5 repetitions of 500.0 ms or more: about 3 min 46 s an "
                        "invocation, 7 min 33 s for 2"));
  EXPECT_THAT(result.errors, HasSubstr("--filter"));
  EXPECT_THAT(result.errors, HasSubstr("is stopped after 20 s: raise timeout_s in [measure]"));
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
  EXPECT_THAT(result.errors, HasSubstr("1 invocation excluded and measured again: throttled: sw_thermal"));
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
  const auto result = scratch.tracker_with(counting_starts(scratch),
                                           {"compare", "HEAD~1", "--measure", "--identical-code", "measure"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.errors,
              HasSubstr("2 invocations excluded and measured again: another process was on the GPU"));
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
  const auto result = scratch.tracker(
      {"compare", base, "HEAD", "--measure", "--identical-code", "measure", "--filter", filter});
  EXPECT_THAT(result.errors, HasSubstr("building " + base.substr(0, 7) + "\n"));
  EXPECT_THAT(result.errors, HasSubstr("building HEAD ("));
  const std::string listed = scratch.tracker({"log"}).output;
  EXPECT_THAT(listed, HasSubstr("[only what matches '^("));
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

TEST(Measuring, WhatOneSideAloneHasIsNotMeasuredToBeCompared) {
  const Scratch scratch;
  scratch.write("tracker.toml", building_config());
  scratch.commit_speeds(kSteady);
  scratch.commit_speeds(std::string(kSteady) + "new/f/8 1000 0.001\nnew/g/8 1000 0.001\n");
  for (const auto& choice : {std::vector<std::string>{"--filter", "new/"}, {"HEAD", "new/*"}}) {
    std::vector<std::string> command{"compare", "HEAD~1"};
    command.insert(command.end(), choice.begin(), choice.end());
    command.emplace_back("--measure");
    const auto result = scratch.tracker(command);
    EXPECT_EQ(result.exit_code, 3) << result.errors;
    EXPECT_THAT(result.errors, HasSubstr("nothing to compare: HEAD~1 ("));
    EXPECT_THAT(result.errors, HasSubstr(") has none of the benchmarks asked for"));
    EXPECT_THAT(result.errors, HasSubstr("new at HEAD ("));
    EXPECT_THAT(result.errors, HasSubstr("new/f/8, new/g/8"));
    EXPECT_THAT(result.errors, Not(HasSubstr("[1/")));
  }
  EXPECT_EQ(scratch.git({"for-each-ref", "refs/tracker"}), "") << "nothing was measured";
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

// The names of all benchmarks of a run.
std::vector<std::string> benchmarks_of(const json& run) {
  std::vector<std::string> names;
  for (const auto& benchmark : run.at("benchmarks")) names.push_back(benchmark.at("name"));
  return names;
}

// One binary twice: each [[binary]] with these lines as well.
std::string two_binaries(const std::string& first, const std::string& second) {
  const std::string both = "[[binary]]\npath = \"" FAKE_BENCH "\"\n";
  return "[measure]\ninvocations = 3\nrepetitions = 2\n" + both + first + both + second;
}

TEST(TwoBinaries, OfOneFileNameAreRefusedBeforeAnythingIsMeasured) {
  const Scratch scratch;
  for (const auto* folder : {"one", "two"}) {
    std::filesystem::create_directories(scratch.folder() / folder);
    std::filesystem::copy_file(FAKE_BENCH, scratch.folder() / folder / "bench");
  }
  const std::string one = "[[binary]]\npath = \"../one/bench\"\n";
  const std::string two = "[[binary]]\npath = \"../two/bench\"\n";
  scratch.write("tracker.toml", one + two);
  scratch.commit_speeds("parse/8 100 0.01\n");
  const auto refused = scratch.tracker_with(counting_starts(scratch), {"run"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.errors, HasSubstr("two binaries have a benchmark 'parse/8': '../one/bench' and "
                                        "'../two/bench'"));
  EXPECT_THAT(refused.errors, HasSubstr("prefix = \"bench/\""));
  EXPECT_FALSE(std::filesystem::exists(scratch.folder() / "starts")) << "nothing was measured";

  scratch.write("tracker.toml", one + two + "prefix = \"two/\"\n");
  const auto told_apart = scratch.tracker({"run", "-n", "3"});
  ASSERT_EQ(told_apart.exit_code, 0) << told_apart.errors;
  EXPECT_THAT(told_apart.output, HasSubstr("recorded 2 benchmarks × 3 invocations"));
  const auto runs = stored_runs(scratch);
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_THAT(benchmarks_of(runs[0]), testing::ElementsAre("parse/8", "two/parse/8"));
  EXPECT_EQ(runs[0].at("benchmarks")[0].at("binary"), "../one/bench");
  EXPECT_EQ(runs[0].at("benchmarks")[1].at("binary"), "../two/bench");
}

TEST(TwoBinaries, OnePathWithOtherArgumentsIsAnother) {
  const Scratch scratch;
  scratch.write("tracker.toml",
                two_binaries("", "arguments = [\"--speeds=slow.txt\"]\nprefix = \"slow/\"\n"));
  scratch.write("slow.txt", "parse/8 3900 0.001\nformat/8 400 0.001\n");
  scratch.commit_speeds("parse/8 700 0.001\n");
  const auto result = scratch.tracker({"run"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  const auto runs = stored_runs(scratch);
  EXPECT_THAT(benchmarks_of(runs.at(0)), testing::ElementsAre("parse/8", "slow/parse/8", "slow/format/8"));
  for (const auto& invocation : runs[0].at("invocations"))
    for (const auto& [name, samples] : invocation.at("samples").items())
      for (const double time_ns : samples.at("real_time_ns"))
        EXPECT_EQ(time_ns > 2000, name == "slow/parse/8") << name;
}

TEST(TwoBinaries, APrefixIsPartOfTheNameForFiltersAndNotForTheBinary) {
  const Scratch scratch;
  scratch.write("tracker.toml",
                two_binaries("", "arguments = [\"--speeds=slow.txt\"]\nprefix = \"slow/\"\n"));
  scratch.write("slow.txt", "parse/8 3900 0.001\nformat/8 400 0.001\n");
  scratch.commit_speeds("parse/8 700 0.001\n");
  for (const char* isolate : {"", "--isolate"}) {
    std::vector<std::string> arguments{"run", "--filter", "^slow/p"};
    if (*isolate != '\0') arguments.emplace_back(isolate);
    const auto result = scratch.tracker_with(counting_starts(scratch), arguments);
    ASSERT_EQ(result.exit_code, 0) << result.errors;
    EXPECT_THAT(result.output, HasSubstr("recorded 1 benchmark × 3 invocations"));
  }
  for (const auto& run : stored_runs(scratch))
    EXPECT_THAT(benchmarks_of(run), testing::ElementsAre("slow/parse/8"));
  const std::string starts = read_file(scratch.folder() / "starts", 1 << 20);
  EXPECT_THAT(starts, HasSubstr("parse/8"));
  EXPECT_THAT(starts, Not(HasSubstr("slow/"))) << "the binary knows nothing of its prefix";
}

TEST(TwoBinaries, NothingIsSaidOfOneThatTheFilterLeavesOut) {
  const Scratch scratch;
  scratch.write("tracker.toml", building_config() +
                                    "[[binary]]\npath = \"out/bench\"\narguments = [\"--speeds=slow.txt\"]\n"
                                    "prefix = \"slow/\"\n");
  scratch.write("slow.txt", "parse/8 3900 0.001\n");
  scratch.commit_speeds("parse/8 700 0.001\n");
  scratch.write("slow.txt", "parse/8 3901 0.001\n");
  scratch.commit_speeds("parse/8 701 0.001\n");
  const auto result = scratch.tracker({"compare", "HEAD~1", "--measure", "-n", "2", "--filter", "^slow/"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  const std::string measured = "'bench' is measured: ";
  EXPECT_THAT(result.errors, HasSubstr(measured));
  EXPECT_EQ(result.errors.find(measured), result.errors.rfind(measured)) << result.errors;
}

TEST(TwoBinaries, AnOldCommitIsMeasuredWithTodaysPrefix) {
  const Scratch scratch;
  scratch.write("tracker.toml", building_config());
  scratch.write("slow.txt", "parse/8 3900 0.001\n");
  scratch.commit_speeds("parse/8 700 0.001\n");
  scratch.write("tracker.toml", building_config() +
                                    "[[binary]]\npath = \"out/bench\"\narguments = [\"--speeds=slow.txt\"]\n"
                                    "prefix = \"slow/\"\n");
  scratch.write("slow.txt", "parse/8 5900 0.001\n");
  scratch.commit_speeds("parse/8 700 0.001\n");
  const auto result = scratch.tracker({"compare", "HEAD~1", "--measure", "--all", "--format", "json"});
  EXPECT_EQ(result.exit_code, 1) << result.errors;
  std::map<std::string, std::string> verdicts;
  const json document = json::parse(result.output);
  for (const auto& comparison : document.at("reports").at(0).at("comparisons"))
    verdicts[comparison.at("benchmark")] = comparison.at("verdict");
  EXPECT_EQ(verdicts,
            (std::map<std::string, std::string>{{"parse/8", "unchanged"}, {"slow/parse/8", "regressed"}}));
}

TEST(AnyLibrary, WithoutInterleavingEachRepetitionIsAnExecution) {
  const Scratch scratch;
  scratch.commit_speeds(std::string(kSteady) + "old\n");
  const auto result = scratch.tracker_with(counting_starts(scratch), {"run", "-n", "2", "-r", "3"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.errors,
              HasSubstr("'fake_bench': its Google Benchmark is older than 1.5.4 and cannot "
                        "interleave repetitions: each repetition gets an execution of its own, "
                        "3 an invocation"));
  const std::string starts = read_file(scratch.folder() / "starts", 1 << 20);
  EXPECT_EQ(std::count(starts.begin(), starts.end(), '\n'), 6);
  const auto runs = stored_runs(scratch);
  ASSERT_EQ(runs.at(0).at("invocations").size(), 2u);
  for (const auto& invocation : runs[0].at("invocations")) {
    EXPECT_EQ(invocation.at("executions"), 3);
    EXPECT_EQ(invocation.at("samples").at("copy/a/8").at("real_time_ns").size(), 3u);
  }
}

TEST(AnyLibrary, WhatOneSideLacksNeitherSideIsAskedFor) {
  const Scratch scratch;
  scratch.write("tracker.toml", building_config());
  scratch.commit_speeds(std::string(kSteady) + "old\n");
  scratch.commit_speeds(kSteady);
  const auto result =
      scratch.tracker_with(counting_starts(scratch), {"compare", "HEAD~1", "--measure", "-n", "2"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  for (const auto& run : stored_runs(scratch))
    for (const auto& invocation : run.at("invocations")) EXPECT_EQ(invocation.at("executions"), 3);
}

TEST(AnyLibrary, ABinaryWithoutHelpIsFoundOutByItsList) {
  const Scratch scratch;
  scratch.commit_speeds(std::string(kSteady) + "old\nnohelp\n");
  const auto result = scratch.tracker({"run", "-n", "2", "-r", "2"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_EQ(stored_runs(scratch).at(0).at("invocations").at(0).at("executions"), 2);
}

// Answers as an nvbench binary does: help, and its results with the samples' times in a folder beside.
void write_nvbench(const Scratch& scratch) {
  const std::string recorded = std::string(TRACKER_TEST_DATA) + "/imports/nvbench/samples.json";
  scratch.write("nv_bench",
                "#!/bin/sh\n"
                "echo \"$*\" >> '" +
                    (scratch.folder() / "starts").string() +
                    "'\n"
                    "case $1 in\n"
                    "  --help) echo '* `--benchmark <benchmark name/index>`'; exit 0 ;;\n"
                    "  --axis) shift 2 ;;\n"
                    "esac\n"
                    "[ \"$1\" = --jsonbin ] && [ $# = 2 ] || { echo \"unknown: $*\" >&2; exit 1; }\n"
                    "cp '" +
                    recorded + "' \"$2\" && mkdir \"$2-bin\" && cp '" + recorded +
                    "-bin/'*.bin \"$2-bin\"\n"
                    "sed -i \"s|samples.json-bin|$2-bin|\" \"$2\"\n");
  std::filesystem::permissions(scratch.root() / "nv_bench", std::filesystem::perms::owner_all);
  scratch.write("tracker.toml",
                "[[binary]]\npath = \"nv_bench\"\narguments = [\"--axis\", \"Elements=[2^20,2^24]\"]\n");
  scratch.commit_speeds("");
}

TEST(Measuring, DrivesAnNvbenchBinary) {
  const Scratch scratch;
  write_nvbench(scratch);
  const auto result = scratch.tracker({"run", "-n", "3"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("recorded 2 benchmarks × 3 invocations"));
  EXPECT_THAT(result.output, HasSubstr("NVIDIA H200"));
  const auto runs = stored_runs(scratch);
  ASSERT_EQ(runs.size(), 1u);
  ASSERT_EQ(runs[0].at("invocations").size(), 3u);
  for (const auto& invocation : runs[0].at("invocations"))
    EXPECT_THAT(names_in(invocation), testing::Contains("copy/Elements=2^20")) << invocation;
  EXPECT_THAT(read_file(scratch.folder() / "starts", 1 << 20),
              testing::StartsWith("--help\n--axis Elements=[2^20,2^24] --jsonbin /"));
}

TEST(Measuring, OfNvbenchsResultsThoseThatMatchTheFilterStay) {
  const Scratch scratch;
  write_nvbench(scratch);
  const auto result = scratch.tracker({"run", "-n", "1", "--filter", "2.20"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("recorded 1 benchmark × 1 invocation"));
  const auto none = scratch.tracker({"run", "-n", "2", "--filter", "nothing"});
  EXPECT_EQ(none.exit_code, 2) << none.errors;
  EXPECT_THAT(none.errors, HasSubstr("no benchmark matches 'nothing'"));
}

// Other commands one after the other: what one finds does not keep the next from being asked.
TEST(NightlyCommand, MeasuresHeadAndComparesWithTheLastRelease) {
  const Scratch scratch;
  scratch.write("tracker.toml", building_config());
  scratch.commit_speeds("x 1000 0.001\ny 1000 0.001\n");
  scratch.git({"tag", "v1"});
  scratch.commit_speeds("x 1000 0.001\ny 1200 0.001\n");
  const auto result = scratch.tracker({"nightly"});
  EXPECT_EQ(result.exit_code, 1) << result.output << result.errors;
  EXPECT_THAT(result.output,
              AllOf(HasSubstr("== measure HEAD: tracker run --build"),
                    HasSubstr("== against v1: tracker compare v1...HEAD --confirm"),
                    HasSubstr("regressed     against v1\n"), HasSubstr("the largest lasting changes\n")));
  EXPECT_EQ(scratch.tracker({"nightly", "--gpus", "none"}).exit_code, 2);

  const auto check = scratch.tracker({"release-check", "v1", "--time-budget", "10m"});
  EXPECT_EQ(check.exit_code, 1) << check.output << check.errors;
  EXPECT_THAT(check.output, HasSubstr("regressed     against v1, side by side\n"));
  EXPECT_EQ(scratch.tracker({"release-check"}).exit_code, 2);
  EXPECT_EQ(scratch.tracker({"release-check", "v9"}).exit_code, 2);
}

TEST(NightlyCommand, WithoutAReleaseItSaysSoAndMeasures) {
  const Scratch scratch;
  scratch.write("tracker.toml", building_config());
  scratch.commit_speeds("x 1000 0.001\n");
  const auto result = scratch.tracker({"nightly"});
  EXPECT_EQ(result.exit_code, 0) << result.output << result.errors;
  EXPECT_THAT(result.errors, HasSubstr("no release tag before HEAD"));
  EXPECT_THAT(result.output, HasSubstr("nothing that pull requests leave out as the same code got slower"));
  EXPECT_THAT(result.output, HasSubstr("recorded 1 benchmark × 5 invocations"));
}

}  // namespace
}  // namespace tracker::e2e

// tracker run and record: what is measured is recorded, and nothing that failed takes others with it.
#include <algorithm>
#include <csignal>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/scratch.hpp"
#include "tests/source_tree.hpp"

namespace tracker::e2e {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::size_t stored_run_count(const Scratch& scratch) {
  const auto refs = scratch.git({"for-each-ref", "refs/tracker"});
  if (refs.empty()) return 0;
  const auto files = scratch.git({"ls-tree", "-r", "--name-only", "refs/tracker/v1"});
  return static_cast<std::size_t>(std::count(files.begin(), files.end(), '\n')) + 1;
}

TEST(RunCommand, RecordsEveryInvocationForHead) {
  const Scratch scratch;
  scratch.commit_speeds("copy/a 10000 0.001 1000000\ngemm/b 500000 0.001\n");
  const auto result = scratch.tracker({"run"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("recorded 2 benchmarks × 5 invocations for "));
  EXPECT_THAT(result.output, testing::ContainsRegex("  [a-z]+/[^ ]+ +[0-9.]+ .*/?s ± [0-9.]+ %\n"));
  EXPECT_THAT(result.output, HasSubstr("device  test-gpu (Test GPU)"));
  EXPECT_THAT(result.errors, HasSubstr("[5/5] fake_bench, invocation 5 of 5"));
  EXPECT_EQ(stored_run_count(scratch), 1u);
  EXPECT_EQ(scratch.git({"status", "--porcelain"}), "") << "measuring must leave the tree clean";
}

// However short the time is, two rounds of what tells most are measured, and what was left is named.
TEST(RunCommand, ABudgetMeasuresWhatTellsMost) {
  const Scratch scratch;
  std::string speeds;
  for (const char* family : {"copy", "gemm", "sort"})
    for (const char* size : {"/1", "/2", "/4", "/8"}) speeds += std::string(family) + size + " 1000 0.001\n";
  scratch.commit_speeds(speeds);
  const auto result = scratch.tracker({"run", "--time-budget", "0.001s"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("recorded 8 benchmarks × 2 invocations"));
  EXPECT_THAT(result.errors,
              HasSubstr("not looked at, as the time budget of 0.001s is used: 4 of 12 benchmarks ("));
  const auto all = scratch.tracker({"run", "--time-budget", "10m"});
  EXPECT_THAT(all.output, HasSubstr("recorded 12 benchmarks × 5 invocations"));
  EXPECT_THAT(all.errors, Not(HasSubstr("not looked at")));
  EXPECT_EQ(scratch.tracker({"run", "--time-budget", "soon"}).exit_code, 2);
}

TEST(RunCommand, TakesBinariesFromTheCommandLine) {
  const Scratch scratch;
  scratch.write("tracker.toml", "");
  scratch.commit_speeds("x 100 0.01\n");
  EXPECT_EQ(scratch.tracker({"run", "-n", "2", "--", FAKE_BENCH}).exit_code, 0);
  const auto none = scratch.tracker({"run"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.errors, HasSubstr("no benchmark binary is named"));
}

TEST(RunCommand, MeasuresWhatIsOnlyForAskingWhereItIsNamed) {
  const Scratch scratch;
  const std::string asked =
      "[[binary]]\npath = \"../asked\"\nwhen = \"asked\"\n"
      "arguments = [\"--benchmark_filter=^wanted$\"]\n";
  std::filesystem::copy_file(FAKE_BENCH, scratch.folder() / "asked");
  scratch.write("tracker.toml", plain_config() + asked);
  scratch.commit_speeds("wanted 100 0.01\nother 100 0.01\n");
  const auto all = scratch.tracker({"run", "-n", "2"});
  EXPECT_EQ(all.exit_code, 0) << all.errors;
  EXPECT_THAT(all.errors, Not(HasSubstr("asked")));
  const auto named = scratch.tracker({"run", "-n", "2", "--", "../asked"});
  EXPECT_EQ(named.exit_code, 0) << named.errors;
  EXPECT_THAT(named.output, HasSubstr("recorded 1 benchmark × 2")) << "with the arguments of tracker.toml";
  scratch.write("tracker.toml", asked);
  const auto none = scratch.tracker({"run"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.errors, HasSubstr("measured only where it is asked for"));
  EXPECT_THAT(none.errors, HasSubstr("tracker run -- ../asked"));
}

TEST(RunCommand, PassesWhatFollowsABinaryToIt) {
  const Scratch scratch;
  scratch.write("tracker.toml", "");
  scratch.write("other.txt", "y 100 0.01\n");
  scratch.commit_speeds("x 100 0.01\n");
  std::filesystem::copy_file(FAKE_BENCH, scratch.folder() / "second");
  const std::map<std::string, std::string> logging{
      {"FAKE_BENCH_LOG", (scratch.folder() / "starts").string()}};
  const auto result =
      scratch.tracker_with(logging, {"run", "-n", "1", "--", FAKE_BENCH, "--benchmark_min_time=0.5s",
                                     "--log-arguments", "value", "../second", "--speeds=other.txt"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("recorded 2 benchmarks × 1 invocation"));
  const std::string starts = read_file(scratch.folder() / "starts", 1 << 20);
  EXPECT_THAT(starts, HasSubstr("  --benchmark_min_time=0.5s --log-arguments value --benchmark_out="));
  const auto before = scratch.tracker({"run", "--", "--benchmark_min_time=0.5s", FAKE_BENCH});
  EXPECT_EQ(before.exit_code, 2);
  EXPECT_THAT(before.errors, HasSubstr("stands before any benchmark binary"));
  const auto twice = scratch.tracker({"run", "--", FAKE_BENCH, FAKE_BENCH});
  EXPECT_EQ(twice.exit_code, 2);
  EXPECT_THAT(twice.errors, HasSubstr("named twice"));
}

TEST(RunCommand, MarksADirtyTree) {
  const Scratch scratch;
  scratch.commit_speeds("x 100 0.01\n");
  scratch.write("speeds.txt", "x 200 0.01\n");
  const auto result = scratch.tracker({"run", "-n", "2"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.output, HasSubstr("marked dirty"));
  EXPECT_THAT(scratch.tracker({"log"}).output, HasSubstr("[dirty]"));
  const auto promoted = scratch.tracker({"baseline", "promote"});
  EXPECT_EQ(promoted.exit_code, 3);
  EXPECT_THAT(promoted.errors, HasSubstr("uncommitted changes"));
}

TEST(RunCommand, ACrashIsReportedAndCostsNoOtherResults) {
  const Scratch scratch;
  scratch.write("crash/tracker.toml", "");
  scratch.write("crasher", "#!/bin/sh\necho warming up\nkill -SEGV $$\n");
  std::filesystem::permissions(scratch.root() / "crasher", std::filesystem::perms::owner_all);
  scratch.write("tracker.toml", "[[binary]]\npath = \"crasher\"\n" + plain_config());
  scratch.commit_speeds("x 100 0.01\n");
  const auto result = scratch.tracker({"run"});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.errors,
              HasSubstr("'crasher' was killed by signal 11 (Segmentation fault) in invocation 1"));
  EXPECT_THAT(result.errors, HasSubstr("| warming up"));
  EXPECT_THAT(result.output, HasSubstr("recorded 1 benchmark × 5 invocations"));
  EXPECT_EQ(stored_run_count(scratch), 1u);
}

// Many benchmarks read their data relative to the folder that they are built in.
TEST(RunCommand, StartsABinaryInTheFolderThatItNames) {
  const Scratch scratch;
  const auto config = [](const std::string& keys) {
    return "[[binary]]\npath = \"out/bench\"\n" + keys + "[measure]\ninvocations = 2\n";
  };
  std::filesystem::create_directories(scratch.root() / "out");
  std::filesystem::copy_file(FAKE_BENCH, scratch.root() / "out" / "bench");
  scratch.commit_speeds("");
  std::filesystem::remove(scratch.root() / "speeds.txt");
  scratch.write("out/speeds.txt", "x 100 0.01\n");

  scratch.write("tracker.toml", config("directory = \"out\"\n"));
  const auto result = scratch.tracker({"run"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("recorded 1 benchmark × 2 invocations"));

  scratch.write("tracker.toml", config("directory = \"gone\"\n"));
  const auto lost = scratch.tracker({"run"});
  EXPECT_EQ(lost.exit_code, 4);
  EXPECT_THAT(lost.errors, AllOf(HasSubstr("could not be started: there is no folder '"),
                                 HasSubstr("/gone' to run in"), HasSubstr("nothing was recorded")));
}

TEST(RunCommand, ABinaryThatFailsAtOnceMayWantAnotherFolder) {
  const Scratch scratch;
  scratch.commit_speeds("x 100 0.01\n");
  const auto errors_of = [&](const std::string& end, const std::string& keys) {
    scratch.write("out/picky", "#!/bin/sh\necho 'cannot open data/twitter.json' >&2\n" + end + "\n");
    std::filesystem::permissions(scratch.root() / "out/picky", std::filesystem::perms::owner_all);
    scratch.write("tracker.toml", "[measure]\ntimeout_s = 0.5\n[[binary]]\npath = \"out/picky\"\n" + keys);
    const auto result = scratch.tracker({"run"});
    EXPECT_EQ(result.exit_code, 4);
    EXPECT_THAT(result.errors, HasSubstr("| cannot open data/twitter.json"));
    return result.errors;
  };
  EXPECT_THAT(errors_of("exit 1", ""),
              HasSubstr("where it reads files of another folder, name it in its [[binary]]: "
                        "directory = \"out\""));
  const auto no_hint = Not(HasSubstr("where it reads files"));
  EXPECT_THAT(errors_of("exit 1", "directory = \"out\"\n"), no_hint);
  EXPECT_THAT(errors_of("exit 0", ""), no_hint) << "it wrote no results";
  EXPECT_THAT(errors_of("exec sleep 100", ""), no_hint) << "it was stopped";
}

TEST(RunCommand, AHangIsEndedByTheTimeOut) {
  const Scratch scratch;
  scratch.write("tracker.toml", "[measure]\ntimeout_s = 0.5\n[[binary]]\npath = \"" FAKE_BENCH "\"\n");
  scratch.commit_speeds("x 100 0.01\nhang\n");
  const auto result = scratch.tracker({"run"});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.errors,
              HasSubstr("did not end within 0.5 s and was stopped (the limit is timeout_s in [measure]"));
  EXPECT_EQ(stored_run_count(scratch), 0u);
}

TEST(RunCommand, AUselessResultNamesTheBinary) {
  const Scratch scratch;
  scratch.commit_speeds("x 100 0.01\ntruncate\n");
  const auto result = scratch.tracker({"run"});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.errors, HasSubstr("it ends in the middle"));
  EXPECT_EQ(stored_run_count(scratch), 0u);
}

TEST(RunCommand, ABinaryThatKeepsItsResultsSaysWhatItMayDo) {
  const Scratch scratch;
  scratch.commit_speeds("a 100 0.01\n");
  const auto result = scratch.tracker({"run", "-n", "2", "--", "/bin/true"});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.errors, HasSubstr("wrote no results to --benchmark_out: it must pass its arguments"));
}

TEST(RunCommand, AFilterIsNoGlob) {
  const Scratch scratch;
  scratch.commit_speeds("a 100 0.01\n");
  const auto result = scratch.tracker({"run", "--filter", "*a*"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.errors, HasSubstr("'*a*' begins with '*'"));
}

TEST(RunCommand, ABenchmarkWithAnErrorIsKeptAsFailed) {
  const Scratch scratch;
  scratch.commit_speeds("good 100 0.01\nbad 100 -1\n");
  const auto result = scratch.tracker({"run"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.errors, HasSubstr("benchmark 'bad' reported: out of memory"));
}

TEST(RunCommand, CtrlCLeavesNothingBehind) {
  const Scratch scratch;
  scratch.commit_speeds("x 100 0.01\nhang\n");
  const auto script =
      std::string("\"$0\" run & tracker=$!; while ! test -d .git/tracker/spool; do :; done; ") +
      "kill -INT $tracker; wait $tracker; echo \"code $?\"";
  ProcessSpec spec;
  spec.argv = {"bash", "-mc", script, TRACKER_BINARY};
  spec.directory = scratch.root();
  spec.timeout = std::chrono::minutes(1);
  const auto result = run_process(spec);
  EXPECT_THAT(result.output, HasSubstr("code 130"));
  EXPECT_THAT(result.errors, HasSubstr("interrupted; nothing was recorded"));
  EXPECT_EQ(stored_run_count(scratch), 0u);
  EXPECT_TRUE(std::filesystem::is_empty(scratch.root() / ".git" / "tracker" / "spool"));
}

// tracker with these arguments, interrupted when the binary has been started so often; its exit code is
// printed.
ProcessResult interrupted_after(const Scratch& scratch, int starts, const std::string& arguments) {
  const std::string log = (scratch.folder() / "starts").string();
  ProcessSpec spec;
  spec.argv = {"bash", "-mc",
               "touch \"$1\"; \"$0\" " + arguments + " & tracker=$!; while [ $(wc -l <\"$1\") -lt " +
                   std::to_string(starts) +
                   " ]; do :; done; kill -INT $tracker; wait $tracker; echo \"code $?\"",
               TRACKER_BINARY, log};
  spec.directory = scratch.root();
  spec.environment["FAKE_BENCH_LOG"] = log;
  spec.timeout = std::chrono::minutes(1);
  return run_process(spec);
}

TEST(RunCommand, CtrlCKeepsWhatIsCompleteIfAsked) {
  const Scratch scratch;
  scratch.commit_speeds("x 100 0.01\non 3 3 hang 1\n");
  const auto lost = interrupted_after(scratch, 3, "run");
  EXPECT_THAT(lost.output, HasSubstr("code 130"));
  EXPECT_THAT(lost.errors, HasSubstr("--keep records what is complete by then"));
  EXPECT_EQ(stored_run_count(scratch), 0u);
  std::filesystem::remove(scratch.folder() / "starts");
  const auto kept = interrupted_after(scratch, 3, "run --keep");
  EXPECT_THAT(kept.output, HasSubstr("code 130"));
  EXPECT_THAT(kept.output, HasSubstr("recorded 1 benchmark × 2 invocations"));
  EXPECT_THAT(kept.errors, HasSubstr("interrupted; what was complete by then is recorded"));
  EXPECT_EQ(stored_run_count(scratch), 1u);
  EXPECT_THAT(scratch.tracker({"log"}).output, Not(HasSubstr("[only"))) << "no benchmark is missing";
}

TEST(RunCommand, ARunThatLacksBenchmarksIsPartial) {
  const Scratch scratch;
  scratch.commit_speeds("x 100 0.01\ny 100 0.01\non 2 2 hang 1\n");
  const auto kept = interrupted_after(scratch, 2, "run --keep --isolate");
  EXPECT_THAT(kept.output, HasSubstr("recorded 1 benchmark × 1 invocation"));
  EXPECT_THAT(scratch.tracker({"log"}).output, HasSubstr("[only 1 benchmark]"));
}

TEST(RecordCommand, TakesFilesMadeElsewhereOnce) {
  const Scratch scratch;
  scratch.commit_speeds("x 100 0.01\n");
  const std::string file = std::string(TRACKER_H200_JOBS) + "/job1/r01-inject0.json";
  const auto nameless = scratch.tracker({"record", file});
  EXPECT_EQ(nameless.exit_code, 2);
  EXPECT_THAT(nameless.errors, HasSubstr("does not say which device"));
  for (int i = 0; i < 2; ++i) {
    const auto result = scratch.tracker({"record", file, "--gpu", "NVIDIA H200"});
    EXPECT_EQ(result.exit_code, 0) << result.errors;
    EXPECT_THAT(result.output, HasSubstr("recorded 14 benchmarks × 1 invocation"));
  }
  EXPECT_EQ(stored_run_count(scratch), 1u);
}

TEST(RecordCommand, OneNameInTwoExecutablesIsRefused) {
  const Scratch scratch;
  scratch.commit_speeds("x 100 0.01\n");
  const auto file = [&](const std::string& folder, const std::string& time) {
    scratch.write(folder + "/bench.json",
                  "{\"context\": {\"executable\": \"" + folder +
                      "/bench\", \"num_cpus\": 2}, \"benchmarks\": [{\"name\": "
                      "\"parse/8\", \"run_type\": \"iteration\", \"iterations\": 1, \"real_time\": " +
                      time + ", \"cpu_time\": " + time + ", \"time_unit\": \"ns\"}]}");
    return folder + "/bench.json";
  };
  const auto a = file("a", "700");
  const auto b = file("b", "39000");
  const auto refused = scratch.tracker({"record", a, b, "--cpu", "X"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.errors, HasSubstr("benchmark 'parse/8' is in two binaries, 'a/bench' and 'b/bench'"));
  EXPECT_EQ(stored_run_count(scratch), 0u);
  EXPECT_EQ(scratch.tracker({"record", a, "--cpu", "X"}).exit_code, 0);
  const auto prefixed = scratch.tracker({"record", b, "--cpu", "X", "--prefix", "b/"});
  EXPECT_EQ(prefixed.exit_code, 0) << prefixed.errors;
  EXPECT_EQ(stored_run_count(scratch), 2u);
}

}  // namespace
}  // namespace tracker::e2e

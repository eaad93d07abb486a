// tracker compare --confirm: what stored runs leave in doubt is measured again side by side, and nothing
// else.
#include <algorithm>
#include <csignal>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/e2e/scratch.hpp"
#include "tests/source_tree.hpp"
#include "tracker/base/text.hpp"

namespace tracker::e2e {
namespace {

using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

// They state no device, so that it is this machine's own.
constexpr char kConfirmFast[] = "anonymous\ncopy/a 10000 0.001\ncopy/b 20000 0.001\ngemm/c 30000 0.001\n";
constexpr char kConfirmSlow[] = "anonymous\ncopy/a 10000 0.001\ncopy/b 40000 0.001\ngemm/c 30000 0.001\n";

// The same from a binary that states its device.
std::string with_device(const std::string& speeds) {
  return speeds.substr(speeds.find('\n') + 1);
}

class ConfirmCommand : public testing::Test {
 protected:
  ConfirmCommand() {
    std::string config = building_config();  // its threshold is finer than stored runs can tell
    config.replace(config.find("\"3%\""), 4, "\"40%\"");
    scratch_.write("tracker.toml", config);
  }

  std::string log_path() const { return (scratch_.folder() / "starts").string(); }

  ProcessResult tracker(const std::vector<std::string>& arguments,
                        std::map<std::string, std::string> environment = {}) const {
    environment["FAKE_BENCH_LOG"] = log_path();
    return scratch_.tracker_with(environment, arguments);
  }
  // Two commits, each with its stored run.
  void store(const std::string& base, const std::string& candidate) const {
    for (const auto& speeds : {base, candidate}) {
      scratch_.commit_speeds(speeds);
      const auto run = tracker({"run", "--build"});
      ASSERT_EQ(run.exit_code, 0) << run.errors;
    }
  }
  // The starts of the binary in the worktrees: "a ^(…)$".
  std::vector<std::string> starts() const {
    std::vector<std::string> lines = split(read_file(log_path(), 1 << 20), '\n');
    const std::string folder = "/tracker/worktrees/";
    std::erase_if(lines, [&](const std::string& line) { return line.find(folder) == std::string::npos; });
    for (auto& line : lines) line.erase(0, line.find(folder) + folder.size());
    return lines;
  }

  Scratch scratch_;
};

nlohmann::json report_of(const ProcessResult& result) {
  return nlohmann::json::parse(result.output).at("reports").at(0);
}

nlohmann::json row(const ProcessResult& result, const std::string& benchmark) {
  const auto report = report_of(result);
  for (const auto& comparison : report.at("comparisons"))
    if (comparison.at("benchmark") == benchmark) return comparison;
  return {};
}

TEST_F(ConfirmCommand, ConfirmsARealSlowdown) {
  store(kConfirmFast, kConfirmSlow);
  const auto result = tracker({"compare", "HEAD~1", "--confirm", "--format", "json"});
  EXPECT_EQ(result.exit_code, 1) << result.errors;
  EXPECT_EQ(row(result, "copy/b").at("verdict"), "regressed");
  EXPECT_EQ(row(result, "copy/b").at("invocations"), nlohmann::json({12, 12}))
      << "the first look with ten pairs";
  EXPECT_THAT(result.errors, HasSubstr("interim analysis 1: 5 rounds of 1 benchmark"));
  EXPECT_THAT(result.errors,
              HasSubstr("interim analysis 3: 4 more rounds of the 1 benchmark still undecided"));
  EXPECT_THAT(result.errors, HasSubstr(" of the time budget left"));
  EXPECT_EQ(row(result, "copy/a").at("verdict"), "unchanged");
  EXPECT_EQ(row(result, "copy/a").at("invocations"), nlohmann::json({5, 5})) << "the stored ones";
  const auto effort = report_of(result).at("effort");
  EXPECT_EQ(effort.at("benchmarks"), 1);
  EXPECT_EQ(effort.at("rounds"), 12);
  EXPECT_GT(effort.at("measured_s"), 0);
}

TEST_F(ConfirmCommand, StartsOnlyWhatIsInDoubt) {
  store(kConfirmFast, kConfirmSlow);
  tracker({"compare", "HEAD~1", "--confirm"});
  EXPECT_THAT(starts(), SizeIs(2 * 12));
  EXPECT_THAT(starts(), Each(AllOf(HasSubstr("copy/b"), Not(HasSubstr("copy/a")), Not(HasSubstr("gemm/c")))));
}

TEST_F(ConfirmCommand, ClearsAFalseAlarm) {
  // The machine was slow while the candidate's run was measured: in starts six to ten.
  const std::string speeds = std::string(kConfirmFast) + "on 6 10 slower 2\n";
  store(speeds, speeds + "\n");  // not the same program: it may read this file
  const auto screened = tracker({"compare", "HEAD~1", "--format", "json"});
  EXPECT_EQ(screened.exit_code, 1) << "the stored runs alone say so";
  const auto result = tracker({"compare", "HEAD~1", "--confirm", "--strict", "--format", "json"});
  EXPECT_EQ(result.exit_code, 0) << result.output << result.errors;
  for (const char* name : {"copy/a", "copy/b", "gemm/c"})
    EXPECT_EQ(row(result, name).at("verdict"), "unchanged") << name;
}

TEST_F(ConfirmCommand, WhatItMeasuredIsRecordedAndSpeaksAgain) {
  store(kConfirmFast, kConfirmSlow);
  const auto first = tracker({"compare", "HEAD~1", "--confirm", "--format", "json"});
  const auto measured = starts();
  const auto stored = tracker({"compare", "HEAD~1", "--format", "json"});
  EXPECT_EQ(stored.exit_code, 1);
  EXPECT_EQ(report_of(stored).at("comparisons"), report_of(first).at("comparisons"));
  const auto again = tracker({"compare", "HEAD~1", "--confirm", "--format", "json"});
  EXPECT_EQ(again.exit_code, 1);
  EXPECT_THAT(again.errors, HasSubstr("nothing is re-measured"));
  EXPECT_EQ(starts(), measured);
  EXPECT_EQ(report_of(again).at("comparisons"), report_of(first).at("comparisons"));
}

TEST_F(ConfirmCommand, NothingInDoubtIsNotMeasured) {
  store(kConfirmFast, kConfirmFast);
  const auto result = tracker({"compare", "HEAD~1", "--confirm", "--format", "json"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(starts(), IsEmpty());
  EXPECT_THAT(result.errors, Not(HasSubstr("building")));
}

TEST_F(ConfirmCommand, WithoutStoredRunsEverythingIsInDoubt) {
  scratch_.commit_speeds(kConfirmFast);
  scratch_.commit_speeds(kConfirmSlow);
  const auto result = tracker({"compare", "HEAD~1", "--confirm", "--format", "json"});
  EXPECT_EQ(result.exit_code, 1) << result.errors;
  EXPECT_EQ(row(result, "copy/b").at("verdict"), "regressed");
  EXPECT_EQ(row(result, "copy/b").at("invocations"), nlohmann::json({12, 12}));
  EXPECT_EQ(row(result, "copy/a").at("verdict"), "unchanged");
  EXPECT_EQ(row(result, "copy/a").at("invocations"), nlohmann::json({5, 5})) << "decided at the first look";
  EXPECT_TRUE(report_of(result).at("interleaved"));
  EXPECT_EQ(tracker({"compare", "HEAD~1"}).exit_code, 1) << "the job is the whole suite's, and recorded";
}

TEST_F(ConfirmCommand, MeasuringEverythingFirstGoesOnWithTheUndecided) {
  store(kConfirmFast, kConfirmSlow);
  const auto result = tracker({"compare", "HEAD~1", "--measure", "--confirm", "-n", "6", "--format", "json"});
  EXPECT_EQ(result.exit_code, 1) << result.errors;
  EXPECT_EQ(row(result, "gemm/c").at("invocations"), nlohmann::json({6, 6}));
  EXPECT_EQ(row(result, "copy/b").at("invocations"), nlohmann::json({13, 13}));
}

TEST_F(ConfirmCommand, ATinyBudgetLeavesItInconclusive) {
  store(kConfirmFast, kConfirmSlow);
  const std::vector<std::string> tiny{"compare", "HEAD~1", "--confirm", "--time-budget", "0.0001s"};
  auto document = tiny;
  document.insert(document.end(), {"--format", "json"});
  const auto result = tracker(document);
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_EQ(row(result, "copy/b").at("verdict"), "inconclusive");
  EXPECT_THAT(row(result, "copy/b").at("reason").get<std::string>(), HasSubstr("of 0.0001s used"));
  auto strict = tiny;
  strict.emplace_back("--strict");
  EXPECT_EQ(tracker(strict).exit_code, 3);
  EXPECT_THAT(starts(), IsEmpty()) << "the stored runs tell that not even the first look fits";
}

TEST_F(ConfirmCommand, ABudgetEndsBetweenAnalyses) {
  // Without stored runs nothing tells what the first look will take.
  scratch_.commit_speeds(kConfirmFast);
  scratch_.commit_speeds(kConfirmSlow);
  const auto result =
      tracker({"compare", "HEAD~1", "--confirm", "--time-budget", "0.0001s", "--strict", "--format", "json"});
  EXPECT_EQ(result.exit_code, 3) << result.errors;
  EXPECT_THAT(starts(), SizeIs(2 * 5));
  EXPECT_EQ(row(result, "copy/a").at("verdict"), "unchanged");
  EXPECT_EQ(row(result, "copy/b").at("verdict"), "inconclusive");
  EXPECT_EQ(row(result, "copy/b").at("more_invocations"), 5);
  EXPECT_TRUE(report_of(result).at("effort").at("out_of_budget"));
}

TEST_F(ConfirmCommand, IsTheDefaultInCi) {
  store(kConfirmFast, kConfirmSlow);
  for (const char* variable : {"CI", "GITHUB_ACTIONS"}) {
    const auto result = tracker({"compare", "HEAD~1"}, {{variable, "true"}});
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.errors, HasSubstr("this is CI")) << variable;
  }
  EXPECT_THAT(starts(), SizeIs(2 * 12)) << "once: the second time nothing is in doubt";
}

TEST_F(ConfirmCommand, IsNotTheDefaultInCiWhereItCannotBeDone) {
  store(kConfirmFast, kConfirmSlow);
  const std::map<std::string, std::string> ci{{"CI", "true"}};
  EXPECT_THAT(tracker({"compare", "HEAD~1", "--no-confirm"}, ci).errors, IsEmpty()) << "not wanted";
  EXPECT_THAT(tracker({"compare", "HEAD~1"}, {{"CI", "false"}}).errors, IsEmpty());
  EXPECT_THAT(tracker({"compare", "HEAD~1"}, {}).errors, IsEmpty()) << "no CI";
  scratch_.commit_speeds(kConfirmSlow);
  EXPECT_EQ(tracker({"compare", "HEAD~1"}, ci).exit_code, 3) << "no run of the candidate on this machine";
  scratch_.write("tracker.toml", plain_config());
  EXPECT_THAT(tracker({"compare", "HEAD~2", "HEAD~1"}, ci).errors, IsEmpty()) << "nothing builds";
  EXPECT_THAT(starts(), IsEmpty());
}

TEST_F(ConfirmCommand, ABuildThatFailsIsNoReasonToJudgeNothingInCi) {
  store(kConfirmFast, kConfirmSlow);
  scratch_.write("tracker.toml",
                 "[measure]\nbuild = [[\"false\"]]\n[[binary]]\npath = \"out/bench\"\n[[policy]]\nmatch = "
                 "\"*\"\nthreshold = \"40%\"\n");
  const auto in_ci = tracker({"compare", "HEAD~1", "--config", "tracker.toml"}, {{"CI", "true"}});
  EXPECT_EQ(in_ci.exit_code, 1) << "what the stored runs say";
  EXPECT_THAT(in_ci.errors, HasSubstr("not confirmed: "));
  const auto asked = tracker({"compare", "HEAD~1", "--confirm", "--config", "tracker.toml"});
  EXPECT_EQ(asked.exit_code, 4);
}

TEST_F(ConfirmCommand, AgainstTheBaselineItBuildsTheCommitThatWasPromoted) {
  scratch_.commit_speeds(kConfirmFast);
  ASSERT_EQ(tracker({"run", "--build"}).exit_code, 0);
  const auto promoted = tracker({"baseline", "promote"});
  ASSERT_EQ(promoted.exit_code, 0) << promoted.errors;
  const std::string commit = scratch_.git({"rev-parse", "--short=7", "HEAD"});
  scratch_.commit_speeds(kConfirmSlow);
  ASSERT_EQ(tracker({"run", "--build"}).exit_code, 0);
  const auto result = tracker({"compare", "baseline", "--confirm", "--format", "json"});
  EXPECT_EQ(result.exit_code, 1) << result.errors;
  EXPECT_THAT(result.errors, HasSubstr("building baseline (" + commit + ")"));
  EXPECT_EQ(row(result, "copy/b").at("invocations"), nlohmann::json({12, 12}));
}

TEST_F(ConfirmCommand, AnotherMachinesRunsAreOnlyScreened) {
  store(kConfirmFast, kConfirmFast);
  const std::string other = std::string(TRACKER_H200_JOBS) + "/job1/r01-inject0.json";
  for (const char* commit : {"HEAD~1", "HEAD"})
    ASSERT_EQ(tracker({"record", other, "--gpu", "NVIDIA H200", "--commit", commit}).exit_code, 0);
  const auto result = tracker({"compare", "HEAD~1", "--confirm"});
  EXPECT_THAT(result.errors, HasSubstr("nothing is re-measured"));
  EXPECT_THAT(result.output, HasSubstr("14 inconclusive"));
  EXPECT_THAT(starts(), IsEmpty());
}

// A device in the binary's own words is this machine's where this host measured it.
TEST_F(ConfirmCommand, KnowsADeviceOfTheBinarysOwnByTheHost) {
  const std::string fast = "here\n" + with_device(kConfirmFast);
  const std::string slow = "here\n" + with_device(kConfirmSlow);
  store(fast, slow);
  const auto result = tracker({"compare", "HEAD~1", "--confirm", "--format", "json"});
  EXPECT_EQ(result.exit_code, 1) << result.errors;
  EXPECT_EQ(report_of(result).at("device"), "test-gpu");
  EXPECT_THAT(starts(), AllOf(SizeIs(2 * 12), Each(HasSubstr("copy/b"))));
}

TEST_F(ConfirmCommand, WithoutRunsOfThisMachineEverythingIsInDoubt) {
  store(with_device(kConfirmFast), with_device(kConfirmSlow));
  const auto result = tracker({"compare", "HEAD~1", "--confirm", "--format", "json"});
  EXPECT_EQ(result.exit_code, 1) << result.errors;
  EXPECT_THAT(starts(), SizeIs(2 * 12));
  EXPECT_THAT(starts().front(), Not(HasSubstr("copy/b"))) << "the whole suite";
  EXPECT_TRUE(report_of(result).at("interleaved"));
}

TEST_F(ConfirmCommand, MeasuresBothSidesOfARename) {
  scratch_.write("tracker.toml", read_file(scratch_.root() / "tracker.toml", 1 << 20) +
                                     "[[rename]]\nfrom = \"copy/b\"\nto = \"copy/renamed\"\n");
  store(kConfirmFast, "anonymous\ncopy/a 10000 0.001\ncopy/renamed 40000 0.001\ngemm/c 30000 0.001\n");
  const auto result = tracker({"compare", "HEAD~1", "--confirm", "--format", "json"});
  EXPECT_EQ(result.exit_code, 1) << result.errors;
  EXPECT_EQ(row(result, "copy/renamed").at("verdict"), "regressed") << result.output;
  EXPECT_EQ(row(result, "copy/renamed").at("invocations"), nlohmann::json({12, 12}));
  const auto stored = tracker({"compare", "HEAD~1", "--format", "json"});
  EXPECT_EQ(report_of(stored).at("comparisons"), report_of(result).at("comparisons"));
}

TEST_F(ConfirmCommand, MeasuresWhatAFloorIsAShareOf) {
  scratch_.write("tracker.toml", read_file(scratch_.root() / "tracker.toml", 1 << 20) +
                                     "[[policy]]\nmatch = \"copy/b\"\nfloor = \"40% of copy/a\"\n");
  store(kConfirmFast, kConfirmSlow);
  const auto result = tracker({"compare", "HEAD~1", "--confirm", "--format", "json"});
  EXPECT_EQ(result.exit_code, 1) << result.errors;
  EXPECT_TRUE(row(result, "copy/b").at("floor").at("broken")) << row(result, "copy/b");
  EXPECT_THAT(starts(), Each(AllOf(HasSubstr("copy/a"), HasSubstr("copy/b"), Not(HasSubstr("gemm/c")))));
}

TEST_F(ConfirmCommand, ACrashWhileConfirmingKeepsWhatIsKnown) {
  // Ten starts were the stored runs'; the fourth of the confirmation crashes, and so does the rest.
  store(kConfirmFast, std::string(kConfirmSlow) + "on 14 999 crash 1\n");
  const auto result = tracker({"compare", "HEAD~1", "--confirm", "--format", "json"});
  EXPECT_THAT(result.errors, HasSubstr("; it was not started again"));
  EXPECT_EQ(row(result, "copy/b").at("verdict"), "inconclusive");
  EXPECT_THAT(row(result, "copy/b").at("reason").get<std::string>(), HasSubstr("gave no"));
  EXPECT_EQ(row(result, "copy/a").at("verdict"), "unchanged");
}

TEST_F(ConfirmCommand, ASideThatCrashesFromTheFirstRoundCostsNotTheOther) {
  store(kConfirmFast, std::string(kConfirmSlow) + "on 11 999 crash 1\n");
  const auto stored = [&] {
    return split(scratch_.git({"ls-tree", "-r", "--name-only", "refs/tracker/v1"}), '\n').size();
  };
  const auto before = stored();
  const auto result = tracker({"compare", "HEAD~1", "--confirm"});
  EXPECT_EQ(result.exit_code, 4) << result.output << result.errors;
  EXPECT_THAT(result.errors, HasSubstr("; what was measured at HEAD~1"));
  EXPECT_EQ(stored(), before + 1);
}

TEST_F(ConfirmCommand, CtrlCRecordsNothing) {
  store(kConfirmFast, kConfirmSlow);
  const auto before = scratch_.git({"rev-parse", "refs/tracker/v1"});
  scratch_.git({"checkout", "-q", "HEAD~1"});
  scratch_.commit_speeds(std::string(kConfirmSlow) + "hang\n");
  const std::string script = "\"$0\" compare " + scratch_.git({"rev-parse", "main"}) +
                             " --confirm & tracker=$!; while ! test -d .git/tracker/spool; do :; done; "
                             "while test -z \"$(ls .git/tracker/spool)\"; do :; done; kill -INT $tracker; "
                             "wait $tracker; echo \"code $?\"";
  ProcessSpec spec;
  spec.argv = {"bash", "-mc", script, TRACKER_BINARY};
  spec.directory = scratch_.root();
  spec.without_environment = {"CI", "GITHUB_ACTIONS"};
  spec.timeout = std::chrono::minutes(1);
  const auto result = run_process(spec);
  EXPECT_THAT(result.output, HasSubstr("code 130"));
  EXPECT_THAT(result.errors, HasSubstr("interrupted; nothing was recorded"));
  EXPECT_EQ(scratch_.git({"rev-parse", "refs/tracker/v1"}), before);
}

struct BadUse {
  const char* name;
  std::vector<std::string> arguments;
  const char* message;
};

class ConfirmUsage : public testing::TestWithParam<BadUse> {};

TEST_P(ConfirmUsage, IsRefused) {
  const Scratch scratch;
  scratch.commit_speeds(kConfirmFast);
  auto arguments = GetParam().arguments;
  arguments.insert(arguments.begin(), {"compare", "HEAD"});
  const auto result = scratch.tracker(arguments);
  EXPECT_EQ(result.exit_code, 2) << result.errors;
  EXPECT_THAT(result.errors, HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    ConfirmCommand, ConfirmUsage,
    testing::Values(BadUse{"Both", {"--confirm", "--no-confirm"}, "excludes"},
                    BadUse{"NoLength", {"--confirm", "--time-budget", "soon"}, "'soon' is no length of time"},
                    BadUse{"NoUnit", {"--confirm", "--time-budget", "10"}, "like 90s, 10m or 1h"},
                    BadUse{"AFile",
                           {TRACKER_H200_JOBS "/job1/r01-inject0.json", "--gpu", "NVIDIA H200", "--confirm"},
                           "builds both sides"},
                    BadUse{
                        "TheBaselineAsCandidate", {"--confirm", "baseline"}, "needs a commit as candidate"},
                    BadUse{"NothingBuilds", {"--confirm"}, "tracker.toml names no build commands"}),
    [](const auto& use) { return use.param.name; });

}  // namespace
}  // namespace tracker::e2e

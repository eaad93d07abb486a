#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/scratch.hpp"

namespace tracker::e2e {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

TEST(DoctorCommand, AFitRepositoryPasses) {
  const Scratch scratch;
  scratch.commit_speeds("x 100 0.01\n");
  const auto result = scratch.tracker({"doctor"});
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_THAT(result.output, ContainsRegex("ok +repository +HEAD is [0-9a-f]{7} Set speeds"));
  EXPECT_THAT(result.output, HasSubstr("refs/tracker/v1, 0 runs"));
}

TEST(DoctorCommand, SaysWhatToFix) {
  const Scratch scratch;
  scratch.write("tracker.toml", "[[binary]]\npath = \"out/bench\"\n");
  scratch.commit_speeds("x 100 0.01\n");
  const auto result = scratch.tracker({"doctor"});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.output, ContainsRegex("FAIL +binaries +no benchmark binary 'out/bench'"));
  EXPECT_THAT(result.output, HasSubstr("fix: build it first"));
}

TEST(DoctorCommand, NamesASentinelThatIsNotThere) {
  const Scratch scratch;
  scratch.write("tracker.toml", "[sentinel]\ncommit = \"v9.9\"\n");
  scratch.commit_speeds("x 100 0.01\n");
  const auto result = scratch.tracker({"doctor"});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.output, ContainsRegex("FAIL +repository +.*\\[sentinel\\].*\n +fix: "));
}

// What keeps strangers' pull requests off a runner is a setting that only a person can see to.
TEST(DoctorCommand, RemindsOfTheSettingThatGuardsRunners) {
  const Scratch scratch;
  scratch.write(".github/workflows/ci.yml", "jobs: {a: {runs-on: ubuntu-24.04}}  # not self-hosted\n");
  scratch.commit_speeds("x 100 0.01\n");
  EXPECT_THAT(scratch.tracker({"doctor"}).output,
              ContainsRegex("ok +runners +no workflow names a self-hosted one"));
  scratch.write(".github/workflows/perf.yml", "jobs: {a: {runs-on: [self-hosted, gpu]}}\n");
  const auto result = scratch.tracker({"doctor"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.output, ContainsRegex("warn +runners +workflows name self-hosted ones"));
  EXPECT_THAT(result.output, HasSubstr("require approval for all external contributors"));
}

TEST(DoctorCommand, WhatTrackerWillBuildMayBeMissing) {
  const Scratch scratch;
  scratch.write("tracker.toml", "[measure]\nbuild = [[\"make\"]]\n[[binary]]\npath = \"out/bench\"\n");
  scratch.commit_speeds("x 100 0.01\n");
  const auto result = scratch.tracker({"doctor"});
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_THAT(result.output,
              ContainsRegex("warn +binaries +not built yet: out/bench\n +fix: tracker run --build"));
}

TEST(DoctorCommand, LooksAtTheNamedBinariesInstead) {
  const Scratch scratch;
  scratch.commit_speeds("x 100 0.01\n");
  const auto result = scratch.tracker({"doctor", "--", "./missing"});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.output, ContainsRegex("FAIL +binaries +no benchmark binary '.*missing' in"));
}

TEST(CommandLine, SuggestsTheCommandThatWasMeant) {
  const Scratch scratch;
  const auto result = scratch.tracker({"comapre", "HEAD~1"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.errors, "tracker: error: no command 'comapre'\n  next: did you mean 'compare'?\n");
  EXPECT_EQ(scratch.tracker({"github", "evnet"}).errors,
            "tracker: error: no command 'evnet'\n  next: did you mean 'event'?\n");
}

TEST(CommandLine, SuggestsTheOptionThatWasMeant) {
  const Scratch scratch;
  const auto said = [&](const std::vector<std::string>& words) {
    const auto result = scratch.tracker(words);
    EXPECT_EQ(result.exit_code, 2);
    return result.errors;
  };
  const std::string confirm =
      "tracker: error: no option '--confrim' of tracker compare\n  next: did you mean '--confirm'?\n";
  EXPECT_EQ(said({"compare", "HEAD~1", "--confrim"}), confirm);
  // Not that the base is missing, which is the lesser slip.
  EXPECT_EQ(said({"compare", "--confrim"}), confirm);
  EXPECT_EQ(
      said({"compare", "HEAD~1", "--treshold=3%"}),
      "tracker: error: no option '--treshold' of tracker compare\n  next: did you mean '--threshold'?\n");
  EXPECT_EQ(said({"github", "comment", "a.md", "--frobnicate"}),
            "tracker: error: no option '--frobnicate' of tracker github comment\n"
            "  next: tracker github comment --help\n");
  // As run and compare have it.
  for (const std::string command : {"bisect", "log", "plot"})
    EXPECT_EQ(said({command, "HEAD~1", "HEAD", "--filter", "sort"}),
              "tracker: error: no option '--filter' of tracker " + command +
                  "\n  next: it takes patterns of names, without an option: 'sort/*'\n");
  // What follows -- is not the command line's own.
  EXPECT_THAT(said({"run", "--invocations", "0", "--", "./a_bench", "--confrim"}),
              AllOf(StartsWith("tracker: error: --invocations: Value 0 not in range "),
                    EndsWith("\n  next: tracker run --help\n")));
}

TEST(CommandLine, UsageErrorsAnswerTwo) {
  const Scratch scratch;
  for (const auto& words : std::vector<std::vector<std::string>>{{"compare"},
                                                                 {"compare", "HEAD", "--format", "pdf"},
                                                                 {"run", "-n", "0"},
                                                                 {"run", "--nonsense"},
                                                                 {"record"}}) {
    const auto result = scratch.tracker(words);
    EXPECT_EQ(result.exit_code, 2) << testing::PrintToString(words) << result.errors;
    EXPECT_THAT(result.errors, HasSubstr("--help"));
  }
}

TEST(CommandLine, AWordOfAListHasANearOne) {
  const Scratch scratch;
  for (const auto& [words, meant] :
       {std::pair<std::vector<std::string>, std::string>{{"top", "--format", "jsn"}, "json"},
        {{"list", "devics"}, "devices"},
        {{"compare", "HEAD", "--format", "markdwon"}, "markdown"},
        {{"run", "--format", "cvs"}, "csv"}}) {
    const auto result = scratch.tracker(words);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.errors, HasSubstr("did you mean '" + meant + "'?"));
  }
}

TEST(Status, AFirstCommitHasNothingToBeComparedWith) {
  const Scratch scratch;
  scratch.write("tracker.toml", building_config());
  scratch.commit_speeds("copy/a 10000 0.001\n");
  EXPECT_THAT(scratch.tracker({}).output, testing::Not(HasSubstr("HEAD~1")));
  scratch.commit_speeds("copy/a 20000 0.001\n");
  EXPECT_THAT(scratch.tracker({}).output, HasSubstr("tracker compare HEAD~1 --confirm"));
}

// What others recorded lies at the origin: a fresh clone fetches it before it measures or sets up anything.
TEST(Status, AFreshCloneIsToldToFetch) {
  const Scratch scratch;
  scratch.commit_speeds("copy/a 10000 0.001\n");
  EXPECT_THAT(scratch.tracker({}).output, testing::Not(HasSubstr("tracker sync --fetch")));
  scratch.git({"remote", "add", "origin", "https://example.org/o/r.git"});
  EXPECT_THAT(scratch.tracker({}).output, HasSubstr("next:\n  tracker sync --fetch  "));
  EXPECT_THAT(scratch.tracker({"top"}).errors,
              HasSubstr("next: fetch what is recorded elsewhere: tracker sync --fetch; or measure"));
  ASSERT_EQ(scratch.tracker({"run", "-n", "1"}).exit_code, 0);
  EXPECT_THAT(scratch.tracker({}).output, testing::Not(HasSubstr("tracker sync --fetch")));
}

TEST(CommandLine, HelpAndVersionAnswerZero) {
  const Scratch scratch;
  EXPECT_THAT(scratch.tracker({"--help"}).output, HasSubstr("doctor"));
  EXPECT_EQ(scratch.tracker({"compare", "--help"}).exit_code, 0);
  EXPECT_EQ(scratch.tracker({"help"}).output, scratch.tracker({"--help"}).output);
  EXPECT_EQ(scratch.tracker({"help", "compare"}).output, scratch.tracker({"compare", "--help"}).output);
  EXPECT_EQ(scratch.tracker({"help", "nothing"}).exit_code, 2);
  const auto outside = scratch.tracker({"-C", "/"});
  EXPECT_EQ(outside.exit_code, 0) << "no repository holds that folder";
  EXPECT_EQ(outside.output, scratch.tracker({"--help"}).output);
  for (const char* group : {"Begin:", "Measure:", "Did it get slower:", "Which commit, and why:", "Show it:"})
    EXPECT_THAT(outside.output, HasSubstr(group));
  EXPECT_THAT(scratch.tracker({"--version"}).output, ContainsRegex("^tracker [0-9]+\\.[0-9]+\\.[0-9]+"));
}

}  // namespace
}  // namespace tracker::e2e

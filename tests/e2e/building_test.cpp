// What `compare --measure` builds, what of an older build it keeps, and what it says of a build that fails.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/scratch.hpp"
#include "tracker/base/text.hpp"

namespace tracker::e2e {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

// A project whose benchmarks are built by make: what they measure comes from the Makefile's variable N, by
// way of speeds.txt, which stands where an object file would. As with object files, make knows nothing of N.
std::string makefile(const std::string& n, bool second_binary = true) {
  const auto rules = [&](const std::string& folder) {
    return folder + "/bench: " + folder +
           "/speeds.txt\n\tprintf '#!/bin/sh\\ncd \"$$(dirname \"$$0\")\" && exec " FAKE_BENCH
           " \"$$@\"\\n' > $@\n\tchmod +x $@\n" +
           folder + "/speeds.txt: bench.in\n\tmkdir -p " + folder + "\n\techo " + folder +
           "/x/8 $(N) 0.001 > $@\n";
  };
  return "N = " + n + "\nall: d1/bench" + (second_binary ? " d2/bench" : "") + "\n" + rules("d1") +
         (second_binary ? rules("d2") : "");
}

std::string make_config(const std::string& more = "") {
  return "[measure]\ninvocations = 5\nrepetitions = 3\nbuild = [[\"make\"]]\n" + more +
         "[[binary]]\npath = \"d1/bench\"\n[[binary]]\npath = \"d2/bench\"\n[[policy]]\nmatch = "
         "\"*\"\nthreshold = "
         "\"3%\"\n";
}

struct MakeProject {
  Scratch scratch;

  explicit MakeProject(const std::string& more = "") {
    scratch.write(".gitignore", "/d1/\n/d2/\n");
    scratch.write("bench.in", "");
    scratch.write("tracker.toml", make_config(more));
    commit(makefile("20000"));
  }
  void commit(const std::string& text) const {
    scratch.write("Makefile", text);
    scratch.git({"add", "-A"});
    scratch.git({"commit", "-q", "--allow-empty", "-m", "Change the Makefile"});
  }
  ProcessResult compare(const std::vector<std::string>& more = {},
                        const std::map<std::string, std::string>& environment = {}) const {
    std::vector<std::string> words{"compare", "HEAD~1", "--measure", "--all"};
    words.insert(words.end(), more.begin(), more.end());
    return scratch.tracker_with(environment, words);
  }
  fs::path worktree(const std::string& name) const {
    return scratch.root() / ".git" / "tracker" / "worktrees" / name;
  }
};

// Before, make found nothing to do on either side, and what the comparison before had built was judged again.
TEST(Building, FlagsThatMakeDoesNotTrackAreBuiltAnew) {
  const MakeProject project;
  project.commit(makefile("40000"));
  const auto slower = project.compare();
  EXPECT_EQ(slower.exit_code, 1) << slower.errors;
  project.commit(makefile("40001"));
  const auto result = project.compare();
  EXPECT_EQ(result.exit_code, 0) << result.output << result.errors;
  EXPECT_THAT(result.output, AllOf(HasSubstr("2 unchanged"), ContainsRegex("(39.9|40.0)[0-9] µs")));
}

TEST(Building, ABinaryWhoseRuleIsGoneIsMissing) {
  const MakeProject project;
  project.commit(makefile("20000"));
  ASSERT_EQ(project.compare().exit_code, 0);
  project.commit(makefile("40000", false));
  const auto result = project.compare();
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.errors, HasSubstr("'d2/bench' was not made by the build of HEAD ("));
  EXPECT_THAT(result.output, AllOf(HasSubstr("− missing       d2/x/8"), HasSubstr("1 regressed, 1 missing")));
}

TEST(Building, ABuildThatMakesNothingIsRefusedByName) {
  const MakeProject project;
  project.commit("all:\n");
  const auto result = project.compare();
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.errors,
              AllOf(HasSubstr("the build of HEAD ("),
                    HasSubstr(") did not make what is to be measured: 'd1/bench', 'd2/bench'")));
}

TEST(Building, WhatCannotStartIsToldBeforeTheOtherSideIsBuilt) {
  const MakeProject project;
  project.commit(
      "all:\n\tmkdir -p d1 d2\n\tprintf '#!/bin/sh\\necho libgone.so: not found >&2\\nexit 127\\n' "
      "| tee d1/bench > d2/bench\n\tchmod +x d1/bench d2/bench\n");
  project.commit(makefile("20001"));
  const auto result = project.compare();
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.errors, AllOf(HasSubstr("bench' at HEAD~1 ("),
                                   HasSubstr("cannot be started: exited with 127: libgone.so: not found"),
                                   HasSubstr("building HEAD~1"), Not(HasSubstr("building HEAD ("))));
}

// A machine either has a GPU or has none.
TEST(Building, NothingIsBuiltForAMachineThatMeasuresNoneOfIt) {
  const Scratch scratch;
  scratch.commit_speeds("x 100 0.01\n");
  std::vector<ProcessResult> results;
  for (const std::string when : {"gpu", "no-gpu"}) {
    scratch.write(
        "tracker.toml",
        "[measure]\nbuild = [[\"false\"]]\n[[binary]]\npath = \"bench\"\nwhen = \"" + when + "\"\n");
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{"compare", "HEAD", "--worktree"}, {"run", "--build"}}) {
      auto result = scratch.tracker(command);
      if (result.exit_code == 2) results.push_back(std::move(result));
    }
  }
  ASSERT_EQ(results.size(), 2u);
  for (const auto& result : results) {
    EXPECT_THAT(result.errors, AllOf(HasSubstr("every binary in tracker.toml is for a machine with"),
                                     HasSubstr("next: "), Not(HasSubstr("building"))));
  }
}

TEST(Building, AFileThatGitTracksIsNeverRemoved) {
  const MakeProject project;
  project.scratch.git({"add", "--force", "Makefile"});
  project.scratch.write("tracker.toml", make_config() + "[[binary]]\npath = \"bench.sh\"\n");
  project.scratch.write("bench.sh",
                        "#!/bin/sh\nprintf 't/y/8 1000 0.001\\n' > speeds.txt\nexec " FAKE_BENCH " \"$@\"\n");
  fs::permissions(project.scratch.root() / "bench.sh", fs::perms::owner_all);
  project.commit(makefile("20000"));
  project.commit(makefile("20001"));
  const auto result = project.compare();
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("t/y/8"));
}

TEST(Building, WhatACommitBuiltIsUsedAgain) {
  const MakeProject project;
  project.commit(makefile("20001"));
  ASSERT_EQ(project.compare().exit_code, 0);
  write_file(project.worktree("b") / "d1" / "kept", "");
  project.commit(makefile("20002"));
  ASSERT_EQ(project.compare().exit_code, 0);
  EXPECT_TRUE(fs::exists(project.worktree("b") / "d1" / "kept")) << "the base has its build from before";
  // Another compiler is another build.
  ASSERT_EQ(project.compare({}, {{"CXX", "another"}}).exit_code, 0);
  EXPECT_FALSE(fs::exists(project.worktree("b") / "d1" / "kept"));
}

TEST(Building, CleanBuildsFromNothingEachTime) {
  const MakeProject project("clean = true\n");
  project.commit(makefile("20001"));
  ASSERT_EQ(project.compare().exit_code, 0);
  write_file(project.worktree("b") / "d1" / "kept", "");
  ASSERT_EQ(project.compare().exit_code, 0);
  EXPECT_FALSE(fs::exists(project.worktree("b") / "d1" / "kept"));
}

TEST(Building, NothingButBinariesIsRemovedWhereTheUserSaysSo) {
  const MakeProject project("clean = false\n");
  project.commit(makefile("20001"));
  ASSERT_EQ(project.compare().exit_code, 0);
  write_file(project.worktree("b") / "d1" / "kept", "");
  write_file(project.worktree("b") / "d2" / "bench", "stale");
  project.commit(makefile("20002"));
  ASSERT_EQ(project.compare({}).exit_code, 0);
  EXPECT_TRUE(fs::exists(project.worktree("b") / "d1" / "kept"));
}

TEST(Building, SoManyCommitsKeepTheirBuilds) {
  const MakeProject project("worktrees = 3\n");
  for (const char* n : {"20001", "20002"}) {
    project.commit(makefile(n));
    ASSERT_EQ(project.compare().exit_code, 0);
  }
  for (const char* name : {"a", "b", "c"}) write_file(project.worktree(name) / "d1" / "kept", "");
  const auto result = project.scratch.tracker({"compare", "HEAD~2", "HEAD", "--measure"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  for (const char* name : {"a", "b", "c"}) EXPECT_TRUE(fs::exists(project.worktree(name) / "d1" / "kept"));
  project.commit(makefile("20003"));
  ASSERT_EQ(project.compare().exit_code, 0);
  int kept = 0;
  for (const char* name : {"a", "b", "c"}) kept += fs::exists(project.worktree(name) / "d1" / "kept") ? 1 : 0;
  EXPECT_EQ(kept, 2) << "the one built longest ago gives way";
}

// A pull request's build that puts another binary, of a newer date, into the worktree of the other side.
TEST(Building, InCiNothingOfAnEarlierBuildIsLeft) {
  const MakeProject project;
  project.commit(makefile("20001"));
  const std::map<std::string, std::string> ci{{"CI", "true"}};
  ASSERT_EQ(project.compare({"--no-confirm"}, ci).exit_code, 0);
  for (const char* name : {"a", "b"}) write_file(project.worktree(name) / "d1" / "planted", "");
  write_file(project.worktree("b") / "d1" / "speeds.txt", "d1/x/8 7000 0.001\n");
  const auto result = project.compare({"--no-confirm"}, ci);
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.output, HasSubstr("2 unchanged"));
  for (const char* name : {"a", "b"}) EXPECT_FALSE(fs::exists(project.worktree(name) / "d1" / "planted"));
}

TEST(Building, AFailureShowsItsEndAndNamesItsLog) {
  const MakeProject project;
  project.commit(
      "all:\n\t@for i in 1 2 3 4 5 6 7 8 9; do echo line $$i; echo line $$i >&2; done\n\t@i=100; while "
      "[ $$i -lt 130 ]; do echo line $$i; i=$$((i+1)); done; false\n");
  const auto result = project.compare();
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.errors, AllOf(HasSubstr("building HEAD ("), HasSubstr("failed: 'make' exited with 2"),
                                   HasSubstr("line 129"), Not(HasSubstr("line 109\n"))));
  const auto log = project.scratch.root() / ".git" / "tracker" / "build-logs" / "b.log";
  EXPECT_THAT(result.errors, HasSubstr("all it printed: " + log.string()));
  EXPECT_THAT(read_file(log, 1 << 20), AllOf(HasSubstr("line 1\n"), HasSubstr("line 129\n")));
}

TEST(Building, ATimeOutNamesItsLimitAndItsKey) {
  const MakeProject project("build_timeout_s = 0.2\n");
  project.scratch.write("Makefile", "all:\n\tsleep 100\n");
  const auto result = project.scratch.tracker({"run", "--build"});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.errors, HasSubstr("building the working tree failed: 'make' took longer than "
                                       "measure.build_timeout_s = 0.2 and was stopped"));
}

TEST(Building, RunBuildNeedsBuildCommands) {
  const Scratch scratch;
  scratch.commit_speeds("a/b/8 1000 0.001\n");
  const auto result = scratch.tracker({"run", "--build"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.errors, AllOf(HasSubstr("tracker.toml names no build commands, and --build needs them"),
                                   HasSubstr("measure.build")));
}

TEST(Building, NoTokenReachesABuildOrABinary) {
  const MakeProject project;
  project.scratch.write("tracker.toml", make_config() + "[[binary]]\npath = \"leak.sh\"\n");
  const std::string seen = (project.scratch.folder() / "seen").string();
  project.scratch.write("leak.sh", "#!/bin/sh\nenv >> " + seen + "\nexec d1/bench \"$@\"\n");
  fs::permissions(project.scratch.root() / "leak.sh", fs::perms::owner_all);
  project.commit("seen := $(shell env >> " + seen + ")\n" + makefile("20000"));
  std::map<std::string, std::string> secrets{{"HARMLESS", "seen-it"}};
  for (const auto name : token_variables())  // tracker itself reads the store's
    secrets[std::string(name)] = name == "TRACKER_STORE_URL" ? "refs/tracker/s3cret" : "s3cret";
  project.scratch.tracker_with(secrets, {"run", "--build", "-n", "1"});
  EXPECT_THAT(read_file(seen, 1 << 20), AllOf(HasSubstr("seen-it"), Not(HasSubstr("s3cret"))));
}

struct WorkingTree : testing::Test {
  Scratch scratch;
  WorkingTree() {
    scratch.write("tracker.toml", building_config());
    scratch.commit_speeds("a/b/8 10000 0.001\n");
  }
};

TEST_F(WorkingTree, IsMeasuredAgainstItsCommit) {
  scratch.write("speeds.txt", "a/b/8 15000 0.001\n");
  const auto result = scratch.tracker({"compare", "HEAD", "--worktree"});
  EXPECT_EQ(result.exit_code, 1) << result.errors;
  EXPECT_THAT(result.errors, AllOf(HasSubstr("building HEAD ("), HasSubstr("building the working tree")));
  EXPECT_THAT(result.output,
              AllOf(HasSubstr("the working tree"), HasSubstr("✗ regressed"), HasSubstr("side by side")));
  EXPECT_EQ(scratch.git({"diff", "--name-only"}), "speeds.txt");
}

TEST_F(WorkingTree, IsNeverRecordedAsItsCommit) {
  scratch.write("speeds.txt", "a/b/8 15000 0.001\n");
  scratch.tracker({"compare", "HEAD", "--worktree"});
  scratch.tracker({"compare", "HEAD", "--worktree"});
  const auto same = scratch.tracker({"compare", "HEAD", "HEAD", "--all"});
  EXPECT_EQ(same.exit_code, 0) << same.output;
  EXPECT_THAT(same.output, Not(HasSubstr("15.0")));
  const auto dirty = split(scratch.git({"grep", "-l", "\"dirty\": true", "refs/tracker/v1"}), '\n');
  EXPECT_EQ(dirty.size(), 2u) << "of four runs that are stored";
}

TEST_F(WorkingTree, WithoutAChangeIsUnchanged) {
  const auto result = scratch.tracker({"compare", "HEAD", "--worktree", "-n", "3", "--format", "markdown"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr(" --worktree -n 3`"));
}

TEST_F(WorkingTree, IsWhatHeadAgainstItselfMeans) {
  scratch.write("speeds.txt", "a/b/8 15000 0.001\n");
  const auto result = scratch.tracker({"compare", "HEAD", "--measure"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.errors, AllOf(HasSubstr("both sides are the commit HEAD"),
                                   HasSubstr("tracker compare HEAD --worktree")));
  EXPECT_EQ(scratch.tracker({"compare", "HEAD", "HEAD", "--measure", "-n", "2"}).exit_code, 0);
}

TEST_F(WorkingTree, TakesNoOtherCandidate) {
  const auto named = scratch.tracker({"compare", "HEAD", "HEAD", "--worktree"});
  EXPECT_EQ(named.exit_code, 2);
  EXPECT_THAT(named.errors, AllOf(HasSubstr("name the base alone"), HasSubstr("named by --filter")));
  EXPECT_EQ(scratch.tracker({"compare", "HEAD", "--worktree", "--measure"}).exit_code, 2);
  EXPECT_THAT(scratch.tracker({"compare", "baseline", "--worktree"}).errors,
              HasSubstr("--worktree needs a commit on each side"));
}

}  // namespace
}  // namespace tracker::e2e

// tracker compare of commits that leave the program as it is: nothing is measured for them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/e2e/scratch.hpp"
#include "tracker/base/text.hpp"

namespace tracker::e2e {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

// A benchmark binary that is compiled, as small as one can be: two benchmarks, whose times are in speed.c.
// Its starts are lines of the file that BENCH_LOG names.
constexpr char kBench[] = R"(
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
double speed(void);
static const char* value(const char* word, const char* name) {
  return strncmp(word, name, strlen(name)) == 0 ? word + strlen(name) : NULL;
}
int main(int argc, char** argv) {
  const char* out = NULL;
  const char* filter = "";
  int repetitions = 1;
  const char* names[] = {"copy/a", "copy/b"};
  for (int i = 1; i < argc; ++i) {
    const char* found = NULL;
    if (strcmp(argv[i], "--benchmark_list_tests=true") == 0) {
      puts("copy/a\ncopy/b");
      return 0;
    }
    if (strcmp(argv[i], "--help") == 0) {
      puts("--benchmark_enable_random_interleaving --benchmark_min_warmup_time --benchmark_context");
      return 0;
    }
    if ((found = value(argv[i], "--benchmark_out="))) out = found;
    if ((found = value(argv[i], "--benchmark_filter="))) filter = found;
    if ((found = value(argv[i], "--benchmark_repetitions="))) repetitions = atoi(found);
  }
  if (getenv("BENCH_LOG") != NULL) {
    FILE* log = fopen(getenv("BENCH_LOG"), "a");
    fprintf(log, "%s\n", filter);
    fclose(log);
  }
  FILE* file = fopen(out, "w");
  fprintf(file, "{\"context\": {\"date\": \"2026-01-01T00:00:00+00:00\"}, \"benchmarks\": [");
  int rows = 0;
  for (int n = 0; n < 2; ++n) {
    if (filter[0] != 0 && strstr(filter, names[n]) == NULL) continue;
    for (int r = 0; r < repetitions; ++r) {
      const double time = speed() * (1 + 0.0001 * ((getpid() * 7 + r) % 5));
      fprintf(file, "%s{\"name\": \"%s\", \"run_name\": \"%s\", \"run_type\": \"iteration\", "
              "\"repetition_index\": %d, \"threads\": 1, \"iterations\": 10, \"real_time\": %f, "
              "\"cpu_time\": %f, \"time_unit\": \"ns\"}", rows++ ? "," : "", names[n], names[n], r, time, time);
    }
  }
  fprintf(file, "]}\n");
  return fclose(file);
}
)";

constexpr char kConfig[] =
    "[measure]\ninvocations = 5\nrepetitions = 3\nbuild = [[\"mkdir\", \"-p\", \"out\"], [\"" C_COMPILER
    "\", \"-O1\", \"-g\", \"-shared\", \"-fPIC\", \"speed.c\", \"-o\", \"out/libspeed.so\"], [\"" C_COMPILER
    "\", \"-O1\", \"-g\", \"bench.c\", \"-Lout\", \"-lspeed\", \"-Wl,-rpath,$ORIGIN\", \"-o\", "
    "\"out/bench\"]]\n"
    "[[binary]]\npath = \"out/bench\"\ndevice = \"cpu\"\n[[policy]]\nmatch = \"*\"\nthreshold = \"40%\"\n";

class SameProgramCommand : public testing::Test {
 protected:
  SameProgramCommand() {
    scratch_.write("tracker.toml", kConfig);
    scratch_.write("bench.c", kBench);
    set_speed(1000);
    commit("First");
  }

  void set_speed(int time_ns) const {
    scratch_.write("speed.c", "double speed(void) { return " + std::to_string(time_ns) + "; }\n");
  }
  void commit(const std::string& subject) const {
    scratch_.git({"add", "-A"});
    scratch_.git({"commit", "-q", "--allow-empty", "-m", subject});
  }
  void commit_workflow() const {
    scratch_.write(".github/workflows/ci.yml", "on: push\n");
    commit("Change a workflow");
  }
  void add_policy(const std::string& text) const { scratch_.write("tracker.toml", kConfig + text); }
  ProcessResult tracker(const std::vector<std::string>& arguments) const {
    return scratch_.tracker_with({{"BENCH_LOG", log()}}, arguments);
  }
  std::string log() const { return (scratch_.folder() / "starts").string(); }
  // The filters of the starts that measured something.
  std::vector<std::string> starts() const {
    std::error_code ignored;
    if (!std::filesystem::exists(log(), ignored)) return {};
    auto lines = split(read_file(log(), 1 << 20), '\n');
    lines.pop_back();
    return lines;
  }
  static nlohmann::json report_of(const ProcessResult& result) {
    return nlohmann::json::parse(result.output).at("reports").at(0);
  }

  Scratch scratch_;
};

// So that a history knows later what did not change.
TEST_F(SameProgramCommand, ARunSaysWhichProgramItMeasured) {
  const auto program_of_head = [&] {
    const auto run = tracker({"run", "--build"});
    EXPECT_EQ(run.exit_code, 0) << run.errors;
    const auto out = scratch_.folder() / ("exported-" + scratch_.git({"rev-parse", "HEAD"}));
    EXPECT_EQ(tracker({"export", "--out", out.string()}).exit_code, 0);
    for (const auto& file : std::filesystem::recursive_directory_iterator(out)) {
      if (!file.is_regular_file()) continue;
      const auto document = nlohmann::json::parse(read_file(file.path(), 1 << 20));
      if (document.contains("programs"))
        return document.at("programs").begin()->at("whole").get<std::string>();
    }
    return std::string("no program");
  };
  const std::string first = program_of_head();
  EXPECT_EQ(first.size(), 16U) << first;
  commit_workflow();
  EXPECT_EQ(program_of_head(), first);
  set_speed(2000);
  commit("Change the program");
  EXPECT_NE(program_of_head(), first);
}

// As those of nvbench.
TEST_F(SameProgramCommand, ABinaryThatCannotListHasTheBenchmarksOfItsRuns) {
  std::string bench = kBench;
  const std::string lists = "puts(\"copy/a\\ncopy/b\");\n      return 0;";
  bench.replace(bench.find(lists), lists.size(), "return 1;");
  scratch_.write("bench.c", bench);
  commit("List nothing");
  ASSERT_EQ(tracker({"run", "--build"}).exit_code, 0);
  commit_workflow();
  const auto before = starts().size();
  const auto result = tracker({"compare", "HEAD~1", "--measure", "--format", "json"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(starts(), SizeIs(before)) << "nothing is measured";
  EXPECT_THAT(result.errors, HasSubstr("2 benchmarks are not measured: the same code on both sides"));
}

TEST_F(SameProgramCommand, AWorkflowOnlyCommitIsUnchangedWithoutMeasuring) {
  commit_workflow();
  const auto result = tracker({"compare", "HEAD~1", "--measure"});
  EXPECT_EQ(result.exit_code, 0) << result.output << result.errors;
  EXPECT_THAT(starts(), IsEmpty());
  EXPECT_THAT(result.output, HasSubstr("2 unchanged without measuring: same code"));
  EXPECT_THAT(result.output, HasSubstr("nothing was measured: both sides are the same program"));
  EXPECT_THAT(result.output, Not(HasSubstr("confidence"))) << "there is no interval";
  EXPECT_THAT(result.output, Not(HasSubstr("saved"))) << "nothing stored tells how long it would have taken";
}

TEST_F(SameProgramCommand, ItHasNoFigures) {
  commit_workflow();
  const auto report = report_of(tracker({"compare", "HEAD~1", "--measure", "--format", "json"}));
  EXPECT_EQ(report.at("not_measured").at("benchmarks"), 2);
  EXPECT_TRUE(report.at("not_measured").at("saved_s").is_null());
  const auto row = report.at("comparisons").at(0);
  EXPECT_EQ(row.at("verdict"), "unchanged");
  EXPECT_EQ(row.at("reason"), "same code: nothing to measure");
  EXPECT_FALSE(row.at("measured"));
  for (const char* key : {"base", "candidate", "change", "low", "high"}) EXPECT_TRUE(row.at(key).is_null());
}

TEST_F(SameProgramCommand, WhoeverComparesLaterIsToldToo) {
  ASSERT_EQ(tracker({"run", "--build"}).exit_code, 0);
  commit_workflow();
  ASSERT_EQ(tracker({"compare", "HEAD~1", "--measure"}).exit_code, 0);
  const auto stored = tracker({"compare", "HEAD~1"});
  EXPECT_EQ(stored.exit_code, 0) << stored.errors;
  EXPECT_THAT(stored.output, HasSubstr("2 unchanged without measuring: same code"));
  EXPECT_EQ(report_of(tracker({"compare", "HEAD~1", "--format", "json"})).at("comparisons").size(), 2U);
  add_policy("[[policy]]\nmatch = \"copy/b\"\nidentical_code = \"measure\"\n");
  EXPECT_EQ(report_of(tracker({"compare", "HEAD~1", "--format", "json"})).at("comparisons").size(), 1U)
      << "the policy of today";
}

// The newest job says what is known of the two commits.
TEST_F(SameProgramCommand, WhatWasMeasuredAllTheSameIsJudgedLater) {
  commit_workflow();
  const auto measured_rows = [&] {
    const auto rows = report_of(tracker({"compare", "HEAD~1", "--format", "json"})).at("comparisons");
    return std::count_if(rows.begin(), rows.end(), [](const auto& row) { return row.at("measured"); });
  };
  ASSERT_EQ(tracker({"compare", "HEAD~1", "--measure"}).exit_code, 0);
  EXPECT_EQ(measured_rows(), 0);
  const auto measure_all = tracker({"compare", "HEAD~1", "--measure", "--identical-code", "measure"});
  ASSERT_EQ(measure_all.exit_code, 0) << measure_all.errors;
  EXPECT_EQ(measured_rows(), 2);
  EXPECT_THAT(tracker({"compare", "HEAD~1"}).output, Not(HasSubstr("nothing was measured")));
  ASSERT_EQ(tracker({"compare", "HEAD~1", "--measure"}).exit_code, 0);
  EXPECT_EQ(measured_rows(), 0);
}

TEST_F(SameProgramCommand, OnlyWhatBothSidesWereMeasuredOfIsJudgedLater) {
  commit_workflow();
  ASSERT_EQ(tracker({"compare", "HEAD~1", "--measure"}).exit_code, 0);
  ASSERT_EQ(tracker({"run", "--build"}).exit_code, 0);
  EXPECT_THAT(tracker({"compare", "HEAD~1"}).output, HasSubstr("2 unchanged without measuring: same code"));
  ASSERT_EQ(tracker({"compare", "HEAD~1", "--measure", "--identical-code", "measure", "--filter", "copy/a"})
                .exit_code,
            0);
  const auto report = report_of(tracker({"compare", "HEAD~1", "--format", "json"}));
  ASSERT_EQ(report.at("comparisons").size(), 2U);
  for (const auto& row : report.at("comparisons"))
    EXPECT_EQ(row.at("measured"), row.at("benchmark") == "copy/a") << row;
}

TEST_F(SameProgramCommand, RunAgainstABaseMeasuresNothingOfIt) {
  ASSERT_EQ(tracker({"run", "--build"}).exit_code, 0);
  commit_workflow();
  const auto before = starts().size();
  const auto run = tracker({"run", "--against", "HEAD~1"});
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_THAT(run.output, HasSubstr("measured nothing: the programs of HEAD are those of HEAD~1"));
  EXPECT_THAT(starts(), SizeIs(before)) << "nothing is measured";
  const auto compared = tracker({"compare", "HEAD~1", "--confirm"});
  EXPECT_EQ(compared.exit_code, 0) << compared.errors;
  EXPECT_THAT(compared.output, HasSubstr("2 unchanged without measuring: same code"));
  EXPECT_THAT(starts(), SizeIs(before));
}

TEST_F(SameProgramCommand, RunAgainstABaseMeasuresWhatChanged) {
  ASSERT_EQ(tracker({"run", "--build"}).exit_code, 0);
  set_speed(3000);
  commit("Slow down");
  const auto run = tracker({"run", "--against", "HEAD~1"});
  EXPECT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_THAT(run.output, HasSubstr("recorded 2 benchmarks"));
  const auto compared = tracker({"compare", "HEAD~1"});
  EXPECT_EQ(compared.exit_code, 1) << compared.output << compared.errors;
  const auto named = tracker({"run", "--against", "HEAD~1", "--", "out/bench"});
  EXPECT_EQ(named.exit_code, 2);
  EXPECT_THAT(named.errors, HasSubstr("--against builds what tracker.toml names"));
}

TEST_F(SameProgramCommand, WhatWasNotMeasuredIsNoRunOfItsCommit) {
  commit_workflow();
  ASSERT_EQ(tracker({"compare", "HEAD~1", "--measure"}).exit_code, 0);
  commit("Another one");
  const auto compared = tracker({"compare", "HEAD~2", "HEAD~1"});
  EXPECT_EQ(compared.exit_code, 0) << compared.errors << ": the base has no run, and needs none";
  const auto other = tracker({"compare", "HEAD~1", "HEAD~1"});
  EXPECT_EQ(other.exit_code, 3);
  EXPECT_THAT(other.errors, HasSubstr("its programs are those of another commit"));
  const auto promoted = tracker({"baseline", "promote", "HEAD~1"});
  EXPECT_EQ(promoted.exit_code, 3);
  EXPECT_THAT(promoted.errors, HasSubstr("nothing was measured of HEAD~1"));
  EXPECT_EQ(tracker({"store", "verify"}).exit_code, 0);
  EXPECT_THAT(tracker({"log", "copy/*"}).output, Not(HasSubstr("Change a workflow")));
}

TEST_F(SameProgramCommand, EveryFormatSaysIt) {
  commit_workflow();
  const std::pair<const char*, const char*> formats[] = {
      {"markdown", "Nothing changed: both sides are the same program"},
      {"junit", "same code: nothing to measure"},
      {"text", "2 of 2"}};
  for (const auto& [format, words] : formats) {
    const auto result = tracker({"compare", "HEAD~1", "--measure", "--format", format});
    EXPECT_EQ(result.exit_code, 0) << result.errors;
    EXPECT_THAT(result.output, HasSubstr(words)) << format;
  }
}

// What a build's layout does is in the build: here each has another speed, and on average both commits have
// one.
TEST_F(SameProgramCommand, AShiftOfOneBuildIsNoRegressionOfSeveral) {
  std::string config = kConfig;
  const std::string begin = "build = [";
  config.replace(config.find(begin), begin.size(),
                 "build = [[\"sh\", \"-c\", \"sed -n ${TRACKER_BUILD_SEED:-1}p layouts > layout.h\"], ");
  config.replace(config.find("40%"), 3, "10%");
  scratch_.write("tracker.toml", config);
  scratch_.write("speed.c", "double speed(void) { return\n#include \"layout.h\"\n; }\n");
  scratch_.write("layouts", "1000\n1300\n1050\n1000\n1300\n1100\n");
  scratch_.write(".gitignore", "/out/\n/layout.h\n");
  commit("Base");
  scratch_.write("layouts", "1300\n1000\n1100\n1300\n1050\n1000\n");
  commit("Lie elsewhere");
  const auto several = tracker({"compare", "HEAD~1", "--measure", "--rebuild", "6"});
  EXPECT_EQ(several.exit_code, 0) << several.output << several.errors;
  EXPECT_THAT(several.output, HasSubstr("each side was built 6 times"));
  EXPECT_THAT(several.output, HasSubstr("6 builds a side, measured side by side in one job"));
  EXPECT_THAT(several.output, HasSubstr("2 inconclusive"));
  EXPECT_THAT(several.output, Not(HasSubstr("more invocations"))) << "it is builds that are lacking";
  const auto stored = tracker({"compare", "HEAD~1"});
  EXPECT_THAT(stored.output, HasSubstr("each side was built 6 times")) << "the runs know";
  const auto refused = tracker({"compare", "HEAD~1", "--rebuild", "6"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.errors, HasSubstr("--rebuild says how --measure builds"));
  const auto one = tracker({"compare", "HEAD~1", "--measure"});
  EXPECT_EQ(one.exit_code, 1) << "one build each: " << one.output << one.errors;
}

TEST_F(SameProgramCommand, BuildsThatAreTheSameAreTold) {
  set_speed(2000);
  commit("Slow down");
  const auto result = tracker({"compare", "HEAD~1", "--measure", "--rebuild", "2", "-n", "1"});
  EXPECT_THAT(result.errors, HasSubstr("make nothing of TRACKER_BUILD_SEED"));
}

TEST_F(SameProgramCommand, WhatIsSavedIsToldByStoredRuns) {
  ASSERT_EQ(tracker({"run", "--build"}).exit_code, 0);
  commit_workflow();
  const auto report = report_of(tracker({"compare", "HEAD~1", "--measure", "--format", "json"}));
  EXPECT_TRUE(report.at("not_measured").at("saved_s").is_number()) << report;
}

TEST_F(SameProgramCommand, AChangedInstructionInALibraryIsMeasured) {
  set_speed(3000);
  commit("Make it slow");
  const auto result = tracker({"compare", "HEAD~1", "--measure"});
  EXPECT_EQ(result.exit_code, 1) << result.output << result.errors;
  EXPECT_THAT(result.errors, HasSubstr("'bench' is measured: its library 'out/libspeed.so': "));
  EXPECT_THAT(starts(), SizeIs(2 * 5));
}

TEST_F(SameProgramCommand, ADataFileThatMayBeReadIsMeasuredUnlessToldOtherwise) {
  scratch_.write("words.txt", "a b c\n");
  commit("Add words");
  const auto result = tracker({"compare", "HEAD~1", "--measure"});
  EXPECT_THAT(result.errors, HasSubstr("it may read what has changed: 'words.txt'"));
  EXPECT_THAT(starts(), SizeIs(2 * 5));
  std::string config = kConfig;
  config.replace(config.find("device ="), 0, "reads = []\n");
  scratch_.write("tracker.toml", config);
  EXPECT_EQ(tracker({"compare", "HEAD~1", "--measure"}).exit_code, 0);
  EXPECT_THAT(starts(), SizeIs(2 * 5)) << "no more";
}

TEST_F(SameProgramCommand, ThePolicyMayMeasureItAllTheSame) {
  commit_workflow();
  EXPECT_EQ(tracker({"compare", "HEAD~1", "--measure", "--identical-code", "measure"}).exit_code, 0);
  EXPECT_THAT(starts(), SizeIs(2 * 5));
  add_policy("[[policy]]\nmatch = \"copy/b\"\nidentical_code = \"measure\"\n");
  const auto result = tracker({"compare", "HEAD~1", "--measure", "--format", "json"});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(starts().back(), AllOf(HasSubstr("copy/b"), Not(HasSubstr("copy/a"))));
  const auto report = report_of(result);
  EXPECT_EQ(report.at("not_measured").at("benchmarks"), 1);
  EXPECT_EQ(report.at("comparisons").size(), 2U);
}

TEST_F(SameProgramCommand, AFloorIsMeasuredUnlessThePolicySkipsIt) {
  commit_workflow();
  add_policy("[[policy]]\nmatch = \"copy/a\"\nfloor = \"50% of copy/b\"\n");
  auto report = report_of(tracker({"compare", "HEAD~1", "--measure", "--format", "json"}));
  EXPECT_TRUE(report.at("not_measured").is_null()) << "copy/b is what the floor is a share of";
  EXPECT_THAT(starts(), SizeIs(2 * 5));
  add_policy("[[policy]]\nmatch = \"copy/a\"\nfloor = \"50% of copy/b\"\nidentical_code = \"skip\"\n");
  report = report_of(tracker({"compare", "HEAD~1", "--measure", "--format", "json"}));
  EXPECT_EQ(report.at("not_measured").at("benchmarks"), 2);
  EXPECT_THAT(starts(), SizeIs(2 * 5)) << "no more";
}

TEST_F(SameProgramCommand, APartOfTheSuiteHidesNothingLater) {
  ASSERT_EQ(tracker({"run", "--build"}).exit_code, 0);
  commit_workflow();
  add_policy("[[policy]]\nmatch = \"copy/b\"\nidentical_code = \"measure\"\n");
  ASSERT_EQ(tracker({"compare", "HEAD~1", "--measure"}).exit_code, 0);
  const auto later = tracker({"compare", "HEAD~1", "HEAD", "--format", "json", "--pairing", "none"});
  EXPECT_EQ(later.exit_code, 0) << later.output << "copy/a was not asked for, and is not missing";
}

// What the stored runs say stays as it is for whoever reads them alone: neither is red.
TEST_F(SameProgramCommand, ConfirmingSettlesWhatStoredRunsCannotTell) {
  ASSERT_EQ(tracker({"run", "--build", "-n", "1"}).exit_code, 0);
  commit_workflow();
  ASSERT_EQ(tracker({"run", "--build", "-n", "1"}).exit_code, 0);
  ASSERT_EQ(tracker({"compare", "HEAD~1", "--strict"}).exit_code, 3) << "one invocation tells nothing";
  const auto measured = starts().size();
  const auto result = tracker({"compare", "HEAD~1", "--confirm", "--strict", "--format", "json"});
  EXPECT_EQ(result.exit_code, 0) << result.output << result.errors;
  EXPECT_THAT(starts(), SizeIs(measured));
  EXPECT_EQ(report_of(result).at("not_measured").at("benchmarks"), 2);
  EXPECT_TRUE(report_of(result).at("effort").is_null()) << "nothing was measured again";
}

TEST_F(SameProgramCommand, WhatStoredRunsShowToBeSlowerIsMeasuredInTurn) {
  ASSERT_EQ(tracker({"run", "--build"}).exit_code, 0);
  commit_workflow();
  set_speed(3000);  // the machine was slow while the candidate was measured
  ASSERT_EQ(tracker({"run", "--build"}).exit_code, 0);
  scratch_.git({"checkout", "-q", "speed.c"});
  const auto measured = starts().size();
  const auto result = tracker({"compare", "HEAD~1", "--confirm", "--format", "json"});
  EXPECT_EQ(result.exit_code, 0) << result.output << result.errors;
  EXPECT_GT(starts().size(), measured);
  EXPECT_TRUE(report_of(result).at("not_measured").is_null());
  EXPECT_EQ(tracker({"compare", "HEAD~1"}).exit_code, 0) << "and recorded";
}

TEST_F(SameProgramCommand, ConfirmingWithoutStoredRunsMeasuresNothing) {
  commit_workflow();
  const auto result = tracker({"compare", "HEAD~1", "--confirm"});
  EXPECT_EQ(result.exit_code, 0) << result.output << result.errors;
  EXPECT_THAT(starts(), IsEmpty());
  EXPECT_THAT(result.output, HasSubstr("2 unchanged without measuring"));
}

TEST_F(SameProgramCommand, AnUnknownWordIsRefused) {
  add_policy("[[policy]]\nmatch = \"*\"\nidentical_code = \"never\"\n");
  const auto result = tracker({"compare", "HEAD"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.errors, HasSubstr("expected one of \"skip\", \"measure\""));
}

}  // namespace
}  // namespace tracker::e2e

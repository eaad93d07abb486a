// tracker profile: counters come into the store beside the runs, and out of it. Only ncu is a stand-in: it
// runs the program and gives the table that ncu wrote of that benchmark on an H100.
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/e2e/scratch.hpp"
#include "tests/source_tree.hpp"
#include "tracker/base/text.hpp"

namespace tracker::e2e {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// Takes ncu's own options off, runs the program, and writes the recorded table of the benchmark whose variant
// the filter names.
constexpr const char* kFakeNcu = R"sh(#!/bin/sh
[ "$1" = --version ] && { echo 'Version 2025.3.1.0 (build 36398880)'; exit 0; }
while :; do
  case $1 in
    --log-file=*) log=${1#*=} ;;
    --kernel-name=*) echo "$1" >> kernels.txt ;;
    --*) ;;
    *) break ;;
  esac
  shift
done
[ -e interrupt ] && case "$*" in *transpose/smem/*) kill -INT $PPID; sleep 10 ;; esac
"$@" || { code=$?; printf '==PROF== Connected to process 7\n==ERROR== The application returned an error code (%s).\n' $code > "$log"; exit $code; }
[ -e denied ] && { echo '==PROF== Connected to process 7
==ERROR== ERR_NVGPUCTRPERM - The user does not have permission' > "$log"; exit 1; }
for variant in copy_row naive_row smem_padded smem; do
  case "$*" in *transpose/$variant/*) cp "DATA/ncu/transpose-$variant.csv" "$log"; exit 0 ;; esac
done
printf '==PROF== Connected to process 7\n==WARNING== No kernels were profiled.\n' > "$log"
)sh";

constexpr const char* kTransposes =
    "transpose/copy_row/f32/2048x2048 10000 0.001\ntranspose/naive_row/f32/2048x2048 40000 0.001\n"
    "transpose/smem/f32/2048x2048 30000 0.001\ntranspose/smem_padded/f32/2048x2048 10000 0.001\n"
    "memcpy/2048 9000 0.001\n";

class Profiling : public testing::Test {
 protected:
  Profiling() {
    std::string script = kFakeNcu;
    script.replace(script.find("DATA"), 4, TRACKER_TEST_DATA);
    write_file(ncu(), script);
    std::filesystem::permissions(ncu(), std::filesystem::perms::owner_all);
    scratch.write("tracker.toml", plain_config() + "[profile]\nskip_kernels = [\"fill_kernel\"]\n");
    scratch.write(".gitignore", "/kernels.txt\n/denied\n/interrupt\n");
    scratch.commit_speeds(kTransposes);
  }

  std::filesystem::path ncu() const { return scratch.folder() / "ncu"; }
  ProcessResult profile(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "profile");
    arguments.insert(arguments.end(), {"--ncu", ncu().string()});
    return scratch.tracker(arguments);
  }
  std::string stored() const {
    if (scratch.git({"for-each-ref", "refs/tracker"}).empty()) return "";
    return scratch.git({"ls-tree", "-r", "--name-only", "refs/tracker/v1"});
  }

  const Scratch scratch;
};

TEST_F(Profiling, CountsStoresAndPrintsTheTable) {
  const auto result = profile({"transpose/*"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(
      result.output,
      AllOf(HasSubstr("Test GPU (test-gpu), commit "), HasSubstr("ncu 2025.3.1, medians of 2 launches"),
            HasSubstr("transpose/*/f32/2048x2048"), HasSubstr("naive_row         100 %      12.5 %  ")));
  EXPECT_THAT(result.output, Not(HasSubstr("memcpy")));
  EXPECT_THAT(result.errors, AllOf(HasSubstr("[4/4] transpose/smem_padded/f32/2048x2048"),
                                   HasSubstr("recorded the counters of 4 benchmarks for ")));
  EXPECT_THAT(stored(), testing::MatchesRegex("test-gpu/../[0-9a-f]*/[0-9A-Za-z-]*\\.profile\\.json"));
  EXPECT_EQ(scratch.git({"status", "--porcelain"}), "") << "profiling must leave the tree clean";
  const auto kernels = read_file(scratch.root() / "kernels.txt", 1 << 20);
  EXPECT_THAT(kernels, HasSubstr("--kernel-name=regex:^(?!(fill_kernel)$)"));
}

TEST_F(Profiling, SearchesTheFastestAndSaysWhatGoesWithTheTime) {
  const auto result = profile({"--search", "transpose/*"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.output, AllOf(HasSubstr(" is the fastest: "), HasSubstr("with the time go: "),
                                   HasSubstr("slower, with a worse gst_efficiency (100 % at ")));
  EXPECT_THAT(result.output, testing::ContainsRegex("naive_row [34][.][0-9]+ times as long"));
  EXPECT_THAT(result.output,
              testing::ContainsRegex(
                  "stall_memory_throttle [(]0[.][67][0-9]* % at [a-z_]+, 48[.]3 % at naive_row[)]"));
  EXPECT_THAT(result.output, testing::ContainsRegex("naive_row +[34][0-9][.][0-9]+ µs"))
      << "the column of times";
  const auto written = profile({"--search", "transpose/*", "--format", "json"});
  const auto benchmarks = nlohmann::json::parse(written.output).at("profiles").at(0).at("benchmarks");
  for (const auto& benchmark : benchmarks) EXPECT_GT(benchmark.at("time_s").get<double>(), 9e-6);
  EXPECT_EQ(profile({"--search", "--show"}).exit_code, 2);
}

TEST_F(Profiling, ShowsWhatWasCountedWithoutCounting) {
  ASSERT_EQ(profile({"transpose/smem/*"}).exit_code, 0);
  ASSERT_EQ(profile({"transpose/copy_row/*"}).exit_code, 0);
  std::filesystem::remove(ncu());
  const auto shown = scratch.tracker({"profile", "--show", "--format", "json"});
  ASSERT_EQ(shown.exit_code, 0) << shown.errors;
  const auto document = nlohmann::json::parse(shown.output);
  const auto& benchmarks = document.at("profiles").at(0).at("benchmarks");
  ASSERT_EQ(benchmarks.size(), 2u) << "both profiles of the commit";
  std::set<std::string> kernels;
  for (const auto& benchmark : benchmarks) {
    kernels.insert(benchmark.at("kernel"));
    EXPECT_EQ(benchmark.at("counters").at("gst_efficiency").at("value"), 100);
  }
  EXPECT_THAT(kernels, testing::ElementsAre("copy_row_kernel", "smem_kernel"));
  EXPECT_THAT(scratch.tracker({"profile", "--show", "*/copy_row/*", "--format", "markdown"}).output,
              AllOf(HasSubstr("copy&#95;row"), Not(HasSubstr("smem"))));
  const auto none = scratch.tracker({"profile", "--show", "x"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.errors, HasSubstr("nothing matches 'x'"));
  scratch.commit_speeds("x 1 0\n");
  const auto later = scratch.tracker({"profile", "--show"});
  EXPECT_EQ(later.exit_code, 3);
  EXPECT_THAT(later.errors, HasSubstr("nothing was profiled at "));
  EXPECT_EQ(scratch.tracker({"profile", "--show", "--commit", "HEAD~1"}).exit_code, 0);
}

TEST_F(Profiling, ExplainTakesTheCountersOfBothCommits) {
  const std::string name = "transpose/smem_padded/f32/2048x2048";
  const auto explained = [&] { return scratch.tracker({"explain", name, "HEAD~1"}).output; };
  ASSERT_EQ(profile({name}).exit_code, 0);
  ASSERT_EQ(scratch.tracker({"run"}).exit_code, 0);
  scratch.commit_speeds(kTransposes);
  ASSERT_EQ(scratch.tracker({"run"}).exit_code, 0);
  EXPECT_THAT(explained(),
              AllOf(HasSubstr("hardware counters, in the candidate: "), HasSubstr("? gld_efficiency")));
  ASSERT_EQ(profile({name}).exit_code, 0);
  EXPECT_THAT(explained(), AllOf(Not(HasSubstr("hardware counters, ")), HasSubstr("hardware counters: ")));
}

// The commit takes the padding away: the candidate's counters are those recorded of the unpadded tile.
TEST_F(Profiling, EveryReportNamesTheCountersThatMoved) {
  const std::string name = "transpose/smem_padded/f32/2048x2048";
  ASSERT_EQ(profile({name}).exit_code, 0);
  ASSERT_EQ(scratch.tracker({"run", "-n", "5"}).exit_code, 0);
  std::string speeds = kTransposes;
  speeds.replace(speeds.find("smem_padded/f32/2048x2048 10000"), 31, "smem_padded/f32/2048x2048 30000");
  scratch.commit_speeds(speeds);
  ASSERT_EQ(scratch.tracker({"run", "-n", "5"}).exit_code, 0);
  const auto compared = [&](const char* format) {
    return scratch.tracker({"compare", "HEAD~1", "--format", format}).output;
  };
  ASSERT_THAT(compared("text"), AllOf(HasSubstr("regressed"), Not(HasSubstr("hardware counters"))));
  std::string script = read_file(ncu(), 1 << 20);
  script.replace(script.find("$variant.csv"), 12, "smem.csv");
  write_file(ncu(), script);
  std::filesystem::permissions(ncu(), std::filesystem::perms::owner_all);
  ASSERT_EQ(profile({name}).exit_code, 0);
  for (const char* format : {"text", "markdown", "html", "json", "junit"}) {
    std::string output = compared(format);
    for (const auto& [from, to] : {std::pair{"&#95;", "_"}, {"\\_", "_"}})
      for (std::size_t at = output.find(from); at != std::string::npos; at = output.find(from))
        output.replace(at, std::string_view(from).size(), to);
    EXPECT_THAT(output, HasSubstr("shared_ld_bank_conflict")) << format;
  }
  const auto document = nlohmann::json::parse(compared("json"));
  EXPECT_THAT(
      document.at("reports").at(0).at("comparisons").at(0).at("cause"),
      HasSubstr("hardware counters: shared_ld_bank_conflict 10.2 k → 4.10 M (×400), "
                "shared_load_transactions 141 k → 4.23 M (×29.9), shared_efficiency 100 % → 6.06 % (×0.06)"));
}

TEST_F(Profiling, RunsAndProfilesDoNotSeeEachOther) {
  ASSERT_EQ(profile({"transpose/smem/*"}).exit_code, 0);
  const auto none = scratch.tracker({"log"});
  EXPECT_EQ(none.exit_code, 3) << none.output;
  ASSERT_EQ(scratch.tracker({"run", "-n", "2"}).exit_code, 0);
  const auto log = scratch.tracker({"log"});
  EXPECT_EQ(log.exit_code, 0) << log.errors;
  EXPECT_THAT(log.output, HasSubstr("5 benchmarks ×  2 invocations"));
  EXPECT_EQ(scratch.tracker({"profile", "--show"}).exit_code, 0);
}

TEST_F(Profiling, ABenchmarkWithoutAKernelCostsNoOther) {
  const auto result = profile({});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.errors, AllOf(HasSubstr("benchmark 'memcpy/2048' launches no kernel"),
                                   HasSubstr("the counters of 4 benchmarks")));
  const auto alone = profile({"memcpy/*"});
  EXPECT_EQ(alone.exit_code, 4);
  EXPECT_THAT(alone.errors, HasSubstr("nothing was counted; nothing was recorded"));
}

TEST_F(Profiling, ACrashCostsNoOther) {
  scratch.commit_speeds(std::string(kTransposes) + "crash transpose/smem/f32/2048x2048\n");
  const auto result = profile({"transpose/*"});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(
      result.errors,
      AllOf(HasSubstr("benchmark 'transpose/smem/f32/2048x2048' exited with 139: The application returned"),
            HasSubstr("  | about to read a null pointer"), HasSubstr("the counters of 3 benchmarks")));
}

TEST_F(Profiling, InterruptedItRecordsWhatWasCountedByThen) {
  scratch.write("interrupt", "");
  const auto result = profile({"transpose/*"});
  EXPECT_EQ(result.exit_code, 130) << result.errors;
  EXPECT_THAT(result.errors, HasSubstr("recorded the counters of 2 benchmarks"));
  EXPECT_THAT(stored(), HasSubstr(".profile.json"));
}

TEST_F(Profiling, AnErrorOfTheBenchmarkIsNoCounter) {
  scratch.commit_speeds("transpose/smem/f32/2048x2048 100 -1\n");
  const auto result = profile({});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.errors, HasSubstr("benchmark 'transpose/smem/f32/2048x2048' reported: out of memory"));
  EXPECT_EQ(stored(), "");
}

TEST_F(Profiling, SaysWhatIsMissing) {
  const auto gone = scratch.tracker({"profile", "--ncu", (scratch.folder() / "nowhere" / "ncu").string()});
  EXPECT_EQ(gone.exit_code, 4);
  EXPECT_THAT(gone.errors, AllOf(HasSubstr("could not be started: No such file or directory"),
                                 HasSubstr("Nsight Compute"), HasSubstr("--ncu PATH")));
  scratch.write("denied", "");
  const auto denied = profile({"transpose/smem/*"});
  EXPECT_EQ(denied.exit_code, 4);
  EXPECT_THAT(denied.errors,
              AllOf(HasSubstr("ERR_NVGPUCTRPERM"), HasSubstr("NVreg_RestrictProfilingToAdminUsers=0")));
  EXPECT_EQ(stored(), "");
}

TEST_F(Profiling, UsageErrors) {
  const auto nothing = profile({"nosuch/*"});
  EXPECT_EQ(nothing.exit_code, 2);
  EXPECT_THAT(nothing.errors, HasSubstr("no benchmark matches 'nosuch/*'"));
  EXPECT_EQ(profile({"--show"}).exit_code, 2) << "--show measures nothing";
  EXPECT_EQ(scratch.tracker({"profile", "--commit", "HEAD"}).exit_code, 2);
  EXPECT_EQ(profile({"--format", "xml"}).exit_code, 2);
  EXPECT_EQ(profile({"--launches", "0"}).exit_code, 2);
}

TEST_F(Profiling, AnyBinaryOfGoogleBenchmark) {
  scratch.write("tracker.toml", "");
  scratch.commit_speeds("x 1 0\n");
  // A CPU's benchmark launches no kernel: the whole way is gone up to there.
  const std::string glob = "transpose_cpu/naive/f32/1024x1024";
  for (const auto& arguments : {std::vector<std::string>{glob, "--binary", CPU_BENCH},
                                {"--binary", CPU_BENCH, glob}}) {  // behind --binary it is no binary
    const auto result = profile(arguments);
    EXPECT_EQ(result.exit_code, 4);
    EXPECT_THAT(result.errors, HasSubstr("benchmark '" + glob + "' launches no kernel"));
  }
  EXPECT_EQ(profile({}).exit_code, 2) << "no binary is named";
}

}  // namespace
}  // namespace tracker::e2e

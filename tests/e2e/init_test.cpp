// First contact: `tracker init` finds what can be measured and how it is built, and plain `tracker` says what
// to do next.
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/scratch.hpp"

namespace tracker::e2e {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

// A repository without a tracker.toml, in which `make` copies a real Google Benchmark binary.
struct Stranger {
  Scratch scratch;

  Stranger() {
    fs::remove(scratch.root() / "tracker.toml");
    scratch.write(".gitignore", "/out/\n");
    scratch.write("Makefile", "out/bench:\n\tmkdir -p out && cp " CPU_BENCH " out/bench\n");
    scratch.commit_speeds("");
  }
  void build() const {
    fs::create_directories(scratch.root() / "out");
    fs::copy_file(CPU_BENCH, scratch.root() / "out" / "bench");
  }
  std::string config() const { return read_file(scratch.root() / "tracker.toml", 1 << 20); }
};

TEST(Init, FindsTheBinaryAndTheMakefile) {
  const Stranger stranger;
  stranger.build();
  // What looks like a program, and what is one without benchmarks.
  stranger.scratch.write("out/notes", "benchmark_list_tests");
  fs::copy_file(TRACKER_BINARY, stranger.scratch.root() / "out" / "other");
  const auto result = stranger.scratch.tracker({"init", "--threshold", "3%"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.output, AllOf(HasSubstr("tracker.toml: 1 binary"), HasSubstr("out/bench: ")));
  EXPECT_THAT(stranger.config(), AllOf(HasSubstr("path = \"out/bench\""), HasSubstr("[\"make\", \"-j"),
                                       HasSubstr("Read from Makefile"), HasSubstr("threshold = \"3%\"")));
  stranger.scratch.git({"add", "-A"});
  stranger.scratch.git({"commit", "-q", "-m", "Measure"});
  const auto measured = stranger.scratch.tracker(
      {"compare", "HEAD~1", "--measure", "-n", "2", "-r", "1", "--filter", "gemm_cpu/.*/384x200x100"});
  EXPECT_NE(measured.exit_code, 2) << measured.errors;
  EXPECT_THAT(measured.output + measured.errors, HasSubstr("not measured"))
      << "both commits build the same program";
}

// The bytes behind the end of the file stand for a section that nvcc makes.
TEST(Init, HasCudaMeasuredOnlyWhereThereIsAGpu) {
  const Stranger stranger;
  stranger.build();
  fs::copy_file(CPU_BENCH, stranger.scratch.root() / "out" / "cuda");
  std::ofstream(stranger.scratch.root() / "out" / "cuda", std::ios::app) << ".nvFatBinSegment";
  const auto result = stranger.scratch.tracker({"init"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(stranger.config(), AllOf(HasSubstr("[[binary]]\npath = \"out/bench\""),
                                       ContainsRegex("path = \"out/cuda\".*\nwhen = \"gpu\"")));
  EXPECT_THAT(stranger.config(), HasSubstr("# metric = \"real_time\""));
  EXPECT_THAT(result.output, AllOf(ContainsRegex("out/bench: [0-9]+ benchmarks\n"),
                                   ContainsRegex("out/cuda: .*, measured where there is a GPU\n")));
}

TEST(Init, ReadsHowCMakeWasConfigured) {
  const Stranger stranger;
  fs::remove(stranger.scratch.root() / "Makefile");
  stranger.scratch.write("CMakeLists.txt",
                         "cmake_minimum_required(VERSION 3.16)\nproject(stranger LANGUAGES NONE)\n"
                         "option(WITH_BENCHMARKS \"benchmarks\" OFF)\noption(WITH_DOCS \"docs\" ON)\n"
                         "add_custom_target(bench ALL COMMAND ${CMAKE_COMMAND} -E copy " CPU_BENCH
                         " ${CMAKE_BINARY_DIR}/bench)\n");
  ProcessSpec cmake;
  cmake.directory = stranger.scratch.root();
  cmake.argv = {"cmake", "-B", "out", "-DWITH_BENCHMARKS=ON", "-DANYTHING=else"};
  ASSERT_TRUE(run_process(cmake).ok());
  cmake.argv = {"cmake", "--build", "out"};
  ASSERT_TRUE(run_process(cmake).ok());
  const auto result = stranger.scratch.tracker({"init"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(stranger.config(),
              AllOf(HasSubstr("[\"cmake\", \"-B\", \"out\", "), HasSubstr("\"-DCMAKE_BUILD_TYPE=Release\""),
                    HasSubstr("\"-DWITH_BENCHMARKS=ON\""), HasSubstr("\"-DANYTHING=else\""),
                    Not(HasSubstr("WITH_DOCS")), HasSubstr("\"--target\", \"bench\"]")));
}

TEST(Init, OverwritesNothing) {
  const Stranger stranger;
  stranger.build();
  stranger.scratch.write("tracker.toml", "# mine\n");
  const auto result = stranger.scratch.tracker({"init"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.errors, AllOf(HasSubstr("is there, and is not overwritten"), HasSubstr("--dry-run")));
  EXPECT_EQ(stranger.config(), "# mine\n");
  const auto shown = stranger.scratch.tracker({"init", "--dry-run", "--workflow"});
  EXPECT_EQ(shown.exit_code, 0) << shown.errors;
  EXPECT_THAT(shown.output,
              AllOf(HasSubstr("path = \"out/bench\""), HasSubstr("runs-on: [self-hosted, gpu]")));
  EXPECT_EQ(stranger.config(), "# mine\n");
}

TEST(Init, SaysWhereTheBenchmarksAreThatAreNotBuilt) {
  const Stranger stranger;
  stranger.scratch.write("src/speed.cc", "#include <benchmark/benchmark.h>\n");
  const auto result = stranger.scratch.tracker({"init"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.errors, AllOf(HasSubstr("no benchmark binary is built"), HasSubstr("src/speed.cc"),
                                   HasSubstr("build the benchmarks as you do by hand")));
  EXPECT_FALSE(fs::exists(stranger.scratch.root() / "tracker.toml"));
}

TEST(Init, NamesAFewOfManySources) {
  const Stranger stranger;
  for (const std::string name : {"a", "b", "c", "d", "e"})
    stranger.scratch.write("src/" + name + ".cc", "#include <benchmark/benchmark.h>\n");
  EXPECT_THAT(stranger.scratch.tracker({"init"}).errors,
              ContainsRegex("benchmarks are in src/.\\.cc, src/.\\.cc, src/.\\.cc and others\n"));
}

TEST(Init, NamesTheWayOfOtherToolsWhereNothingIsOfALibraryItRuns) {
  const Stranger stranger;
  stranger.scratch.write("bench.cpp", "#include <nanobench.h>\n");
  const auto result = stranger.scratch.tracker({"init"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.errors,
              AllOf(HasSubstr("no benchmark binary is built"), HasSubstr("tracker record FILE")));
}

// A binary that stops without its arguments lists nothing.
TEST(Init, TellsOfABinaryThatDoesNotListItsBenchmarks) {
  const Stranger stranger;
  stranger.scratch.write("speeds.txt", "nolist\na 100 0.01\n");
  fs::create_directories(stranger.scratch.root() / "out");
  fs::copy_file(FAKE_BENCH, stranger.scratch.root() / "out" / "picky");
  const auto alone = stranger.scratch.tracker({"init"});
  EXPECT_EQ(alone.exit_code, 2);
  EXPECT_THAT(alone.errors, AllOf(HasSubstr("gave no names for --benchmark_list_tests: 'out/picky'"),
                                  HasSubstr("arguments = [")));
  const auto named = stranger.scratch.tracker({"init", "out/picky", "--dry-run"});
  EXPECT_EQ(named.exit_code, 0) << named.errors;
  stranger.build();
  const auto beside = stranger.scratch.tracker({"init"});
  EXPECT_EQ(beside.exit_code, 0) << beside.errors;
  EXPECT_THAT(beside.output, AllOf(HasSubstr("1 binary"), Not(HasSubstr("picky"))));
  EXPECT_THAT(beside.errors, HasSubstr("gave no names: 'out/picky'"));
}

// It opens its data before it looks at its arguments.
TEST(Init, FindsTheFolderThatABinaryReads) {
  const Stranger stranger;
  stranger.scratch.write("main.c",
                         "#include <stdio.h>\n#include <string.h>\n"
                         "int main(int count, char** words) {\n"
                         "  if (fopen(\"data.txt\", \"r\") == NULL) return 1;\n"
                         "  int help = count > 1 && strcmp(words[1], \"--help\") == 0;\n"
                         "  puts(help ? \"benchmark [--benchmark_list_tests={true|false}]\" : \"sum/8\");\n"
                         "  return 0;\n"
                         "}\n");
  fs::create_directories(stranger.scratch.root() / "out");
  ProcessSpec compile;
  compile.directory = stranger.scratch.root();
  compile.argv = {C_COMPILER, "-x", "c", "main.c", "-o", "out/reader"};
  ASSERT_TRUE(run_process(compile).ok());
  stranger.scratch.write("out/data.txt", "8\n");
  const auto result = stranger.scratch.tracker({"init"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("out/reader: 1 benchmark\n"));
  EXPECT_THAT(stranger.config(), ContainsRegex("path = \"out/reader\".*\ndirectory = \"out\""));
}

TEST(Init, RefusesAFileThatIsNoProgram) {
  const Stranger stranger;
  const auto result = stranger.scratch.tracker({"init", "Makefile"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.errors, HasSubstr("'Makefile' is no program"));
}

TEST(Init, WritesTheWorkflowIfAsked) {
  const Stranger stranger;
  stranger.build();
  const auto result = stranger.scratch.tracker({"init", "--workflow", "out/bench"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_TRUE(fs::exists(stranger.scratch.root() / ".github/workflows/perf.yml"));
}

TEST(Status, LeadsFromNothingToAComparison) {
  const Stranger stranger;
  stranger.build();
  auto result = stranger.scratch.tracker({});
  EXPECT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.output, AllOf(HasSubstr("there is no tracker.toml"), HasSubstr("  tracker init ")));
  ASSERT_EQ(stranger.scratch.tracker({"init"}).exit_code, 0);
  stranger.scratch.git({"add", "-A"});
  stranger.scratch.git({"commit", "-q", "-m", "Measure"});
  result = stranger.scratch.tracker({});
  EXPECT_THAT(result.output, AllOf(HasSubstr("measures    out/bench"), HasSubstr("recorded    nothing yet"),
                                   HasSubstr("tracker run --build"), Not(HasSubstr("--worktree"))));
  stranger.scratch.write("Makefile", "out/bench:\n\tfalse\n");
  EXPECT_THAT(stranger.scratch.tracker({}).output, HasSubstr("tracker compare HEAD --worktree"));
}

}  // namespace
}  // namespace tracker::e2e

// How ncu is started, and what is made of how it ends. Scripts stand where ncu would.
#include "tracker/profile/ncu.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/profile/recorded.hpp"
#include "tests/source_tree.hpp"
#include "tracker/base/error.hpp"
#include "tracker/base/file.hpp"
#include "tracker/base/text.hpp"

namespace tracker {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

// An `ncu` that runs these lines of sh; "$log" is the file it is told to write to.
class FakeNcu {
 public:
  explicit FakeNcu(const std::string& lines) {
    write_file(path(),
               "#!/bin/sh\nfor a in \"$@\"; do case $a in --log-file=*) log=${a#*=};; esac; done\n" + lines);
    std::filesystem::permissions(path(), std::filesystem::perms::owner_all);
  }
  std::filesystem::path path() const { return folder_.path() / "ncu"; }
  std::filesystem::path folder() const { return folder_.path(); }
  NcuOptions options() const {
    NcuOptions options;
    options.path = path().string();
    return options;
  }
  NcuOutcome run() const {
    ProcessSpec program;
    program.argv = {"/bin/true", "an argument"};
    return run_under_ncu(program, options());
  }
  std::string error() const {
    try {
      run();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::kEnvironment);
      return std::string(error.what()) + " | " + error.hint();
    }
    return "no error";
  }

 private:
  TemporaryDirectory folder_;
};

const std::string kConnected = "echo '==PROF== Connected to process 7' > $log\n";

TEST(NcuArguments, AreBoundedAndLeaveTheClocksAlone) {
  const auto arguments = ncu_arguments({}, "/tmp/x/ncu.log");
  EXPECT_THAT(arguments, AllOf(Contains("--csv"), Contains("--page=raw"), Contains("--print-units=base"),
                               Contains("--clock-control=none"), Contains("--cache-control=all"),
                               Contains("--launch-count=3"), Contains("--log-file=/tmp/x/ncu.log"),
                               Contains(StartsWith("--metrics=gpu__time_duration.sum,smsp__"))));
  EXPECT_THAT(arguments, Not(Contains(StartsWith("--kernel-name"))));
}

TEST(NcuArguments, ChooseKernels) {
  NcuOptions options;
  options.skip_kernels = {"fill_kernel", "a.b$"};
  EXPECT_THAT(ncu_arguments(options, "x"), Contains("--kernel-name=regex:^(?!(fill_kernel|a\\.b\\$)$)"));
  options.kernel = "regex:.*gemm.*";
  EXPECT_THAT(ncu_arguments(options, "x"), Contains("--kernel-name=regex:.*gemm.*"));
}

TEST(RunUnderNcu, ReadsTheLogAndNotWhatTheProgramPrints) {
  const FakeNcu ncu("cp '" TRACKER_TEST_DATA
                    "/ncu/ncu-h200.csv' $log\necho '\"ID\",\"Process ID\",\"forged'\n");
  const auto outcome = ncu.run();
  EXPECT_THAT(outcome.launches, SizeIs(12));
  EXPECT_EQ(outcome.failure, "");
}

TEST(RunUnderNcu, GivesTheProgramItsArgumentsBehindItsOwn) {
  const FakeNcu ncu(kConnected + "printf '%s\\n' \"$@\" > \"$(dirname $0)/arguments\"\n");
  ncu.run();
  auto lines = split(read_file(ncu.folder() / "arguments", 1 << 20), '\n');
  ASSERT_GT(lines.size(), 3u);
  lines.erase(lines.begin(), lines.end() - 3);
  EXPECT_THAT(lines, ElementsAre("/bin/true", "an argument", ""));
}

TEST(RunUnderNcu, SaysWhereNcuComesFrom) {
  NcuOptions options;
  options.path = "/nowhere/ncu";
  ProcessSpec program;
  program.argv = {"/bin/true"};
  for (const bool version : {true, false}) try {
      version ? static_cast<void>(ncu_version(options)) : static_cast<void>(run_under_ncu(program, options));
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::kEnvironment);
      EXPECT_STREQ(error.what(), "'/nowhere/ncu' could not be started: No such file or directory");
      EXPECT_THAT(error.hint(),
                  AllOf(HasSubstr("Nsight Compute"), HasSubstr("PATH"), HasSubstr("--ncu PATH")));
    }
}

TEST(RunUnderNcu, SaysHowToGetThePermission) {
  // As NVIDIA documents it; the exit code has differed between versions.
  for (const char* code : {"0", "1"}) {
    const FakeNcu ncu(
        kConnected +
        "echo '==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU "
        "Performance Counters on the target device 0.' >> $log\necho '==WARNING== No kernels were "
        "profiled.' >> $log\nexit " +
        code + "\n");
    EXPECT_THAT(ncu.error(),
                AllOf(HasSubstr("may not read the GPU's hardware counters (ERR_NVGPUCTRPERM)"),
                      HasSubstr("NVreg_RestrictProfilingToAdminUsers=0"), HasSubstr("CAP_SYS_ADMIN")));
  }
}

TEST(RunUnderNcu, NamesTheKernelsThatWereThere) {
  const FakeNcu ncu(kConnected +
                    "printf '==WARNING== No kernels were profiled.\\nAvailable Kernels:\\n1. fill\\n2. "
                    "flush\\n' >> $log\n");
  const auto outcome = ncu.run();
  EXPECT_THAT(outcome.launches, IsEmpty());
  EXPECT_EQ(outcome.failure, "launches none of the kernels that were asked for, but fill, flush");
  EXPECT_EQ(FakeNcu(kConnected).run().failure, "launches no kernel");
}

TEST(RunUnderNcu, AProgramThatFailsIsNotNcusFault) {
  // As ncu 2025.3.1 wrote of a program that ended before it used the GPU.
  const FakeNcu ncu(
      "echo '==ERROR== The application returned an error code (4).' > $log\n"
      "echo 'no usable GPU: ERR_NVGPUCTRPERM' >&2\nexit 4\n");
  const auto outcome = ncu.run();
  EXPECT_EQ(outcome.failure, "exited with 4: The application returned an error code (4).");
  EXPECT_EQ(outcome.last_output, "no usable GPU: ERR_NVGPUCTRPERM");
}

TEST(RunUnderNcu, AnNcuThatGivesUpIsAnError) {
  EXPECT_THAT(
      FakeNcu("echo \"==ERROR== unrecognised option '--filter-mode'\"\nexit 1\n").error(),
      AllOf(HasSubstr("' exited with 1: unrecognised option '--filter-mode' | "), HasSubstr("2025.3")));
  EXPECT_THAT(FakeNcu("kill -KILL $$\n").error(), HasSubstr("was killed by signal 9"));
}

TEST(RunUnderNcu, NoLogAtAllIsAnError) {
  EXPECT_THAT(FakeNcu("echo fine\n").error(), HasSubstr("' wrote nothing"));
}

TEST(RunUnderNcu, HalfATableIsAnError) {
  EXPECT_THAT(FakeNcu("head -c 30000 '" TRACKER_TEST_DATA "/ncu/ncu-h200.csv' > $log\n").error(),
              HasSubstr("ends in the middle"));
}

TEST(NcuVersion, ReadsWhatNcuSays) {
  EXPECT_EQ(
      ncu_version(FakeNcu("echo 'NVIDIA (R) Nsight Compute'; echo 'Version 2025.3.1.0 (build 36398880)'\n")
                      .options()),
      "ncu 2025.3.1");
  EXPECT_EQ(ncu_version(FakeNcu("printf 'Version 2022.3'\n").options()), "ncu 2022.3");
  EXPECT_THROW(ncu_version(FakeNcu("echo hello\n").options()), Error);
  EXPECT_THROW(ncu_version(FakeNcu("echo Version 1; exit 3\n").options()), Error);
}

}  // namespace
}  // namespace tracker

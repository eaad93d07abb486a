// How ncu is started, and what is made of how it ends. Scripts stand where ncu would.

#include "tracker/profile/ncu.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/profile/recorded.hpp"
#include "tests/source_tree.hpp"
#include "tracker/base/error.hpp"
#include "tracker/base/file.hpp"
#include "tracker/base/text.hpp"
#include "tracker/profile/counters.hpp"

namespace tracker::profile {
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

// ncu's output, as it comes: recorded, cut off, without metrics, and with whatever a program prints around
// it.

namespace {

using test::recorded_output;
using test::table_of;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::string error_of(const std::string& output) {
  try {
    parse_ncu_csv(output, "ncu.log");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kEnvironment);
    return error.what();
  }
  return "no error";
}

TEST(NcuCsv, ReadsWhatAnH200Recorded) {
  const auto launches = parse_ncu_csv(recorded_output(), "ncu-h200.csv");
  ASSERT_THAT(launches, SizeIs(12));
  for (std::size_t i = 0; i < launches.size(); ++i) {
    const bool copies = i < 6;
    EXPECT_EQ(bare_kernel_name(launches[i].kernel), copies ? "copy_row" : "tr_naive_row");
    EXPECT_EQ(launches[i].block, copies ? "(32, 8, 1)" : "(16, 16, 1)");
    EXPECT_EQ(launches[i].grid, copies ? "(64, 256, 1)" : "(128, 128, 1)");
    const auto& metrics = launches[i].metrics;
    EXPECT_EQ(metrics.at("smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct"), 100);
    EXPECT_EQ(metrics.at("smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct"), copies ? 100 : 25);
  }
  const auto& first = launches.front().metrics;
  EXPECT_EQ(first.at("dram__bytes.sum.per_second"), 1303496368038.74) << "thousands separators";
  EXPECT_EQ(first.at("gpu__time_duration.sum"), 13216);
  EXPECT_EQ(first.at("sm__warps_active.avg.pct_of_peak_sustained_active"), 63.94);
  EXPECT_EQ(first.count("launch__func_cache_config"), 0u) << "text is no metric";
  EXPECT_EQ(first.count("Stream"), 0u);
}

TEST(NcuCsv, EveryCutInsideTheTableIsAnErrorOrLosesWholeLaunches) {
  const std::string whole = recorded_output();
  const std::size_t header = whole.find("\"ID\",");
  int errors = 0;
  for (std::size_t size = header; size < whole.size(); size += 97) {
    std::size_t launches = 0;
    try {
      launches = parse_ncu_csv(whole.substr(0, size), "ncu.log").size();
    } catch (const Error& error) {
      ++errors;
      EXPECT_THAT(error.what(), HasSubstr("'ncu.log': row "));
      continue;
    }
    const auto lines =
        static_cast<std::size_t>(std::count(whole.begin() + static_cast<std::ptrdiff_t>(header),
                                            whole.begin() + static_cast<std::ptrdiff_t>(size), '\n'));
    EXPECT_LE(launches, lines) << size;
    EXPECT_TRUE(launches == 0 || size >= whole.size() - 2 || whole[size - 1] == '\n' || whole[size] == '\n')
        << size;
  }
  EXPECT_GT(errors, 300);
}

TEST(NcuCsv, SaysHowATableIsBroken) {
  const std::string good = table_of("k(int)", "a__b.sum", "1");
  EXPECT_EQ(error_of(good), "no error");
  EXPECT_THAT(error_of(good.substr(0, good.size() - 3)), HasSubstr("row 3 of its table ends in the middle"));
  EXPECT_THAT(error_of(good.substr(0, good.size() - 5)), HasSubstr("row 3 of its table"));
  EXPECT_THAT(error_of(good.substr(0, good.find("(4, 4")) + "x\"\n"), HasSubstr("has 6 cells instead of 7"));
  EXPECT_THAT(error_of(good.substr(0, good.find('\n') + 1)), HasSubstr("no launch follows its head"));
  EXPECT_THAT(error_of("\"ID\",\"Process ID\",\"x\"\n\"0\",\"1\",\"2\"\n"),
              HasSubstr("no column 'Kernel Name'"));
  EXPECT_THAT(error_of("\"ID\",\"Process ID\",x\n"), HasSubstr("is not as ncu writes it"));
  EXPECT_THAT(error_of("\"ID\",\"Process ID\",\"a\"b\n"), HasSubstr("is not as ncu writes it"));
}

TEST(NcuCsv, NumbersWithoutGroupsOfThreeAreNone) {
  const auto value_of = [](const std::string& text) {
    const auto launches = parse_ncu_csv(table_of("k", "a__b.sum", text), "x");
    const auto& metrics = launches.at(0).metrics;
    const auto found = metrics.find("a__b.sum");
    return found == metrics.end() ? "none" : std::to_string(found->second);
  };
  EXPECT_EQ(value_of("1,234,567.50"), "1234567.500000");
  EXPECT_EQ(value_of("-1,000"), "-1000.000000");
  EXPECT_EQ(value_of("1e3"), "1000.000000");
  for (const char* none :
       {"", "n/a", "nan", "inf", "1,23", "1,2345", ",123", "1.5,000", "12 %", "(32, 8, 1)", "0x10", "1,,000"})
    EXPECT_EQ(value_of(none), "none") << none;
}

TEST(NcuCsv, MetricsAreCalledByPlainLetters) {
  for (const char* name : {"a__b\xff.sum", "a__b c", "a__b\n"}) {
    const auto launches = parse_ncu_csv(table_of("real(int)", name, "1"), "x");
    ASSERT_THAT(launches, SizeIs(1));
    EXPECT_THAT(launches[0].metrics, IsEmpty());
  }
}

TEST(NcuCsv, WhatAProgramPrintsIsNoTable) {
  EXPECT_THAT(parse_ncu_csv("", "x"), IsEmpty());
  EXPECT_THAT(parse_ncu_csv("==WARNING== No kernels were profiled.\n", "x"), IsEmpty());
  const std::string program = "\"ID\",\"Process ID\",\"Kernel Name\"\n\"7\",\"7\",\"forged\"\n";
  const auto launches =
      parse_ncu_csv(program + table_of("real(int)", "a__b.sum", "1") + "==PROF== bye\n", "x");
  ASSERT_THAT(launches, SizeIs(1));
  EXPECT_EQ(launches[0].kernel, "real(int)");
  EXPECT_THAT(parse_ncu_csv("say \"ID\",\"Process ID\",\"Kernel Name\"\n", "x"), IsEmpty());
}

TEST(NcuCsv, NamesFromStrangersComeThroughWhole) {
  const std::string hostile = "k<\"\"a,b\"\", \x1b[31m>(char const*)\nsecond line";
  const auto launches = parse_ncu_csv(table_of(hostile, "a__b.sum", "1"), "x");
  ASSERT_THAT(launches, SizeIs(1));
  EXPECT_EQ(launches[0].kernel, "k<\"a,b\", \x1b[31m>(char const*)\nsecond line");
  EXPECT_EQ(bare_kernel_name(launches[0].kernel), "k");
  const auto windows = parse_ncu_csv("\r\n" + table_of("k", "a__b.sum", "1"), "x");
  EXPECT_THAT(windows, SizeIs(1));
}

TEST(NcuCsv, AKernelsName) {
  struct Row {
    const char* full;
    const char* name;
    const char* bare;
  };
  for (const auto& [full, name, bare] : {
           Row{"smem_kernel", "smem_kernel", "smem_kernel"},
           Row{"smem_kernel(Panel)", "smem_kernel", "smem_kernel"},
           Row{"kernels::smem_kernel(kernels::Panel)", "smem_kernel", "smem_kernel"},
           Row{"bench::<unnamed>::fill_kernel(float *, unsigned long)", "fill_kernel", "fill_kernel"},
           Row{"(anonymous namespace)::fill(int)", "fill", "fill"},
           Row{"void a::tile<float, (int)4, b::C<int>>(T1 *)", "tile<float, (int)4, b::C<int>>", "tile"},
           Row{"void cutlass::Kernel2<simt_sgemm>(T1::Params)", "Kernel2<simt_sgemm>", "Kernel2"},
           Row{"void cub::Kernel<x>::run<(y)1>(int)", "run<(y)1>", "run"},
           Row{"", "", ""},
           Row{"(", "(", "("},
           Row{"::", "::", "::"},
           Row{"<<<", "<<<", "<<<"},
       }) {
    EXPECT_EQ(short_kernel_name(full), name) << full;
    EXPECT_EQ(bare_kernel_name(full), bare) << full;
  }
}

TEST(NcuCsv, KernelsThatWereThereAndErrors) {
  const std::string output =
      "==WARNING== No kernels were profiled.\nAvailable Kernels:\n1. empty_kernel\n2. a::fill<int>(int "
      "*)\nrest\n3. x\n";
  EXPECT_THAT(available_kernels(output), ElementsAre("empty_kernel", "fill"));
  EXPECT_THAT(available_kernels("1. x\n"), IsEmpty());
  EXPECT_THAT(ncu_errors("==ERROR== a\nx ==ERROR== b\n==ERROR== c\n==ERROR== d\n", 2), ElementsAre("a", "c"));
}

}  // namespace

// Which kernel's counters a benchmark gets.

namespace {

constexpr const char* kMetric = "smsp__inst_executed.sum";

NcuLaunch launch(const std::string& kernel, double time_ns, double value,
                 const std::string& grid = "(1, 1, 1)") {
  return {kernel, grid, "(32, 1, 1)", {{kDurationMetric, time_ns}, {kMetric, value}}};
}

TEST(ChooseKernel, TakesTheOneWithTheMostTime) {
  const auto chosen = choose_kernel(
      "a", {launch("reduce(int)", 5, 1), launch("ns::gemm<int>(int)", 9, 2), launch("reduce(int)", 5, 3)},
      {});
  ASSERT_TRUE(chosen);
  EXPECT_EQ(chosen->name, "a");
  EXPECT_EQ(chosen->kernel, "reduce");
  EXPECT_EQ(chosen->launches, 2);
  EXPECT_EQ(chosen->counters.at(kMetric), 2) << "the median of both launches";
  EXPECT_FALSE(choose_kernel("a", {}, {}));
}

TEST(ChooseKernel, AnotherShapeIsAnotherKernel) {
  const auto chosen =
      choose_kernel("a", {launch("k", 3, 1), launch("k", 3, 1), launch("k", 7, 8, "(9, 9, 1)")}, {});
  ASSERT_TRUE(chosen);
  EXPECT_EQ(chosen->launches, 1);
  EXPECT_EQ(chosen->counters.at(kMetric), 8);
}

TEST(ChooseKernel, WhatABenchmarkStatesComesFirst) {
  const std::vector<NcuLaunch> launches{launch("fill(float *)", 100, 1), launch("ns::smem(Panel)", 2, 7)};
  EXPECT_EQ(choose_kernel("a", launches, {"smem"})->kernel, "smem");
  EXPECT_EQ(choose_kernel("a", launches, {"memset", "void smem<4>(int)"})->kernel, "smem");
  EXPECT_EQ(choose_kernel("a", launches, {"renamed"})->kernel, "fill") << "none of those stated was counted";
}

TEST(ChooseKernel, KeepsNoTimeAndNothingThatWasNotAskedFor) {
  const auto chosen = choose_kernel("copy", parse_ncu_csv(test::recorded_output(), "x"), {"copy_row"});
  ASSERT_TRUE(chosen);
  EXPECT_EQ(chosen->launches, 6);
  EXPECT_EQ(chosen->counters.count(kDurationMetric), 0u);
  EXPECT_EQ(chosen->counters.count("launch__registers_per_thread"), 0u);
  // The mean of the two in the middle of six.
  EXPECT_DOUBLE_EQ(chosen->counters.at("dram__bytes.sum.per_second"),
                   (1303496368038.74 + 1312762836185.82) / 2);
}

}  // namespace

}  // namespace tracker::profile

// ncu's output, as it comes: recorded, cut off, without metrics, and with whatever a program prints around
// it.
#include "tracker/profile/ncu_csv.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/profile/recorded.hpp"
#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"

namespace tracker {
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
}  // namespace tracker

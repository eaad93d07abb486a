#include "tracker/model/benchmark_name.hpp"

#include <gtest/gtest.h>

namespace tracker {
namespace {

using Attributes = std::map<std::string, std::string>;

TEST(MethodSuffix, EveryKindIsSplitOff) {
  struct Row {
    std::string run_name;
    std::string name;
    Attributes attributes;
  };
  const Row rows[] = {
      {"x", "x", {}},
      {"x/8192", "x/8192", {}},
      {"x/8192/manual_time", "x/8192", {{"manual_time", ""}}},
      {"x/real_time", "x", {{"real_time", ""}}},
      {"x/process_time/real_time", "x", {{"process_time", ""}, {"real_time", ""}}},
      {"x/iterations:10/repeats:3/manual_time",
       "x",
       {{"iterations", "10"}, {"repeats", "3"}, {"manual_time", ""}}},
      {"x/min_time:0.5/min_warmup_time:0.1", "x", {{"min_time", "0.5"}, {"min_warmup_time", "0.1"}}},
      {"x/min_time:0.500", "x", {{"min_time", "0.500"}}},
      {"x/threads:8", "x/threads:8", {}},
      {"x/64/iterations:5/real_time/threads:8", "x/64/threads:8", {{"iterations", "5"}, {"real_time", ""}}},
      {"x/manual_time/8192", "x/manual_time/8192", {}},  // not at the end: an argument
      {"x/iterations", "x/iterations", {}},              // no value: an argument
      {"x/manual_time:1", "x/manual_time:1", {}},
      {"manual_time", "manual_time", {}},
      {"/manual_time", "/manual_time", {}},
      {"", "", {}},
      {"/", "/", {}},
      {"x/threads:2/threads:4", "x/threads:2/threads:4", {}},
  };
  for (const auto& row : rows) {
    const SplitName split = split_method_suffixes(row.run_name);
    EXPECT_EQ(split.name, row.name);
    EXPECT_EQ(split.attributes, row.attributes) << row.run_name;
    std::string joined;
    EXPECT_EQ(without_method_suffixes(row.run_name, joined), row.name);
  }
}

Benchmark read_as(const std::string& run_name) {
  const SplitName split = split_method_suffixes(run_name);
  Benchmark benchmark;
  benchmark.name = split.name;
  benchmark.attributes = split.attributes;
  return benchmark;
}

TEST(MethodSuffix, APrintedNameComesBack) {
  for (const char* name :
       {"x", "x/8/min_time:0.100/repeats:5/real_time/threads:4", "x/process_time/real_time",
        "x/iterations:10", "x/min_time:0.5/min_warmup_time:0.1/manual_time", "x/threads:2"})
    EXPECT_EQ(printed_name(read_as(name)), name);
}

TEST(MethodSuffix, AGlobMeansBothNames) {
  const Benchmark benchmark = read_as("x/8/real_time/threads:4");
  for (const char* glob : {"x/8/threads:4", "x/8/real_time/threads:4", "x/*", "x/*/real_time/threads:?"})
    EXPECT_TRUE(means_benchmark(glob, benchmark)) << glob;
  for (const char* glob : {"x/8/manual_time/threads:4", "x/8", "x/8/real_time", "y/*"})
    EXPECT_FALSE(means_benchmark(glob, benchmark)) << glob;
  EXPECT_TRUE(means_benchmark("x/real_time", read_as("x/min_time:0.1/real_time")));
  EXPECT_TRUE(means_benchmark("x/8/real_time/threads:4", "x/8/threads:4"));  // how it is printed is not known
  EXPECT_FALSE(means_benchmark("x/real_time", read_as("x")));
}

TEST(MethodSuffix, ANameDoesNotDependOnWhatElseAFileHas) {
  SharedNames shared;
  shared.add(read_as("q"));
  EXPECT_TRUE(shared.empty());
  Benchmark beside_q = read_as("q/real_time");
  beside_q.name = "q/real_time";  // as a file that has both calls it
  shared.add(beside_q);
  EXPECT_EQ(shared.name_of(read_as("q/real_time")), "q/real_time");
  EXPECT_EQ(shared.name_of(read_as("q")), "q");
  EXPECT_EQ(shared.name_of(read_as("q/manual_time")), "q");
}

const std::string kName = "gemm/smem/bf16/128x64x32";

TEST(WorkFormula, TakesNumbersFromTheName) {
  const std::pair<const char*, double> rows[] = {
      {"3", 3},
      {"0.5 * 8", 4},
      {"{3}", 16},
      {"{4}", 128},
      {"{4.2}", 64},
      {" 2*{4.1}*{4.2}*{4.3} ", 2 * 128 * 64 * 32},
      {"{3}/8*({4.1}*{4.3}+{4.3}*{4.2}+{4.1}*{4.2})", 2 * (128 * 32 + 32 * 64 + 128 * 64)},
      {"8/2/2", 2},
      {"2+3*4", 14},
      {"( ( 1 ) )", 1}};
  for (const auto& [formula, value] : rows) {
    EXPECT_TRUE(is_work_formula(formula)) << formula;
    const auto work = work_of(formula, kName);
    ASSERT_TRUE(work) << formula;
    EXPECT_DOUBLE_EQ(*work, value) << formula;
  }
  EXPECT_DOUBLE_EQ(*work_of("4*{2}*{3}", "BM_copy<float>/1024/16"), 4.0 * 1024 * 16);
}

TEST(WorkFormula, AnswersNothingForNamesThatLackTheNumber) {
  for (const char* formula : {"{5}", "{4.4}", "{1}", "{2} + 1"}) {
    EXPECT_TRUE(is_work_formula(formula)) << formula;
    EXPECT_FALSE(work_of(formula, kName)) << formula;
  }
  EXPECT_FALSE(work_of("{1}", ""));
}

TEST(WorkFormula, AnswersNothingForWhatIsNoWork) {
  EXPECT_FALSE(work_of("0", kName));
  EXPECT_FALSE(work_of("1/0", kName));
  EXPECT_FALSE(work_of("1e300*1e300", kName));
  EXPECT_FALSE(work_of("{1}*{1}", std::string(1000, '9')));
}

TEST(WorkFormula, RefusesWhatIsNone) {
  for (const char* formula : {"",      " ",    "x",     "2 3",     "2-1",
                              "-1",    "*2",   "2*",    "2+",      "(2",
                              "2)",    "()",   "{",     "{}",      "{0}",
                              "{1.0}", "{1.}", "{1",    "{a}",     "{-1}",
                              "inf",   "nan",  "1e999", "0x10 + ", "{99999999999999999999}"})
    EXPECT_FALSE(is_work_formula(formula)) << formula;
  EXPECT_FALSE(is_work_formula(std::string(1000000, '(')));
  EXPECT_FALSE(work_of(std::string(1000000, '('), kName));
}

}  // namespace

}  // namespace tracker

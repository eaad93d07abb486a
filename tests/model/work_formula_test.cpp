#include "tracker/model/work_formula.hpp"

#include <gtest/gtest.h>

namespace tracker {
namespace {

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

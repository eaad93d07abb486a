#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench/kit/counters.hpp"

namespace tracker::kit {
namespace {

using ::testing::HasSubstr;
using tracker::Arithmetic;

constexpr double kNotFinite = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

TEST(ResultCheck, WhatIsExactMayHaveNoWrongElement) {
  EXPECT_FALSE(wrong_result(exact_error(0, 1000)));
  EXPECT_FALSE(wrong_result(exact_error(0, 0)));
  EXPECT_EQ(wrong_result(exact_error(5, 1000)),
            "wrong result: 0.5 % of its elements differ from the reference");
  EXPECT_TRUE(wrong_result(exact_error(1, 1e9)));
}

TEST(ResultCheck, ProductsMayBeOffByWhatTheirArithmeticRounds) {
  EXPECT_FALSE(wrong_result(product_error(9e-6, 1, Arithmetic::kFp32)));
  EXPECT_TRUE(wrong_result(product_error(9e-3, 1, Arithmetic::kFp32)));
  EXPECT_FALSE(wrong_result(product_error(0.01 * 50, 50, Arithmetic::kTensorBf16)));
  EXPECT_FALSE(wrong_result(product_error(0.01, 1, Arithmetic::kTensorTf32)));
  EXPECT_EQ(wrong_result(product_error(0.47 * 50, 50, Arithmetic::kTensorBf16)),
            "wrong result: off by 0.47 of its root mean square, and rounding explains 0.03");
}

TEST(ResultCheck, WhatIsNotANumberIsWrong) {
  for (const double wrong : {kNotFinite, kNaN}) {
    EXPECT_THAT(wrong_result(product_error(wrong, 1, Arithmetic::kTensorBf16)).value_or(""),
                HasSubstr("not written, or not finite"));
    EXPECT_TRUE(wrong_result(product_error(0, wrong, Arithmetic::kFp32)));
    EXPECT_TRUE(wrong_result({.error = wrong, .bound = 0.03}));
  }
}

TEST(ResultCheck, AReferenceOfZerosTakesZerosAlone) {
  EXPECT_FALSE(wrong_result(product_error(0, 0, Arithmetic::kFp32)));
  EXPECT_TRUE(wrong_result(product_error(1e-9, 0, Arithmetic::kFp32)));
}

}  // namespace
}  // namespace tracker::kit

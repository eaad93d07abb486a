#include "tracker/base/secret.hpp"

#include <gtest/gtest.h>

namespace tracker {
namespace {

const std::string kToken = "ghs_0123456789abcdefghijABCDEFGHIJ012345";

TEST(Secret, IsHiddenWhole) {
  EXPECT_EQ(without_secret("a " + kToken + " b", kToken), "a *** b");
  EXPECT_EQ(without_secret(kToken + kToken, kToken), "******");
  EXPECT_EQ(without_secret("nothing of it", kToken), "nothing of it");
  EXPECT_EQ(without_secret("", kToken), "");
  EXPECT_EQ(without_secret("text", ""), "text");
}

// What echoes a token may be cut within it, at either end.
TEST(Secret, IsHiddenInPieces) {
  EXPECT_EQ(without_secret("said: " + kToken.substr(0, 39), kToken), "said: ***");
  EXPECT_EQ(without_secret(kToken.substr(1) + "!", kToken), "***!");
  EXPECT_EQ(without_secret("x" + kToken.substr(10, 12) + "y", kToken), "x***y");
  EXPECT_EQ(without_secret(kToken.substr(0, 7), kToken), kToken.substr(0, 7))
      << "seven characters tell little";
}

TEST(Secret, ShorterThanAPieceIsHiddenWholeOnly) {
  EXPECT_EQ(without_secret("abc abcd", "abcd"), "abc ***");
}

}  // namespace
}  // namespace tracker

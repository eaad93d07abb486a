#include "tracker/site/columns.hpp"

#include <stdexcept>

#include <gtest/gtest.h>

namespace tracker {
namespace {

// Digits are ' ', '!', '#', '$', …: '"', '<' and '\' are left out. 81 is the first of two digits.
TEST(Columns, SmallNumbersAreOneCharacter) {
  EXPECT_EQ(write_column({0, 1, 2, 26, 27, 28}), " !#;=>");
  EXPECT_EQ(write_column({80}).size(), 1U);
  EXPECT_EQ(write_column({81}).size(), 2U);
  EXPECT_EQ(write_column({908}).size(), 2U);
  EXPECT_EQ(write_column({909}).size(), 7U);
  EXPECT_THROW(write_column({606355001344U}), std::out_of_range);  // 92 to the sixth
}

TEST(Columns, RunsOfZerosAreShort) {
  EXPECT_EQ(write_column({0, 0}), "  ");
  EXPECT_EQ(write_column({0, 0, 0}), "~ ");
  EXPECT_EQ(write_column({1, 0, 0, 0, 0, 1}), "!~!!");
  EXPECT_EQ(write_column(std::vector<std::uint64_t>(2000, 0)).size(), 8U);
}

TEST(Columns, DifferencesOfBothSignsAreSmallNumbers) {
  EXPECT_EQ(write_differences({-1, -1, 0, -1, 1}), "! #!%");  // 1, 0, 2, 1, 4
}

TEST(Columns, NothingInThemEndsAStringOrAScript) {
  std::vector<std::uint64_t> all;
  for (std::uint64_t i = 0; i < 2000; ++i) all.push_back(i);
  const std::string text = write_column(all);
  EXPECT_EQ(text.find_first_of("\"\\<\n\r\x7F"), std::string::npos);
  for (const char c : text) EXPECT_GE(c, ' ');
}

}  // namespace
}  // namespace tracker

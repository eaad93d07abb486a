#include "tracker/base/terminal_width.hpp"

#include <gtest/gtest.h>

#include "tracker/base/text.hpp"

namespace tracker {
namespace {

TEST(TerminalWidth, IsThatOfTheTerminal) {
  EXPECT_EQ(display_width(""), 0u);
  EXPECT_EQ(display_width("abc"), 3u);
  EXPECT_EQ(display_width("µ → −1 %"), 8u);
  EXPECT_EQ(display_width("日本"), 4u);        // wide
  EXPECT_EQ(display_width("e\u0301"), 1u);     // an accent of its own
  EXPECT_EQ(display_width("\U0001F680"), 2u);  // an emoji
  EXPECT_EQ(display_width("\xff\xfe"), 2u);    // no UTF-8
  EXPECT_EQ(left_aligned("日", 4), "日  ");
  EXPECT_EQ(right_aligned("日", 4), "  日");
}

TEST(TerminalWidth, NeverCutsACharacter) {
  EXPECT_EQ(bytes_within("日本", 3), 3u);
  EXPECT_EQ(bytes_within("日本", 4), 6u);
  EXPECT_EQ(bytes_within("日", 1), 0u);
  EXPECT_EQ(bytes_within("e\u0301x", 1), 3u);
  EXPECT_EQ(bytes_past("日本", 1), 3u);
  EXPECT_EQ(bytes_past("e\u0301x", 1), 3u);
  EXPECT_EQ(bytes_past("abc", 9), 3u);
}

}  // namespace
}  // namespace tracker

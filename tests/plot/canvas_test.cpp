#include "tracker/plot/canvas.hpp"

#include <gtest/gtest.h>

namespace tracker {
namespace {

TEST(GnuplotString, HoldsNothingThatEndsItOrRuns) {
  struct Row {
    const char* text;
    const char* literal;
  };
  const Row rows[] = {
      {"plain_name/8192", "'plain_name/8192'"},
      {"it's", "'it\u2019s'"},
      {"''", "'\u2019\u2019'"},
      {"a\nb\rc\td", "'a b c d'"},
      {"\x1B[31mred", "' [31mred'"},
      {"`id` @x {a} 100%d \\n", "'`id` @x {a} 100%d \\n'"},
      {"bad \xC3( utf", "'bad \u25A1( utf'"},
      {"\xEF\xBF\xBE\xEF\xBF\xBF", "'⟨U+FFFE⟩⟨U+FFFF⟩'"},
      {"fast 🚀🚀 größer 日本", "'fast \u25A1\u25A1 größer 日本'"},
      {"\xF0\x9F", "'\u25A1\u25A1'"},
      {"safe\u202Egpj.exe\u2066 a\u200Bb\uFEFF", "'safe⟨U+202E⟩gpj.exe⟨U+2066⟩ a⟨U+200B⟩b⟨U+FEFF⟩'"},
      {"", "''"},
  };
  for (const auto& row : rows) EXPECT_EQ(gnuplot_string(row.text), row.literal);
}

TEST(FitText, CutsInTheMiddle) {
  EXPECT_EQ(fit_columns("transpose/smem/8192x8192", 40), "transpose/smem/8192x8192");
  EXPECT_EQ(fit_columns("transpose/smem/8192x8192", 11), "trans…x8192");
  EXPECT_EQ(fit_columns("abc", 1), "…");
  EXPECT_EQ(fit_columns("größere Wörter", 7), "grö…ter");
}

TEST(FitText, NeverWiderThanAsked) {
  const std::string names[] = {std::string(10000, 'W'), std::string(10000, 'i'), "日本語日本語日本語日本語",
                               "\xFF\xFE\xFD"};
  for (const auto& name : names)
    for (const double width : {30.0, 100.0, 800.0}) {
      EXPECT_LE(text_width_px(fit_text(name, width, 22, true), 22, true), width) << name.substr(0, 10);
      EXPECT_LE(text_width_px(fit_text(name, width, 14), 14), width) << name.substr(0, 10);
    }
}

TEST(TextWidth, IsTheFontsOwnForAscii) {
  EXPECT_DOUBLE_EQ(text_width_px("HHHHHHHHHH", 20), 144.4);  // 722 thousandths each
  EXPECT_DOUBLE_EQ(text_width_px("il", 10, true), 5.56);
}

}  // namespace
}  // namespace tracker

#include "tracker/base/text.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "tracker/base/error.hpp"

namespace tracker {
namespace {

TEST(GlobMatch, MatchesWholeText) {
  EXPECT_TRUE(glob_match("transpose/*", "transpose/naive_row/f32/8192x8192"));
  EXPECT_TRUE(glob_match("*/8192x8192", "transpose/naive_row/f32/8192x8192"));
  EXPECT_TRUE(glob_match("a*b*c", "a--b--b--c"));
  EXPECT_TRUE(glob_match("?x", "ax"));
  EXPECT_TRUE(glob_match("", ""));
  EXPECT_FALSE(glob_match("transpose", "transpose/naive_row"));
  EXPECT_FALSE(glob_match("a*b", "a--c"));
  EXPECT_FALSE(glob_match("", "a"));
}

TEST(GlobMatch, ManyStarsStayFast) {
  EXPECT_FALSE(glob_match("a*a*a*a*a*a*a*a*a*a*b", std::string(5000, 'a')));
}

TEST(GlobMatch, OtherCharactersAreThemselves) {
  EXPECT_TRUE(glob_match("a[b](c).d", "a[b](c).d"));
  EXPECT_FALSE(glob_match("[ab]", "a"));
}

TEST(Nearest, SuggestsSlipsOnly) {
  const std::vector<std::string> commands{"compare", "record", "run"};
  EXPECT_EQ(nearest("comprae", commands), "compare");
  EXPECT_EQ(nearest("rn", commands), "run");
  EXPECT_EQ(nearest("mian", {"main"}), "main");  // a swap is one slip
  EXPECT_EQ(nearest("frobnicate", commands), std::nullopt);
}

TEST(Slug, IsFitForPathsRefsAndUrls) {
  EXPECT_EQ(slug("NVIDIA H200"), "nvidia-h200");
  EXPECT_EQ(slug("Intel(R) Xeon(R) 6960P"), "intel-r-xeon-r-6960p");
  EXPECT_EQ(slug("../../etc/passwd"), "etc-passwd");
  EXPECT_EQ(slug("..."), "unnamed");
  EXPECT_EQ(slug(""), "unnamed");
  EXPECT_EQ(slug("größer"), "gr-er");
  EXPECT_EQ(slug("a..b...c"), "a.b.c");  // git takes no ".." in a ref,
  EXPECT_EQ(slug("a.lock"), "a-lock");   // and no ".lock" at its end
  EXPECT_EQ(slug("a.-.b-."), "a.-.b");
}

TEST(CountOf, TakesThePluralButForOne) {
  EXPECT_EQ(count_of(0, "run"), "0 runs");
  EXPECT_EQ(count_of(1, "run"), "1 run");
  EXPECT_EQ(count_of(12, "run"), "12 runs");
}

TEST(FormatPercent, KeepsThreeDigitsAndTheSign) {
  EXPECT_EQ(format_percent(0.0124), "+1.24 %");
  EXPECT_EQ(format_percent(-0.003), "−0.30 %");
  EXPECT_EQ(format_percent(0.1234), "+12.3 %");
  EXPECT_EQ(format_percent(-1.5), "−150 %");
  EXPECT_EQ(format_percent(0.00001), "0.00 %");
  EXPECT_EQ(format_percent(0.09999), "+10.0 %");
  EXPECT_EQ(format_share(0.02), "2 %");
  EXPECT_EQ(format_share(0.005), "0.5 %");
}

TEST(Text, PlainNumbers) {
  EXPECT_EQ(format_plain(0), "0");
  EXPECT_EQ(format_plain(25165824), "25165824");
  EXPECT_EQ(format_plain(-3), "-3");
  EXPECT_EQ(format_plain(0.4), "0.4");
  EXPECT_EQ(format_plain(71.23456), "71.23");
  EXPECT_EQ(format_plain(1e300), "1e+300");
  EXPECT_EQ(format_plain(std::nan("")), "–");
}

TEST(Text, SizesInMemory) {
  EXPECT_EQ(format_bytes(0), "0 bytes");
  EXPECT_EQ(format_bytes(1), "1 byte");
  EXPECT_EQ(format_bytes(96), "96 bytes");
  EXPECT_EQ(format_bytes(1023), "1023 bytes");
  EXPECT_EQ(format_bytes(4096), "4 KiB");
  EXPECT_EQ(format_bytes(34304), "33.5 KiB");
  EXPECT_EQ(format_bytes(1000.0 * 1024), "1000 KiB");
  EXPECT_EQ(format_bytes(1.25 * 1024 * 1024), "1.25 MiB");
  EXPECT_EQ(format_bytes(std::nan("")), "–");
}

TEST(FormatQuantity, FourDigitsAndAPrefix) {
  EXPECT_EQ(format_quantity(3.48e12, "B/s"), "3.480 TB/s");
  EXPECT_EQ(format_quantity(15.1e-6, "s"), "15.10 µs");
  EXPECT_EQ(format_quantity(123.4e9, "FLOP/s"), "123.4 GFLOP/s");
  EXPECT_EQ(format_quantity(0.99999e12, "B/s"), "1.000 TB/s");
  EXPECT_EQ(format_quantity(0, "s"), "0.000 s");
  EXPECT_EQ(format_quantity(5000, "s"), "5000 s");
  EXPECT_EQ(format_quantity(32, ""), "32");
}

TEST(Printable, DisarmsStrangersText) {
  EXPECT_EQ(printable("a\x1b[31mred\n"), "a [31mred ");
  EXPECT_EQ(printable("µ→\xF0\x9F\x98\x80"), "µ→\xF0\x9F\x98\x80");
  EXPECT_EQ(printable("bad\xFFtail"), "bad\xEF\xBF\xBDtail");
  EXPECT_EQ(printable("\xC0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD");        // overlong
  EXPECT_EQ(printable("\xC2\x9Bm"), " m");                             // a C1 control
  EXPECT_EQ(printable("cut\xE2\x82"), "cut\xEF\xBF\xBD\xEF\xBF\xBD");  // truncated
}

TEST(BoundedExpression, IsNeitherDeepNorLong) {
  std::string names = "^(";
  for (int i = 0; i < 5000; ++i) names += (i > 0 ? "|" : "") + std::string("gemm/4096");
  for (const std::string& good : {std::string(""), std::string("gemm/(a|b)/.*"), names + ")$"})
    EXPECT_TRUE(is_bounded_expression(good)) << good.substr(0, 100);
  for (const std::string& bad :
       {std::string(30'000, '('), std::string(101, '(') + "a", "x|" + std::string(4001, 'a')})
    EXPECT_FALSE(is_bounded_expression(bad)) << bad.substr(0, 100);
}

TEST(Printable, ShowsWhatHidesAndBreaksCommandsToALog) {
  EXPECT_EQ(printable("a\u202Eb\u200Bc\uFEFF"), "a⟨U+202E⟩b⟨U+200B⟩c⟨U+FEFF⟩");
  EXPECT_EQ(printable("##[error]no"), "# #[error]no");
  EXPECT_EQ(printable("a ##[group]"), "a # #[group]");
  EXPECT_EQ(printable("C# #1 [x]"), "C# #1 [x]");
}

TEST(InQuotes, ANameCannotLeaveThem) {
  EXPECT_EQ(in_quotes("sort/8"), "'sort/8'");
  EXPECT_EQ(in_quotes("a\nb\x1b[1m"), "'a b [1m'");
}

// Whoever throws composes text from names as they are.
TEST(Error, NoNameMakesALineOfItsOwn) {
  const std::string name = "a\nforged\r##[error]\x1b[31m\u202E";
  const std::string shown = "a forged # #[error] [31m⟨U+202E⟩";
  const Error error(ExitCode::kUsage, "no file " + name, "did you mean " + name, {"  | " + name, "  | b"});
  EXPECT_EQ(error.what(), "no file " + shown + "\n  | " + shown + "\n  | b");
  EXPECT_EQ(error.hint(), "did you mean " + shown);
  const Error other = error.with_hint("see " + name);
  EXPECT_EQ(std::string(other.what()), error.what());
  EXPECT_EQ(other.hint(), "see " + shown);
  EXPECT_EQ(other.lines(), error.lines());
}

// A JSON reader gets the very same text back.
TEST(EscapeInvisible, KeepsTheValue) {
  EXPECT_EQ(escape_invisible("{\"µ\u202E\": \"\U000E0041\"}"), "{\"µ\\u202e\": \"\\udb40\\udc41\"}");
  EXPECT_EQ(escape_invisible("{\"a\": 1}"), "{\"a\": 1}");
}

TEST(PercentEncoded, LeavesNothingThatHasAMeaning) {
  EXPECT_EQ(percent_encoded("user:a/b&c=#é"), "user%3Aa%2Fb%26c%3D%23%C3%A9");
  EXPECT_EQ(percent_encoded("A-z_0.9~"), "A-z_0.9~");
  EXPECT_EQ(percent_encoded("a b/c", "/"), "a%20b/c");
}

TEST(FormatPercentRange, HasBothEndsInBrackets) {
  EXPECT_EQ(format_percent_range(-0.299, 0.0124), "[−29.9, +1.24]");
}

TEST(FormatPercent, WhatNobodyReadsHasNoDigits) {
  EXPECT_EQ(format_percent(std::numeric_limits<double>::infinity()), "+∞ %");
  EXPECT_EQ(format_share(1e30), "1e+32 %");
}

TEST(NaturalLess, SortsNumbersByTheirValue) {
  std::vector<std::string> names{"run-10", "run-9",  "run-09", "b2",    "b",
                                 "b10c2",  "b10c10", "",       "run-x", "b02"};
  std::sort(names.begin(), names.end(), [](const auto& a, const auto& b) { return natural_less(a, b); });
  EXPECT_EQ(names, (std::vector<std::string>{"", "b", "b02", "b2", "b10c2", "b10c10", "run-09", "run-9",
                                             "run-10", "run-x"}));
  EXPECT_TRUE(natural_less("a99999999999999999999998", "a99999999999999999999999")) << "beyond 64 bits";
  EXPECT_FALSE(natural_less("same", "same"));
}

TEST(ReplaceEvery, DoesNotLookAtWhatItPutIn) {
  std::string text = "a&b&&c";
  replace_every(text, "&", "&amp;");
  EXPECT_EQ(text, "a&amp;b&amp;&amp;c");
  replace_every(text, "&amp;", "");
  EXPECT_EQ(text, "abc");
}

TEST(SplitAndJoin, AreInverse) {
  EXPECT_EQ(split("a/b//c", '/'), (std::vector<std::string>{"a", "b", "", "c"}));
  EXPECT_EQ(join(split("a/b//c", '/'), "/"), "a/b//c");
}

TEST(Aligned, CountsColumnsAndNotBytes) {
  EXPECT_EQ(right_aligned("µs", 4), "  µs");
  EXPECT_EQ(left_aligned("µs", 4), "µs  ");
  EXPECT_EQ(right_aligned("long", 2), "long");
}

TEST(DisplayWidth, CountsCodePoints) {
  EXPECT_EQ(display_width("15.1 µs"), 7u);
}

TEST(ShellWord, IsOneWordToAShell) {
  EXPECT_EQ(shell_word("gemm/tile_2d/f32/64"), "gemm/tile_2d/f32/64");
  EXPECT_EQ(shell_word("gemm/*"), "'gemm/*'");
  EXPECT_EQ(shell_word("it's; $(touch hit)"), "'it'\\''s; $(touch hit)'");
  EXPECT_EQ(shell_word(""), "''");
}

TEST(ChangedWords, AreThoseBetweenWhatBothShare) {
  EXPECT_EQ(changed_words("cc -O3 a.c", "cc -O1 a.c"), std::pair(std::string("-O3"), std::string("-O1")));
  EXPECT_EQ(changed_words("make", "make -j all"), std::pair(std::string(), std::string("-j all")));
  EXPECT_EQ(changed_words("a b a", "a b a"), std::pair(std::string(), std::string()));
  EXPECT_EQ(changed_words("a a", "a"), std::pair(std::string("a"), std::string()));
}

const std::vector<std::string> kRecorded{"transpose/smem/f32/1024", "transpose/smem_padded/f32/1024",
                                         "transpose/smem_padded/f32/2048", "gemm/naive/f32/512"};

TEST(NearNames, APartOfANameIsOfferedAsAPattern) {
  EXPECT_EQ(near_names_hint({"smem_padded"}, kRecorded),
            "'*smem_padded*' matches 2, such as transpose/smem_padded/f32/1024");
  EXPECT_EQ(near_names_hint({"smem_padded*"}, kRecorded),
            "'*smem_padded*' matches 2, such as transpose/smem_padded/f32/1024");
}

TEST(NearNames, ASlipOfTheFingerIsCorrected) {
  EXPECT_EQ(near_names_hint({"gem/naive/f32/512"}, kRecorded), "near it: 'gemm/naive/f32/512', '*gemm*'");
  EXPECT_EQ(near_names_hint({"transpose/smem_paded/*"}, kRecorded), "near it: '*smem_padded*'");
}

TEST(NearNames, NothingIsOfferedForWhatIsFarFromAll) {
  EXPECT_EQ(near_names_hint({"quicksort"}, kRecorded), "");
  EXPECT_EQ(near_names_hint({"*"}, {}), "");
}

TEST(Quantities, StandInTheUnitOfTheLarger) {
  struct Row {
    std::optional<double> a;
    std::optional<double> b;
    const char* unit;
    const char* a_text;
    const char* b_text;
  };
  const Row rows[] = {
      {3.482e12, 2.459e12, "B/s", "3.482 TB/s", "2.459 TB/s"},
      {1.307e12, 872.6e9, "B/s", "1.307 TB/s", "0.8726 TB/s"},
      {872.6e9, 1.307e12, "B/s", "0.8726 TB/s", "1.307 TB/s"},
      {999.98e-6, 1.2e-3, "s", "1.000 ms", "1.200 ms"},
      {99.99e-6, 1.2e-3, "s", "0.09999 ms", "1.200 ms"},
      {12.34e-6, 1.2e-3, "s", "0.01234 ms", "1.200 ms"},
      {9.9e-6, 1.2e-3, "s", "9.900 µs", "1.200 ms"},
      {0.9, 5000, "s", "0.9000 s", "5000 s"},  // never kiloseconds
      {0, 1.2e-3, "s", "0.000 s", "1.200 ms"},
      {std::nullopt, 1.2e-3, "s", "–", "1.200 ms"},
      {1.2e-3, std::nullopt, "s", "1.200 ms", "–"},
      {NAN, 1.2e-3, "s", "–", "1.200 ms"},
      {32, 0.5, "", "32", "0.5"},
  };
  for (const auto& row : rows) {
    const auto [a, b] = format_quantities(row.a, row.b, row.unit);
    EXPECT_EQ(a, row.a_text);
    EXPECT_EQ(b, row.b_text);
  }
}

}  // namespace

}  // namespace tracker

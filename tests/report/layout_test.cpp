#include "tracker/report/layout.hpp"

#include <gtest/gtest.h>

#include "tests/report/attacks.hpp"
#include "tracker/base/text.hpp"

namespace tracker::report {
namespace {

TEST(WrapHelp, ContinuesADescriptionBelowItself) {
  const std::string help =
      "Usage: tracker\n"
      "  --gpu MODEL Excludes: --cpu the GPU's model, where the files do not name it themselves\n"
      "  --pairing PAIRING:{interleaved,none}\n"
      "                              how the sides were measured, by what the files' dates show\n"
      "Exit codes: 0 nothing regressed, 1 regressed, 2 usage, 3 cannot judge, 4 the environment";
  EXPECT_EQ(wrap_help(help, 70, 30),
            "Usage: tracker\n"
            "  --gpu MODEL Excludes: --cpu the GPU's model, where the files do not\n"
            "                              name it themselves\n"
            "  --pairing PAIRING:{interleaved,none}\n"
            "                              how the sides were measured, by what the\n"
            "                              files' dates show\n"
            "Exit codes: 0 nothing regressed, 1 regressed, 2 usage, 3 cannot judge,\n"
            "4 the environment");
}

// Whoever fills a table or wraps a sentence hands over names as they are.
TEST(Layout, NoNameMakesALineOfItsOwn) {
  for (const auto& attack : test::attacks()) {
    const auto is_printable = [&](const std::string& line) {
      EXPECT_EQ(line, printable(line)) << attack.name;
    };
    is_printable(shorten_end(attack.text, kTableUnlimited));
    is_printable(shorten_middle(attack.text, 20));
    for (const std::size_t width : {std::size_t{9}, kTableUnlimited})
      for (const auto& line : wrap(attack.text, width)) is_printable(line);
    const auto lines = table_lines({{.head = "name"}, {.head = "value"}}, {{{attack.text}, {"1"}}});
    ASSERT_EQ(lines.size(), 2U) << attack.name;
    is_printable(lines.back());
    EXPECT_TRUE(lines.back().ends_with("  1")) << attack.name;
    EXPECT_LE(split(wrapped(attack.text, 0, "note: "), '\n').size(), 2U) << attack.name;
  }
}

TEST(WrapHelp, BreaksSentencesAnew) {
  EXPECT_EQ(
      wrap_help(
          "records results for each commit and GPU, one after the other,\ncompares commits, and fails.\n"
          "Exit codes: 0 nothing regressed; 2 usage;\n3 cannot judge.\nUsage: tracker\n\nOptions:\n  -h",
          60, 30),
      "records results for each commit and GPU, one after the\nother, compares commits, and fails.\n"
      "Exit codes: 0 nothing regressed; 2 usage; 3 cannot judge.\nUsage: tracker\n\nOptions:\n  -h");
}

TEST(Wrapped, IndentsWhatGoesOnBehindTheHead) {
  EXPECT_EQ(wrapped("one two three", 12, "note: "), "note: one\n      two\n      three\n");
  EXPECT_EQ(wrapped("one two", 5, "", kBold), "\x1b[1mone\x1b[0m\n\x1b[1mtwo\x1b[0m\n");
  EXPECT_EQ(wrapped("one two", 0, "→ "), "→ one two\n") << "one line, whatever its width";
  EXPECT_EQ(wrapped("", 10, "note: "), "");
}

TEST(TextTable, MakesColumnsAsWideAsTheirWidestCell) {
  EXPECT_EQ(text_table({{.head = "device"}, {.head = "runs", .right = true, .width_min = 6}, {}},
                       {{"H200", "7", ""}, {"größer", "12", "new"}}),
            "device    runs\nH200         7\ngrößer      12  new\n");
  EXPECT_EQ(text_table({{}, {.right = true, .gap = 1}}, {{"a", "1"}, {"b", "10"}}, 0, "  "),
            "  a  1\n  b 10\n")
      << "without heads no line of them";
}

TEST(TextTable, ShortensWhatIsTooLong) {
  EXPECT_EQ(text_table({{.width_max = 7}}, {{"transpose/naive"}}), "tra…ive\n");
  const std::vector<TextColumn> columns{{}, {.width_min = 3, .takes_rest = true}};
  EXPECT_EQ(text_table(columns, {{"1a2b3c4", "Pad the tile"}}, 16), "1a2b3c4  Pad th…\n");
  EXPECT_EQ(text_table(columns, {{"1a2b3c4", "Pad the tile"}}, 5), "1a2b3c4  Pa…\n") << "never to nothing";
  EXPECT_EQ(text_table(columns, {{"1a2b3c4", "Pad the tile"}}), "1a2b3c4  Pad the tile\n");
}

TEST(WrapHint, BreaksBetweenRemediesAndNeverInACommand) {
  const std::string two =
      "measure this one: tracker run; or fetch what is recorded elsewhere: tracker sync --fetch";
  EXPECT_EQ(wrap_hint(two, 100), (std::vector<std::string>{two}));
  EXPECT_EQ(wrap_hint(two, 70),
            (std::vector<std::string>{"measure this one: tracker run;",
                                      "or fetch what is recorded elsewhere: tracker sync --fetch"}));
  EXPECT_EQ(wrap_hint("name them: [measure] build = [[\"cmake\"]]", 30),
            (std::vector<std::string>{"name them:", "[measure] build = [[\"cmake\"]]"}));
  EXPECT_EQ(wrap_hint("tracker compare a b --measure", 10),
            (std::vector<std::string>{"tracker compare a b --measure"}));
}

TEST(WrapHelp, KeepsWhatFits) {
  const std::string help = "a\n\n  b                           c\n";
  EXPECT_EQ(wrap_help(help, 80, 30), help);
}

}  // namespace
}  // namespace tracker::report

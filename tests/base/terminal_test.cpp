#include "tracker/base/terminal.hpp"

#include <map>

#include <gtest/gtest.h>

#include "tests/report/attacks.hpp"
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

bool knows(const std::map<std::string, std::string>& environment) {
  return knows_links([&](const std::string& name) {
    const auto found = environment.find(name);
    return found == environment.end() ? std::string() : found->second;
  });
}

TEST(TerminalLinks, AreForTerminalsThatAreKnownToShowThem) {
  const std::string xterm = "xterm-256color";
  EXPECT_FALSE(knows({}));
  EXPECT_FALSE(knows({{"TERM", xterm}}));
  EXPECT_FALSE(knows({{"TERM", "linux"}, {"COLORTERM", "truecolor"}}));
  EXPECT_TRUE(knows({{"TERM", "xterm-kitty"}}));
  EXPECT_TRUE(knows({{"TERM", "foot-extra"}}));
  EXPECT_TRUE(knows({{"TERM", xterm}, {"VTE_VERSION", "6003"}}));
  EXPECT_FALSE(knows({{"TERM", xterm}, {"VTE_VERSION", "5000"}}));
  EXPECT_TRUE(knows({{"TERM", xterm}, {"TERM_PROGRAM", "vscode"}, {"TERM_PROGRAM_VERSION", "1.85.0"}}));
  EXPECT_FALSE(knows({{"TERM", xterm}, {"TERM_PROGRAM", "vscode"}, {"TERM_PROGRAM_VERSION", "1.50.1"}}));
  EXPECT_TRUE(knows({{"TERM", xterm}, {"TERM_PROGRAM", "iTerm.app"}, {"TERM_PROGRAM_VERSION", "3.4.19"}}));
  EXPECT_FALSE(knows({{"TERM", xterm}, {"TERM_PROGRAM", "iTerm.app"}, {"TERM_PROGRAM_VERSION", "2.9"}}));
  EXPECT_FALSE(knows({{"TERM", xterm}, {"TERM_PROGRAM", "Apple_Terminal"}}));
  EXPECT_TRUE(knows({{"TERM", xterm}, {"WT_SESSION", "x"}}));
}

TEST(TerminalLinks, PassTmuxFromAVersionOn) {
  std::map<std::string, std::string> inside{{"TERM", "tmux-256color"},
                                            {"TMUX", "/tmp/tmux-0/default,1,0"},
                                            {"TERM_PROGRAM", "tmux"},
                                            {"TERM_PROGRAM_VERSION", "3.3a"},
                                            {"VTE_VERSION", "6003"}};
  EXPECT_FALSE(knows(inside));
  inside["TERM_PROGRAM_VERSION"] = "3.4";
  EXPECT_TRUE(knows(inside));
  inside["TERM_PROGRAM"] = "vscode";  // of the terminal around an older tmux
  EXPECT_FALSE(knows(inside));
  EXPECT_FALSE(knows({{"TERM", "screen"}, {"STY", "1.pts"}, {"VTE_VERSION", "6003"}}));
}

TEST(TerminalLinks, AreNotForWhoWantsPlainText) {
  EXPECT_FALSE(knows({{"TERM", "dumb"}, {"VTE_VERSION", "6003"}}));
  EXPECT_FALSE(knows({{"TERM", "xterm-kitty"}, {"NO_COLOR", "1"}}));
}

std::string shown(const std::string& line) {
  return link_commit_ids(line, [](const std::string& word) {
    return word.starts_with("1a2b3c4") ? "https://x.org/" + word : "";
  });
}

const std::string kOpen = "\x1b]8;;https://x.org/1a2b3c4\x1b\\";
const std::string kClose = "\x1b]8;;\x1b\\";

TEST(TerminalLinks, AreOfCommitsAlone) {
  EXPECT_EQ(shown("  1a2b3c4  Pad the tile\n"), "  " + kOpen + "1a2b3c4" + kClose + "  Pad the tile\n");
  EXPECT_EQ(shown("(1a2b3c4)"), "(" + kOpen + "1a2b3c4" + kClose + ")");
  EXPECT_EQ(shown("1a2b3c4..1a2b3c4"), kOpen + "1a2b3c4" + kClose + ".." + kOpen + "1a2b3c4" + kClose);
  for (const char* other : {"deadbee", "1a2b3c", "x1a2b3c4", "1a2b3c4x", "20261120T124901Z-1a2b3c4",
                            "a/1a2b3c4", "1a2b3c4/b", "1A2B3C4D", "é1a2b3c4", "", "no commit"})
    EXPECT_EQ(shown(other), other);
}

TEST(TerminalLinks, LeaveColoursAsTheyAre) {
  EXPECT_EQ(shown("\x1b[1m1a2b3c4\x1b[0m 5"), "\x1b[1m" + kOpen + "1a2b3c4" + kClose + "\x1b[0m 5");
  const std::string cut = "\x1b[38;5;1a2b3c4";
  EXPECT_EQ(shown(cut).substr(0, 8), cut.substr(0, 8));
  EXPECT_EQ(shown("\x1b"), "\x1b");
  EXPECT_EQ(shown(kOpen + "x" + kClose), kOpen + "x" + kClose) << "an address in a link is none of ours";
}

TEST(TerminalLinks, HaveNoAddressThatWouldEndThem) {
  EXPECT_EQ(linked("x", "https://a.org/\x1b\\evil"), "x");
  EXPECT_EQ(linked("x", "https://a.org/ b"), "x");
  EXPECT_EQ(linked("x", ""), "x");
}

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

}  // namespace tracker

#include "tracker/report/layout.hpp"

#include <gtest/gtest.h>

#include "tracker/base/text.hpp"

namespace tracker {
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

TEST(WrapHelp, BreaksSentencesAnew) {
  EXPECT_EQ(
      wrap_help(
          "records results for each commit and GPU, one after the other,\ncompares commits, and fails.\n"
          "Exit codes: 0 nothing regressed; 2 usage;\n3 cannot judge.\nUsage: tracker\n\nOptions:\n  -h",
          60, 30),
      "records results for each commit and GPU, one after the\nother, compares commits, and fails.\n"
      "Exit codes: 0 nothing regressed; 2 usage; 3 cannot judge.\nUsage: tracker\n\nOptions:\n  -h");
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

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

TEST(WrapHelp, KeepsWhatFits) {
  const std::string help = "a\n\n  b                           c\n";
  EXPECT_EQ(wrap_help(help, 80, 30), help);
}

}  // namespace
}  // namespace tracker

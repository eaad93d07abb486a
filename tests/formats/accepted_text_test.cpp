#include "tracker/formats/accepted_text.hpp"

#include <gtest/gtest.h>

#include "tracker/base/error.hpp"
#include "tracker/formats/config_file.hpp"

namespace tracker {
namespace {

const Waiver& accepted_copy() {
  static const Waiver accepted{"copy/*", "bounds are \"checked\" \\ now\n", std::string(40, 'a'), 0.12341,
                               ""};
  return accepted;
}

TEST(AcceptedText, KeepsAllElseAndAddsATable) {
  const std::string before = "# What we measure\n[[policy]] # all\nmatch = \"*\"   # really\n";
  const std::string after = with_accepted_table(before, accepted_copy(), "tracker.toml");
  EXPECT_EQ(after, before + "\n[[accepted]]\nmatch = \"copy/*\"\ncommit = \"" + std::string(40, 'a') +
                       "\"\nceiling = \"12.35%\"\nreason = \"bounds are \\\"checked\\\" \\\\ now\\u000A\"\n");
}

TEST(AcceptedText, IsReadBack) {
  const auto config = parse_config(with_accepted_table("", accepted_copy(), "t"), "t");
  ASSERT_EQ(config.policy.accepted.size(), 1u);
  const Waiver& read = config.policy.accepted[0];
  EXPECT_EQ(read.match, "copy/*");
  EXPECT_EQ(read.granted, std::string(40, 'a'));
  EXPECT_EQ(read.reason, accepted_copy().reason);
  EXPECT_NEAR(read.ceiling, 0.1235, 1e-9);
  EXPECT_EQ(read.expires, "");
  EXPECT_TRUE(config.policy.waivers.empty()) << "it holds only where its commit lies between both sides";
}

TEST(AcceptedText, TakesALastLineWithoutAnEnd) {
  const auto twice =
      with_accepted_table(with_accepted_table("# no end", accepted_copy(), "t"), accepted_copy(), "t");
  EXPECT_TRUE(twice.starts_with("# no end\n\n[[accepted]]\n"));
  EXPECT_EQ(parse_config(twice, "t").policy.accepted.size(), 2u);
}

TEST(AcceptedText, RefusesATextThatCannotTakeIt) {
  EXPECT_THROW(with_accepted_table("accepted = 1\n", accepted_copy(), "t"), Error);
  EXPECT_THROW(with_accepted_table("x = \"open", accepted_copy(), "t"), Error);
}

TEST(AcceptedText, OfTheMachineHasNoCeiling) {
  Waiver accepted = accepted_copy();
  accepted.machine = true;
  const std::string text = with_accepted_table("", accepted, "t");
  EXPECT_EQ(text.find("ceiling"), std::string::npos);
  EXPECT_TRUE(parse_config(text, "t").policy.accepted.at(0).machine);
  EXPECT_THROW(parse_config(text + "ceiling = \"1%\"\n", "t"), Error);
  EXPECT_THROW(parse_config(text + "cause = \"host\"\n", "t"), Error);
}

TEST(AcceptedText, TheTableNeedsAllOfItsKeys) {
  EXPECT_THROW(parse_config("[[accepted]]\nmatch = \"a\"\ncommit = \"1a2b3c4\"\nreason = \"b\"\n", "t"),
               Error);
  EXPECT_THROW(
      parse_config("[[accepted]]\nmatch = \"a\"\ncommit = \"HEAD\"\nreason = \"b\"\nceiling = \"1%\"\n", "t"),
      Error);
}

}  // namespace
}  // namespace tracker

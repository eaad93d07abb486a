// What tracker.toml accepts: floors, waivers, renames, the confidence; and how each can be wrong.
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/formats/support.hpp"
#include "tests/support/golden.hpp"
#include "tracker/formats/config_file.hpp"

namespace tracker::formats {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

Policy policy_in(const std::string& text) {
  return parse_config(text, "tracker.toml").policy;
}

TEST(PolicyTables, AWholePolicy) {
  const Policy policy = policy_in(R"toml([judge]
confidence = "99.9%"

[[policy]]
match = "transpose/*"
floor = "90% of transpose/copy_row/{3}/{4}"
may_exceed_peak = true
same_code = "fail_in_turn"
source = "kernels/{1}/{2}.cu"

[[policy]]
match = "registers"
floor = 12
same_code = "fail"

[[policy]]
match = "gemm/*"
same_clock = true
same_code = "report"

[[waiver]]
match = "gemm/*"
reason = "needed for correctness: #12"
granted = "2026-11-20"
ceiling = "10%"
expires = 2026-12-31

[[waiver]]
match = "*"
reason = "r"
granted = "3F9a0c1"
ceiling = "0.5 %"
expires = "2026-02-28"

[[rename]]
from = "old/*/f32/*"
to = "new/*/*"
)toml");
  EXPECT_NEAR(policy.confidence, 0.999, 1e-12);
  ASSERT_THAT(policy.rules, SizeIs(3));
  EXPECT_EQ(policy.rules[0].floor->of, "transpose/copy_row/{3}/{4}");
  EXPECT_EQ(policy.rules[0].floor->limit, 0.9);
  EXPECT_EQ(policy.rules[0].floor->text, "90% of transpose/copy_row/{3}/{4}");
  EXPECT_EQ(policy.rules[0].may_exceed_peak, true);
  EXPECT_EQ(policy.rules[0].same_code, SameCode::kFailInTurn);
  EXPECT_EQ(policy.rules[0].source, "kernels/{1}/{2}.cu");
  EXPECT_EQ(policy.rules[1].source, std::nullopt);
  EXPECT_EQ(policy.rules[1].same_code, SameCode::kFail);
  EXPECT_EQ(policy.rules[2].same_clock, true);
  EXPECT_EQ(policy.rules[1].same_clock, std::nullopt);
  EXPECT_EQ(policy.rules[2].same_code, SameCode::kReport);
  EXPECT_EQ(policy.rules[1].floor->limit, 12);
  EXPECT_EQ(policy.rules[1].floor->text, "12");
  ASSERT_THAT(policy.waivers, SizeIs(2));
  EXPECT_EQ(policy.waivers[0].match, "gemm/*");
  EXPECT_EQ(policy.waivers[0].reason, "needed for correctness: #12");
  EXPECT_EQ(policy.waivers[0].granted, "2026-11-20");
  EXPECT_EQ(policy.waivers[0].ceiling, 0.1);
  EXPECT_EQ(policy.waivers[0].expires, "2026-12-31");
  EXPECT_EQ(policy.waivers[1].granted, "3F9a0c1");
  ASSERT_THAT(policy.renames, SizeIs(1));
  EXPECT_EQ(policy.renames[0].to, "new/*/*");
}

TEST(FloorText, QuantitiesAndShares) {
  struct Row {
    const char* text;
    double limit;
    const char* unit;
    const char* of;  // empty: none
  };
  const Row rows[] = {{"3.2 TB/s", 3.2e12, "B/s", ""},
                      {"3.2TB/s", 3.2e12, "B/s", ""},
                      {"450 GFLOP/s", 450e9, "FLOP/s", ""},
                      {"1.5 PFLOP/s", 1.5e15, "FLOP/s", ""},
                      {"7 B/s", 7, "B/s", ""},
                      {"2 M1/s", 2e6, "1/s", ""},
                      {"80 k1/s", 80e3, "1/s", ""},
                      {"2.5 ms", 2.5e-3, "s", ""},
                      {"2.5 us", 2.5e-6, "s", ""},
                      {"2.5 \u00b5s", 2.5e-6, "s", ""},
                      {"2.5 \u03bcs", 2.5e-6, "s", ""},
                      {"900 ns", 900e-9, "s", ""},
                      {"1e-3 s", 1e-3, "s", ""},
                      {"12", 12, "", ""},
                      {"0.5", 0.5, "", ""},
                      {"90% of copy/{2}", 0.9, "", "copy/{2}"},
                      {"90 %  of  a name with spaces ", 0.9, "", "a name with spaces"},
                      {"110% of x", 1.1, "", "x"},
                      {"95% of of", 0.95, "", "of"},
                      {"5% of 100% of x", 0.05, "", "100% of x"}};
  for (const auto& row : rows) {
    const auto floor = parse_floor(row.text);
    ASSERT_TRUE(floor) << row.text;
    EXPECT_NEAR(floor->limit / row.limit, 1, 1e-12) << row.text;
    EXPECT_EQ(floor->unit, row.unit) << row.text;
    EXPECT_EQ(floor->of.value_or(""), row.of) << row.text;
    EXPECT_EQ(floor->text, row.text);
  }
}

TEST(FloorText, WhatIsNone) {
  for (const char* text :
       {"",      " ",     "fast",    "TB/s",       "-3 TB/s",    "0",        "0 B/s",  "0% of x", "nan",
        "inf",   "inf s", "1e999",   "1e-999 s",   "1e300 PB/s", "3 Tb/s",   "3 tb/s", "3 TB",    "3 kB / s",
        "3 Ms",  "3 ks",  "3 mB/s",  "3 nFLOP/s",  "3 ms s",     "3,2 TB/s", "90%",    "90% of",  "90% of ",
        "90% x", "90%of", "90 of x", "1000% of x", "90%% of x",  "+3 s",     "0x10",   " 3 s",    "3 \xb5s"})
    EXPECT_FALSE(parse_floor(text)) << "'" << text << "'";
}

const std::vector<std::string>& wrong_tables() {
  static const std::string waiver = "[[waiver]]\nmatch = \"x\"\nreason = \"r\"\ngranted = \"2026-11-20\"\n";
  static const std::vector<std::string> texts{
      "[[policy]]\nmatch = \"x\"\nflor = \"1 s\"\n",
      "[[policy]]\nmatch = \"x\"\nfloor = \"fast\"\n",
      "[[policy]]\nmatch = \"x\"\nfloor = \"\"\n",
      "[[policy]]\nmatch = \"x\"\nfloor = true\n",
      "[[policy]]\nmatch = \"x\"\nfloor = -1\n",
      "[[policy]]\nmatch = \"x\"\nfloor = 0\n",
      "[[policy]]\nmatch = \"x\"\nfloor = inf\n",
      "[[policy]]\nmatch = \"x\"\nfloor = \"90% of \"\n",
      "[[policy]]\nmatch = \"x\"\nfloor = \"90% of a\\u0000b\"\n",
      "[[policy]]\nmatch = \"x\"\nmetric = \"real_time\"\nfloor = \"3.2 TB/s\"\n",
      "[[policy]]\nfloor = \"2 ms\"\nmatch = \"x\"\nmetric = \"spills\\u001b\"\n",
      "[[policy]]\nmatch = \"x\"\nmetric = \"flops\"\nfloor = 12\n",
      "[[policy]]\nmatch = \"x\"\nmay_exceed_peak = \"yes\"\n",
      "[[policy]]\nmatch = \"x\"\nsource = \"\"\n",
      "[[policy]]\nmatch = \"x\"\nsource = [\"a.cu\"]\n",
      "[[policy]]\nmatch = \"x\"\nsource = \"/usr/a.cu\"\n",
      "[[policy]]\nmatch = \"x\"\nsource = \"kernels/../../{1}\"\n",
      "[waiver]\nmatch = \"x\"\n",
      "[[waiver]]\nmatch = \"x\"\nuntil = \"2026-11-20\"\n",
      "[[waiver]]\nmatch = \"x\"\nexpire = \"2026-11-20\"\n",
      "\n  [[waiver]]\n",
      waiver,
      waiver + "ceiling = \"10%\"\n",
      waiver + "ceiling = 0.1\nexpires = \"2026-12-31\"\n",
      waiver + "ceiling = \"0%\"\nexpires = \"2026-12-31\"\n",
      waiver + "ceiling = \"10%\"\nexpires = \"2026-11-19\"\n",
      waiver + "ceiling = \"10%\"\nexpires = 2026-11-19\n",
      waiver + "ceiling = \"10%\"\nexpires = \"2026-02-30\"\n",
      waiver + "ceiling = \"10%\"\nexpires = \"2026-12-31T00:00:00\"\n",
      waiver + "ceiling = \"10%\"\nexpires = 2026-12-31T00:00:00Z\n",
      waiver + "ceiling = \"10%\"\nexpires = \"31.12.2026\"\n",
      waiver + "ceiling = \"10%\"\nexpires = \"3f9a0c1\"\n",
      waiver + "ceiling = \"10%\"\nexpires = 20261231\n",
      "[[waiver]]\ngranted = \"yesterday\"\n",
      "[[waiver]]\ngranted = \"3f9a0c\"\n",
      "[[waiver]]\ngranted = \"3f9a0c1e5b7d2f4a6c8e0b1d3f5a7c9e1b3d5f701\"\n",
      "[[waiver]]\ngranted = \"3f9a0cg\"\n",
      "[[waiver]]\ngranted = 1234567\n",
      "[[waiver]]\nreason = \"\"\n",
      "[[rename]]\nfrom = \"a\"\n",
      "[[rename]]\nto = \"a\"\n",
      "[[rename]]\nfrom = \"a\"\nto = \"a\"\n",
      "[[rename]]\nfrom = \"a/*/*\"\nto = \"b/*\"\n",
      "[[rename]]\nfrom = \"a/?\"\nto = \"b\"\n",
      "[[rename]]\nfrom = \"a\"\nto = \"\"\n",
      "[[rename]]\nform = \"a\"\n",
      "[[rename]]\nfrom = \"a\"\nto = \"b\"\n[[rename]]\nfrom = \"b\"\nto = \"a\"\n",
      "[[rename]]\nfrom = \"a/*\"\nto = \"b/*\"\n[[rename]]\nfrom = \"b/x\"\nto = \"c\"\n"
      "[[rename]]\nfrom = \"c\"\nto = \"a/x\"\n",
      "[[rename]]\nfrom = \"a/*\"\nto = \"a/f32/*\"\n",
      "[judge]\nconfidence = \"89%\"\n",
      "[judge]\nconfidence = \"99.999%\"\n",
      "[judge]\nconfidence = 0.99\n",
      "[judge]\nconfidense = \"99%\"\n",
      "judge = \"99%\"\n",
      "[drift]\naction = \"shout\"\n",
      "[notify]\nwhen = \"never\"\n",
      "[notify]\nurl = \"https://hooks.example/x\"\n",
      "[drift]\nthreshold = 5\n",
      "[drift]\nsince = []\n",
      "[drift]\nsince = [\"release\", \"a month\"]\n",
      "[drift]\nsince = [\"0d\"]\n",
      "[drift]\nfail = true\n",
      "[[drift]]\n",
  };
  return texts;
}

// Each with the message that a user reads, line and column in it.
TEST(PolicyTables, ErrorsAreAsReviewed) {
  std::string all;
  for (const auto& text : wrong_tables()) all += text + "→ " + error_of([&] { policy_in(text); }) + "\n\n";
  EXPECT_TRUE(test::matches_golden(all, "tests/formats/golden/policy_errors.txt"));
}

TEST(PolicyTables, WhatADriftIsHeldAgainst) {
  const DriftPolicy usual = parse_config("", "tracker.toml").drift;
  EXPECT_EQ(usual.action, DriftAction::kFail);
  EXPECT_FALSE(usual.threshold);
  EXPECT_TRUE(usual.since_release && usual.since_baseline);
  EXPECT_THAT(usual.since_days, ElementsAre(30, 90));

  const DriftPolicy stated = parse_config(
                                 "[drift]\naction = \"warn\"\nthreshold = \"3%\"\nsince = [\"baseline\", "
                                 "\"26w\"]\n",
                                 "tracker.toml")
                                 .drift;
  EXPECT_EQ(stated.action, DriftAction::kWarn);
  EXPECT_NEAR(stated.threshold.value_or(0), 0.03, 1e-12);
  EXPECT_FALSE(stated.since_release);
  EXPECT_TRUE(stated.since_baseline);
  EXPECT_THAT(stated.since_days, ElementsAre(182));
}

TEST(PolicyTables, ConfidenceUpToItsEnds) {
  EXPECT_NEAR(policy_in("[judge]\nconfidence = \"90%\"\n").confidence, 0.9, 1e-12);
  EXPECT_NEAR(policy_in("[judge]\nconfidence = \"99.99%\"\n").confidence, 0.9999, 1e-12);
}

TEST(PolicyTables, AWaiverMayExpireOnTheDayItWasGranted) {
  const Policy policy = policy_in(
      "[[waiver]]\nmatch = \"x\"\nreason = \"r\"\ngranted = 2026-11-20\nceiling = \"1%\"\nexpires = "
      "2026-11-20\n");
  EXPECT_EQ(policy.waivers[0].expires, "2026-11-20");
}

}  // namespace
}  // namespace tracker::formats

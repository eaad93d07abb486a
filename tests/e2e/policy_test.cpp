// What tracker.toml accepts, from the file to the exit code.
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/e2e/scratch.hpp"

namespace tracker::e2e {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr char kBefore[] = "copy/a/8 10000 0.0005 1000000\ncopy/b/8 12000 0.0005 1000000\n";
constexpr char kAfter[] = "copy/a/8 10000 0.0005 1000000\ncopy/b/8 15000 0.0005 1000000\n";

// One job measured both, so that nothing is left to the spread between jobs. The policy may change later: it
// is read when judging.
class PolicyCommand : public testing::Test {
 protected:
  void measure(const std::string& before, const std::string& after) {
    scratch_.write("tracker.toml", building_config());
    scratch_.commit_speeds(before);
    scratch_.commit_speeds(after);
    const auto measured = scratch_.tracker({"compare", "HEAD~1", "--measure", "--identical-code", "measure"});
    ASSERT_THAT(measured.exit_code, testing::AnyOf(0, 1)) << measured.errors;
  }

  ProcessResult compare_with(const std::string& policy, std::vector<std::string> more = {}) {
    scratch_.write("tracker.toml", building_config() + "\n" + policy);
    more.insert(more.begin(), {"compare", "HEAD~1", "--all"});
    return scratch_.tracker(more);
  }

  Scratch scratch_;
};

std::string waiver(const std::string& ceiling, const std::string& expires) {
  return "[[waiver]]\nmatch = \"copy/b/*\"\nreason = \"bounds are checked\"\ngranted = "
         "\"2020-01-01\"\nceiling = \"" +
         ceiling + "\"\nexpires = \"" + expires + "\"\n";
}

TEST_F(PolicyCommand, AWaiverHoldsUpToItsCeilingAndItsDay) {
  measure(kBefore, kAfter);
  EXPECT_EQ(compare_with("").exit_code, 1);
  const auto waived = compare_with(waiver("30%", "2999-12-31"));
  EXPECT_EQ(waived.exit_code, 0) << waived.output;
  EXPECT_THAT(waived.output, HasSubstr("~ regressed"));
  EXPECT_THAT(waived.output, HasSubstr("waived until 2999-12-31: bounds are checked"));
  EXPECT_THAT(waived.output, HasSubstr("passed: nothing regressed but 1 benchmark that is waived"));
  const auto past = compare_with(waiver("10%", "2999-12-31"));
  EXPECT_EQ(past.exit_code, 1);
  EXPECT_THAT(past.output, HasSubstr("more than its ceiling of 10 %"));
  const auto expired = compare_with(waiver("30%", "2020-02-01"));
  EXPECT_EQ(expired.exit_code, 1);
  EXPECT_THAT(expired.output, HasSubstr("does not hold: expired on 2020-02-01"));
}

TEST_F(PolicyCommand, AFloorIsJudgedWhateverTheBaseDid) {
  measure(kAfter, kAfter);
  EXPECT_EQ(compare_with("").exit_code, 0);
  const auto share = compare_with("[[policy]]\nmatch = \"copy/b/*\"\nfloor = \"90% of {1}/a/{3}\"\n");
  EXPECT_EQ(share.exit_code, 1) << share.output;
  EXPECT_THAT(share.output, HasSubstr("✗ below floor"));
  EXPECT_THAT(share.output, HasSubstr("of copy/a/8, below its floor of 90 %"));
  EXPECT_EQ(compare_with("[[policy]]\nmatch = \"copy/b/*\"\nfloor = \"60% of {1}/a/{3}\"\n").exit_code, 0);
  const auto limit =
      compare_with("[[policy]]\nmatch = \"copy/b/*\"\nfloor = \"80 GB/s\"\n", {"--format", "json"});
  EXPECT_EQ(limit.exit_code, 1);
  const auto row = nlohmann::json::parse(limit.output)["reports"][0]["comparisons"][0];
  EXPECT_EQ(row["benchmark"], "copy/b/8");
  EXPECT_EQ(row["verdict"], "below_floor");
  EXPECT_NEAR(row["floor"]["reached"], 0.8333, 0.01);
  const auto unit = compare_with("[[policy]]\nmatch = \"copy/b/*\"\nfloor = \"2 ms\"\n");
  EXPECT_EQ(unit.exit_code, 2);
  EXPECT_THAT(unit.errors, HasSubstr("the floor '2 ms' of benchmark 'copy/b/8' does not fit its metric"));
}

TEST_F(PolicyCommand, ARenameKeepsTheSeriesWhole) {
  measure(kBefore, "tile/a/8 10000 0.0005 1000000\ntile/b/8 15000 0.0005 1000000\n");
  const std::string rename = "[[rename]]\nfrom = \"copy/*\"\nto = \"tile/*\"\n";
  EXPECT_THAT(compare_with("").output, HasSubstr("missing"));
  const auto compared = compare_with(rename);
  EXPECT_EQ(compared.exit_code, 1);
  EXPECT_THAT(compared.output, HasSubstr("1 regressed, 1 unchanged;")) << compared.output;
  const auto log = scratch_.tracker({"log", "tile/a/8"});
  EXPECT_THAT(log.output, HasSubstr("tile/a/8, bytes_per_second")) << log.output;
  EXPECT_THAT(log.output, testing::ContainsRegex("\n. [0-9a-f]{7}  .*\n. [0-9a-f]{7}  "));
  const auto plot = scratch_.tracker({"plot", "--terminal"});
  EXPECT_THAT(plot.output, Not(HasSubstr("copy/a/8")));
  EXPECT_THAT(plot.output, HasSubstr("tile/a/8"));
}

// The history of a renamed benchmark comes out of summaries as well, and is that of the documents.
TEST_F(PolicyCommand, ARenamedHistoryIsTheSameOutOfSummaries) {
  const auto record = [&](const std::string& names) {
    scratch_.commit_speeds(names);
    ASSERT_EQ(scratch_.tracker({"run", "-n", "3"}).exit_code, 0);
  };
  for (int i = 0; i < 4; ++i) record("copy/a/8 1000" + std::to_string(i) + " 0.004\nfind/b 20000 0.004\n");
  record("copy/a/8 10000 0.004\ntile/a/8 30000 0.004\nfind/b 20000 0.004\n");  // both names in one run
  for (int i = 0; i < 3; ++i) record("tile/a/8 1000" + std::to_string(i) + " 0.004\nfind/c 20000 0.004\n");
  ASSERT_EQ(scratch_.tracker({"log", "*"}).exit_code, 0) << "makes the summaries";
  for (const char* renames :
       {"", "[[rename]]\nfrom = \"find/b\"\nto = \"find/c\"\n",
        "[[rename]]\nfrom = \"copy/*\"\nto = \"tile/*\"\n",
        "[[rename]]\nfrom = \"find/*\"\nto = \"*\"\n[[rename]]\nfrom = \"b\"\nto = \"c\"\n"}) {
    scratch_.write("tracker.toml", plain_config() + renames);
    for (const char* format : {"text", "json"}) {
      const std::vector<std::string> question{"compare", "HEAD~1", "--all", "--format", format};
      const auto out_of_summaries = scratch_.tracker(question);
      const auto out_of_documents = scratch_.tracker_with({{"TRACKER_SUMMARY", "off"}}, question);
      EXPECT_EQ(out_of_summaries.output, out_of_documents.output) << renames;
      EXPECT_EQ(out_of_summaries.exit_code, out_of_documents.exit_code) << renames;
    }
  }
}

TEST_F(PolicyCommand, ABaselineUnderTheOldNameIsThatOfTheNewOne) {
  measure(kBefore, "tile/a/8 10000 0.0005 1000000\ntile/b/8 25000 0.0005 1000000\n");
  const auto promoted = scratch_.tracker({"baseline", "promote", "HEAD~1"});
  ASSERT_EQ(promoted.exit_code, 0) << promoted.errors;
  compare_with("[[rename]]\nfrom = \"copy/*\"\nto = \"tile/*\"\n");
  const auto shown = scratch_.tracker({"baseline", "show"});
  EXPECT_THAT(shown.output, testing::ContainsRegex("tile/a/8.*median of 5 in 1 job, ±.* in a job"))
      << shown.errors;
  EXPECT_THAT(shown.output, Not(HasSubstr("copy/a/8")));
  const auto compared = scratch_.tracker({"compare", "baseline", "--all"});
  EXPECT_EQ(compared.exit_code, 1) << compared.output;
  EXPECT_THAT(compared.output, HasSubstr("1 regressed, 1 unchanged;"));
  const auto worse = scratch_.tracker({"baseline", "promote"});
  EXPECT_EQ(worse.exit_code, 3) << "what is slower under a new name is slower";
  EXPECT_THAT(worse.errors, HasSubstr("tile/b/8"));
}

TEST_F(PolicyCommand, RulesThatMatchNothingAreSaid) {
  measure(kBefore, kBefore);
  const auto compared = compare_with(
      "[[waiver]]\nmatch = \"cpoy/*\"\nreason = \"r\"\ngranted = \"2020-01-01\"\nceiling = \"1%\"\nexpires = "
      "\"2999-12-31\"\n[[rename]]\nfrom = \"x\"\nto = \"y\"\n");
  EXPECT_EQ(compared.exit_code, 0);
  EXPECT_THAT(compared.output, HasSubstr("note: the waiver for 'cpoy/*' matches no benchmark"));
  EXPECT_THAT(compared.output, HasSubstr("note: the rename of 'x' matches no benchmark"));
}

TEST_F(PolicyCommand, AMissingBenchmarkFailsUnlessThePolicyAllowsIt) {
  measure(kBefore, "copy/a/8 10000 0.0005 1000000\n");
  EXPECT_EQ(compare_with("").exit_code, 1);
  EXPECT_EQ(compare_with("[[policy]]\nmatch = \"copy/b/*\"\nmay_be_missing = true\n").exit_code, 0);
  const auto waived = compare_with(waiver("1%", "2999-12-31"));
  EXPECT_EQ(waived.exit_code, 0) << waived.output;
  EXPECT_THAT(waived.output, HasSubstr("~ missing"));
}

TEST_F(PolicyCommand, TheConfidenceIsThePolicys) {
  measure(kBefore, kBefore);
  EXPECT_THAT(compare_with("[judge]\nconfidence = \"99.9%\"\n").output,
              HasSubstr("all intervals together hold with 99.9 % confidence"));
  const auto wrong = compare_with("[judge]\nconfidence = \"80%\"\n");
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.errors, HasSubstr("expected a confidence from \"90%\" to \"99.99%\""));
}

}  // namespace
}  // namespace tracker::e2e

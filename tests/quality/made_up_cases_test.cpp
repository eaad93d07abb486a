#include "tests/quality/made_up_cases.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "tests/quality/rules.hpp"

namespace tracker::quality {
namespace {

TEST(MadeUpCases, AreRepeatedByTheSameSeed) {
  const auto once = try_cases({.reports = 1, .seed = 3});
  const auto again = try_cases({.reports = 1, .seed = 3});
  ASSERT_EQ(once.size(), again.size());
  EXPECT_EQ(cases_text(once), cases_text(again));
  for (const auto& one : once) {
    EXPECT_EQ(one.tallies.size(), rules().size());
    EXPECT_GE(one.tallies.front().reports.of, 1) << one.name;
    EXPECT_GE(one.tallies.front().comparisons.of, 18) << one.name;
    EXPECT_GE(one.hidden.of, 3) << one.name;
  }
}

TEST(MadeUpCases, MissWhereOurRuleIsWrong) {
  auto findings = try_cases({.reports = 1});
  for (auto& one : findings) {
    one.tallies.assign(rules().size(), {{0, 20000}, {0, 1000}, {20000, 20000}});
    one.hidden = {0, 20000};
  }
  EXPECT_TRUE(all_met(check_cases(findings), true));
  findings[1].tallies.front().reports.hits = 40;
  EXPECT_FALSE(all_met(check_cases(findings), false));
  findings[1].tallies.front() = {{0, 20000}, {0, 1000}, {2000, 20000}};
  EXPECT_FALSE(all_met(check_cases(findings), false));
  findings[1].tallies.front() = {{0, 20000}, {0, 1000}, {20000, 20000}};
  findings[1].hidden.hits = 60;
  EXPECT_FALSE(all_met(check_cases(findings), false));
}

TEST(MadeUpCases, AreARowEach) {
  const auto findings = try_cases({.reports = 1});
  const std::string table = cases_markdown(findings);
  EXPECT_EQ(static_cast<std::size_t>(std::count(table.begin(), table.end(), '\n')), findings.size() + 2);
}

}  // namespace
}  // namespace tracker::quality

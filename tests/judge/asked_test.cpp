// Binaries that are measured only where they are asked for: a side without them was not asked.
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/make_run.hpp"
#include "tests/support/policy.hpp"
#include "tracker/judge/judge.hpp"

namespace tracker::judge {
namespace {

using test::around;
using test::around_again;
using test::kBase;
using test::kCandidate;
using test::make_run;

Run of_binary(const std::string& binary, Run run) {
  for (auto& benchmark : run.benchmarks) benchmark.binary = binary;
  return run;
}

TEST(AskedFor, IsComparedWhereBothSidesHaveIt) {
  const tracker::Run plain_base = make_run(kBase, {{"k", around(100)}});
  const tracker::Run plain_candidate = make_run(kCandidate, {{"k", around_again(100)}});
  const tracker::Run swept_base =
      of_binary("sweep", make_run(kBase, {{"s/1", around(100)}, {"s/2", around(100)}}));
  const tracker::Run swept_candidate = of_binary("sweep", make_run(kCandidate, {{"s/1", around_again(100)}}));
  const auto names = [](const ComparisonReport& report) {
    std::vector<std::string> all;
    for (const auto& comparison : report.comparisons)
      all.push_back(comparison.benchmark + " " + verdict_name(comparison.verdict));
    return all;
  };
  Policy policy = test::policy_at(0.02);
  const auto judged = [&](const std::vector<tracker::Run>& base, const std::vector<tracker::Run>& candidate) {
    return names(judge({{}, base}, {{}, candidate}, {}, policy));
  };
  const std::vector<tracker::Run> base{plain_base, swept_base};
  const std::vector<tracker::Run> candidate{plain_candidate, swept_candidate};
  EXPECT_THAT(judged(base, {plain_candidate}), testing::SizeIs(3)) << "gone, as far as anyone knows";
  policy.asked = {"sweep"};
  EXPECT_THAT(judged(base, {plain_candidate}), testing::ElementsAre(testing::StartsWith("k ")));
  EXPECT_THAT(judged({plain_base}, candidate), testing::ElementsAre(testing::StartsWith("k ")));
  EXPECT_THAT(judged(base, candidate), testing::Contains("s/2 missing"));
  tracker::Run crashed = plain_candidate;
  crashed.failures = {{"sweep", "crashed"}};
  EXPECT_THAT(judged(base, {crashed}), testing::Contains("s/1 failed"));
}

}  // namespace
}  // namespace tracker::judge

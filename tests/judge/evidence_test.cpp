// What is gathered of each benchmark, once, before anything is decided.
#include "tracker/judge/evidence.hpp"

#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/make_run.hpp"

namespace tracker::judge {
namespace {

using test::make_run;
using testing::ElementsAre;

using RunList = std::vector<Run>;  // within a test, Run is gtest's

std::vector<BenchmarkEvidence> gathered(const RunList& base, const RunList& candidate,
                                        const Policy& policy = {}) {
  return gather_evidence(base, candidate, policy, Distance::kOtherBoard);
}

RunList runs_of(const std::vector<test::Timed>& benchmarks, const test::RunNumbers& numbers = test::kBase) {
  return {make_run(numbers, benchmarks)};
}

TEST(Evidence, IsOfEachBenchmarkOfEitherSideInTheOrderOfNames) {
  const RunList base = runs_of({{"c", {100}}, {"a", {100}}});
  const RunList candidate = runs_of({{"b", {100}}, {"a", {200}}}, test::kCandidate);
  std::vector<std::string> names;
  for (const auto& one : gathered(base, candidate)) names.push_back(one.name);
  EXPECT_THAT(names, ElementsAre("a", "b", "c"));
  const auto a = gathered(base, candidate).front();
  EXPECT_NEAR(a.base.values.typical().value(), 100e-9, 1e-15);
  EXPECT_NEAR(a.candidate.values.typical().value(), 200e-9, 1e-15);
}

TEST(Evidence, CountsNoInvocationThatIsExcludedAndNoRunThatFailed) {
  RunList base = runs_of({{"a", {100, 900, 100}}}, {.id = "1", .job = "1"});
  base.front().invocations[1].excluded = exclusion_of("warm-up");
  RunList failed =
      runs_of({{.name = "a", .times_ns = {500}, .error = "out of memory"}}, {.id = "2", .job = "2"});
  base.push_back(failed.front());
  const auto a = gathered(base, base).front();
  EXPECT_EQ(a.base.values.count(), 2);
  EXPECT_NEAR(a.base.values.typical().value(), 100e-9, 1e-15);
  EXPECT_THAT(a.base.values.rounds_by_job, ElementsAre(ElementsAre(1, 3)));
  EXPECT_EQ(a.base.seen.size(), 2U);
  EXPECT_EQ(a.base.newest()->error, "out of memory") << "the newest definition is the failed run's";
}

TEST(Evidence, KnowsCountersThatNeverChange) {
  Policy policy;
  policy.rules.push_back({.match = "*", .metric = "steps"});
  RunList base = runs_of({{"a", {100, 101}}});
  RunList candidate = runs_of({{"a", {100, 101}}}, test::kCandidate);
  for (auto& invocation : base.front().invocations) invocation.samples["a"].counters["steps"] = {7};
  for (auto& invocation : candidate.front().invocations)
    invocation.samples["a"].counters["steps"] = {std::ceil(invocation.samples["a"].real_time_ns.front())};
  const auto a = gathered(base, candidate, policy).front();
  EXPECT_TRUE(a.base.exact);
  EXPECT_FALSE(a.candidate.exact);
  EXPECT_EQ(a.gate.metric.name, "steps");
}

TEST(Evidence, HasNoValuesOfWhatTheCandidateWasNotAskedFor) {
  const RunList base = runs_of({{"a", {100}}, {"b", {100}}});
  RunList candidate = runs_of({{"a", {100}}}, test::kCandidate);
  candidate.front().selection.named = 1;
  const auto all = gathered(base, candidate);
  EXPECT_TRUE(all.front().asked_for);
  EXPECT_FALSE(all.back().asked_for);
  EXPECT_FALSE(all.back().base.values.any());
}

}  // namespace
}  // namespace tracker::judge

#include "tracker/history/samples.hpp"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/make_run.hpp"

namespace tracker {
namespace {

using RunList = std::vector<Run>;
using test::make_run;
using test::Timed;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

Comparison comparison_of(const std::string& name, const std::string& metric = "real_time") {
  Comparison comparison;
  comparison.benchmark = name;
  comparison.metric = find_metric(metric);
  return comparison;
}

ComparisonReport report_of(const RunList& base, const RunList& candidate) {
  ComparisonReport report;
  for (const auto& run : base) report.base.runs.push_back(run.id);
  for (const auto& run : candidate) report.candidate.runs.push_back(run.id);
  return report;
}

Run run_of(const std::string& id, const std::string& job, const std::vector<Timed>& timed) {
  return make_run({.id = id, .job = job}, timed);
}

std::vector<double> medians_of(const std::vector<InvocationSamples>& side) {
  std::vector<double> medians;
  for (const auto& one : side) medians.push_back(std::round(one.median * 1e9));
  return medians;
}

TEST(Samples, KeepEveryRepetitionOfEveryInvocation) {
  auto base = run_of("a", "job", {{"k", {100, 110}}});
  base.invocations[1].samples["k"] = {
      {110, std::numeric_limits<double>::quiet_NaN(), 130}, {}, {1, 1, 1}, {}};
  base.invocations[1].round = 7;
  base.invocations[1].excluded = exclusion_of("warm-up");
  base.invocations[0].conditions.other_processes = 1;
  const RunList runs{base};
  const auto samples = make_samples(report_of(runs, {}), comparison_of("k"), runs, {}, {});
  ASSERT_EQ(samples.base.size(), 2u);
  EXPECT_THAT(samples.candidate, IsEmpty());
  EXPECT_EQ(samples.base[0].round, 1) << "its place, where the round is not known";
  EXPECT_TRUE(samples.base[0].disturbed);
  EXPECT_FALSE(samples.base[0].excluded);
  EXPECT_EQ(samples.base[1].round, 7);
  EXPECT_EQ(samples.base[1].excluded.reason, ExclusionReason::kWarmUp);
  EXPECT_EQ(samples.base[1].values.size(), 2u) << "a repetition without a value has no dot";
  EXPECT_DOUBLE_EQ(samples.base[1].median, 120e-9);
}

TEST(Samples, AreOfTheMetricThatIsJudged) {
  const RunList runs{run_of("a", "job", {{"k", {100}, 1000}})};
  const auto samples =
      make_samples(report_of(runs, {}), comparison_of("k", "bytes_per_second"), runs, {}, {});
  EXPECT_DOUBLE_EQ(samples.base.at(0).median, 1e10);
}

TEST(Samples, OfWhatWasMeasuredInTurnAreThoseOfTheNewestSharedJob) {
  const RunList base{run_of("a1", "1", {{"k", {100}}}), run_of("a2", "2", {{"k", {101}}}),
                     run_of("a3", "alone", {{"k", {102}}})};
  const RunList candidate{run_of("b1", "1", {{"k", {200}}}), run_of("b2", "2", {{"k", {201}}})};
  auto report = report_of(base, candidate);
  report.interleaved = true;
  const auto samples = make_samples(report, comparison_of("k"), base, candidate, {});
  EXPECT_TRUE(samples.paired);
  EXPECT_THAT(medians_of(samples.base), ElementsAre(101));
  EXPECT_THAT(medians_of(samples.candidate), ElementsAre(201));
}

TEST(Samples, OfStoredRunsAreThoseThatTheReportNames) {
  const RunList base{run_of("a1", "1", {{"k", {100}}}), run_of("a2", "2", {{"k", {101}}}),
                     run_of("a3", "3", {{"k", {102}}})};
  const RunList candidate{run_of("b1", "4", {{"k", {200}}})};
  auto report = report_of(base, candidate);
  report.base.runs = {"a1", "a3"};
  const auto samples = make_samples(report, comparison_of("k"), base, candidate, {});
  EXPECT_FALSE(samples.paired);
  EXPECT_THAT(medians_of(samples.base), ElementsAre(100, 102));
  EXPECT_EQ(samples.base[0].job, 0);
  EXPECT_EQ(samples.base[1].job, 1);
}

// The confirming job measured both benchmarks, but only one of the verdicts rests on it.
TEST(Samples, OfAConfirmedVerdictAreThoseOfTheConfirmingJob) {
  RunList base{run_of("a1", "1", {{"k", {100}}, {"other", {10}}}),
               run_of("a2", "c", {{"k", {101}}, {"other", {11}}})};
  RunList candidate{run_of("b1", "2", {{"k", {200}}, {"other", {20}}}),
                    run_of("b2", "c", {{"k", {201}}, {"other", {21}}})};
  base[1].selection = candidate[1].selection = {"^k$", 1};
  const auto report = report_of(base, candidate);
  Comparison confirmed = comparison_of("k");
  confirmed.confirmed = true;
  const auto in_turn = make_samples(report, confirmed, base, candidate, {});
  EXPECT_TRUE(in_turn.paired);
  EXPECT_THAT(medians_of(in_turn.candidate), ElementsAre(201));
  const auto stored = make_samples(report, comparison_of("other"), base, candidate, {});
  EXPECT_FALSE(stored.paired);
  EXPECT_THAT(medians_of(stored.candidate), ElementsAre(20));
}

TEST(Samples, FollowARename) {
  Policy policy;
  policy.renames = {{"old/*", "new/*"}};
  const RunList base{run_of("a", "1", {{"old/k", {100}}})};
  const RunList candidate{run_of("b", "2", {{"new/k", {200}}})};
  const auto samples =
      make_samples(report_of(base, candidate), comparison_of("new/k"), base, candidate, policy);
  EXPECT_THAT(medians_of(samples.base), ElementsAre(100));
  EXPECT_THAT(medians_of(samples.candidate), ElementsAre(200));
}

TEST(Samples, OfABenchmarkThatFailedAreNone) {
  RunList base{run_of("a", "1", {{"k", {100}}})};
  base[0].benchmarks[0].error = "no memory";
  EXPECT_THAT(make_samples(report_of(base, {}), comparison_of("k"), base, {}, {}).base, IsEmpty());
}

}  // namespace
}  // namespace tracker

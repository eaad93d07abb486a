// Verdicts on small runs made by hand: each row says what the two sides measured, and what must come out.
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/make_run.hpp"
#include "tracker/base/text.hpp"
#include "tracker/judge/judge.hpp"
#include "tracker/report/cells.hpp"

namespace tracker::judge {
namespace {

using test::around;
using test::around_again;
using test::kBase;
using test::kCandidate;
using test::make_run;
using test::RunNumbers;
using test::Timed;
using testing::HasSubstr;

Policy policy_with(PolicyRule rule) {
  Policy policy;
  rule.match = "*";
  if (!rule.threshold) rule.threshold = 0.02;
  policy.rules.push_back(rule);
  return policy;
}

// Each benchmark in a process of its own, so that it does not matter to it what else is measured.
Run isolated_run(const RunNumbers& numbers, const std::vector<Timed>& benchmarks) {
  Run run = make_run(numbers, benchmarks);
  run.isolated = true;
  return run;
}

ComparisonReport judge_for_verdict(const std::vector<Timed>& base, const std::vector<Timed>& candidate,
                                   const PolicyRule& rule = {}) {
  return judge({{}, {isolated_run(kBase, base)}}, {{}, {isolated_run(kCandidate, candidate)}}, {},
               policy_with(rule));
}

struct VerdictRow {
  const char* name;
  std::vector<Timed> base;
  std::vector<Timed> candidate;
  PolicyRule rule;
  Verdict verdict;
  const char* reason;  // a part of it
  ExitCode exit_code;
  ExitCode exit_code_strict;

  friend void PrintTo(const VerdictRow& row, std::ostream* out) { *out << row.name; }
};

const std::vector<VerdictRow>& verdict_rows() {
  constexpr double kBytes = 1e6;
  const auto ok = ExitCode::kOk;
  const auto failed = ExitCode::kRegressed;
  const auto cannot = ExitCode::kCannotJudge;
  PolicyRule report_only;
  report_only.report_only = true;
  PolicyRule may_be_missing;
  may_be_missing.may_be_missing = true;
  static const std::vector<VerdictRow> table{
      {"slower",
       {{"k", around(100)}},
       {{"k", around_again(103)}},
       {},
       Verdict::kRegressed,
       "3 % slower",
       failed,
       failed},
      {"faster",
       {{"k", around(100)}},
       {{"k", around_again(97)}},
       {},
       Verdict::kImproved,
       "3 % faster",
       ok,
       ok},
      {"less_bandwidth",
       {{"k", around(100), kBytes}},
       {{"k", around_again(103), kBytes}},
       {},
       Verdict::kRegressed,
       "less bandwidth",
       failed,
       failed},
      {"more_bandwidth",
       {{"k", around(100), kBytes}},
       {{"k", around_again(97), kBytes}},
       {},
       Verdict::kImproved,
       "more bandwidth",
       ok,
       ok},
      {"the_same",
       {{"k", around(100)}},
       {{"k", around_again(100)}},
       {},
       Verdict::kUnchanged,
       "within ±2 %",
       ok,
       ok},
      {"real_but_small",
       {{"k", around(100)}},
       {{"k", around_again(101)}},
       {},
       Verdict::kUnchanged,
       "within ±2 %",
       ok,
       ok},
      {"one_invocation",
       {{"k", {100}}},
       {{"k", {120}}},
       {},
       Verdict::kInconclusive,
       "at least two",
       ok,
       cannot},
      {"wide_noise",
       {{"k", around(100, 0.05)}},
       {{"k", around_again(103, 0.05)}},
       {},
       Verdict::kInconclusive,
       "the noise hides changes below",
       ok,
       cannot},
      {"at_the_threshold",
       {{"k", around(100, 0.001)}},
       {{"k", around_again(101.95, 0.001)}},
       {},
       Verdict::kInconclusive,
       "either side of the threshold",
       ok,
       cannot},
      {"missing",
       {{"k", around(100)}},
       {},
       {},
       Verdict::kMissing,
       "missing in the candidate",
       failed,
       failed},
      {"missing_with_leave",
       {{"k", around(100)}},
       {},
       may_be_missing,
       Verdict::kMissing,
       "missing in the candidate",
       cannot,
       cannot},
      {"new", {}, {{"k", around(100)}}, {}, Verdict::kNew, "the base has none", cannot, cannot},
      {"failed",
       {{"k", around(100)}},
       {{"k", {}, {}, "out of memory"}},
       {},
       Verdict::kFailed,
       "out of memory",
       failed,
       failed},
      {"failed_before",
       {{"k", {}, {}, "out of memory"}},
       {{"k", around(100)}},
       {},
       Verdict::kNew,
       "it failed in the base: out of memory",
       cannot,
       cannot},
      {"failed_on_both_sides",
       {{"k", {}, {}, "no tensor cores"}},
       {{"k", {}, {}, "no tensor cores"}},
       {},
       Verdict::kFailed,
       "it failed in the base as well: no tensor cores",
       cannot,
       cannot},
      {"failed_on_both_sides_with_other_figures",
       {{"k", {}, {}, "wrong at 0x7f3a: 3.5"}, {"l", around(100)}},
       {{"k", {}, {}, "wrong at 0x81bc: 4.25"}, {"l", around_again(100)}},
       {},
       Verdict::kFailed,
       "it failed in the base as well: wrong at 0x81bc: 4.25",
       ok,
       cannot},
      {"failed_on_both_sides_and_may_be_missing",
       {{"k", {}, {}, "no tensor cores"}, {"l", around(100)}},
       {{"k", {}, {}, "no tensor cores"}, {"l", around_again(100)}},
       may_be_missing,
       Verdict::kFailed,
       "it failed in the base as well",
       ok,
       ok},
      {"failed_in_another_way",
       {{"k", {}, {}, "out of memory"}, {"l", around(100)}},
       {{"k", {}, {}, "wrong result"}, {"l", around_again(100)}},
       {},
       Verdict::kFailed,
       "wrong result",
       failed,
       failed},
      {"failed_and_may_be_missing",
       {{"k", around(100)}, {"l", around(100)}},
       {{"k", {}, {}, "out of memory"}, {"l", around_again(100)}},
       may_be_missing,
       Verdict::kFailed,
       "out of memory",
       ok,
       ok},
      {"times_of_zero_on_both_sides",
       {{"k", {0, 0, 0, 0, 0}}, {"l", around(100)}},
       {{"k", {0, 0, 0, 0, 0}}, {"l", around_again(100)}},
       {},
       Verdict::kFailed,
       "it failed in the base as well: the candidate has no value above zero of 'real_time'",
       ok,
       cannot},
      {"times_of_zero",
       {{"k", around(100)}},
       {{"k", {0, 0, 0, 0, 0}}},
       {},
       Verdict::kFailed,
       "no value above zero of 'real_time'",
       failed,
       failed},
      {"base_times_of_zero",
       {{"k", {0, 0, 0, 0, 0}}},
       {{"k", around(100)}},
       {},
       Verdict::kNew,
       "no value above zero of 'real_time'",
       cannot,
       cannot},
      {"report_only",
       {{"k", around(100)}},
       {{"k", around_again(103)}},
       report_only,
       Verdict::kRegressed,
       "3 % slower",
       ok,
       ok},
      {"report_only_wide_noise",
       {{"k", around(100, 0.05)}},
       {{"k", around_again(103, 0.05)}},
       report_only,
       Verdict::kInconclusive,
       "the noise hides",
       ok,
       ok},
  };
  return table;
}

class OneBenchmark : public testing::TestWithParam<VerdictRow> {};

TEST_P(OneBenchmark, GetsItsVerdict) {
  const VerdictRow& row = GetParam();
  const auto report = judge_for_verdict(row.base, row.candidate, row.rule);
  ASSERT_EQ(report.comparisons.size(), row.candidate.size() + row.base.size() > 2 ? 2u : 1u);
  const Comparison& comparison = report.comparisons.front();
  EXPECT_EQ(verdict_name(comparison.verdict), verdict_name(row.verdict));
  EXPECT_THAT(report::reason_in_words(comparison), HasSubstr(row.reason));
  EXPECT_EQ(exit_code_for({report}, false), row.exit_code);
  EXPECT_EQ(exit_code_for({report}, true), row.exit_code_strict);
}

INSTANTIATE_TEST_SUITE_P(Verdicts, OneBenchmark, testing::ValuesIn(verdict_rows()),
                         [](const auto& one) { return std::string(one.param.name); });

// What was compared shows the whole of its evidence; what was not, what there is of it.
TEST_P(OneBenchmark, ShowsItsEvidence) {
  const VerdictRow& row = GetParam();
  const Comparison c = judge_for_verdict(row.base, row.candidate, row.rule).comparisons.front();
  EXPECT_EQ(c.threshold, 0.02);
  EXPECT_FALSE(c.reasons.empty());
  EXPECT_EQ(c.base.has_value(), c.base_invocations > 0);
  EXPECT_EQ(c.candidate.has_value(), c.candidate_invocations > 0);
  EXPECT_EQ(c.change.has_value(), is_compared(c));
  EXPECT_EQ(c.interval.has_value(), is_compared(c));
  const bool noise_known = is_compared(c) && c.base_invocations > 1;
  EXPECT_EQ(c.resolvable.has_value(), noise_known);
  EXPECT_EQ(c.more_invocations.has_value(),
            noise_known && c.verdict == Verdict::kInconclusive &&
                report::reason_in_words(c).find("more than") == std::string::npos);
  if (!is_compared(c)) return;
  EXPECT_EQ(c.base_invocations, static_cast<int>(row.base.front().times_ns.size()));
  EXPECT_LE(c.interval->low, *c.change);
  EXPECT_GE(c.interval->high, *c.change);
  EXPECT_NEAR(*c.candidate / *c.base - 1, *c.change, 1e-9);
}

TEST(ExitCode, IsNeverOkWhereNothingWasJudged) {
  EXPECT_EQ(exit_code_for({}, false), ExitCode::kCannotJudge);
  const auto judged = judge_for_verdict({{"k", around(100)}}, {{"k", around_again(100)}});
  const auto fresh = judge_for_verdict({}, {{"k", around(100)}});
  EXPECT_EQ(exit_code_for({judged}, false), ExitCode::kOk);
  EXPECT_EQ(exit_code_for({judged, fresh}, false), ExitCode::kCannotJudge);
  const auto slower = judge_for_verdict({{"k", around(100)}}, {{"k", around_again(110)}});
  EXPECT_EQ(exit_code_for({fresh, slower}, false), ExitCode::kRegressed);
}

// A counter, as a benchmark states it once for all samples.
Run run_with_counter(const RunNumbers& numbers, double value) {
  auto run = make_run(numbers, {{"k", around(100)}});
  run.benchmarks.front().counters["local_bytes"] = value;
  return run;
}

TEST(Judge, ExactCountersNeedNoRatio) {
  struct Expected {
    double base;
    double candidate;
    Verdict verdict;
  };
  PolicyRule rule;
  rule.metric = "local_bytes";
  rule.better = Better::kLower;
  for (const auto& [base, candidate, verdict] :
       {Expected{0, 0, Verdict::kUnchanged}, Expected{0, 64, Verdict::kRegressed},
        Expected{64, 0, Verdict::kImproved}, Expected{64, 128, Verdict::kRegressed},
        Expected{128, 64, Verdict::kImproved}, Expected{64, 64, Verdict::kUnchanged}}) {
    const auto report = judge({{}, {run_with_counter(kBase, base)}},
                              {{}, {run_with_counter(kCandidate, candidate)}}, {}, policy_with(rule));
    const Comparison& comparison = report.comparisons.front();
    EXPECT_EQ(verdict_name(comparison.verdict), verdict_name(verdict)) << base << " → " << candidate;
    EXPECT_NEAR(comparison.base.value(), base, 1e-9);
    EXPECT_NEAR(comparison.candidate.value(), candidate, 1e-9);
  }
}

TEST(Judge, RowsAreSortedByWhatMatters) {
  const auto report = judge_for_verdict({{"gone", around(100)},
                                         {"same", around(100)},
                                         {"slower", around(100)},
                                         {"much slower", around(100)},
                                         {"faster", around(100)},
                                         {"much faster", around(100)},
                                         {"loud", around(100, 0.2)},
                                         {"broken", around(100)}},
                                        {{"same", around_again(100)},
                                         {"slower", around_again(103)},
                                         {"much slower", around_again(150)},
                                         {"faster", around_again(97)},
                                         {"much faster", around_again(50)},
                                         {"loud", around_again(100, 0.2)},
                                         {"broken", {}, {}, "crashed"},
                                         {"fresh", around(100)}});
  std::vector<std::string> names;
  for (const auto& comparison : report.comparisons) names.push_back(comparison.benchmark);
  EXPECT_EQ(names, (std::vector<std::string>{"much slower", "slower", "broken", "gone", "loud", "much faster",
                                             "faster", "fresh", "same"}));
}

// The CPU's time of a benchmark that launches kernels is the launch: its verdict is of something else.
TEST(Notes, SaysWhatOfAGpuIsJudgedByTheCpusTime) {
  auto run = test::make_run({}, {{"manual", around(100)}, {"plain", around(100)}});
  run.benchmarks[1].time_base = TimeBase::kCpu;
  const auto notes_of = [](const tracker::Run& both, const Policy& policy) {
    const auto report = judge({{}, {both}}, {{}, {both}}, {}, policy);
    return join(report.notes, "\n");
  };
  EXPECT_THAT(notes_of(run, {}),
              HasSubstr("1 benchmark of a GPU is judged by the time of the CPU, which does "
                        "not wait for the GPU: register with UseManualTime()"));
  Policy real;
  real.rules = {{.match = "plain", .metric = "real_time"}};
  EXPECT_THAT(notes_of(run, real), testing::Not(HasSubstr("time of the CPU")));
  run.device.kind = DeviceKind::kCpu;
  EXPECT_THAT(notes_of(run, {}), testing::Not(HasSubstr("time of the CPU")));
}

}  // namespace
}  // namespace tracker::judge

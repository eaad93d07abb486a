// Waivers: who they match, how far and how long they hold.
#include "tracker/judge/verdict/waiver.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/make_run.hpp"
#include "tests/support/said.hpp"
#include "tracker/judge/verdict/judge.hpp"
#include "tracker/report/reason_words.hpp"

namespace tracker {
namespace {

using test::around;
using test::around_again;
using test::make_run;
using test::RunNumbers;
using test::Timed;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr char kToday[] = "2026-11-20";

Waiver waiver(const std::string& match, double ceiling, const std::string& expires,
              const std::string& reason = "known") {
  return {match, reason, "2026-01-01", ceiling, expires};
}

Comparison failing(const std::string& name, Verdict verdict, double change,
                   const std::string& metric = "real_time") {
  Comparison comparison;
  comparison.benchmark = name;
  comparison.metric = find_metric(metric);
  comparison.verdict = verdict;
  comparison.reasons = test::said("as judged");
  if (verdict != Verdict::kMissing) comparison.change = change;
  return comparison;
}

Comparison below_floor(double reached) {
  auto comparison = failing("k", Verdict::kBelowFloor, 0);
  comparison.floor = FloorCheck{"90% of x", reached, {reached, reached}, true, false};
  return comparison;
}

struct WaiverRow {
  const char* name;
  Comparison comparison;
  std::vector<Waiver> waivers;
  bool fails;
  const char* reason;  // the end of it

  friend void PrintTo(const WaiverRow& row, std::ostream* out) { *out << row.name; }
};

const std::vector<WaiverRow>& waiver_rows() {
  static const auto slower = failing("k", Verdict::kRegressed, 0.08);
  static const auto less = failing("k", Verdict::kRegressed, -0.08, "bytes_per_second");
  static auto regressed_and_broken = failing("k", Verdict::kRegressed, 0.08);
  regressed_and_broken.floor = FloorCheck{"1 ms", 0.7, {0.7, 0.7}, true, false};
  static auto reported = failing("k", Verdict::kRegressed, 0.08);
  reported.report_only = true;
  static const std::vector<WaiverRow> table{
      {"holds", slower, {waiver("k", 0.1, "2026-12-31")}, false, "as judged; waived until 2026-12-31: known"},
      {"less_bandwidth_holds",
       less,
       {waiver("*", 0.1, "2026-12-31")},
       false,
       "waived until 2026-12-31: known"},
      {"no_match", slower, {waiver("other", 0.1, "2026-12-31")}, true, "as judged"},
      {"at_the_ceiling", slower, {waiver("k", 0.08, "2026-12-31")}, false, "waived until 2026-12-31: known"},
      {"past_the_ceiling",
       slower,
       {waiver("k", 0.079, "2026-12-31")},
       true,
       "its waiver (known) does not hold: 8 % worse is more than its ceiling of 7.9 %"},
      {"bandwidth_past_the_ceiling",
       less,
       {waiver("k", 0.05, "2026-12-31")},
       true,
       "8 % worse is more than its ceiling of 5 %"},
      {"on_the_very_day", slower, {waiver("k", 0.1, kToday)}, false, "waived until 2026-11-20: known"},
      {"a_day_late",
       slower,
       {waiver("k", 0.1, "2026-11-19")},
       true,
       "its waiver (known) does not hold: expired on 2026-11-19"},
      {"accepted_has_no_last_day", slower, {waiver("k", 0.1, "")}, false, "as judged; accepted: known"},
      {"accepted_past_the_ceiling",
       slower,
       {waiver("k", 0.07, "")},
       true,
       "8 % worse is more than its ceiling of 7 %"},
      {"accepted_is_no_failure",
       failing("k", Verdict::kFailed, 0),
       {waiver("k", 0.1, "")},
       true,
       "as judged"},
      {"missing_has_no_size",
       failing("k", Verdict::kMissing, 0),
       {waiver("k", 0.01, "2026-12-31")},
       false,
       "waived until 2026-12-31: known"},
      {"missing_expires",
       failing("k", Verdict::kMissing, 0),
       {waiver("k", 10, "2026-11-01")},
       true,
       "expired on 2026-11-01"},
      {"failed_has_no_size",
       failing("k", Verdict::kFailed, 0),
       {waiver("k", 0.01, "2026-12-31")},
       false,
       "waived until 2026-12-31: known"},
      {"failed_expires",
       failing("k", Verdict::kFailed, 0),
       {waiver("k", 10, "2026-11-01")},
       true,
       "expired on 2026-11-01"},
      {"below_floor", below_floor(0.95), {waiver("k", 0.06, "2026-12-31")}, false, "known"},
      {"below_floor_past_the_ceiling",
       below_floor(0.9),
       {waiver("k", 0.06, "2026-12-31")},
       true,
       "10 % worse is more than its ceiling of 6 %"},
      {"regressed_and_below_floor",
       regressed_and_broken,
       {waiver("k", 0.1, "2026-12-31")},
       true,
       "30 % worse is more than its ceiling of 10 %"},
      {"only_reported_needs_none", reported, {waiver("k", 0.1, "2026-12-31")}, false, "as judged"},
      {"improved_needs_none",
       failing("k", Verdict::kImproved, -0.08),
       {waiver("k", 0.1, "2026-12-31")},
       false,
       "as judged"},
      {"the_last_that_holds",
       slower,
       {waiver("k", 0.1, "2026-12-31", "first"), waiver("*", 0.2, "2027-01-31", "second"),
        waiver("k", 0.01, "2027-12-31", "third")},
       false,
       "waived until 2027-01-31: second"},
      {"none_holds_the_last",
       slower,
       {waiver("k", 0.1, "2026-10-31", "first"), waiver("*", 0.02, "2027-01-31", "second")},
       true,
       "its waiver (second) does not hold: 8 % worse is more than its ceiling of 2 %"},
      {"a_hostile_name_is_only_a_name",
       failing("k\x1b[2J\n* | [x]", Verdict::kRegressed, 0.08),
       {waiver("k\x1b[2J\n? | [x]", 0.1, "2026-12-31")},
       false,
       "known"},
  };
  return table;
}

class OneWaiver : public testing::TestWithParam<WaiverRow> {};

TEST_P(OneWaiver, HoldsAsFarAsItSays) {
  const WaiverRow& row = GetParam();
  ComparisonReport report;
  report.comparisons = {row.comparison};
  apply_waivers(report, row.waivers, kToday);
  const Comparison& comparison = report.comparisons.front();
  EXPECT_EQ(fails_gate(comparison), row.fails);
  EXPECT_THAT(reason_in_words(comparison), testing::EndsWith(row.reason));
  EXPECT_EQ(comparison.verdict, row.comparison.verdict) << "a waiver changes no verdict";
  EXPECT_TRUE(!comparison.waiver || comparison.waiver->holds == why_waiver_fails(comparison).empty());
}

INSTANTIATE_TEST_SUITE_P(Waivers, OneWaiver, testing::ValuesIn(waiver_rows()),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(Waiver, WithoutADayNoneHasExpired) {
  ComparisonReport report;
  report.comparisons = {failing("k", Verdict::kRegressed, 0.08)};
  apply_waivers(report, {waiver("k", 0.1, "1999-12-31")}, "");
  EXPECT_FALSE(fails_gate(report.comparisons.front()));
}

ComparisonReport judge_with(const Policy& policy, const std::string& filter = "") {
  const RunNumbers base_numbers{.id = "20261120T120000Z-00000001"};
  const RunNumbers candidate_numbers{.id = "20261120T120000Z-00000002", .commit = std::string(40, 'b')};
  auto candidate = make_run(candidate_numbers, {{"k", around_again(110)}});
  candidate.selection.expression = filter;
  return judge({{}, {make_run(base_numbers, {{"k", around(100)}})}}, {{}, {candidate}}, {}, policy,
               {.today = kToday});
}

TEST(Waiver, DecidesWhatTheProcessAnswers) {
  Policy policy;
  EXPECT_EQ(exit_code_for({judge_with(policy)}, false), ExitCode::kRegressed);
  policy.waivers = {waiver("k", 0.2, kToday)};
  EXPECT_EQ(exit_code_for({judge_with(policy)}, false), ExitCode::kOk);
  policy.waivers = {waiver("k", 0.2, "2026-11-19")};
  EXPECT_EQ(exit_code_for({judge_with(policy)}, false), ExitCode::kRegressed);
}

TEST(Waiver, ThatMatchesNothingIsSaid) {
  Policy policy;
  policy.waivers = {waiver("k", 0.2, "2026-12-31"), waiver("gone/*\x1b", 0.2, "2026-12-31")};
  EXPECT_THAT(judge_with(policy).notes,
              testing::ElementsAre("the waiver for 'gone/* ' matches no benchmark"));
  EXPECT_THAT(judge_with(policy, "k").notes, IsEmpty()) << "not everything was asked for";
}

}  // namespace
}  // namespace tracker

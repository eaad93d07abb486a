// Floors: each row is one candidate and one policy, and what must come of it.

#include "tracker/judge/policy_rules.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/make_run.hpp"
#include "tests/support/said.hpp"
#include "tracker/base/error.hpp"
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
using testing::Not;

Floor at_least(double limit, const std::string& unit) {
  return {limit, unit, {}, std::to_string(limit) + " " + unit};
}

Floor share_of(double limit, const std::string& other) {
  return {limit, "", other, "a share of " + other};
}

Policy with_floor(const Floor& floor, double threshold = 0.02) {
  Policy policy;
  policy.rules = {{.match = "*", .threshold = threshold}, {.match = "k", .floor = floor}};
  return policy;
}

ComparisonReport judge_with_floor(const std::vector<Timed>& base, const std::vector<Timed>& candidate,
                                  const Policy& policy) {
  return judge({{}, {make_run(kBase, base)}}, {{}, {make_run(kCandidate, candidate)}}, {}, policy);
}

const Comparison& find_row(const ComparisonReport& report, std::string_view name) {
  for (const auto& comparison : report.comparisons)
    if (comparison.benchmark == name) return comparison;
  throw std::runtime_error("no comparison of " + std::string(name));
}

// The candidate takes 100 ns for 1000 bytes: 10 GB/s. The other one moves as much in 80 ns.
struct FloorRow {
  const char* name;
  std::vector<Timed> base;
  std::vector<Timed> candidate;
  Floor floor;
  Verdict verdict;
  double reached;
  bool broken;
  bool unclear;
  const char* reason;  // a part of it

  friend void PrintTo(const FloorRow& row, std::ostream* out) { *out << row.name; }
};

const std::vector<FloorRow>& floor_rows() {
  static const std::vector<Timed> same{{"k", around(100), 1000}, {"other", around(80), 1000}};
  static const std::vector<Timed> again{{"k", around_again(100), 1000}, {"other", around(80), 1000}};
  static const std::vector<Timed> slower{{"k", around_again(110), 1000}, {"other", around(80), 1000}};
  static const std::vector<Timed> timed{{"k", around(100)}, {"other", around(80)}};
  static const std::vector<Timed> timed_again{{"k", around_again(100)}, {"other", around(80)}};
  static const std::vector<Timed> noisy{{"k", around_again(100, 0.05), 1000}, {"other", around(80), 1000}};
  static const std::vector<Timed> alone{{"k", around_again(100), 1000}};
  static const std::vector<Timed> wild{{"k", {100, 900}, 1000}, {"other", {80, 81}, 1000}};
  static const std::vector<Timed> wild_again{{"k", {900, 100}, 1000}, {"other", {80, 81}, 1000}};
  static const std::vector<Timed> one{{"k", {100}, 1000}, {"other", {80}, 1000}};
  static const std::vector<Timed> crashed{{"k", around_again(100), 1000}, {"other", {}, 1000, "crashed"}};
  static const std::vector<FloorRow> table{
      {"rate_held", same, again, at_least(9.9e9, "B/s"), Verdict::kUnchanged, 1.0101, false, false, "within"},
      {"rate_broken", same, again, at_least(10.5e9, "B/s"), Verdict::kBelowFloor, 0.95238, true, false,
       "4.76 % below its floor of"},
      {"rate_broken_and_regressed", same, slower, at_least(10e9, "B/s"), Verdict::kRegressed, 0.90909, true,
       false, "past the threshold of 2 % and more than noise; 9.09 % below its floor"},
      {"rate_within_noise", same, noisy, at_least(10.1e9, "B/s"), Verdict::kInconclusive, 0.9907, false, true,
       "cannot be judged: it reaches between"},
      {"time_held", timed, timed_again, at_least(101e-9, "s"), Verdict::kUnchanged, 1.01, false, false, ""},
      {"time_broken", timed, timed_again, at_least(95e-9, "s"), Verdict::kBelowFloor, 0.95, true, false,
       "5.26 % past its floor of"},
      {"share_held", same, again, share_of(0.79, "other"), Verdict::kUnchanged, 1.01266, false, false, ""},
      {"share_broken", same, again, share_of(0.9, "other"), Verdict::kBelowFloor, 0.8889, true, false,
       "80 % of other, below its floor of 90 %; unchanged against the base"},
      {"share_of_time_is_one_of_speed", timed, timed_again, share_of(0.9, "other"), Verdict::kBelowFloor,
       0.8889, true, false, "80 % of other, below its floor of 90 %"},
      {"share_of_time_held", timed, timed_again, share_of(0.79, "other"), Verdict::kUnchanged, 1.01266, false,
       false, ""},
      {"share_a_little_below", same, again, share_of(0.8006, "other"), Verdict::kBelowFloor, 0.9993, true,
       false, "80 % of other, below its floor of 80.1 %"},
      {"share_within_noise", same, noisy, share_of(0.81, "other"), Verdict::kInconclusive, 0.9883, false,
       true, "its floor of 81 % of other cannot be judged: it reaches between"},
      {"nothing_but_noise", wild, wild_again, at_least(9e9, "B/s"), Verdict::kInconclusive, 0.37037, false,
       true, "cannot be judged: the noise hides what it reaches"},
      {"one_invocation", one, one, at_least(20e9, "B/s"), Verdict::kInconclusive, 0.5, false, true,
       "cannot be judged: one invocation"},
      {"one_invocation_share", one, one, share_of(0.9, "other"), Verdict::kInconclusive, 0.8889, false, true,
       "cannot be judged: one invocation"},
      {"other_is_missing", alone, alone, share_of(0.9, "other"), Verdict::kUnchanged, NAN, false, true,
       "cannot be checked: these runs have no other"},
      {"other_failed", crashed, crashed, share_of(0.9, "other"), Verdict::kUnchanged, NAN, false, true,
       "cannot be checked: other failed"},
      {"new_one_broken",
       {},
       alone,
       at_least(10.5e9, "B/s"),
       Verdict::kBelowFloor,
       0.95238,
       true,
       false,
       "below its floor of 10500000000.000000 B/s; the base has none to compare with"},
      {"new_one_held", {}, alone, at_least(9.9e9, "B/s"), Verdict::kNew, 1.0101, false, false, ""},
  };
  return table;
}

class OneFloor : public testing::TestWithParam<FloorRow> {};

TEST_P(OneFloor, IsChecked) {
  const FloorRow& row = GetParam();
  const auto report = judge_with_floor(row.base, row.candidate, with_floor(row.floor));
  const Comparison& k = find_row(report, "k");
  ASSERT_TRUE(k.floor);
  EXPECT_EQ(verdict_name(k.verdict), verdict_name(row.verdict)) << report::reason_in_words(k);
  EXPECT_EQ(k.floor->broken, row.broken);
  EXPECT_EQ(k.floor->unclear, row.unclear);
  EXPECT_EQ(k.floor->text, row.floor.text);
  EXPECT_THAT(report::reason_in_words(k), HasSubstr(row.reason));
  if (std::isnan(row.reached)) {
    EXPECT_TRUE(std::isnan(k.floor->reached));
  } else {
    EXPECT_NEAR(k.floor->reached, row.reached, 5e-4);
    EXPECT_LE(k.floor->interval.low, k.floor->reached);
    EXPECT_GE(k.floor->interval.high, k.floor->reached);
  }
  EXPECT_EQ(fails_gate(k), row.broken);
  for (const auto& comparison : report.comparisons)
    EXPECT_EQ(comparison.floor.has_value(), comparison.benchmark == "k") << "the policy has none for others";
}

INSTANTIATE_TEST_SUITE_P(Floors, OneFloor, testing::ValuesIn(floor_rows()),
                         [](const auto& one) { return std::string(one.param.name); });

// What a round does to both cancels: the pairs are the rounds', whichever invocation they stand in.
TEST(Floor, PairsByRound) {
  const std::vector<double> drift{1.0, 1.1, 1.2, 1.3, 1.4};
  std::vector<double> own;
  std::vector<double> other;
  for (const double factor : drift) {
    own.push_back(100 * factor);
    other.push_back(80 * factor);
  }
  auto candidate = make_run(kCandidate, {{"k", own, 1000}});
  for (auto& invocation : candidate.invocations)
    invocation.round = static_cast<int>(&invocation - candidate.invocations.data()) + 1;
  // The other one's invocations stand in the opposite order, and say which round they are of.
  const auto others = make_run(kCandidate, {{"other", other, 1000}});
  candidate.benchmarks.push_back(others.benchmarks.front());
  for (int i = 4; i >= 0; --i) {
    candidate.invocations.push_back(others.invocations[static_cast<std::size_t>(i)]);
    candidate.invocations.back().round = i + 1;
  }
  const auto base = make_run(kBase, {{"k", own, 1000}});
  const auto report = judge({{}, {base}}, {{}, {candidate}}, {}, with_floor(share_of(0.801, "other")));
  EXPECT_NEAR(find_row(report, "k").floor->reached, 0.8 / 0.801, 1e-6);
  EXPECT_TRUE(find_row(report, "k").floor->broken) << "the drift of 40 % is not noise of the ratio";

  for (auto& invocation : candidate.invocations) invocation.round = 0;
  candidate.invocations.resize(5);
  const auto without = judge({{}, {base}}, {{}, {candidate}}, {}, with_floor(share_of(0.801, "other")));
  EXPECT_THAT(report::reason_in_words(find_row(without, "k")),
              HasSubstr("other has no 'bytes_per_second' in the same rounds"));
}

// Stored runs of another day: the job's own offset is part of the interval of a limit, and none of a ratio.
TEST(Floor, CountsTheJobsOffsetWhereSidesAreNotInterleaved) {
  const std::vector<Timed> benchmarks{{"k", around_again(100), 1000}, {"other", around(80), 1000}};
  const RunNumbers other_job{.id = "20261121T120000Z-00000002", .job = "job-2"};
  const auto verdict = [&](const Floor& floor) {
    return find_row(judge({{}, {make_run(kBase, benchmarks)}}, {{}, {make_run(other_job, benchmarks)}}, {},
                          with_floor(floor)),
                    "k");
  };
  EXPECT_TRUE(verdict(at_least(10.2e9, "B/s")).floor->unclear) << "2 % is within the spread of jobs";
  EXPECT_TRUE(verdict(at_least(11e9, "B/s")).floor->broken);
  EXPECT_TRUE(verdict(share_of(0.816, "other")).floor->broken);
}

TEST(Floor, SegmentsOfTheNameAndTheBenchmarkItself) {
  Policy policy;
  policy.rules = {{.match = "t/*", .threshold = 0.02, .floor = share_of(0.9, "t/copy/{3}")}};
  const auto report = judge_with_floor(
      {{"t/copy/8", around(80), 1000}, {"t/naive/8", around(100), 1000}},
      {{"t/copy/8", around_again(80), 1000}, {"t/naive/8", around_again(100), 1000}}, policy);
  EXPECT_EQ(find_row(report, "t/naive/8").verdict, Verdict::kBelowFloor);
  EXPECT_THAT(report::reason_in_words(find_row(report, "t/naive/8")), HasSubstr("80 % of t/copy/8"));
  EXPECT_FALSE(find_row(report, "t/copy/8").floor) << "nothing is compared with itself";
}

TEST(Floor, OfAnotherUnitIsTheUsersError) {
  const std::vector<Timed> timed{{"k", around(100)}};
  struct Expected {
    Floor floor;
    const char* message;
  };
  for (const auto& [floor, message] :
       {Expected{{3.2e12, "B/s", {}, "3.2 TB/s"},
                 "the floor '3.2 TB/s' of benchmark 'k' does not fit its metric 'real_time'"},
        Expected{{12, "", {}, "12"}, "the floor '12' of benchmark 'k' does not fit"}}) {
    try {
      judge_with_floor(timed, timed, with_floor(floor));
      ADD_FAILURE() << "no error for " << floor.text;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::kUsage);
      EXPECT_THAT(error.what(), HasSubstr(message));
      EXPECT_EQ(error.hint(), "write it in s, or name another metric");
    }
  }
}

TEST(Floor, OfACounterThatMayBeZero) {
  struct Expected {
    double value;
    double limit;
    Better better;
    Verdict verdict;
  };
  for (const auto& [value, limit, better, verdict] :
       {Expected{0, 16, Better::kLower, Verdict::kUnchanged},
        Expected{16, 16, Better::kLower, Verdict::kUnchanged},
        Expected{32, 16, Better::kLower, Verdict::kBelowFloor},
        Expected{0, 2, Better::kHigher, Verdict::kBelowFloor},
        Expected{2, 2, Better::kHigher, Verdict::kUnchanged},
        Expected{1, 2, Better::kHigher, Verdict::kBelowFloor}}) {
    Policy policy = with_floor({limit, "", {}, "a count"});
    policy.rules[0].metric = "count";
    policy.rules[0].better = better;
    auto base = make_run(kBase, {{"k", around(100)}});
    auto candidate = make_run(kCandidate, {{"k", around(100)}});
    base.benchmarks[0].counters["count"] = value;
    candidate.benchmarks[0].counters["count"] = value;
    const Comparison k = find_row(judge({{}, {base}}, {{}, {candidate}}, {}, policy), "k");
    EXPECT_EQ(verdict_name(k.verdict), verdict_name(verdict))
        << value << " against " << limit << ": " << report::reason_in_words(k);
  }
}

TEST(Floor, ReportOnlyAndFailedOnesFailNothingMore) {
  Policy policy = with_floor(at_least(20e9, "B/s"));
  policy.rules[0].report_only = true;
  const auto only = judge_with_floor({{"k", around(100), 1000}}, {{"k", around_again(100), 1000}}, policy);
  EXPECT_EQ(find_row(only, "k").verdict, Verdict::kBelowFloor);
  EXPECT_FALSE(fails_gate(find_row(only, "k")));
  policy.rules[0].report_only = false;
  const auto failed = judge_with_floor({{"k", around(100), 1000}}, {{"k", {}, 1000, "crashed"}}, policy);
  EXPECT_EQ(find_row(failed, "k").verdict, Verdict::kFailed);
  EXPECT_EQ(report::reason_in_words(find_row(failed, "k")), "crashed");
  const auto missing = judge_with_floor({{"k", around(100), 1000}}, {{"other", around(100)}}, policy);
  EXPECT_EQ(find_row(missing, "k").verdict, Verdict::kMissing);
  EXPECT_FALSE(find_row(missing, "k").floor);
}

TEST(Floor, ThatCannotBeToldIsNotGoodEnoughUnderStrict) {
  const std::vector<Timed> alone{{"k", around(100), 1000}};
  const auto report =
      judge_with_floor(alone, {{"k", around_again(100), 1000}}, with_floor(share_of(0.9, "other")));
  EXPECT_EQ(exit_code_for({report}, false), ExitCode::kOk);
  EXPECT_EQ(exit_code_for({report}, true), ExitCode::kCannotJudge);
}

// Twenty benchmarks at their floor exactly: noise must not push any of them below it.
TEST(Floor, IsAsSureAsTheReport) {
  std::vector<Timed> base;
  std::vector<Timed> candidate;
  Policy policy;
  policy.rules = {{.match = "*", .threshold = 0.02, .floor = at_least(10e9, "B/s")}};
  for (int i = 0; i < 20; ++i) {
    base.push_back({"k" + std::to_string(i), around(100, 0.01), 1000});
    candidate.push_back({"k" + std::to_string(i), around_again(100.3, 0.01), 1000});
  }
  for (const auto& comparison : judge_with_floor(base, candidate, policy).comparisons) {
    EXPECT_TRUE(comparison.floor->unclear) << report::reason_in_words(comparison);
    EXPECT_THAT(report::reason_in_words(comparison), Not(HasSubstr("below its floor")));
  }
}

ComparisonReport judge_against_peak(double share, std::optional<double> peak_bytes_per_second,
                                    std::optional<double> bytes = 1000) {
  const auto side = [&](const RunNumbers& numbers, const std::vector<double>& times_ns) {
    tracker::Run run = make_run(numbers, {{"k", times_ns, bytes}});
    run.device.peak_bytes_per_second = peak_bytes_per_second;
    return run;
  };
  return judge({{}, {side(kBase, around(100))}}, {{}, {side(kCandidate, around_again(100))}}, {},
               with_floor(share_of(share, kPeakWord)));
}

// 10 GB/s of a peak of 12.5 GB/s are 80 %.
TEST(FloorOfPeak, IsAShareOfWhatTheDeviceCanDo) {
  const auto held = judge_against_peak(0.79, 12.5e9);
  EXPECT_EQ(find_row(held, "k").verdict, Verdict::kUnchanged);
  EXPECT_FALSE(find_row(held, "k").floor->unclear);
  const auto broken = judge_against_peak(0.9, 12.5e9);
  EXPECT_EQ(find_row(broken, "k").verdict, Verdict::kBelowFloor);
  EXPECT_THAT(report::reason_in_words(find_row(broken, "k")),
              HasSubstr("80 % of peak, below its floor of 90 %"));
}

TEST(FloorOfPeak, SaysWhyItCannotBeTold) {
  const auto no_peak = judge_against_peak(0.8, {});
  EXPECT_TRUE(find_row(no_peak, "k").floor->unclear);
  EXPECT_THAT(report::reason_in_words(find_row(no_peak, "k")),
              HasSubstr("the theoretical peak of this device is not known"));
  const auto no_work = judge_against_peak(0.8, 12.5e9, {});
  EXPECT_TRUE(find_row(no_work, "k").floor->unclear);
  EXPECT_THAT(report::reason_in_words(find_row(no_work, "k")),
              HasSubstr("it states neither bytes nor FLOPs"));
}

}  // namespace

// Waivers: who they match, how far and how long they hold.

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
  EXPECT_THAT(report::reason_in_words(comparison), testing::EndsWith(row.reason));
  EXPECT_EQ(comparison.verdict, row.comparison.verdict) << "a waiver changes no verdict";
  EXPECT_TRUE(!comparison.waiver || comparison.waiver->holds == report::why_waiver_fails(comparison).empty());
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

}  // namespace tracker::judge

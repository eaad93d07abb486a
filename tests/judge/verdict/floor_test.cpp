// Floors: each row is one candidate and one policy, and what must come of it.
#include "tracker/judge/verdict/floor.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/make_run.hpp"
#include "tracker/base/error.hpp"
#include "tracker/judge/verdict/judge.hpp"
#include "tracker/report/reason_words.hpp"

namespace tracker {
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
  EXPECT_EQ(verdict_name(k.verdict), verdict_name(row.verdict)) << reason_in_words(k);
  EXPECT_EQ(k.floor->broken, row.broken);
  EXPECT_EQ(k.floor->unclear, row.unclear);
  EXPECT_EQ(k.floor->text, row.floor.text);
  EXPECT_THAT(reason_in_words(k), HasSubstr(row.reason));
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
  EXPECT_THAT(reason_in_words(find_row(without, "k")),
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
  EXPECT_THAT(reason_in_words(find_row(report, "t/naive/8")), HasSubstr("80 % of t/copy/8"));
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
        << value << " against " << limit << ": " << reason_in_words(k);
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
  EXPECT_EQ(reason_in_words(find_row(failed, "k")), "crashed");
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
    EXPECT_TRUE(comparison.floor->unclear) << reason_in_words(comparison);
    EXPECT_THAT(reason_in_words(comparison), Not(HasSubstr("below its floor")));
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
  EXPECT_THAT(reason_in_words(find_row(broken, "k")), HasSubstr("80 % of peak, below its floor of 90 %"));
}

TEST(FloorOfPeak, SaysWhyItCannotBeTold) {
  const auto no_peak = judge_against_peak(0.8, {});
  EXPECT_TRUE(find_row(no_peak, "k").floor->unclear);
  EXPECT_THAT(reason_in_words(find_row(no_peak, "k")),
              HasSubstr("the theoretical peak of this device is not known"));
  const auto no_work = judge_against_peak(0.8, 12.5e9, {});
  EXPECT_TRUE(find_row(no_work, "k").floor->unclear);
  EXPECT_THAT(reason_in_words(find_row(no_work, "k")), HasSubstr("it states neither bytes nor FLOPs"));
}

}  // namespace
}  // namespace tracker

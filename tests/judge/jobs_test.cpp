// Which runs a comparison rests on, and what it means that they come from several jobs and boards.
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/make_run.hpp"
#include "tests/support/policy.hpp"
#include "tracker/judge/judge.hpp"
#include "tracker/report/cells.hpp"

namespace tracker::judge {
namespace {

using test::around;
using test::around_again;
using test::make_run;
using testing::Contains;
using testing::HasSubstr;

TEST(Judge, PrefersTheJobThatMeasuredBothSides) {
  // Alone, the other jobs would call it twice as slow.
  const auto old_base = make_run({.id = "20261119T120000Z-00000000", .job = "old"}, {{"k", around(50)}});
  const auto new_base = make_run({.id = "20261121T120000Z-00000000", .job = "new"}, {{"k", around(50)}});
  const auto base = make_run({.id = "20261120T120000Z-00000001"}, {{"k", around(100)}});
  const auto candidate = make_run({.id = "20261120T120000Z-00000002"}, {{"k", around_again(100)}});
  const auto report = judge({{}, {old_base, base, new_base}}, {{}, {candidate}}, {}, test::policy_at(0.02));
  EXPECT_TRUE(report.interleaved);
  EXPECT_EQ(report.base.runs, std::vector<std::string>{base.id});
  EXPECT_EQ(report.base.jobs, 1);
  EXPECT_EQ(report.comparisons.front().base_invocations, 5);
  EXPECT_EQ(report.comparisons.front().verdict, Verdict::kUnchanged);
}

TEST(Judge, SaysThatASlowDayMayHaveSlowedMostBenchmarks) {
  const auto report_with = [](double second, const std::string& job) {
    const auto base = make_run({.id = "20261120T120000Z-00000001", .job = "one"},
                               {{"a", around(100)}, {"b", around(100)}, {"c", around(100)}});
    const auto candidate =
        make_run({.id = "20261120T120000Z-00000002", .job = job},
                 {{"a", around_again(150)}, {"b", around_again(second)}, {"c", around_again(100)}});
    return judge({{}, {base}}, {{}, {candidate}}, {}, test::policy_at(0.02));
  };
  const auto says_so = Contains(HasSubstr("a slow day of the machine does that as well"));
  EXPECT_THAT(report_with(150, "two").notes, says_so);
  EXPECT_THAT(report_with(100, "two").notes, testing::Not(says_so)) << "one of three";
  EXPECT_THAT(report_with(150, "one").notes, testing::Not(says_so)) << "measured side by side";
}

TEST(Judge, APersonMayKnowWhatWasMeasuredInTurn) {
  const auto base = make_run({.id = "20261120T120000Z-00000001", .job = "one"}, {{"k", around(100)}});
  const auto candidate =
      make_run({.id = "20261120T120000Z-00000002", .job = "two"}, {{"k", around_again(103)}});
  const auto judged = [&](Pairing pairing) {
    Options options;
    options.pairing = pairing;
    return judge({{}, {base}}, {{}, {candidate}}, {}, test::policy_at(0.02), options);
  };
  EXPECT_FALSE(judged(Pairing::kFromRuns).interleaved);
  EXPECT_TRUE(judged(Pairing::kInterleaved).interleaved);
  EXPECT_EQ(judged(Pairing::kFromRuns).comparisons.front().verdict, Verdict::kInconclusive);
  EXPECT_EQ(judged(Pairing::kInterleaved).comparisons.front().verdict, Verdict::kRegressed);
}

TEST(Judge, APersonMayKnowWhatWasNotMeasuredInTurn) {
  const auto base = make_run({.id = "20261120T120000Z-00000001"}, {{"k", around(100)}});
  const auto candidate = make_run({.id = "20261120T120000Z-00000002"}, {{"k", around_again(103)}});
  Options options;
  options.pairing = Pairing::kNone;
  const auto report = judge({{}, {base}}, {{}, {candidate}}, {}, test::policy_at(0.02), options);
  EXPECT_FALSE(report.interleaved);
  EXPECT_EQ(report.comparisons.front().verdict, Verdict::kInconclusive);
}

// One job's run of a board.
Run job_run(const std::string& job, const std::string& board, double time_ns) {
  return make_run({.id = job, .job = job, .board = board}, {{"k", around(time_ns)}});
}

double resolvable(const std::vector<Run>& base, const std::vector<Run>& candidate,
                  const std::vector<Run>& history = {}) {
  const auto report = judge({{}, base}, {{}, candidate}, history, test::policy_at(0.02));
  EXPECT_FALSE(report.interleaved);
  return report.comparisons.front().resolvable.value();
}

// What machines of one name differ by is no noise of the one that is judged, whichever has most of the past.
TEST(Judge, LearnsNoiseFromRunsOfTheMachineThatIsJudged) {
  const auto run_on = [](const std::string& job, int cpus, double time_ns) {
    auto run = make_run({.id = job, .job = job, .board = "host", .kind = DeviceKind::kCpu},
                        {{"k", around(time_ns)}});
    run.host.cpu_count = cpus;
    return run;
  };
  for (const int other_of_three : {0, 1, 2}) {
    std::vector<tracker::Run> mixed;
    std::vector<tracker::Run> alone;
    for (int i = 0; i < 30; ++i) {
      const bool is_other = i % 3 < other_of_three;
      mixed.push_back(
          run_on(std::to_string(100 + i), is_other ? 8 : 4, (is_other ? 120 : 100) + i % 2 * 0.2));
      if (!is_other) alone.push_back(mixed.back());
    }
    const std::vector<tracker::Run> base{run_on("201", 4, 100)};
    const std::vector<tracker::Run> candidate{run_on("202", 4, 125)};
    EXPECT_EQ(resolvable(base, candidate, mixed), resolvable(base, candidate, alone)) << other_of_three;
    EXPECT_EQ(judge({{}, base}, {{}, candidate}, mixed, test::policy_at(0.02)).comparisons.front().verdict,
              Verdict::kRegressed)
        << other_of_three;
  }
}

TEST(Judge, SeveralJobsASideResolveMore) {
  const std::vector<tracker::Run> base{job_run("1", "A", 100), job_run("2", "A", 100)};
  const std::vector<tracker::Run> candidate{job_run("3", "A", 100), job_run("4", "A", 100)};
  const auto report = judge({{}, base}, {{}, candidate}, {}, test::policy_at(0.02));
  EXPECT_EQ(report.base.jobs, 2);
  EXPECT_EQ(report.comparisons.front().candidate_invocations, 10);
  EXPECT_LT(resolvable(base, candidate), 0.8 * resolvable({base.front()}, {candidate.front()}));
}

TEST(Judge, AnotherJobOnTheSameBoardDoesNotAverageBoardsOut) {
  const double once = resolvable({job_run("1", "A", 100)}, {job_run("3", "B", 100)});
  const double same_boards = resolvable({job_run("1", "A", 100), job_run("2", "A", 100)},
                                        {job_run("3", "B", 100), job_run("4", "B", 100)});
  const double other_boards = resolvable({job_run("1", "A", 100), job_run("2", "C", 100)},
                                         {job_run("3", "B", 100), job_run("4", "D", 100)});
  EXPECT_NEAR(same_boards, once, 0.01 * once);
  EXPECT_LT(other_boards, 0.8 * once);
}

TEST(Judge, BoardsOfOneModelAreFartherApartThanDays) {
  const auto base = job_run("1", "A", 100);
  EXPECT_GT(resolvable({base}, {job_run("2", "B", 100)}), 2 * resolvable({base}, {job_run("2", "A", 100)}));
}

TEST(Judge, SaysThatOtherJobsDifferMoreThanIsAsked) {
  const auto report =
      judge({{}, {job_run("1", "A", 100)}}, {{}, {job_run("2", "B", 103)}}, {}, test::policy_at(0.02));
  EXPECT_EQ(report.comparisons.front().verdict, Verdict::kInconclusive);
  EXPECT_FALSE(report.comparisons.front().more_invocations);
  EXPECT_THAT(report::reason_in_words(report.comparisons.front()), HasSubstr("--measure"));
  EXPECT_THAT(report.notes, Contains(HasSubstr("different boards")));
  EXPECT_THAT(report.notes, Contains(HasSubstr("a cautious default")));
}

}  // namespace
}  // namespace tracker::judge

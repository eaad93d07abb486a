// When growing data is judged, and what of it.
#include "tracker/judge/confirm/interim_analysis.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/make_run.hpp"

namespace tracker {
namespace {

using testing::ElementsAre;

TEST(InterimAnalysis, HasHalfAsManyRoundsAgain) {
  std::vector<int> rounds;
  InterimAnalysis analysis;
  for (; analysis.rounds < 100; analysis = analysis.next()) {
    EXPECT_EQ(analysis.rounds_before, rounds.empty() ? 0 : rounds.back());
    rounds.push_back(analysis.rounds);
  }
  EXPECT_THAT(rounds, ElementsAre(5, 8, 12, 18, 27, 40, 60, 90));
}

TEST(InterimAnalysis, TheLastOneShrinksToWhatFits) {
  const InterimAnalysis third{3, 12, 8};
  EXPECT_EQ(third.within(60, 52).rounds, 12);
  EXPECT_EQ(third.within(44, 52).rounds, 11) << "13 s a round";
  EXPECT_EQ(third.within(14, 52).rounds, 9);
  EXPECT_EQ(third.within(12, 52).new_rounds(), 0);
  EXPECT_EQ(third.within(0, 52).new_rounds(), 0);
  EXPECT_EQ(third.within(0, 0).rounds, 12) << "nothing is known of the time";
  EXPECT_EQ(third.within(44, 52).error_share(), third.error_share());
  EXPECT_EQ(third.within(44, 52).number, 3);
}

TEST(InterimAnalysis, GrowsFromAnyFirst) {
  for (InterimAnalysis analysis{1, 1, 0}; analysis.rounds < 1000; analysis = analysis.next())
    EXPECT_GT(analysis.next().rounds, analysis.rounds);
}

TEST(InterimAnalysis, AllOfThemSpendWhatTheFirstCheckLeft) {
  double spent = kFirstCheckShare;
  InterimAnalysis analysis;
  for (int i = 0; i < 10000; ++i, analysis = {analysis.number + 1, 0, 0}) {
    EXPECT_GT(analysis.error_share(), 0);
    spent += analysis.error_share();
  }
  EXPECT_LE(spent, 1);
  EXPECT_GT(spent, 0.9999);
}

TEST(KeepForLook, LeavesWhatTheNewRoundsMeasuredOnBothSides) {
  const auto run_of = [](const std::vector<test::Timed>& benchmarks) {
    tracker::Run run = test::make_run({}, benchmarks);
    for (std::size_t i = 0; i < run.invocations.size(); ++i)
      run.invocations[i].round = static_cast<int>(i) + 1;
    return run;
  };
  const std::vector<double> five{1, 2, 3, 4, 5};
  const std::vector<double> eight{1, 2, 3, 4, 5, 6, 7, 8};
  const auto names = [](const tracker::Run& run) {
    std::vector<std::string> all;
    for (const auto& benchmark : run.benchmarks) all.push_back(benchmark.name);
    return all;
  };
  const std::vector<Rename> renames{{"old", "new"}};
  const tracker::Run base = run_of({{"decided", five}, {"old", eight}, {"gone", eight}});
  const tracker::Run candidate = run_of({{"decided", five}, {"new", eight}, {"gone", five}});
  InterimAnalysis analysis;
  auto of_base = base;
  auto of_candidate = candidate;
  keep_for_analysis(analysis, renames, of_base, of_candidate);
  EXPECT_THAT(names(of_base), ElementsAre("decided", "new", "gone"));
  EXPECT_THAT(of_candidate.invocations, testing::SizeIs(5));
  analysis = analysis.next();
  of_base = base;
  of_candidate = candidate;
  keep_for_analysis(analysis, renames, of_base, of_candidate);
  EXPECT_THAT(names(of_base), ElementsAre("new"));
  EXPECT_THAT(names(of_candidate), ElementsAre("new"));
  EXPECT_THAT(of_base.invocations, testing::SizeIs(8));
  EXPECT_THAT(of_base.invocations.front().samples, testing::SizeIs(1));
  EXPECT_FALSE(of_candidate.selection.is_all()) << "what it lacks is not missing";
}

}  // namespace
}  // namespace tracker

// When growing data is judged, and what of it.
#include "tracker/judge/confirm/look.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/make_run.hpp"

namespace tracker {
namespace {

using testing::ElementsAre;

TEST(Look, HasHalfAsManyRoundsAgain) {
  std::vector<int> rounds;
  Look look;
  for (; look.rounds < 100; look = look.next()) {
    EXPECT_EQ(look.rounds_before, rounds.empty() ? 0 : rounds.back());
    rounds.push_back(look.rounds);
  }
  EXPECT_THAT(rounds, ElementsAre(5, 8, 12, 18, 27, 40, 60, 90));
}

TEST(Look, GrowsFromAnyFirst) {
  for (Look look{1, 1, 0}; look.rounds < 1000; look = look.next()) EXPECT_GT(look.next().rounds, look.rounds);
}

TEST(Look, AllOfThemSpendWhatTheScreenLeft) {
  double spent = kScreenShare;
  Look look;
  for (int i = 0; i < 10000; ++i, look = {look.number + 1, 0, 0}) {
    EXPECT_GT(look.error_share(), 0);
    spent += look.error_share();
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
  Look look;
  auto of_base = base;
  auto of_candidate = candidate;
  keep_for_look(look, renames, of_base, of_candidate);
  EXPECT_THAT(names(of_base), ElementsAre("decided", "new", "gone"));
  EXPECT_THAT(of_candidate.invocations, testing::SizeIs(5));
  look = look.next();
  of_base = base;
  of_candidate = candidate;
  keep_for_look(look, renames, of_base, of_candidate);
  EXPECT_THAT(names(of_base), ElementsAre("new"));
  EXPECT_THAT(names(of_candidate), ElementsAre("new"));
  EXPECT_THAT(of_base.invocations, testing::SizeIs(8));
  EXPECT_THAT(of_base.invocations.front().samples, testing::SizeIs(1));
  EXPECT_FALSE(of_candidate.selection.is_all()) << "what it lacks is not missing";
}

}  // namespace
}  // namespace tracker

// What the other benchmarks of a report say of the days that its sides were measured on.
#include "tracker/judge/noise/other_days.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "tracker/stats/ratio.hpp"

namespace tracker {
namespace {

// So many benchmarks after twelve jobs (eleven differences) whose deviation was 0.2 %, of which the first
// have moved by these; a day unlike them has 1 %.
std::vector<double> chances(const std::vector<double>& estimates, std::size_t benchmarks = 20,
                            double still = 0.002) {
  std::vector<Moved> moved(benchmarks, Moved{0, 0, 2, {4e-6, 12}, 11 * stats::kDegreesOfDifference});
  for (std::size_t i = 0; i < moved.size(); ++i) {
    moved[i].estimate = i % 2 == 0 ? still : -still;
    if (i < estimates.size()) moved[i].estimate = estimates[i];
  }
  return chances_of_other_days(moved, {1e-4, 30});
}

TEST(OtherDays, AreUnlikelyWhereAFewBenchmarksMove) {
  for (const double chance : chances({})) EXPECT_LT(chance, 1e-6);
  for (const double chance : chances({0.05, -0.03, 0.02, 0.3})) EXPECT_LT(chance, 1e-4);
}

// Today is stiller than the history's days need be, and the rest stays where it was.
TEST(OtherDays, AreUnlikelyWhereManyMoveAndTheRestStays) {
  const std::vector<double> moved{0.03, 0.022, 0.041, 0.028, 0.035, 0.019, 0.031, 0.025};
  for (const double chance : chances(moved, 20, 0.0003)) EXPECT_LT(chance, 1e-3);
}

TEST(OtherDays, AreUnlikelyWhereAllMoveAlike) {
  for (const double chance : chances(std::vector<double>(20, 0.02))) EXPECT_LT(chance, 1e-6);
}

TEST(OtherDays, AreLikelyWhereEachMovesInItsOwnWay) {
  std::vector<double> apart;
  for (int i = 0; i < 20; ++i) apart.push_back(0.03 * i / 20);
  for (const double chance : chances(apart)) EXPECT_GT(chance, 0.99);
}

// A single benchmark has no others to tell, and the next of twelve days is the first of its kind in one
// of 13.
TEST(OtherDays, OfOneBenchmarkAreAsLikelyAsTheHistoryIsShort) {
  const std::vector<Moved> one{{0.05, 0, 2, {4e-6, 12}, 11 * stats::kDegreesOfDifference}};
  EXPECT_NEAR(chances_of_other_days(one, {1e-4, 30}).front(), 2.0 / 14, 1e-9);
}

// Of five benchmarks, a slow day moves all to within half a per cent now and then. Of twenty, never.
TEST(OtherDays, AreNotRuledOutWhereFewBenchmarksMoveAlike) {
  const std::vector<double> alike{0.0284, 0.0277, 0.0264, 0.0253, 0.0232};
  for (const double chance : chances(alike, 5)) EXPECT_GT(chance, 0.002);
  std::vector<double> many;
  for (int i = 0; i < 20; ++i) many.push_back(alike[static_cast<std::size_t>(i) % alike.size()]);
  for (const double chance : chances(many)) EXPECT_LT(chance, 1e-6);
}

TEST(OtherDays, AreUnlikelierWhereTheOthersStayThanWhereTheyMoveAlike) {
  const double stay = chances({0.02, 0.0005, -0.0005, 0.0002, 0}, 5).front();
  const double move = chances({0.02, 0.0205, 0.0195, 0.0202, 0.02}, 5).front();
  EXPECT_LT(stay, 1e-3);
  EXPECT_GT(move, 5 * stay);
}

TEST(OtherDays, AreTellableHoweverFarBenchmarksMove) {
  for (const double far : {1.0, 30.0, 700.0})
    for (const auto& estimates : {std::vector<double>{far}, std::vector<double>(20, far),
                                  std::vector<double>{far, -far, far, -far, 0}})
      for (const double chance : chances(estimates)) {
        EXPECT_GE(chance, 0);
        EXPECT_LE(chance, 1);
      }
}

// Of 31 jobs, six had each of 20 benchmarks slower by its own share of up to 3 %: these moved as much.
DaysBefore six_slow_days() {
  DaysBefore before;
  before.usual = 25;
  before.unusual.assign(6, {});
  for (auto& day : before.unusual)
    for (int i = 0; i < 20; ++i) day.push_back(0.03 * ((i * 7) % 20) / 20);
  return before;
}

std::vector<double> chances_after_slow_days(const std::vector<double>& estimates) {
  std::vector<Moved> moved;
  for (const double estimate : estimates)
    moved.push_back({estimate, 1e-7, 2, {4e-6, 12}, 30 * stats::kDegreesOfDifference, 1.7e-4});
  return chances_of_other_days(moved, {1e-4, 30}, six_slow_days());
}

TEST(OtherDays, LikeThoseOfTheHistoryAreTold) {
  for (const double chance : chances_after_slow_days(six_slow_days().unusual.front()))
    EXPECT_GT(chance, 0.999);
  for (const double chance : chances_after_slow_days(std::vector<double>(20, 0.02))) EXPECT_LT(chance, 1e-6);
  for (const double chance : chances_after_slow_days(std::vector<double>(20, 0.0005)))
    EXPECT_LT(chance, 1e-6);
}

// Where slow days moved all alike, nothing tells one from the code.
TEST(OtherDays, ThatMoveAllAlikeAreAsLikelyAsBefore) {
  DaysBefore before = six_slow_days();
  for (auto& day : before.unusual) day.assign(20, 0.02);
  const std::vector<Moved> moved(20, {0.02, 1e-7, 2, {4e-6, 12}, 30 * stats::kDegreesOfDifference, 1e-4});
  for (const double chance : chances_of_other_days(moved, {1e-4, 30}, before)) EXPECT_GT(chance, 0.05);
}

}  // namespace
}  // namespace tracker

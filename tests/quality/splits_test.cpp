#include "tests/quality/splits.hpp"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

namespace tracker::quality {
namespace {

std::size_t distance(std::size_t a, std::size_t b) {
  return a > b ? a - b : b - a;
}

TEST(Splits, PairsAreNeighboursInOrderAndUsedOnce) {
  test::Random random(1);
  std::set<std::size_t> starts;
  int swapped = 0;
  for (int i = 0; i < 200; ++i) {
    const Split split = split_in_pairs(22, 5, random);
    ASSERT_EQ(split.base.size(), 5u);
    ASSERT_EQ(split.candidate.size(), 5u);
    std::set<std::size_t> used;
    for (std::size_t p = 0; p < 5; ++p) {
      EXPECT_LE(distance(split.base[p], split.candidate[p]), 3u);  // at most two left out in between
      EXPECT_LT(std::max(split.base[p], split.candidate[p]), 22u);
      used.insert({split.base[p], split.candidate[p]});
      swapped += split.base[p] > split.candidate[p] ? 1 : 0;
      if (p > 0) {
        EXPECT_GT(split.base[p], std::min(split.base[p - 1], split.candidate[p - 1]));
      }
    }
    EXPECT_EQ(used.size(), 10u);
    starts.insert(*used.begin());
  }
  EXPECT_GT(starts.size(), 10u);  // all of the job is drawn from
  EXPECT_NEAR(swapped, 500, 80);
}

TEST(Splits, AJobOfJustEnoughRoundsIsUsedWhole) {
  test::Random random(1);
  const Split split = split_in_pairs(20, 10, random);
  std::set<std::size_t> used(split.base.begin(), split.base.end());
  used.insert(split.candidate.begin(), split.candidate.end());
  EXPECT_EQ(used.size(), 20u);
}

TEST(Splits, BlocksOfNeighboursWithReplacement) {
  test::Random random(1);
  const Split split = split_in_blocks(22, 20, random);
  ASSERT_EQ(split.base.size(), 20u);
  std::set<std::size_t> used;
  for (std::size_t p = 0; p < 20; ++p) {
    EXPECT_EQ(distance(split.base[p], split.candidate[p]), 1u);
    used.insert({split.base[p], split.candidate[p]});
  }
  EXPECT_LE(*used.rbegin(), 21u);
  EXPECT_LT(used.size(), 22u);
}

TEST(Splits, PicksKeepTheOrder) {
  test::Random random(1);
  const auto picked = pick(8, 5, random);
  EXPECT_EQ(picked.size(), 5u);
  EXPECT_TRUE(std::is_sorted(picked.begin(), picked.end()));
  EXPECT_EQ(std::set<std::size_t>(picked.begin(), picked.end()).size(), 5u);
  const auto blocks = pick_in_blocks(7, 20, random);
  ASSERT_EQ(blocks.size(), 20u);
  for (std::size_t i = 0; i < 20; i += 2) EXPECT_EQ(blocks[i + 1], blocks[i] + 1);
  EXPECT_LE(*std::max_element(blocks.begin(), blocks.end()), 6u);
}

}  // namespace
}  // namespace tracker::quality

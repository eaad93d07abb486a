// Which tile and which split `best` chooses, by shape and device.
#include "kernels/gemm/choice.hpp"

#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/tensor_gemm/choice.hpp"
#include "tests/kernels/cases.hpp"

namespace kernels {
namespace {

constexpr DeviceLimits kHopper{.capability = 90, .multiprocessors = 132};
constexpr TileCost kCost{.per_depth = 100, .begin_and_end = 500, .add_begin = 1000, .add_part = 100};

std::int64_t units_of(const Split& split, std::int64_t tiles) {
  return split.parts == 1 ? tiles : split.whole_tiles + (tiles - split.whole_tiles) * split.parts;
}

// All of k, no part of it empty; whole tiles in full rounds.
void expect_covers(const Split& split, std::int64_t tiles, std::int64_t depth, std::int64_t blocks) {
  ASSERT_GE(split.parts, 1);
  if (split.parts == 1) {
    return;
  }
  EXPECT_LT(split.whole_tiles, tiles);
  EXPECT_EQ(split.whole_tiles % blocks, 0);
  EXPECT_LT((split.parts - 1) * split.depth, depth);
  EXPECT_GE(split.parts * split.depth, depth);
}

TEST(ChooseSplit, SplitsNothingWhereRoundsAreFull) {
  const SplitChoice choice = choose_split(264, 64, 132, 2, 1000, kCost);
  EXPECT_EQ(choice.split, (Split{.whole_tiles = 264, .parts = 1, .depth = 64}));
  EXPECT_DOUBLE_EQ(choice.cycles, 2 * (64 * 100 + 500));
}

TEST(ChooseSplit, SplitsWhatIsLeftOverAfterFullRounds) {
  const SplitChoice choice = choose_split(132 + 33, 64, 132, 2, 1000, kCost);
  EXPECT_EQ(choice.split, (Split{.whole_tiles = 132, .parts = 4, .depth = 16}));
  EXPECT_DOUBLE_EQ(choice.cycles, (64 * 100 + 500) + (16 * 100 + 500) + 1000 + 100);
}

TEST(ChooseSplit, SplitsNothingWhereAddingTakesLonger) {
  EXPECT_EQ(choose_split(40, 8, 132, 2, 1000, kCost).split.parts, 1);
}

TEST(ChooseSplit, KeepsToItsLimits) {
  EXPECT_EQ(choose_split(1, 1000, 132, 500, 1000, kCost).split.parts, 2);
  EXPECT_LE(choose_split(10, 1000, 132, 2, 50, kCost).split.parts, 5);
  EXPECT_EQ(choose_split(1, 1000, 132, 1001, 1000, kCost).split.parts, 1);
}

TEST(ChooseSplit, CoversKForEveryShape) {
  SCOPED_TRACE(test::describe_seed());
  std::mt19937_64 random(test::seed_of_this_run());
  const auto up_to = [&](std::int64_t most) {
    return std::uniform_int_distribution<std::int64_t>(1, most)(random);
  };
  for (int i = 0; i < 20000; ++i) {
    const std::int64_t tiles = up_to(600);
    const std::int64_t depth = up_to(i % 2 == 0 ? 20 : 5000);
    const std::int64_t blocks = up_to(264);
    SCOPED_TRACE(testing::Message() << tiles << " tiles, " << depth << " deep, " << blocks << " blocks");
    const Split split = choose_split(tiles, depth, blocks, 2, 2000, kCost).split;
    ASSERT_NO_FATAL_FAILURE(expect_covers(split, tiles, depth, blocks));
    if (split.parts > 1) {
      EXPECT_GE(split.depth, 2);
      EXPECT_LE((tiles - split.whole_tiles) * split.parts, 2000);
    }
  }
}

gemm::TileChoice tile_for(std::int64_t m, std::int64_t n, std::int64_t k,
                          const DeviceLimits& limits = kHopper) {
  return gemm::choose_tile(gemm::kTiles, {.m = m, .n = n, .k = k}, limits);
}

std::int64_t blocks_for(const gemm::TileChoice& choice, std::int64_t m, std::int64_t n) {
  const auto up = [](std::int64_t count, std::int64_t size) { return (count + size - 1) / size; };
  return units_of(choice.split, up(m, choice.row->rows) * up(n, choice.row->columns));
}

TEST(GemmChoice, OccupiesTheDeviceWithFewResultsOfLongSums) {
  for (const auto& [m, n, k] : {test::GemmCase{64, 64, 65536}, test::GemmCase{256, 256, 8192},
                                test::GemmCase{512, 512, 16384}, test::GemmCase{100, 300, 20000}}) {
    SCOPED_TRACE(testing::Message() << m << " x " << n << " x " << k);
    const gemm::TileChoice choice = tile_for(m, n, k);
    EXPECT_GT(choice.split.parts, 1);
    EXPECT_GE(blocks_for(choice, m, n), 100);
  }
}

TEST(GemmChoice, SplitsNoTileOfLargeOrEvenProducts) {
  EXPECT_EQ(tile_for(1024, 1024, 1024).row->tile, gemm::Tile::kSlicedK);
  EXPECT_EQ(tile_for(1024, 1024, 1024).split.parts, 1);
  EXPECT_EQ(tile_for(2048, 2048, 2048).row->tile, gemm::Tile::kAsync);
  EXPECT_EQ(tile_for(2048, 2048, 2048).split.parts, 1);
}

TEST(GemmChoice, SplitsTheLastTilesOfAnOddSize) {
  const gemm::TileChoice choice = tile_for(2049, 2049, 2049);
  EXPECT_GT(choice.split.parts, 1);
  EXPECT_GT(choice.split.whole_tiles, 0);
}

TEST(GemmChoice, KeepsToWhatTheDeviceHas) {
  for (const std::int64_t size : {64, 1000, 5000}) {
    const gemm::Tile turing = tile_for(size, size, size, {.capability = 75, .multiprocessors = 40}).row->tile;
    EXPECT_THAT(turing, testing::AnyOf(gemm::Tile::kWarpTile, gemm::Tile::kTile1d, gemm::Tile::kSmem));
    EXPECT_NE(tile_for(size, size, 100 * size, {.capability = 86, .multiprocessors = 80}).row->tile,
              gemm::Tile::kSlicedKSmall);
  }
  EXPECT_EQ(tile_for(64, 64, 64, {.capability = 70, .multiprocessors = 80}).row, nullptr);
}

TEST(ThinChoice, TakesFewRowsOrFewColumnsAlone) {
  EXPECT_TRUE(gemm::is_thin({.m = 16, .n = 4096, .k = 64}));
  EXPECT_TRUE(gemm::is_thin({.m = 4096, .n = 16, .k = 64}));
  EXPECT_FALSE(gemm::is_thin({.m = 17, .n = 17, .k = 1 << 20}));
  EXPECT_EQ(gemm::choose_thin({.m = 17, .n = 17, .k = 64}, 132).blocks, 0);
}

TEST(ThinChoice, TakesPartsOfKWhereCHasFewElements) {
  const gemm::ThinChoice one = gemm::choose_thin({.m = 1, .n = 1, .k = 1 << 20}, 132);
  EXPECT_GT(one.parts, 100);
  EXPECT_GE(one.parts * one.depth, 1 << 20);
  EXPECT_LT((one.parts - 1) * one.depth, 1 << 20);
  EXPECT_EQ(gemm::choose_thin({.m = 1, .n = 1 << 20, .k = 4096}, 132).parts, 1);
  EXPECT_EQ(gemm::choose_thin({.m = 4, .n = 4, .k = 0}, 132).parts, 1);
}

tensor_gemm::PlanChoice plan_for(std::int64_t m, std::int64_t n, std::int64_t k) {
  return tensor_gemm::choose_plan(tensor_gemm::kPlans, {.m = m, .n = n, .k = k}, 2, kHopper.multiprocessors);
}

TEST(LastChoices, ChoosesOnceForTheSameSizes) {
  LastChoices<int> last;
  int count = 0;
  const auto choose = [&] { return ++count; };
  EXPECT_EQ(last.find(1, 2, 3, 132, choose), 1);
  EXPECT_EQ(last.find(1, 2, 3, 132, choose), 1);
  EXPECT_EQ(last.find(1, 2, 3, 78, choose), 2);
  EXPECT_EQ(last.find(3, 2, 1, 132, choose), 3);
  for (std::int64_t k = 1; k <= 1000; ++k) {
    last.find(7, 8, k, 132, choose);
  }
  EXPECT_EQ(count, 1003);
  EXPECT_EQ(last.find(7, 8, 1000, 132, choose), 1003);
}

const tensor_gemm::PlanRow& row_of(const tensor_gemm::PlanChoice& choice) {
  return tensor_gemm::kPlans[choice.plan];
}

std::int64_t blocks_of(const tensor_gemm::PlanChoice& choice, std::int64_t m, std::int64_t n) {
  const auto up = [](std::int64_t count, std::int64_t size) { return (count + size - 1) / size; };
  const tensor_gemm::PlanRow& row = row_of(choice);
  const std::int64_t tiles = up(row.is_turned ? n : m, row.rows()) * up(row.is_turned ? m : n, row.columns());
  return units_of(choice.split, tiles) * row.cluster();
}

TEST(TensorChoice, TakesLargeTilesForLargeProductsAndSmallOnesForSmall) {
  for (const std::int64_t side : {4096, 8192}) {
    const tensor_gemm::PlanRow& row = row_of(plan_for(side, side, side));
    EXPECT_GE(row.rows() * row.columns(), 256 * 192);
  }
  EXPECT_LE(row_of(plan_for(512, 512, 512)).tile_columns, 64);
  EXPECT_LE(row_of(plan_for(1024, 1024, 1024)).tile_columns, 160);
}

TEST(TensorChoice, OccupiesTheDeviceWithFewResultsOfLongSums) {
  for (const auto& [m, n, k] :
       {test::GemmCase{256, 256, 65536}, test::GemmCase{16, 4096, 4096}, test::GemmCase{64, 64, 65536}}) {
    SCOPED_TRACE(testing::Message() << m << " x " << n << " x " << k);
    EXPECT_GE(blocks_of(plan_for(m, n, k), m, n), 16);
  }
}

// What blocks of a cluster add is all of k, by clusters that all fit at once.
TEST(TensorChoice, SharesWholeTilesAmongBlocksOfAClusterThatFit) {
  SCOPED_TRACE(test::describe_seed());
  std::mt19937_64 random(test::seed_of_this_run());
  const auto up_to = [&](std::int64_t most) {
    return std::uniform_int_distribution<std::int64_t>(1, most)(random);
  };
  int shared = 0;
  for (int i = 0; i < 3000; ++i) {
    const std::int64_t m = up_to(400);
    const std::int64_t n = up_to(400);
    const std::int64_t k = up_to(70000);
    SCOPED_TRACE(testing::Message() << m << " x " << n << " x " << k);
    const tensor_gemm::PlanChoice choice = plan_for(m, n, k);
    ASSERT_GE(choice.plan, 0);
    if (choice.sharers == 0) {
      continue;
    }
    ++shared;
    EXPECT_EQ(row_of(choice).cluster(), 1);
    EXPECT_THAT(choice.sharers, testing::AnyOf(2, 4, 8));
    EXPECT_EQ(choice.split.whole_tiles, 0);
    EXPECT_EQ(choice.split.parts % choice.sharers, 0);
    EXPECT_LE(choice.split.parts * tensor_gemm::kStepsMin, (k * 2 + 127) / 128);
    EXPECT_LE(blocks_of(choice, m, n), kHopper.multiprocessors);
  }
  EXPECT_GT(shared, 100);
}

TEST(TensorChoice, ReadsRowsThatAreNotAlignedByWordsWhereOneSideIsShort) {
  const auto rows_for = [](std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t bytes) {
    return tensor_gemm::choose_rows({.m = m, .n = n, .k = k}, bytes, kHopper.multiprocessors).rows;
  };
  using tensor_gemm::Rows;
  EXPECT_EQ(rows_for(35, 5228, 4175, 4), Rows::kByWords);
  EXPECT_EQ(rows_for(5228, 35, 4175, 4), Rows::kByWords);
  EXPECT_EQ(rows_for(4097, 4097, 4097, 4), Rows::kPadded);
  EXPECT_EQ(rows_for(35, 5228, 4176, 4), Rows::kMapped);
  EXPECT_EQ(rows_for(35, 5228, 4175, 2), Rows::kPadded);  // not whole words
  EXPECT_EQ(rows_for(35, 5228, 4175, 1), Rows::kPadded);
}

TEST(TensorChoice, PadsOnlyWhatIsLongEnough) {
  EXPECT_TRUE(tensor_gemm::is_worth_padding({.m = 5, .n = 5, .k = 8}, 2));  // needs none
  EXPECT_FALSE(tensor_gemm::is_worth_padding({.m = 5, .n = 5, .k = 9}, 2));
  EXPECT_TRUE(tensor_gemm::is_worth_padding({.m = 2000, .n = 2000, .k = 9}, 2));
  EXPECT_TRUE(tensor_gemm::is_worth_padding({.m = 5, .n = 5, .k = 1001}, 2));
  EXPECT_TRUE(tensor_gemm::is_worth_padding({.m = 5, .n = 5, .k = 4}, 4));
  EXPECT_FALSE(tensor_gemm::is_worth_padding({.m = 5, .n = 5, .k = 5}, 4));
}

}  // namespace
}  // namespace kernels

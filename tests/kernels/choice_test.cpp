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
// In cycles; so many blocks compute at once.
struct TileCost {
  double per_depth;      // for each step along k
  double begin_and_end;  // until the first step, and after the last one
  double add_begin;      // to begin adding parts
  double add_part;       // to write a part and read it again, for one of each block

  constexpr double of_units(std::int64_t count, std::int64_t steps, std::int64_t blocks) const {
    return static_cast<double>((count + blocks - 1) / blocks) *
           (static_cast<double>(steps) * per_depth + begin_and_end);
  }
  constexpr double of_adding(std::int64_t parts, std::int64_t blocks) const {
    return add_begin + add_part * static_cast<double>(parts) / static_cast<double>(blocks);
  }
};

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

TEST(GemmChoice, TakesSmallTilesWhereKIsShortOrResultsAreFew) {
  for (const auto& [m, n, k] : {test::GemmCase{420, 3773, 42}, test::GemmCase{5781, 1725, 20},
                                test::GemmCase{5217, 521, 85}, test::GemmCase{4822, 6284, 93}}) {
    EXPECT_THAT(tile_for(m, n, k).row->tile, testing::AnyOf(gemm::Tile::kShortK, gemm::Tile::kShortKWide))
        << m << " x " << n << " x " << k;
  }
  for (const auto& [m, n, k] : {test::GemmCase{1548, 182, 134}, test::GemmCase{4775, 24, 189},
                                test::GemmCase{25, 22, 171}, test::GemmCase{12, 55, 1226}}) {
    EXPECT_THAT(tile_for(m, n, k).row->tile,
                testing::AnyOf(gemm::Tile::kSlicedKTiny, gemm::Tile::kSlicedKDeep))
        << m << " x " << n << " x " << k;
  }
}

TEST(GemmChoice, TakesNarrowTilesForFewColumns) {
  for (const auto& [m, n, k] :
       {test::GemmCase{4096, 16, 4096}, test::GemmCase{2563, 12, 1495}, test::GemmCase{4279, 14, 1208}}) {
    EXPECT_EQ(tile_for(m, n, k).row->tile, gemm::Tile::kSlicedKNarrow) << m << " x " << n << " x " << k;
    EXPECT_GT(tile_for(m, n, k).split.parts, 1);
  }
  EXPECT_NE(tile_for(4096, 17, 4096).row->tile, gemm::Tile::kSlicedKNarrow);
}

TEST(GemmChoice, TakesTilesThatOverhangLittleBetween17And60RowsOrColumns) {
  EXPECT_EQ(tile_for(8192, 24, 8192).row->tile, gemm::Tile::kSlicedK128x24);
  EXPECT_EQ(tile_for(24, 4096, 4096).row->tile, gemm::Tile::kSlicedK24x128);
  EXPECT_EQ(tile_for(69, 3592, 982).row->tile, gemm::Tile::kSlicedK48x64);
  EXPECT_EQ(tile_for(749, 465, 747).row->tile, gemm::Tile::kSlicedK48x64);
  EXPECT_EQ(tile_for(4096, 48, 4096).row->tile, gemm::Tile::kSlicedK64x48);
}

// A round takes what its blocks take together, or one alone, whichever is more.
TEST(GemmChoice, CountsTheBlocksOfTheBusiestMultiprocessor) {
  const gemm::TileRow row{gemm::Tile::kShortK, {80}, 64, 64, 8, 2, 0.5, 1000, 700, 100};
  const gemm::RowCost cost{.row = row, .add_begin = 0, .add_part = 0};
  const double step = 64 * 64 * 8 / (128 * 0.5);
  EXPECT_DOUBLE_EQ(cost.of_units(1, 10, 264), 1000 + 10 * 700);
  EXPECT_DOUBLE_EQ(cost.of_units(132, 10, 264), 1000 + 10 * 700);
  EXPECT_DOUBLE_EQ(cost.of_units(133, 10, 264), 2 * (10 * step + 100));
  EXPECT_DOUBLE_EQ(cost.of_units(265, 10, 264), 2 * (10 * step + 100) + 1000 + 10 * 700);
}

TEST(ThinChoice, IsForVeryFewRowsOrForALargeMatrix) {
  EXPECT_TRUE(gemm::is_best_thin({.m = 4, .n = 357, .k = 4262}));
  EXPECT_TRUE(gemm::is_best_thin({.m = 6, .n = 3929, .k = 1441}));
  EXPECT_FALSE(gemm::is_best_thin({.m = 6, .n = 54, .k = 2731}));
  EXPECT_TRUE(gemm::is_best_thin({.m = 5000, .n = 8, .k = 32}));
  EXPECT_FALSE(gemm::is_best_thin({.m = 5000, .n = 8, .k = 31}));
  EXPECT_FALSE(gemm::is_best_thin({.m = 5000, .n = 9, .k = 32}));
  EXPECT_TRUE(gemm::is_best_thin({.m = 4096, .n = 8, .k = 4096}));
  EXPECT_TRUE(gemm::is_best_thin({.m = 4096, .n = 4, .k = 4096}));
}

TEST(ThinChoice, TakesOneColumnAThreadWhereKIsTooShortToSplit) {
  const gemm::ThinChoice narrow = gemm::choose_thin({.m = 3, .n = 2862, .k = 502}, 132);
  EXPECT_EQ(narrow.parts, 1);
  EXPECT_EQ(narrow.columns, 1);
  EXPECT_EQ(narrow.blocks, 90);
  const gemm::ThinChoice wide = gemm::choose_thin({.m = 1, .n = 4096, .k = 4096}, 132);
  EXPECT_EQ(wide.columns, 4);
  EXPECT_GT(wide.parts, 4);
  EXPECT_LE(wide.blocks * wide.parts, 3 * 132);
}

TEST(ThinChoice, TakesFewRowsOrFewColumnsAlone) {
  EXPECT_TRUE(gemm::is_thin({.m = 8, .n = 4096, .k = 64}));
  EXPECT_TRUE(gemm::is_thin({.m = 4096, .n = 8, .k = 64}));
  EXPECT_FALSE(gemm::is_thin({.m = 9, .n = 9, .k = 1 << 20}));
  EXPECT_EQ(gemm::choose_thin({.m = 9, .n = 9, .k = 64}, 132).blocks, 0);
}

TEST(ThinChoice, SharesRowsAmongWarpsWhereTheyAreFew) {
  const auto sharers = [](std::int64_t m, std::int64_t n, std::int64_t k) {
    return gemm::choose_thin({.m = m, .n = n, .k = k}, 132).sharers;
  };
  EXPECT_EQ(sharers(100000, 1, 4096), 1);
  EXPECT_EQ(sharers(1322, 1, 2778), 8);
  EXPECT_EQ(sharers(1322, 1, 100), 1);
  EXPECT_EQ(sharers(500, 8, 1024), 8);
  EXPECT_EQ(gemm::choose_thin({.m = 1322, .n = 1, .k = 2778}, 132).parts, 1);
  EXPECT_EQ(gemm::choose_thin({.m = 5, .n = 1, .k = 0}, 132).blocks, 1);
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

TEST(TensorChoice, TakesAShortKThatIsNotAlignedInOneLaunch) {
  EXPECT_TRUE(tensor_gemm::is_best_short({.m = 2317, .n = 1377, .k = 5}, 2));
  EXPECT_TRUE(tensor_gemm::is_best_short({.m = 275, .n = 67, .k = 1}, 4));
  EXPECT_TRUE(tensor_gemm::is_best_short({.m = 275, .n = 67, .k = 15}, 1));
  EXPECT_TRUE(tensor_gemm::is_best_short({.m = 3217, .n = 2749, .k = 8}, 4));   // rows of C are not aligned
  EXPECT_FALSE(tensor_gemm::is_best_short({.m = 3217, .n = 2752, .k = 8}, 4));  // they are
  EXPECT_FALSE(tensor_gemm::is_best_short({.m = 3217, .n = 2749, .k = 8}, 2));
  EXPECT_FALSE(tensor_gemm::is_best_short({.m = 8000, .n = 8000, .k = 12}, 2));  // padding pays
  EXPECT_FALSE(tensor_gemm::is_best_short({.m = 1 << 30, .n = (1 << 30) + 1, .k = 5}, 2));
  EXPECT_FALSE(tensor_gemm::is_best_short({.m = 275, .n = 67, .k = 0}, 2));
  EXPECT_FALSE(tensor_gemm::is_best_short({.m = 275, .n = 67, .k = 1001}, 2));
}

TEST(TensorChoice, PadsRowsToWholeLines) {
  EXPECT_EQ(tensor_gemm::padded_bytes(1), 128);
  EXPECT_EQ(tensor_gemm::padded_bytes(128), 128);
  EXPECT_EQ(tensor_gemm::padded_bytes(6002), 6016);
}

// Rows that begin between two lines are read as parts of both.
TEST(TensorChoice, CountsRowsThatBeginBetweenTwoLines) {
  const auto cycles = [](std::int64_t k) { return plan_for(3000, 3000, k).cycles; };
  EXPECT_GT(cycles(3000), cycles(3008));
  EXPECT_LT(cycles(2944), cycles(3008));
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

// The fastest of several variants, and the counters that go with the time.
#include "tracker/profile/search.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tracker {
namespace {

using testing::ElementsAre;

constexpr const char* kStoreSectors = "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio";
constexpr const char* kStoreShare = "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct";
constexpr const char* kOccupancy = "sm__warps_active.avg.pct_of_peak_sustained_active";

struct Variant {
  const char* block;
  double time_us;
  double sectors_a_store;
  double occupancy;
};

// naive_col on an H200: docs/lab/kernels.md, "Why".
const std::vector<Variant> kBlocks{{"32x8", 317, 4, 80},
                                   {"8x32", 247, 4, 70},
                                   {"1x256", 1019, 32, 75},
                                   {"4x64", 272, 8, 85},
                                   {"16x1", 400, 8, 81}};

std::pair<Profile, TimesS> searched(const std::vector<Variant>& variants) {
  Profile profile;
  TimesS times_s;
  for (const auto& variant : variants) {
    profile.benchmarks.push_back({variant.block,
                                  "naive_col",
                                  3,
                                  {{kStoreSectors, variant.sectors_a_store},
                                   {kStoreShare, 400 / variant.sectors_a_store},
                                   {kOccupancy, variant.occupancy}}});
    times_s[variant.block] = variant.time_us * 1e-6;
  }
  return {profile, times_s};
}

TEST(Search, TheFastestComesFirst) {
  const auto [profile, times_s] = searched(kBlocks);
  std::vector<std::string> names;
  for (const auto* benchmark : by_time(profile, times_s)) names.push_back(benchmark->name);
  EXPECT_THAT(names, ElementsAre("8x32", "4x64", "32x8", "16x1", "1x256"));
}

TEST(Search, NamesWhatGoesWithTheTimeOnce) {
  const auto [profile, times_s] = searched(kBlocks);
  const auto following = counters_that_follow(profile, times_s);
  ASSERT_EQ(following.size(), 1u) << "gst_efficiency and the sectors a store say the same; occupancy nothing";
  EXPECT_EQ(following[0].counter->name, "gst_efficiency");
  EXPECT_GT(following[0].agreement, 0.6);
  EXPECT_EQ(following[0].of_fastest, 100);
  EXPECT_EQ(following[0].of_slowest, 12.5);
}

TEST(Search, SaysNothingOfFewOrEqualVariants) {
  const auto [few, times_of_few] = searched({kBlocks.begin(), kBlocks.begin() + 3});
  EXPECT_TRUE(counters_that_follow(few, times_of_few).empty());
  const auto [equal, times_of_equal] =
      searched({{"a", 1, 4, 80}, {"b", 2, 4, 80}, {"c", 3, 4, 80}, {"d", 4, 4, 80}});
  EXPECT_TRUE(counters_that_follow(equal, times_of_equal).empty());
}

// Of an H100 (naive_col at 2048 x 2048): wide blocks scatter their loads, tiny ones leave it empty.
TEST(Search, NamesWhatEachSlowerVariantIsWorseIn) {
  const auto [profile, times_s] = searched({{"8x32", 22.9, 4, 79.5},
                                            {"8x16", 23.5, 4, 47.5},
                                            {"4x64", 24.2, 8, 83.7},
                                            {"8x8", 43.1, 4, 26.3},
                                            {"1x256", 69.9, 32, 78.6}});
  const auto slowing = counters_that_slow(profile, times_s);
  ASSERT_EQ(slowing.size(), 2u) << "8x16 is hardly slower, and of two that say the same the first is named";
  EXPECT_EQ(slowing[0].counter->name, "gst_efficiency");
  EXPECT_EQ(slowing[0].of_fastest, 100);
  EXPECT_THAT(slowing[0].variants, ElementsAre(testing::Field(&ProfiledBenchmark::name, "4x64"),
                                               testing::Field(&ProfiledBenchmark::name, "1x256")));
  EXPECT_EQ(slowing[1].counter->name, "achieved_occupancy");
  EXPECT_THAT(slowing[1].variants, ElementsAre(testing::Field(&ProfiledBenchmark::name, "8x8")));
}

TEST(Search, AVariantWithoutATimeIsLeftOut) {
  auto [profile, times_s] = searched(kBlocks);
  times_s.erase("8x32");
  EXPECT_EQ(by_time(profile, times_s).front()->name, "4x64");
}

}  // namespace
}  // namespace tracker

// The table of counters, and what its rows make of ncu's metrics.
#include "tracker/profile/counters.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/profile/recorded.hpp"
#include "tests/source_tree.hpp"
#include "tracker/profile/ncu.hpp"

namespace tracker::profile {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const Counter& counter(std::string_view name) {
  const auto found =
      std::find_if(counters().begin(), counters().end(), [&](const Counter& c) { return c.name == name; });
  EXPECT_NE(found, counters().end()) << name;
  return *found;
}

ProfiledBenchmark with(std::map<std::string, double> metrics) {
  return {"a", "k", 1, std::move(metrics)};
}

TEST(Counters, EveryRowIsWhole) {
  std::set<std::string> names;
  const std::set<std::string> units{"%", "B", "B/s", ""};
  for (const auto& row : counters()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_FALSE(row.summary.empty()) << row.name;
    EXPECT_EQ(units.count(row.unit), 1u) << row.name;
    const std::set<Combine> of_two{Combine::kFirstThere, Combine::kRatio, Combine::kFirstIfSecond,
                                   Combine::kShareOfFirst};
    const std::size_t wanted = row.combine == Combine::kProductRatio ? 4
                               : row.combine == Combine::kSum        ? row.metrics.size()
                               : of_two.count(row.combine) > 0       ? 2
                                                                     : 1;
    EXPECT_EQ(row.metrics.size(), wanted) << row.name;
    for (const auto& metric : row.metrics) {
      EXPECT_THAT(metric, HasSubstr("__"));
      EXPECT_EQ(metric.find_first_of(" ,\""), std::string::npos) << "fit for --metrics";
    }
  }
}

TEST(Counters, AsksForEachMetricOnce) {
  const auto wanted = wanted_metrics();
  EXPECT_EQ(std::set<std::string>(wanted.begin(), wanted.end()).size(), wanted.size());
  EXPECT_EQ(wanted.front(), kDurationMetric);
  for (const auto& row : counters()) EXPECT_NE(row.metrics.front(), kDurationMetric);
}

TEST(Counters, ThePageNamesEveryMetric) {
  const std::string page =
      read_file(std::filesystem::path(TRACKER_SOURCE_DIR) / "docs" / "profiling.md", 1 << 20);
  for (const auto& row : counters()) {
    const std::size_t line = page.find("| `" + row.name + "` |");
    ASSERT_NE(line, std::string::npos) << row.name;
    const std::string text = page.substr(line, page.find('\n', line) - line);
    for (const auto& metric : row.metrics) EXPECT_THAT(text, HasSubstr("`" + metric + "`"));
    EXPECT_THAT(text, HasSubstr(row.better == Better::kHigher ? "| higher |" : "| lower |"));
    EXPECT_THAT(text, HasSubstr(row.summary));
  }
}

TEST(Counters, OfARecordedTranspose) {
  const auto launches = parse_ncu_csv(test::recorded_output(), "x");
  const auto copy = choose_kernel("copy", launches, {"copy_row"});
  const auto naive = choose_kernel("naive", launches, {"tr_naive_row"});
  ASSERT_TRUE(copy && naive);
  EXPECT_EQ(counter_value(counter("gld_efficiency"), *copy), 100);
  EXPECT_EQ(counter_value(counter("gst_efficiency"), *copy), 100);
  EXPECT_EQ(counter_value(counter("gst_efficiency"), *naive), 25);
  EXPECT_FALSE(is_counted(counter("branch_efficiency"), *copy))
      << "the recording lacks the number of branches";
  EXPECT_EQ(counter_value(counter("shared_ld_bank_conflict"), *copy), 0);
  EXPECT_NEAR(*counter_value(counter("achieved_occupancy"), *copy), 64.4, 0.1);
  EXPECT_NEAR(*counter_value(counter("dram_throughput"), *naive) / 1e9, 600, 5);
}

TEST(Counters, AShareOfNothingIsNoValue) {
  const auto& loads = counter("gld_efficiency");
  EXPECT_EQ(counter_value(loads, with({{loads.metrics[0], 12.5}})), 12.5);
  EXPECT_EQ(counter_value(loads, with({{loads.metrics[0], 0}})), std::nullopt);
  EXPECT_TRUE(is_counted(loads, with({{loads.metrics[0], 0}})));
  EXPECT_FALSE(is_counted(loads, with({})));
  const auto& branches = counter("branch_efficiency");
  EXPECT_EQ(counter_value(branches, with({{branches.metrics[0], 0}, {branches.metrics[1], 8}})), 0);
  EXPECT_EQ(counter_value(branches, with({{branches.metrics[0], 0}, {branches.metrics[1], 0}})),
            std::nullopt);
  EXPECT_FALSE(is_counted(branches, with({{branches.metrics[0], 100}})));
  const auto& turns = counter("shared_load_transactions_per_request");
  EXPECT_EQ(counter_value(turns, with({{turns.metrics[0], 64}, {turns.metrics[1], 2}})), 32);
  EXPECT_EQ(counter_value(turns, with({{turns.metrics[0], 0}, {turns.metrics[1], 0}})), std::nullopt);
  const auto& warps = counter("warp_execution_efficiency");
  EXPECT_EQ(counter_value(warps, with({{warps.metrics[0], 16}})), 50);
}

TEST(Counters, BytesAskedForAreAShareOfThoseMoved) {
  const auto& requested = counter("gst_requested_throughput");
  EXPECT_EQ(counter_value(requested, with({{requested.metrics[0], 800e9}, {requested.metrics[1], 25}})),
            200e9);
  EXPECT_EQ(counter_value(requested, with({{requested.metrics[0], 0}, {requested.metrics[1], 0}})),
            std::nullopt);
  const auto& shared = counter("shared_load_throughput");
  EXPECT_EQ(counter_value(shared, with({{shared.metrics[0], 1e9}})), 128e9);
}

// A product of K = 2048 by tiles of 16: each result takes 2·K/16 loads.
TEST(Counters, LoadsAResultFallWithTheTile) {
  const auto& loads = counter("loads_per_result");
  const auto product = [&](double load_sectors, double store_sectors) {
    return with({{loads.metrics[0], load_sectors},
                 {loads.metrics[1], 100},
                 {loads.metrics[2], store_sectors},
                 {loads.metrics[3], 100}});
  };
  const double stores = 2048.0 * 2048 / 8;
  EXPECT_EQ(counter_value(loads, product(stores * 2 * 2048 / 16, stores)), 256);
  EXPECT_EQ(counter_value(loads, product(stores * 2 * 2048 / 32, stores)), 128);
  EXPECT_EQ(counter_value(loads, product(0, stores)), std::nullopt) << "what loads by TMA has none";
  EXPECT_EQ(counter_value(loads, product(stores, 0)), std::nullopt);
  EXPECT_EQ(counter_value(loads, with({{loads.metrics[0], 8},
                                       {loads.metrics[1], 0},
                                       {loads.metrics[2], 8},
                                       {loads.metrics[3], 100}})),
            std::nullopt)
      << "what loads by cp.async alone has sectors, and asks for nothing by plain loads";
}

TEST(Counters, AStallOfTwoReasonsIsTheirSum) {
  const auto& sync = counter("stall_sync");
  ASSERT_EQ(sync.metrics.size(), 2u);
  EXPECT_EQ(counter_value(sync, with({{sync.metrics[0], 12.5}, {sync.metrics[1], 0.5}})), 13);
  EXPECT_FALSE(is_counted(sync, with({{sync.metrics[0], 12.5}})));
}

TEST(Counters, TheFirstOfTwoThatThisGpuHas) {
  const auto& tensor = counter("tensor_utilization");
  EXPECT_EQ(counter_value(tensor, with({{tensor.metrics[0], 0}, {tensor.metrics[1], 1.7}})), 0);
  EXPECT_EQ(counter_value(tensor, with({{tensor.metrics[1], 1.7}})), 1.7);
  EXPECT_FALSE(is_counted(tensor, with({})));
}

TEST(Counters, AreShortFigures) {
  for (const auto& [value, unit, text] : {std::tuple{100.0, "%", "100 %"},
                                          {12.5, "%", "12.5 %"},
                                          {6.0625, "%", "6.06 %"},
                                          {99.97, "%", "100 %"},
                                          {4.0, "", "4"},
                                          {32.288, "", "32.3"},
                                          {1.0, "", "1"},
                                          {0.0, "", "0"},
                                          {999.0, "", "999"},
                                          {999.7, "", "1.00 k"},
                                          {4101082.0, "", "4.10 M"},
                                          {1303496368038.74, "B/s", "1.30 TB/s"},
                                          {76e9, "B/s", "76 GB/s"},
                                          {0.0, "B", "0 B"},
                                          {16784128.0, "B", "16.8 MB"},
                                          {std::numeric_limits<double>::infinity(), "%", "–"}})
    EXPECT_EQ(format_counter(value, unit), text);
}

TEST(Counters, SideBySide) {
  const std::string stores = "smsp__inst_executed_op_local_st.sum";
  const auto before = with({{stores, 0}});
  const auto after = with({{stores, 96}, {"smsp__inst_executed.sum", 7}});
  const auto rows = counter_rows(&before, &after);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].name, "inst_executed");
  EXPECT_EQ(rows[0].base, std::nullopt);
  EXPECT_EQ(rows[0].candidate, 7);
  EXPECT_EQ(rows[1].name, "inst_executed_local_stores");
  EXPECT_EQ(rows[1].base, 0);
  EXPECT_EQ(rows[1].candidate, 96);
  EXPECT_EQ(rows[1].better, Better::kLower);
  EXPECT_EQ(counter_rows(&before, nullptr).size(), 1u);
  EXPECT_TRUE(counter_rows(nullptr, nullptr).empty());
}

// The fastest of several variants, and the counters that go with the time.

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

ProfiledBenchmark recorded_transpose(const std::string& variant) {
  const auto launches = parse_ncu_csv(test::recorded_ncu("transpose-" + variant + ".csv"), variant);
  return choose_kernel("transpose", launches, {}).value();
}

std::vector<std::string> moved_between(const ProfiledBenchmark& base, const ProfiledBenchmark& candidate) {
  std::vector<std::string> words;
  for (const auto& one : counters_that_moved(base, candidate))
    words.push_back(one.counter->name + " " + format_counter(one.base, one.counter->unit) + " → " +
                    format_counter(one.candidate, one.counter->unit) + (one.worse ? " worse" : " better"));
  return words;
}

// Recorded on an H100. Without padding, 32 threads of a warp read one bank.
TEST(MovedCounters, OfAnUnpaddedTileTheBankConflictsComeFirst) {
  const auto padded = recorded_transpose("smem_padded");
  const auto unpadded = recorded_transpose("smem");
  const auto moved = moved_between(padded, unpadded);
  ASSERT_GE(moved.size(), 5u);
  EXPECT_EQ(moved[0], "shared_ld_bank_conflict 10.2 k → 4.10 M worse");
  EXPECT_EQ(moved[1], "shared_load_transactions 141 k → 4.23 M worse");
  EXPECT_THAT(moved, Contains("stall_mio_throttle 1.12 % → 30.1 % worse"));
  EXPECT_THAT(moved, Contains("stall_memory_dependency 55.6 % → 20.7 % better"));
  EXPECT_THAT(moved, Each(Not(AnyOf(HasSubstr("throughput"), HasSubstr("utilization")))))
      << "these follow from the time";
  EXPECT_THAT(moved, Not(Contains(HasSubstr("shared_load_transactions_per_request"))))
      << "moved by the same factor as the transactions";
  EXPECT_EQ(moved_between(unpadded, padded)[0], "shared_ld_bank_conflict 4.10 M → 10.2 k better");
  EXPECT_THAT(moved_between(padded, padded), IsEmpty());
}

TEST(MovedCounters, OfTheNaiveTransposeTheStoresAreWorse) {
  EXPECT_THAT(moved_between(recorded_transpose("copy_row"), recorded_transpose("naive_row")),
              AllOf(Contains("gst_efficiency 100 % → 12.5 % worse"),
                    Contains("stall_memory_throttle 0.65 % → 48.3 % worse")));
}

TEST(MovedCounters, WhatIsSmallOnBothSidesDoesNotMove) {
  constexpr const char* kConflicts = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum";
  constexpr const char* kInstructions = "smsp__inst_executed.sum";
  constexpr const char* kBarrier = "smsp__warp_issue_stalled_barrier_per_warp_active.pct";
  constexpr const char* kFence = "smsp__warp_issue_stalled_membar_per_warp_active.pct";
  const auto counted = [&](double conflicts, double barrier, double sectors_a_store) {
    return ProfiledBenchmark{"k",
                             "kernel",
                             3,
                             {{kConflicts, conflicts},
                              {kInstructions, 1e6},
                              {kBarrier, barrier},
                              {kFence, 0},
                              {kStoreSectors, sectors_a_store}}};
  };
  EXPECT_THAT(moved_between(counted(10, 1, 4), counted(9000, 4.5, 4.1)), IsEmpty());
  EXPECT_THAT(moved_between(counted(10, 1, 4), counted(20000, 9, 8)),
              ElementsAre("gst_transactions_per_request 4 → 8 worse", "stall_sync 1 % → 9 % worse"))
      << "the conflicts moved by as much as the stores";
  EXPECT_THAT(moved_between({}, counted(0, 0, 4)), IsEmpty()) << "only one side was counted";
}

}  // namespace
}  // namespace tracker::profile

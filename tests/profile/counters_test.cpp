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

using testing::HasSubstr;

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

}  // namespace
}  // namespace tracker::profile

// Tables of counters, from what ncu counted on an H100.
#include "tracker/report/counter_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/source_tree.hpp"
#include "tests/support/golden.hpp"
#include "tracker/base/file.hpp"
#include "tracker/base/text.hpp"
#include "tracker/profile/ncu.hpp"

namespace tracker::report {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

Profile empty_profile() {
  Profile profile;
  profile.id = "20261120T200431Z-7df43846";
  profile.commit = "56c6139f117171a0a6c6027eabb1ccd21ebed75d";
  profile.started_at = "2026-11-20T20:04:32Z";
  profile.profiler = "ncu 2025.3.1";
  profile.device.kind = DeviceKind::kGpu;
  profile.device.model = "NVIDIA H100 80GB HBM3";
  profile.device.power_limit_w = 700;
  return profile;
}

ProfiledBenchmark recorded(const std::string& variant) {
  const auto path = std::filesystem::path(TRACKER_TEST_DATA) / "ncu" / ("transpose-" + variant + ".csv");
  return *profile::choose_kernel("transpose/" + variant + "/f32/2048x2048",
                                 profile::parse_ncu_csv(read_file(path, 1 << 20), "x"), {});
}

Profile transposes() {
  Profile profile = empty_profile();
  for (const char* variant : {"copy_row", "naive_row", "smem", "smem_padded"})
    profile.benchmarks.push_back(recorded(variant));
  return profile;
}

Profile one_transpose() {
  Profile profile = empty_profile();
  profile.benchmarks = {recorded("smem")};
  return profile;
}

Profile hostile() {
  Profile profile = empty_profile();
  profile.dirty = true;
  profile.device.model = "GPU | <b>\x1b[31m";
  for (const char* name : {"a|b/<script>/x", "*_*\n@user/#1/\xff"}) {
    profile.benchmarks.push_back(recorded("smem"));
    profile.benchmarks.back().name = name;
    profile.benchmarks.back().kernel = "k<\"|\x1b[0m";
  }
  profile.benchmarks[1].counters.erase("smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct");
  profile.benchmarks[1].launches = 1;
  for (auto& benchmark : profile.benchmarks) benchmark.counters.erase("dram__bytes.sum.per_second");
  return profile;
}

struct Golden {
  const char* file;
  const char* format;
  std::vector<Profile> profiles;
  CounterOptions options;

  friend void PrintTo(const Golden& golden, std::ostream* out) { *out << golden.file; }
};

std::string write(const char* name, const std::vector<Profile>& profiles, const CounterOptions& options) {
  for (const auto& format : counter_formats())
    if (format.name == name) return format.write(profiles, options);
  ADD_FAILURE() << name;
  return "";
}

const std::vector<Golden>& goldens() {
  static const std::vector<Golden> table{
      {"counters_unlimited.txt", "text", {transposes()}, {}},
      {"counters_120.txt", "text", {transposes()}, {.columns = 120}},
      {"counters_40.txt", "text", {transposes()}, {.columns = 40}},
      {"counters_all_120.txt", "text", {transposes()}, {.columns = 120, .all = true}},
      {"counters_one.txt", "text", {one_transpose()}, {}},
      {"counters_one_60.txt", "text", {one_transpose()}, {.columns = 60}},
      {"counters_two_devices.txt", "text", {one_transpose(), transposes()}, {.columns = 120}},
      {"counters_hostile.txt", "text", {hostile()}, {.columns = 100}},
      {"counters.md", "markdown", {transposes()}, {}},
      {"counters_all.md", "markdown", {transposes()}, {.all = true}},
      {"counters_one.md", "markdown", {one_transpose()}, {}},
      {"counters_hostile.md", "markdown", {hostile()}, {}},
      {"counters.json", "json", {transposes()}, {}},
      {"counters_hostile.json", "json", {hostile()}, {}},
  };
  return table;
}

class CounterGolden : public ::testing::TestWithParam<Golden> {};

TEST_P(CounterGolden, IsAsReviewed) {
  const Golden& golden = GetParam();
  EXPECT_TRUE(tracker::test::matches_golden(write(golden.format, golden.profiles, golden.options),
                                            std::string("tests/report/golden/") + golden.file));
}
INSTANTIATE_TEST_SUITE_P(Reports, CounterGolden, ::testing::ValuesIn(goldens()));

TEST(CounterReport, NoLineIsWiderThanTheTerminal) {
  for (const int columns : {40, 60, 80, 120, 200})
    for (const bool all : {false, true})
      for (const auto& profile : {transposes(), hostile(), one_transpose()})
        for (const auto& line : split(write("text", {profile}, {.columns = columns, .all = all}), '\n'))
          EXPECT_LE(display_width(line), static_cast<std::size_t>(columns)) << line;
}

TEST(CounterReport, StrangersTextReachesNoTerminal) {
  EXPECT_THAT(write("text", {hostile()}, {}), Not(HasSubstr("\x1b")));
  EXPECT_THAT(write("markdown", {hostile()}, {}), Not(HasSubstr("<script>")));
}

TEST(CounterReport, JsonHasBothNames) {
  const auto document = nlohmann::json::parse(write("json", {transposes()}, {}));
  EXPECT_EQ(document.at("schema"), "tracker.counters/1");
  const auto& naive = document.at("profiles").at(0).at("benchmarks").at(1);
  EXPECT_EQ(naive.at("benchmark"), "transpose/naive_row/f32/2048x2048");
  EXPECT_EQ(naive.at("kernel"), "naive_row_kernel");
  EXPECT_EQ(naive.at("counters").at("gst_efficiency").at("value"), 12.5);
  EXPECT_EQ(naive.at("counters").at("gst_efficiency").at("better"), "higher");
  EXPECT_EQ(naive.at("metrics").at("smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct"), 12.5);
  EXPECT_FALSE(naive.at("counters").contains("shared_load_transactions_per_request"));
}

TEST(CounterTable, WhatTheTransposesAreKnownFor) {
  const auto table = table_of(transposes(), false);
  EXPECT_EQ(table.common, "transpose/*/f32/2048x2048");
  const auto cells = [&](const std::string& name) {
    std::vector<std::string> column;
    for (std::size_t c = 0; c < table.columns.size(); ++c)
      if (table.columns[c]->name == name)
        for (const auto& row : table.rows) column.push_back(row.cells[c]);
    return column;
  };
  EXPECT_THAT(cells("gld_efficiency"), ElementsAre("100 %", "100 %", "100 %", "100 %"));
  EXPECT_THAT(cells("gst_efficiency"), ElementsAre("100 %", "12.5 %", "100 %", "100 %"));
  EXPECT_THAT(cells("gst_transactions_per_request"), ElementsAre("4", "32", "4", "4"));
  EXPECT_THAT(cells("shared_load_transactions_per_request"), ElementsAre("–", "–", "32.3", "1.08"));
}

TEST(CounterTable, NamesThatShareNothingStayWhole) {
  Profile profile = transposes();
  profile.benchmarks.resize(2);
  profile.benchmarks[0].name = "copy";
  profile.benchmarks[1].name = "a/b";
  auto table = table_of(profile, false);
  EXPECT_EQ(table.common, "");
  EXPECT_EQ(table.rows[1].label, "a/b");
  profile.benchmarks[0].name = "x/y";
  table = table_of(profile, false);
  EXPECT_EQ(table.common, "");
  EXPECT_EQ(table.rows[0].label, "x/y");
}

}  // namespace
}  // namespace tracker::report

// Tables for programs: what a spreadsheet or jq reads is what was measured.
#include "tracker/report/data_table.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/make_run.hpp"

namespace tracker {
namespace {

using test::around;
using test::make_run;
using testing::HasSubstr;
using testing::StartsWith;

TEST(DataTable, CsvQuotesWhatItHasTo) {
  const DataTable table{"rows",
                        {"text", "number", "count", "is_so", "unknown"},
                        {{std::string("a,\"b\"\nc"), 1.5e-6, std::int64_t{3}, true, {}},
                         {std::string("=cmd()"), std::nan(""), std::int64_t{0}, false, {}}}};
  EXPECT_EQ(write_csv(table),
            "text,number,count,is_so,unknown\r\n\"a,\"\"b\"\"\nc\",1.5e-06,3,yes,\r\n'=cmd(),,0,no,\r\n");
  const auto json = nlohmann::json::parse(write_json("tracker.rows/1", {table}));
  EXPECT_EQ(json.at("schema"), "tracker.rows/1");
  EXPECT_EQ(json.at("rows").at(0).at("text"), "a,\"b\"\nc");
  EXPECT_EQ(json.at("rows").at(0).at("count"), 3);
  EXPECT_EQ(json.at("rows").at(0).at("is_so"), true);
  EXPECT_TRUE(json.at("rows").at(1).at("number").is_null());
  EXPECT_TRUE(json.at("rows").at(0).at("unknown").is_null());
}

TEST(DataTable, HasTheMedianAndTheNoiseOfARun) {
  const auto run =
      make_run({}, {{"copy", around(15000, 0.01)}, {"once", {2000}}, {"fails", {}, {}, "no memory"}});
  const auto rows = nlohmann::json::parse(write_json("x", {measured_table(run, {})})).at("benchmarks");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_NEAR(rows[0].at("median").get<double>(), 15e-6, 1e-12);
  EXPECT_NEAR(rows[0].at("noise").get<double>(), 0.0079, 0.0001);
  EXPECT_EQ(rows[0].at("invocations"), 5);
  EXPECT_TRUE(rows[1].at("noise").is_null()) << "a single invocation shows none";
  const std::string text = write_measured(run, {}, 1);
  EXPECT_THAT(text, HasSubstr("  copy     15.00 µs ± 0.79 %\n"));
  EXPECT_THAT(text, HasSubstr("… and 1 more\n"));
}

TEST(DataTable, HasEveryValueAndChangeOfASeries) {
  Series series;
  series.device = "gpu";
  series.benchmark = "copy";
  series.metric = find_metric("real_time");
  for (int i = 0; i < 4; ++i) {
    SeriesPoint point;
    point.commit = std::string(40, static_cast<char>('a' + i));
    point.median = i < 2 ? 1 : 1.1;
    point.spread = {point.median, point.median};
    series.points.push_back(point);
  }
  series.steps.push_back({2, 1, 1.1, true, true});
  EXPECT_EQ(values_table({series}).rows.size(), 4u);
  EXPECT_THAT(write_csv(values_table({series})), StartsWith("device,benchmark,metric,unit,commit,"));
  const auto changes = nlohmann::json::parse(write_json("x", {changes_table({series})})).at("changes");
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].at("first_commit"), std::string(40, 'c'));
  EXPECT_EQ(changes[0].at("worse"), true);
  EXPECT_EQ(changes[0].at("state"), "settled");
}

}  // namespace
}  // namespace tracker

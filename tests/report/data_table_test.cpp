// Tables for programs: what a spreadsheet or jq reads is what was measured.
#include "tracker/report/data_table.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/source_tree.hpp"
#include "tests/support/make_run.hpp"
#include "tests/support/scratch_repository.hpp"
#include "tracker/base/text.hpp"
#include "tracker/summary/database.hpp"

namespace tracker::report {
namespace {

using test::around;
using test::make_run;
using testing::ElementsAre;
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

// What the statements make, asked as the program sqlite3 does it.
std::vector<std::string> rows_in_sqlite(const std::string& statements, const std::string& query,
                                        int columns) {
  const testing_support::ScratchFolder folder;
  summary::Database database(folder.path() / "one.sqlite", "");
  for (int times = 0; times < 2; ++times) database.run(statements.c_str());  // the tables are made anew
  summary::Statement statement(database.handle(), query.c_str());
  std::vector<std::string> rows;
  while (statement.step()) {
    std::vector<std::string> cells;
    for (int i = 0; i < columns; ++i) cells.emplace_back(statement.bytes(i));
    rows.push_back(join(cells, "|"));
  }
  return rows;
}

TEST(DataTable, SqlKeepsEveryCellAsItIs) {
  const DataTable table{"values",
                        {"commit", "number", "count", "is_so", "unknown"},
                        {{std::string("'); DROP TABLE results; --"), 0.1 + 0.2, std::int64_t{3}, true, {}},
                         {std::string("a\n.quit\n\"b\"") + '\0', std::nan(""), std::int64_t{-1}, false, {}}}};
  EXPECT_THAT(
      rows_in_sqlite(write_sql({table}),
                     "SELECT commit_id, number = 0.1 + 0.2, typeof(number), count, typeof(count), "
                     "is_so, unknown IS NULL FROM results",
                     7),
      ElementsAre("'); DROP TABLE results; --|1|real|3|integer|1|1", "a\n.quit\n\"b\"||null|-1|integer|0|1"));
}

TEST(DataTable, ThePageShowsWhatSqlAnswers) {
  const std::string page = testing_support::read_file(TRACKER_SOURCE_DIR "/docs/outputs.md");
  const std::string section = page.substr(page.find("### Ask in SQL"));
  const auto block = [&](const std::string& kind) {
    const std::size_t from = section.find("```" + kind + "\n") + kind.size() + 4;
    return section.substr(from, section.find("```", from) - from);
  };
  std::vector<Series> all;
  for (const char* name : {"copy/b/8", "copy/a/8", "gemm/a/8"}) {
    Series& series = all.emplace_back();
    series.device = "gpu";
    series.benchmark = name;
    series.metric = find_metric("bytes_per_second");
    for (const bool is_first : {true, false}) {
      SeriesPoint& point = series.points.emplace_back();
      point.commit = (is_first ? "3d0f6a1" : "9b1c2e4") + std::string(33, '0');
      point.date = is_first ? "2026-11-19T12:00:00Z" : "2026-11-20T12:00:00Z";
      point.median = series.benchmark == "copy/b/8" ? 80e9 : is_first ? 100e9 : 71.43e9;
    }
  }
  const auto rows =
      rows_in_sqlite(write_tables("sql", "", {values_table(all), changes_table(all)}), block("sql"), 4);
  EXPECT_EQ(join(rows, "\n") + "\n", block("text"));
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
}  // namespace tracker::report

// The data that a site's scripts read.

#include <algorithm>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/site/made_up.hpp"
#include "tracker/events/events.hpp"
#include "tracker/site/pages.hpp"

namespace tracker::site {
namespace {

std::vector<File> made_data_files(const History& history) {
  return data_files(history, tables_of(history));
}

using testing::ElementsAre;

nlohmann::json read_data(const std::vector<File>& files, const std::string& name) {
  for (const auto& file : files)
    if (file.path == "data/" + name + ".js") {
      const std::string start = "trackerData[\"" + name + "\"] = ";
      EXPECT_TRUE(file.text.starts_with(start) && file.text.ends_with(";\n"));
      return nlohmann::json::parse(file.text.substr(start.size(), file.text.size() - start.size() - 2));
    }
  ADD_FAILURE() << "no data/" << name << ".js";
  return {};
}

TEST(DataFiles, TheIndexHasCommitsAndDevices) {
  const auto index = read_data(made_data_files(test::site_of({test::daily("a", {1, 2})})), "index");
  EXPECT_EQ(index["devices"][0]["name"], "Some GPU");
  EXPECT_EQ(index["devices"][0]["page"], "gpu.html");
  EXPECT_EQ(index["commits"]["ids"].get<std::string>().size(), 80U);
  EXPECT_EQ(index["commits"]["dates"], "2026-01-01T12:00:00Z 2026-01-02T12:00:00Z");
  EXPECT_THAT(index["states"],
              ElementsAre("slower", "newly slower", "faster", "newly faster", "drifting", ""));
}

TEST(DataFiles, ASeriesHasWhatTheFirstViewShows) {
  const auto series = test::stepped("copy/a/8", 40, {{30, 2}});
  auto history = test::site_of({series});
  history.devices[0].events = events::find({series});
  const auto device = read_data(made_data_files(history), "0");
  EXPECT_EQ(device["headlines"][kMainRange], "1 slower");
  const auto& one = device["series"][0];
  EXPECT_EQ(one["name"], "copy/a/8");
  EXPECT_EQ(one["now"], 2);
  EXPECT_EQ(one["ranges"][0][0], 0);  // slower
  EXPECT_EQ(one["ranges"][0][1], 1);  // by 100 %
  EXPECT_EQ(one["steps"][0]["point"], 30);
  EXPECT_EQ(device["events"][0]["commit"], 30);
  EXPECT_EQ(device["events"][0]["state"], "still there");
  EXPECT_EQ(device["events"][0]["machine"], false);
  EXPECT_EQ(device["events"][0]["hits"], nlohmann::json::parse("[[0, 1]]"));
}

TEST(DataFiles, ASeriesThatWandersSaysSo) {
  auto series = test::daily("copy/a/8", {1, 2, 1});
  EXPECT_FALSE(read_data(made_data_files(test::site_of({series})), "0")["series"][0].contains("wanders"));
  series.wanders = 0.031;
  EXPECT_EQ(read_data(made_data_files(test::site_of({series})), "0")["series"][0]["wanders"],
            "wanders by up to 3.1 %: the level moves by itself, and no single commit made it");
}

TEST(DataFiles, PointsAreInFilesOfSixteenSeries) {
  std::vector<Series> all;
  for (int i = 0; i < 17; ++i) all.push_back(test::daily("a" + std::to_string(i), {1, 2, 1}));
  const auto files = made_data_files(test::site_of(all));
  EXPECT_EQ(read_data(files, "0-0")["series"].size(), 16U);
  EXPECT_EQ(read_data(files, "0-1")["series"].size(), 1U);
  // Sixteen benchmarks of the same runs share the columns that say how they were measured.
  EXPECT_LE(read_data(files, "0-0")["columns"].size(), 9U);
}

TEST(DataFiles, AreAsciiWhateverTheNamesAre) {
  auto series = test::daily("\xE2\x80\xAE µ \xFF \"\\\n</script>", {1, 2});
  series.points[0].subject = "\xE2\x80\xA8";
  const auto files = made_data_files(test::site_of({series}));
  for (const auto& file : files)
    EXPECT_TRUE(std::all_of(file.text.begin(), file.text.end(), [](char c) {
      return c == '\n' || (c >= ' ' && c < 0x7F);
    })) << file.path;
  EXPECT_EQ(read_data(files, "0")["series"][0]["name"], "⟨U+202E⟩ µ \xEF\xBF\xBD \"\\ </script>");
}

TEST(DataFiles, DevicesOfOneSlugHavePagesOfTheirOwn) {
  auto history = test::site_of({test::daily("a", {1})});
  history.devices.push_back(history.devices[0]);
  history.devices[1].key = "GPU";
  history.devices.push_back(history.devices[0]);
  history.devices[2].key = "index";
  EXPECT_THAT(plain_page_names(history), ElementsAre("gpu.html", "gpu-2.html", "index-2.html"));
}

TEST(DataFiles, TheSameHistoryGivesTheSameBytes) {
  const auto history = test::site_of({test::stepped("a", 40, {{30, 2}}), test::daily("b", {1, 1})});
  const auto first = make(history);
  const auto second = make(history);
  ASSERT_EQ(first.size(), second.size());
  for (std::size_t i = 0; i < first.size(); ++i) EXPECT_EQ(first[i].text, second[i].text) << first[i].path;
  EXPECT_EQ(first.back().path, "index.html");
}

// Digits are ' ', '!', '#', '$', …: '"', '<' and '\' are left out. 81 is the first of two digits.
TEST(Columns, SmallNumbersAreOneCharacter) {
  EXPECT_EQ(write_column({0, 1, 2, 26, 27, 28}), " !#;=>");
  EXPECT_EQ(write_column({80}).size(), 1U);
  EXPECT_EQ(write_column({81}).size(), 2U);
  EXPECT_EQ(write_column({908}).size(), 2U);
  EXPECT_EQ(write_column({909}).size(), 7U);
  EXPECT_THROW(write_column({606355001344U}), std::out_of_range);  // 92 to the sixth
}

TEST(Columns, RunsOfZerosAreShort) {
  EXPECT_EQ(write_column({0, 0}), "  ");
  EXPECT_EQ(write_column({0, 0, 0}), "~ ");
  EXPECT_EQ(write_column({1, 0, 0, 0, 0, 1}), "!~!!");
  EXPECT_EQ(write_column(std::vector<std::uint64_t>(2000, 0)).size(), 8U);
}

TEST(Columns, DifferencesOfBothSignsAreSmallNumbers) {
  EXPECT_EQ(write_differences({-1, -1, 0, -1, 1}), "! #!%");  // 1, 0, 2, 1, 4
}

TEST(Columns, NothingInThemEndsAStringOrAScript) {
  std::vector<std::uint64_t> all;
  for (std::uint64_t i = 0; i < 2000; ++i) all.push_back(i);
  const std::string text = write_column(all);
  EXPECT_EQ(text.find_first_of("\"\\<\n\r\x7F"), std::string::npos);
  for (const char c : text) EXPECT_GE(c, ' ');
}

}  // namespace

}  // namespace tracker::site

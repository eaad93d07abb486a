#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/plot/fixtures.hpp"
#include "tests/plot/pictures.hpp"
#include "tests/plot/report_fixtures.hpp"
#include "tests/support/golden.hpp"
#include "tracker/model/metric.hpp"
#include "tracker/plot/plot.hpp"

namespace tracker::plot {
namespace {

using test::read_text;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

ChartFiles indexed_files(const std::string& name) {
  return {"plots/" + name + ".png", "plots/" + name + ".svg", {}, {}};
}

TEST(ChartIndex, ChangesComeFirstAndEachChartHasItsData) {
  const std::vector<Series> series{make_series(60, 3.48e12, 0), make_series(60)};
  const auto charts = index_charts({make_overview(3, 2)}, {indexed_files("family")}, series,
                                   {indexed_files("steady"), indexed_files("stepped")});
  ASSERT_EQ(charts.size(), 3u);
  EXPECT_EQ(charts[0].section, "Families");
  EXPECT_EQ(charts[1].files.svg.filename(), "stepped.svg");
  EXPECT_EQ(charts[2].section, "Without a change");
  EXPECT_EQ(charts[2].tables[0].rows.size(), 21u);
  EXPECT_THAT(charts[2].tables[0].note, HasSubstr("39 older values"));
  EXPECT_EQ(charts[1].tables[0].rows.size(), 21u);
  EXPECT_EQ(charts[1].tables[0].rows[11][4], "5 % less bandwidth");
  const std::string html = index_html(charts);
  EXPECT_THAT(html, HasSubstr("src=\"stepped.svg\" alt=\"Trend of transpose/smem_padded/f32/8192x8192"));
  EXPECT_THAT(html, HasSubstr("Regressed by −5.00 % at"));
  EXPECT_THAT(html, HasSubstr("best is variant_2 with 3.900 TB/s, 79.3 % of the peak"));
  EXPECT_THAT(index_markdown(charts), HasSubstr("](stepped.svg) | bandwidth"));
  EXPECT_THAT(index_markdown(charts), HasSubstr("5 % less bandwidth |"));
}

TEST(ChartTables, HoldTheNumbersOfThePicture) {
  const ChartTable changes = table_of(make_report_of_all());
  ASSERT_EQ(changes.header.size(), 5u);
  EXPECT_THAT(changes.rows[0],
              ElementsAre("slow", "regressed", "−11.0 %", "[−11.4, −10.7]", "3.480 → 3.097 TB/s"));
  EXPECT_THAT(changes.rows.back(), ElementsAre("new", "new", "", "", "– → 3.480 TB/s"));
  const BenchmarkSamples two_sides = make_samples_of(6);
  const ChartTable samples = table_of(two_sides, 8);
  ASSERT_EQ(samples.rows.size(), 8u);
  EXPECT_EQ(samples.rows.back()[0], "candidate");
  EXPECT_EQ(samples.rows.back()[2], "6");
  EXPECT_EQ(samples.note, "4 earlier invocations not listed");
}

TEST(ChartTables, ATrendBesideAComparisonHasItsNumbers) {
  Series series = make_series(30);
  series.base = series.points[28].commit;
  series.judged = JudgedChange{3.40e12, 3.20e12, -0.0588};
  const ChartTable table = table_of(series, 12);
  EXPECT_EQ(table.rows[0][2], "3.200 TB/s");
  EXPECT_EQ(table.rows[0][4], "−5.88 %");
  EXPECT_EQ(table.rows[1][2], "3.400 TB/s");
}

TEST(ChartTables, HaveACellForEachHeading) {
  for (const ChartTable& table :
       {table_of(make_series(12), 3), table_of(make_overview(3, 2)), table_of(make_report_of_all())})
    for (const auto& row : table.rows) EXPECT_EQ(row.size(), table.header.size()) << table.title;
}

TEST(ChartIndex, NamesFromStrangersAreText) {
  for (const auto& name : hostile_names()) {
    Series series = make_series(12);
    series.benchmark = series.device = series.points[10].subject = name;
    const auto charts = index_charts({}, {}, {series}, {indexed_files("a")});
    const std::string html = index_html(charts);
    EXPECT_THAT(html, Not(HasSubstr("<svg onload")));
    EXPECT_THAT(index_markdown(charts), Not(HasSubstr("<svg onload")));
    EXPECT_EQ(html.find('\x1b'), std::string::npos);
  }
}

TEST(ChartWords, AnSvgSaysWhatItShows) {
  const TempFolder folder;
  Series series = make_series(12);
  series.benchmark = "a<b & c]]>";
  const auto files = draw_trends({series}, folder.path());
  const std::string svg = read_text(files[0].svg);
  EXPECT_THAT(svg, HasSubstr("<title>Trend of a&lt;b &amp; c]]&gt; on nvidia-h200-140gib-700w</title>"));
  EXPECT_THAT(svg, HasSubstr("<desc>bandwidth, higher is better, over 12 commits."));
  EXPECT_THAT(svg, Not(HasSubstr("Gnuplot")));
  EXPECT_THAT(svg, Not(HasSubstr("using 1:2")));
  EXPECT_THAT(svg, HasSubstr("role=\"img\""));
}

TEST(DrawTrends, OneFormatIsDrawnAlone) {
  const TempFolder folder;
  Drawing drawing{.themes = Themes::kLight};
  drawing.png = false;
  std::vector<std::size_t> drawn;
  drawing.progress = [&](std::size_t count) { drawn.push_back(count); };
  std::vector<Series> all;
  for (int i = 0; i < 30; ++i) {
    all.push_back(make_series(5));
    all.back().benchmark += std::to_string(i);
  }
  const auto files = draw_trends(all, folder.path(), drawing);
  EXPECT_TRUE(files[0].png.empty());
  EXPECT_EQ(entries(folder.path()).size(), 30u);
  ASSERT_FALSE(drawn.empty());
  EXPECT_EQ(drawn.back(), 30u);
}

}  // namespace

// Charts in words: for who cannot see them.

namespace {

using testing::EndsWith;

TEST(ChartWords, SayOfALevelThatWandersWhatReportsSay) {
  Series series;
  series.metric = find_metric("real_time");
  series.points.resize(1);
  EXPECT_THAT(words_of(std::vector{series}).description, EndsWith(". No step and no drift."));
  series.wanders = 0.031;
  EXPECT_THAT(words_of(std::vector{series}).description,
              EndsWith(". Wanders by up to 3.1 %: the level moves by itself, and no single commit made it."));
}

}  // namespace

}  // namespace tracker::plot

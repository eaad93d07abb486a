#include "tracker/plot/chart_index.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/plot/fixtures.hpp"
#include "tests/plot/pictures.hpp"
#include "tests/support/golden.hpp"

namespace tracker {
namespace {

using test::read_text;
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
  EXPECT_EQ(charts[2].tables[0].rows.size(), 20u);
  EXPECT_THAT(charts[2].tables[0].note, HasSubstr("40 older values"));
  EXPECT_EQ(charts[1].tables[0].rows.size(), 20u);
  EXPECT_EQ(charts[1].tables[0].rows[11][4], "▼ −5.00 %");
  const std::string html = index_html(charts);
  EXPECT_THAT(html, HasSubstr("src=\"stepped.svg\" alt=\"Trend of transpose/smem_padded/f32/8192x8192"));
  EXPECT_THAT(html, HasSubstr("Regressed by −5.00 % at"));
  EXPECT_THAT(html, HasSubstr("best is variant_2 with 3.900 TB/s, 79.3 % of the peak"));
  EXPECT_THAT(index_markdown(charts), HasSubstr("](stepped.svg) | bandwidth"));
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
  Drawing drawing(Themes::kLight);
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
}  // namespace tracker

#include "tracker/plot/canvas.hpp"

#include <cctype>
#include <filesystem>
#include <limits>
#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/plot/colours.hpp"
#include "tests/plot/fixtures.hpp"
#include "tests/plot/pictures.hpp"
#include "tests/plot/report_fixtures.hpp"
#include "tests/source_tree.hpp"
#include "tests/support/golden.hpp"
#include "tracker/base/text.hpp"
#include "tracker/plot/plot.hpp"

namespace tracker::plot {
namespace {

TEST(GnuplotString, HoldsNothingThatEndsItOrRuns) {
  struct Row {
    const char* text;
    const char* literal;
  };
  const Row rows[] = {
      {"plain_name/8192", "'plain_name/8192'"},
      {"it's", "'it\u2019s'"},
      {"''", "'\u2019\u2019'"},
      {"a\nb\rc\td", "'a b c d'"},
      {"\x1B[31mred", "' [31mred'"},
      {"`id` @x {a} 100%d \\n", "'`id` @x {a} 100%d \\n'"},
      {"bad \xC3( utf", "'bad \u25A1( utf'"},
      {"\xEF\xBF\xBE\xEF\xBF\xBF", "'⟨U+FFFE⟩⟨U+FFFF⟩'"},
      {"fast 🚀🚀 größer 日本", "'fast \u25A1\u25A1 größer 日本'"},
      {"\xF0\x9F", "'\u25A1\u25A1'"},
      {"safe\u202Egpj.exe\u2066 a\u200Bb\uFEFF", "'safe⟨U+202E⟩gpj.exe⟨U+2066⟩ a⟨U+200B⟩b⟨U+FEFF⟩'"},
      {"", "''"},
  };
  for (const auto& row : rows) EXPECT_EQ(gnuplot_string(row.text), row.literal);
}

TEST(FitText, CutsInTheMiddle) {
  EXPECT_EQ(fit_text("transpose/smem/8192x8192", 400, 15), "transpose/smem/8192x8192");
  EXPECT_EQ(fit_text("transpose/smem/8192x8192", 100, 15), "transp…x8192");
  EXPECT_EQ(fit_text("abc", 1, 15), "…");
  EXPECT_EQ(fit_text("ÄHHHHHHHHÖ", 110, 20), "ÄHH…HHÖ");
}

TEST(FitText, NeverWiderThanAsked) {
  const std::string names[] = {std::string(10000, 'W'), std::string(10000, 'i'), "日本語日本語日本語日本語",
                               "\xFF\xFE\xFD"};
  for (const auto& name : names)
    for (const double width : {30.0, 100.0, 800.0}) {
      EXPECT_LE(text_width_px(fit_text(name, width, 22, true), 22, true), width) << name.substr(0, 10);
      EXPECT_LE(text_width_px(fit_text(name, width, 14), 14), width) << name.substr(0, 10);
    }
}

TEST(TextWidth, IsTheFontsOwnForAscii) {
  EXPECT_DOUBLE_EQ(text_width_px("HHHHHHHHHH", 20), 144.4);  // 722 thousandths each
  EXPECT_DOUBLE_EQ(text_width_px("il", 10, true), 5.56);
}

using testing::HasSubstr;

constexpr double kTextContrast = 4.5;
constexpr double kMarkContrast = 3;
constexpr double kDistance = 0.07;  // in OKLab

std::string colour_in(const Theme& theme, const std::string& role) {
  for (const auto& row : colour_roles())
    if (role == row.name) return row.*theme.colours;
  ADD_FAILURE() << "no role " << role;
  return "#000000";
}

// The threshold band lies behind data and labels, so that they must stand out from it as well.
TEST(Theme, TextAndMarksStandOutFromGroundAndBand) {
  for (const auto& theme : chosen_themes(Themes::kBoth))
    for (const auto& role : colour_roles())
      for (const char* behind : {colour::kGround, colour::kBand}) {
        const double seen = contrast(role.*theme.colours, colour_in(theme, behind));
        const double needed = role.use == ColourUse::kText   ? kTextContrast
                              : role.use == ColourUse::kMark ? kMarkContrast
                                                             : 1;
        EXPECT_GE(seen, needed) << role.name << " on " << behind << theme.ending;
      }
}

TEST(Theme, WhatMeansDifferentThingsIsToldApartWithAnyColourVision) {
  const std::vector<std::vector<const char*>> groups{
      {colour::kInk, colour::kGrey, colour::kBlue, colour::kVermilion, colour::kGreen, colour::kPurple},
      {colour::kBlue, colour::kPaleBlue, colour::kHazeBlue},
      {colour::kBlue, colour::kVermilion, colour::kGreen, colour::kMidGrey},
      {colour::kBlue, colour::kPaleBlue, colour::kMidGrey},
  };
  for (const auto& theme : chosen_themes(Themes::kBoth))
    for (const auto& vision : kVisions)
      for (const auto& group : groups)
        for (const char* one : group)
          for (const char* other : group) {
            if (one == other) continue;
            const double apart = distance(colour_in(theme, one), colour_in(theme, other), vision);
            EXPECT_GE(apart, kDistance) << one << " and " << other << ", " << vision.name << theme.ending;
          }
}

TEST(Theme, ChartsNameNoColourThatIsNoRole) {
  std::set<std::string> roles;
  for (const auto& role : colour_roles()) roles.insert(role.name);
  for (const auto& chart : {trend_chart(make_series(120)), trend_chart(make_series(10, 3.48e12, 0.4)),
                            overview_chart(make_overview(3, 2)), sweep_chart(make_sweep_grid(3, 5)),
                            comparison_chart(make_report_of_all()), samples_chart(make_samples_of(4))}) {
    ASSERT_TRUE(chart);
    const std::string& text = chart->commands;
    for (std::size_t at = text.find("rgb "); at != std::string::npos; at = text.find("rgb ", at + 1)) {
      const std::string word = text.substr(at + 4, text.find_first_of(" ,\n", at + 4) - at - 4);
      const bool heat = word.starts_with("'#") || word == "variable";
      EXPECT_TRUE(heat || roles.count(word) == 1) << word;
    }
  }
}

// A site and a folder's page have styles of their own, with these colours.
TEST(Theme, SitesHaveTheColoursOfTheCharts) {
  const std::string css =
      test::read_text(std::filesystem::path(TRACKER_SOURCE_DIR) / "tracker/site/assets/site.css");
  const std::size_t dark = css.find("prefers-color-scheme: dark");
  ASSERT_NE(dark, std::string::npos);
  const std::vector<std::pair<std::string, const char*>> names{
      {"ground", colour::kGround},   {"ink", colour::kInk},      {"muted", colour::kGrey},
      {"grid", colour::kGrid},       {"line", colour::kBlue},    {"interval", colour::kHazeBlue},
      {"worse", colour::kVermilion}, {"better", colour::kGreen}, {"limit", colour::kPurple},
      {"band", colour::kBand},       {"soft", colour::kNothing}};
  for (const auto& theme : chosen_themes(Themes::kBoth)) {
    const std::string part = theme.ending[0] == '\0' ? css.substr(0, dark) : css.substr(dark);
    for (const auto& [name, role] : names)
      EXPECT_THAT(part, HasSubstr("--" + name + ": " + lower_case(colour_in(theme, role)) + ";"));
  }
}

TEST(Theme, PagesAndBadgesNameNoOtherColours) {
  std::set<std::string> known;
  for (const auto& role : colour_roles()) known.insert({lower_case(role.light), lower_case(role.dark)});
  for (const char* file : {"tracker/site/site.cpp", "tracker/plot/chart_index.cpp"}) {
    const std::string text = test::read_text(std::filesystem::path(TRACKER_SOURCE_DIR) / file);
    ASSERT_THAT(text, HasSubstr("#")) << file;
    for (std::size_t at = text.find('#'); at != std::string::npos; at = text.find('#', at + 1)) {
      const std::string colour = lower_case(text.substr(at, 7));
      const bool is_colour =
          colour.size() == 7 && colour.find_first_not_of("0123456789abcdef", 1) == std::string::npos;
      EXPECT_TRUE(!is_colour || known.count(colour) == 1) << file << ": " << colour;
    }
  }
}

TEST(Theme, OnlyThePicturesAskedForAreDrawn) {
  struct Row {
    Themes themes;
    std::vector<std::string> endings;
  };
  const std::vector<Row> rows{{Themes::kLight, {".png", ".svg"}},
                              {Themes::kDark, {"-dark.png", "-dark.svg"}},
                              {Themes::kBoth, {"-dark.png", "-dark.svg", ".png", ".svg"}}};
  for (const auto& row : rows) {
    const TempFolder folder;
    const auto files = draw_trends({make_series(3)}, folder.path(), {.themes = row.themes});
    std::vector<std::string> expected;
    const std::string slug =
        chart_slug(make_series(3).device, make_series(3).benchmark + " bytes_per_second");
    for (const auto& ending : row.endings) expected.push_back(slug + ending);
    EXPECT_EQ(entries(folder.path()), expected);
    EXPECT_EQ(files[0].png.empty(), row.themes == Themes::kDark);
    EXPECT_EQ(files[0].dark_svg.empty(), row.themes == Themes::kLight);
  }
}

TEST(Theme, ANameThatEndsLikeADarkPictureKeepsItsOwnFiles) {
  const TempFolder folder;
  std::vector<Series> all{make_series(2), make_series(2)};
  all[0].metric.name = "rate";
  all[1].metric.name = "rate-dark";
  std::set<std::filesystem::path> paths;
  for (const auto& files : draw_trends(all, folder.path()))
    paths.insert({files.png, files.svg, files.dark_png, files.dark_svg});
  EXPECT_EQ(paths.size(), 8u);
  EXPECT_EQ(entries(folder.path()).size(), 8u);
}

constexpr int kSteps = 1000;

TEST(Palette, GetsLighterAllTheWay) {
  double before = -1;
  for (int i = 0; i <= 100; ++i) {
    const double now = luminance(heat_colour(i / 100.0));
    EXPECT_GT(now, before) << i;
    before = now;
  }
  EXPECT_LT(luminance(heat_colour(0)), 0.03);
  EXPECT_GT(luminance(heat_colour(1)), 0.75);
}

TEST(Palette, NumbersCanBeReadOnEveryColour) {
  for (int i = 0; i <= kSteps; ++i) {
    const double share = static_cast<double>(i) / kSteps;
    EXPECT_GE(contrast(heat_colour(share), ink_on_heat(share)), 4.5) << share;
  }
}

TEST(Palette, WhatIsOutsideOrNoNumberIsAnEnd) {
  EXPECT_EQ(heat_colour(0), "#181F60");
  EXPECT_EQ(heat_colour(-3), heat_colour(0));
  EXPECT_EQ(heat_colour(7), heat_colour(1));
  EXPECT_EQ(heat_colour(std::numeric_limits<double>::quiet_NaN()), heat_colour(0));
}

}  // namespace

}  // namespace tracker::plot

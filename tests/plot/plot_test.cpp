// The scripts, against reviewed ones: what is drawn changes only on purpose.

#include "tracker/plot/plot.hpp"

#include <cstdlib>
#include <fstream>
#include <limits>
#include <optional>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/plot/fixtures.hpp"
#include "tests/plot/pictures.hpp"
#include "tests/support/golden.hpp"
#include "tracker/base/error.hpp"
#include "tracker/base/process.hpp"

namespace tracker::plot {
namespace {

using test::matches_golden;

std::string script_of(const std::optional<Chart>& chart) {
  return chart ? chart->data + chart->commands : "nothing to draw\n";
}

Series series_with_a_gap() {
  Series series = make_series(12);
  series.metric = kTime;
  for (auto& point : series.points) {
    point.median = 1 / point.median;
    point.spread = {point.median * 0.997, point.median * 1.003};
    if (point.position > 5) point.position += 9;
  }
  series.points[3].disturbed = true;
  series.references.clear();
  return series;
}

// A creep over most of the series, and a step after it.
Series series_with_a_drift() {
  Series series = make_series(100, 3.48e12, 0);
  for (std::size_t i = 0; i < series.points.size(); ++i) {
    const double level = i < 80 ? 1 - 0.001 * static_cast<double>(i) : 1;
    series.points[i].median *= level;
    series.points[i].spread = {series.points[i].median * 0.997, series.points[i].median * 1.003};
  }
  SeriesDrift drift;
  drift.to = 80;
  drift.before = 3.48e12;
  drift.after = 3.48e12 * 0.921;
  drift.change = {-0.083, -0.075};
  drift.since = series.points[0].commit;
  drift.commits = 80;
  drift.worse = true;
  series.drifts = {drift};
  series.steps = {{80, drift.after, 3.48e12, false, true}};
  return series;
}

TEST(ChartScript, TrendsMatchTheGoldenFiles) {
  struct Row {
    const char* golden;
    Series series;
  };
  const Row rows[] = {
      {"trend-one.gp", make_series(1)},
      {"trend-ten-step.gp", make_series(10)},
      {"trend-references.gp", make_series(10, 3.48e12, 0.4)},
      {"trend-gap-time.gp", series_with_a_gap()},
      {"trend-dense.gp", make_series(120)},
      {"trend-drift.gp", series_with_a_drift()},
  };
  for (const auto& row : rows)
    EXPECT_TRUE(
        matches_golden(script_of(trend_chart(row.series)), std::string("tests/plot/golden/") + row.golden));
}

TEST(ChartScript, OneCommitWithoutRunsIsAGap) {
  for (const int commits : {3, 10, 120, 520}) {
    Series series = make_series(commits);
    EXPECT_EQ(script_of(trend_chart({series})).find("no runs"), std::string::npos) << commits;
    for (auto& point : series.points)
      if (point.position >= commits - 1) ++point.position;
    EXPECT_NE(script_of(trend_chart({series})).find("'no runs'"), std::string::npos) << commits;
  }
}

// 400 commits, of which every tenth has no runs.
Series series_with_many_gaps() {
  Series series = make_series(400, 3.48e12, 0.2);
  for (auto& point : series.points) point.position += point.position / 9;
  return series;
}

TEST(ChartScript, CommitsWithoutRunsDoNotBreakTheLevel) {
  const std::string script = script_of(trend_chart({series_with_many_gaps()}));
  const std::size_t from = script.find("$levels0 << EOD\n");
  ASSERT_NE(from, std::string::npos);
  const std::string levels = script.substr(from, script.find("EOD\n", from + 20) - from);
  EXPECT_EQ(std::count(levels.begin(), levels.end(), '\n'), 1 + 2 + 1 + 2) << levels;
}

// The rest of the axis gives way to the commits that somebody looks for.
TEST(ChartScript, StepsAndTheNewestCommitAreNamedWithTheirSubjects) {
  for (const int commits : {12, 40, 300}) {
    Series series = make_series(commits);
    series.points.back().subject = "The newest one";
    const std::size_t at = series.steps[0].point;
    series.points[at].subject = "Take the padding out of the tile";
    const std::string commands = trend_chart(series)->commands;
    EXPECT_NE(commands.find("'" + series.points[at].commit.substr(0, 7) + "' at"), std::string::npos);
    EXPECT_NE(commands.find("'Take the"), std::string::npos) << commits;
    EXPECT_NE(commands.find("'" + series.points.back().commit.substr(0, 7) + "  "), std::string::npos);
    EXPECT_NE(commands.find("'The newest"), std::string::npos) << commits;
  }
}

// A regression and what mended it soon after: both are named, and neither hides the other.
TEST(ChartScript, TwoStepsSideBySideAreBothNamed) {
  Series series = make_series(300, 3.48e12, 0);
  series.steps = {{150, 3.48e12, 3.1e12, true, true}, {156, 3.1e12, 3.48e12, false, true}};
  series.points[150].subject = "Take the padding out of the tile";
  series.points[156].subject = "Put it back again";
  const std::string commands = trend_chart(series)->commands;
  EXPECT_NE(commands.find("'Take the"), std::string::npos);
  EXPECT_NE(commands.find("'Put it"), std::string::npos);
}

TEST(ChartScript, WhereNotAllStepsFitRegressionsAreNamed) {
  Series series = make_series(300, 3.48e12, 0);
  series.steps.clear();
  for (std::size_t i = 0; i < 6; ++i) {
    const std::size_t at = 150 + 2 * i;
    const bool worse = i == 2;
    series.steps.push_back({at, 3.48e12, worse ? 3.1e12 : 3.6e12, worse, true});
    series.points[at].subject = worse ? "The culprit of it all" : "Another";
  }
  EXPECT_NE(trend_chart(series)->commands.find("'The culprit"), std::string::npos);
}

TEST(ChartScript, ShortHistoriesAreSentences) {
  EXPECT_EQ(script_of(trend_chart(make_series(1))).find("$line"), std::string::npos);
  EXPECT_NE(script_of(trend_chart(make_series(1))).find("'One commit has runs so far."), std::string::npos);
  EXPECT_NE(script_of(trend_chart(make_series(2, 3.48e12, 0))).find("Two commits have runs so far"),
            std::string::npos);
  EXPECT_NE(script_of(trend_chart(make_series(3))).find("$line"), std::string::npos);
}

// One device has a history, another a run: both are said.
TEST(ChartScript, AShortHistoryBesideALongOneIsASentenceUnderIt) {
  Series one = make_series(1);
  one.device = "another";
  const std::string script = script_of(trend_chart({one, make_series(20)}));
  EXPECT_NE(script.find("$line0"), std::string::npos);
  EXPECT_EQ(script.find("$line1"), std::string::npos);
  EXPECT_NE(script.find("'One commit has runs so far."), std::string::npos);
}

TEST(ChartScript, AnAcceptedStepIsHollowAndSaysSo) {
  Series series = make_series(30);
  series.steps[0].accepted = "needed for odd sizes";
  const std::string commands = trend_chart(series)->commands;
  EXPECT_NE(commands.find("'−5.00 % accepted' at"), std::string::npos);
  EXPECT_NE(commands.find("'hollow: accepted' at"), std::string::npos);
}

TEST(ChartScript, ASeriesOfEveryThirdCommitHasNoGaps) {
  Series series = make_series(20);
  for (auto& point : series.points) point.position *= 3;
  EXPECT_EQ(script_of(trend_chart({series})).find("no runs"), std::string::npos);
}

TEST(ChartScript, OverviewsMatchTheGoldenFiles) {
  struct Row {
    const char* golden;
    FamilyOverview overview;
  };
  FamilyOverview time = make_overview(3, 2);
  time.metric = kTime;
  for (auto& panel : time.panels) {
    panel.references.clear();
    for (auto& bar : panel.bars) bar = {bar.variant, 1 / bar.median, {0.99 / bar.median, 1.01 / bar.median}};
  }
  const Row rows[] = {{"overview-3x1.gp", make_overview(3, 1)}, {"overview-time-3x2.gp", time}};
  for (const auto& row : rows)
    EXPECT_TRUE(matches_golden(script_of(overview_chart(row.overview)),
                               std::string("tests/plot/golden/") + row.golden));
}

TEST(ChartScript, DrawsEachChartFourTimes) {
  Chart chart{"slug", 300, 200, "$dots << EOD\n0 1\nEOD\n", {}};
  Canvas canvas(chart.width_px, chart.height_px);
  canvas.text(150, 20, "words", {});
  canvas.command("plot $dots with points lc " + rgb(colour::kBlue));
  chart.commands = canvas.commands();
  EXPECT_TRUE(matches_golden(chart_script({chart, chart}, 0, 2, {}), "tests/plot/golden/script.gp"));
}

TEST(ChartScript, NothingToDraw) {
  EXPECT_FALSE(trend_chart(Series{}));
  EXPECT_FALSE(trend_chart(std::vector<Series>{}));
  EXPECT_FALSE(overview_chart({}));
}

TEST(ChartScript, ManyCommitsStayASmallScriptWithFewTics) {
  const auto chart = trend_chart(make_series(10000));
  ASSERT_TRUE(chart);
  EXPECT_LT(chart->data.size(), 100000u);
  EXPECT_LT(chart->commands.size(), 20000u);
  std::size_t dates = 0;
  for (std::size_t at = chart->commands.find("'2026-11-"); at != std::string::npos;
       at = chart->commands.find("'2026-11-", at + 1))
    ++dates;
  EXPECT_GE(dates, 5u);
  EXPECT_LE(dates, 13u);
}

// Twenty steps in a row: each has its mark, and those named are the ones that find room.
TEST(ChartScript, AManySteppedSeriesNamesWhatFits) {
  Series series = make_series(400, 3.48e12, 0);
  for (std::size_t i = 1; i <= 20; ++i) {
    const double level = i % 2 == 1 ? 0.9 : 1;
    for (std::size_t at = i * 19; at < (i + 1) * 19; ++at) {
      series.points[at].median *= level;
      series.points[at].spread = {series.points[at].spread.low * level,
                                  series.points[at].spread.high * level};
    }
    series.steps.push_back({i * 19, 3.48e12 * (1.9 - level), 3.48e12 * level, level < 1, true});
  }
  const auto chart = trend_chart(series);
  ASSERT_TRUE(chart);
  const auto count = [&](const std::string& text) {
    int found = 0;
    for (std::size_t at = chart->commands.find(text); at != std::string::npos;
         at = chart->commands.find(text, at + 1))
      ++found;
    return found;
  };
  EXPECT_EQ(count("object polygon"), 22);  // two of them in the legend
  EXPECT_GE(count(" %' at") - count("'±"), 10);
}

// Shape and words say what colour says.
TEST(ChartScript, AStepIsATriangleWithItsChange) {
  const std::string commands = trend_chart(make_series(20))->commands;
  EXPECT_NE(commands.find("'−5.00 %' at"), std::string::npos);
  EXPECT_NE(commands.find("'regressed' at"), std::string::npos);
  EXPECT_EQ(commands.find("'improved' at"), std::string::npos);
  EXPECT_NE(trend_chart(make_series(10))->commands.find("'−5.00 % new' at"), std::string::npos);
}

// 15 of 1200 pixels are 11 at the 880 that a comment shows.
TEST(ChartScript, NoTextIsTooSmallForAComment) {
  for (const int length : {1, 10, 300}) {
    const auto chart = trend_chart(make_series(length, 3.48e12, 0.3));
    EXPECT_EQ(chart->width_px, 1200);
    const std::string& text = chart->commands;
    for (std::size_t at = text.find("font '"); at != std::string::npos; at = text.find("font '", at + 1)) {
      const std::size_t comma = text.find(',', at);
      EXPECT_GE(std::stod(text.substr(comma + 1)), 15) << text.substr(at, 40);
    }
  }
}

}  // namespace

// The real gnuplot draws the real scripts.

namespace {

namespace fs = std::filesystem;
using test::read_text;

// Sets an environment variable while it lives.
class Setting {
 public:
  Setting(const char* name, const std::string& value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    ::setenv(name, value.c_str(), 1);
  }
  Setting(const Setting&) = delete;
  Setting& operator=(const Setting&) = delete;
  ~Setting() {
    if (old_)
      ::setenv(name_, old_->c_str(), 1);
    else
      ::unsetenv(name_);
  }

 private:
  const char* name_;
  std::optional<std::string> old_;
};

void write_program(const fs::path& path, const std::string& text) {
  std::ofstream(path) << text;
  fs::permissions(path, fs::perms::owner_all);
}

Error error_of(const std::vector<Series>& series, const fs::path& folder) {
  try {
    draw_trends(series, folder);
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no error was thrown";
  return Error(ExitCode::kOk, "");
}

TEST(DrawTrends, EveryLengthGivesWholePictures) {
  const TempFolder folder;
  std::vector<Series> all;
  const int counts[] = {1, 2, 10, 79, 81, 300, 10000};
  for (const int count : counts) {
    all.push_back(make_series(count));
    all.back().benchmark += "/" + std::to_string(count);
  }
  const auto files = draw_trends(all, folder.path() / "new" / "folder");
  ASSERT_EQ(files.size(), all.size());
  for (const auto& one : files) {
    const unsigned height = big_endian(read_text(one.png), 20);
    expect_pictures(one, 1200, height);
    EXPECT_LE(height, 700u);
  }
  EXPECT_EQ(entries(folder.path() / "new" / "folder").size(), 4 * all.size());
}

TEST(DrawTrends, AnyNumbersGivePicturesWithoutAWordFromGnuplot) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  std::vector<Chart> charts;
  for (const double value : {0.0, 5e-324, -3.0, 1e-30, 12345678.0, 1e200, 1e289})
    for (const int count : {1, 2, 50, 600}) {
      Series series = make_series(count, value);
      series.metric.unit = count == 2 ? "" : "B/s";
      series.points[0].spread = {kNan, kNan};
      series.points.back().disturbed = true;
      charts.push_back(trend_chart(series).value());
      FamilyOverview overview = make_overview(2, 1);
      overview.panels[0].bars[0].median = value;
      charts.push_back(overview_chart(overview).value());
    }
  const TempFolder folder;
  std::ofstream(folder.path() / "chart.gp") << chart_script(charts, 0, charts.size(), {});
  ProcessSpec spec;
  spec.argv = {"gnuplot", "-d", "chart.gp"};
  spec.directory = folder.path();
  const ProcessResult result = run_process(spec);
  EXPECT_TRUE(result.ok()) << describe_end(result);
  EXPECT_EQ(result.errors, "");
  EXPECT_EQ(entries(folder.path()).size(), 4 * charts.size() + 1);
}

TEST(DrawTrends, EmptySeriesAreSkippedInPlace) {
  const TempFolder folder;
  Series empty = make_series(3);
  empty.benchmark = "empty";
  for (auto& point : empty.points) point.median = std::numeric_limits<double>::quiet_NaN();
  const auto files = draw_trends({empty, make_series(3), Series{}}, folder.path());
  ASSERT_EQ(files.size(), 3u);
  EXPECT_TRUE(files[0].png.empty());
  EXPECT_TRUE(fs::exists(files[1].png));
  EXPECT_TRUE(files[2].svg.empty());
  EXPECT_TRUE(draw_trends({}, folder.path() / "none").empty());
  EXPECT_FALSE(fs::exists(folder.path() / "none"));
}

TEST(DrawTrends, HostileNamesNeitherRunNorFail) {
  const TempFolder folder;
  std::vector<Series> all;
  for (const auto& name : hostile_names()) {
    Series series = make_series(4);
    series.benchmark = name;
    series.device = name;
    series.metric.name = name;
    series.metric.unit = name.substr(0, 40);
    series.references = {{name, 3.5e12}, {name, 1e15}};
    for (auto& point : series.points) {
      point.commit = name.empty() ? "x" : name;
      point.date = name;
      point.subject = name;
    }
    series.base = series.points[0].commit;
    all.push_back(series);
  }
  const fs::path before = fs::current_path();
  const auto files = draw_trends(all, folder.path() / "charts");
  for (const auto& one : files) expect_pictures(one, 1200, big_endian(read_text(one.png), 20));
  EXPECT_EQ(entries(folder.path()), std::vector<std::string>{"charts"});
  EXPECT_EQ(entries(folder.path() / "charts").size(), 4 * all.size());
  EXPECT_THAT(entries(folder.path() / "charts"), ::testing::Not(::testing::Contains("pwned")));
  EXPECT_FALSE(fs::exists(before / "pwned"));
}

TEST(DrawOverviews, HostileNamesNeitherRunNorFail) {
  const TempFolder folder;
  std::vector<FamilyOverview> all;
  for (const auto& name : hostile_names()) {
    FamilyOverview overview = make_overview(3, 2);
    overview.device = overview.family = overview.commit = overview.metric.name = name;
    overview.panels[0].shape = name;
    overview.panels[0].bars[0].variant = name;
    overview.panels[0].references[0].label = name;
    all.push_back(overview);
  }
  const auto files = draw_overviews(all, folder.path());
  for (const auto& one : files) {
    const std::string png = read_text(one.png);
    expect_pictures(one, big_endian(png, 16), big_endian(png, 20));
    EXPECT_LE(big_endian(png, 16), 2000u);
  }
  EXPECT_EQ(entries(folder.path()).size(), 4 * all.size());
}

TEST(DrawOverviews, AllShapesOfAFamilyInOnePicture) {
  const TempFolder folder;
  std::vector<FamilyOverview> all;
  const std::pair<int, int> sizes[] = {{3, 1}, {6, 3}, {18, 5}, {1, 4}, {300, 30}};
  for (const auto& [variants, shapes] : sizes) {
    all.push_back(make_overview(variants, shapes > 20 ? 20 : shapes));
    all.back().family += std::to_string(variants);
  }
  for (const auto& one : draw_overviews(all, folder.path())) {
    const std::string png = read_text(one.png);
    expect_pictures(one, big_endian(png, 16), big_endian(png, 20));
  }
}

std::vector<Series> on_devices(int count) {
  std::vector<Series> all;
  for (int i = 0; i < count; ++i) {
    all.push_back(make_series(30, 3.48e12 / (i + 1)));
    all.back().device = "gpu-" + std::to_string(i);
    all.back().points.erase(all.back().points.begin(), all.back().points.begin() + i);
    all.back().steps.clear();
  }
  return all;
}

TEST(DrawTrends, ABenchmarksDevicesShareOnePicture) {
  const TempFolder folder;
  std::vector<Series> all = on_devices(3);
  all.push_back(make_series(30));
  all.back().benchmark = "alone";
  const auto files = draw_trends(all, folder.path());
  ASSERT_EQ(files.size(), 4u);
  expect_pictures(files[0], 1200, big_endian(read_text(files[0].png), 20));
  EXPECT_EQ(files[0].png.filename().string().substr(0, 12), "all-devices-");
  EXPECT_EQ(files[1].png, files[0].png);
  EXPECT_EQ(files[2].dark_svg, files[0].dark_svg);
  EXPECT_NE(files[3].png, files[0].png);
  EXPECT_EQ(entries(folder.path()).size(), 8u);
}

TEST(DrawTrends, MoreDevicesThanFitAreSaid) {
  EXPECT_THAT(trend_chart(on_devices(6))->commands, ::testing::Not(::testing::HasSubstr("do not fit")));
  const auto chart = trend_chart(on_devices(9));
  EXPECT_THAT(chart->commands, ::testing::HasSubstr("6 devices (3 more do not fit)"));
  EXPECT_LE(chart->height_px, 2000);
}

TEST(DrawTrends, TheSameDataGivesTheSameBytes) {
  const TempFolder folder;
  const auto once = draw_trends({make_series(10)}, folder.path() / "a");
  const auto again = draw_trends({make_series(10)}, folder.path() / "b");
  EXPECT_EQ(read_text(once[0].png), read_text(again[0].png));
  EXPECT_EQ(read_text(once[0].svg), read_text(again[0].svg));
}

TEST(DrawTrends, TheEnvironmentHasNoSay) {
  const TempFolder folder;
  const auto plain = draw_trends({make_series(10)}, folder.path() / "a");
  write_program(folder.path() / "spy", "#!/bin/sh\ntouch '" + (folder.path() / "ran").string() + "'\n");
  std::ofstream(folder.path() / ".gnuplot") << "exit status 7\n";
  const Setting command("GNUPLOT_IOSTREAM_CMD", (folder.path() / "spy").string());
  const Setting terminal("GNUTERM", "nonsense");
  const Setting home("HOME", folder.path().string());
  const Setting locale("LC_ALL", "C");
  const auto odd = draw_trends({make_series(10)}, folder.path() / "b");
  EXPECT_EQ(read_text(plain[0].png), read_text(odd[0].png));
  EXPECT_FALSE(fs::exists(folder.path() / "ran"));
}

TEST(DrawTrends, NamesThatSlugAlikeKeepTheirOwnFiles) {
  const TempFolder folder;
  std::set<fs::path> files;
  std::vector<Series> all;
  for (const char* name : {"a/b_c", "a_b/c", "a b c"}) {
    all.push_back(make_series(2));
    all.back().benchmark = name;
  }
  for (const auto& one : draw_trends(all, folder.path())) files.insert(one.png);
  EXPECT_EQ(files.size(), 3u);
  EXPECT_EQ(entries(folder.path()).size(), 12u);
}

TEST(ChartSlug, IsSafeAndShort) {
  EXPECT_EQ(chart_slug("nvidia-h200", "transpose/smem_padded/f32"), "nvidia-h200-transpose-smem-padded-f32");
  for (const auto& name : hostile_names()) {
    const std::string slug = chart_slug(name, name);
    EXPECT_LE(slug.size(), 140u);
    EXPECT_EQ(slug.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789.-"), std::string::npos) << slug;
    EXPECT_EQ(slug.find(".."), std::string::npos) << slug;
  }
  EXPECT_NE(chart_slug("d", std::string(500, 'a')), chart_slug("d", std::string(501, 'a')));
}

TEST(GnuplotMissing, SaysHowToGetIt) {
  const TempFolder folder;
  const Setting path("PATH", folder.path().string());
  const Error error = error_of({make_series(3)}, folder.path() / "charts");
  EXPECT_EQ(error.code(), ExitCode::kEnvironment);
  EXPECT_STREQ(error.what(), "gnuplot was not found");
  EXPECT_THAT(error.hint(), ::testing::HasSubstr("apt-get install gnuplot-nox"));
  EXPECT_TRUE(entries(folder.path() / "charts").empty());
}

// Stands in for gnuplot on PATH, and must be told apart from one that works.
TEST(GnuplotFails, IsReportedAndLeavesNoFile) {
  struct Row {
    const char* program;
    const char* words;
  };
  const Row rows[] = {
      {"#!/bin/sh\necho 'no terminal pngcairo' >&2\nexit 1\n", "exited with 1: no terminal pngcairo"},
      {"#!/bin/sh\nkill -SEGV $$\n", "was killed by signal 11"},
      {"#!/bin/sh\nexit 0\n", "gnuplot left no complete picture in '0.png'"},
      {"#!/bin/sh\n: > 0.png\n: > 0.svg\n", "gnuplot left no complete picture in '0.png'"},
      {"#!/bin/sh\nprintf '\\211PNG\\r\\n\\032\\n' > 0.png\n: > 0.svg\n", "no complete picture in '0.png'"},
  };
  for (const auto& row : rows) {
    const TempFolder folder;
    write_program(folder.path() / "gnuplot", row.program);
    const Setting path("PATH", folder.path().string() + ":/usr/bin:/bin");
    const Error error = error_of({make_series(3)}, folder.path() / "charts");
    EXPECT_EQ(error.code(), ExitCode::kEnvironment);
    EXPECT_THAT(error.what(), ::testing::HasSubstr(row.words));
    EXPECT_TRUE(entries(folder.path() / "charts").empty());
  }
}

TEST(GnuplotFails, OlderChartsStayAsTheyWere) {
  const TempFolder folder;
  const auto files = draw_trends({make_series(3)}, folder.path() / "charts");
  const std::string before = read_text(files[0].png);
  write_program(folder.path() / "gnuplot", "#!/bin/sh\necho x > 0.png\nexit 1\n");
  const Setting path("PATH", folder.path().string() + ":/usr/bin:/bin");
  error_of({make_series(10)}, folder.path() / "charts");
  EXPECT_EQ(read_text(files[0].png), before);
}

TEST(DrawTrends, AFolderThatCannotBeWrittenIsNamed) {
  const TempFolder folder;
  std::ofstream(folder.path() / "file") << "not a folder";
  const Error error = error_of({make_series(3)}, folder.path() / "file");
  EXPECT_EQ(error.code(), ExitCode::kEnvironment);
  EXPECT_THAT(error.what(), ::testing::HasSubstr((folder.path() / "file").string()));
}

}  // namespace

}  // namespace tracker::plot

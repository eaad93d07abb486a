// The real gnuplot draws the real scripts.
#include "tracker/plot/gnuplot.hpp"

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
#include "tracker/plot/charts.hpp"
#include "tracker/plot/plot.hpp"

namespace tracker {
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
  std::ofstream(folder.path() / "chart.gp") << chart_script(charts);
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
}  // namespace tracker

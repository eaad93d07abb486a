// tracker log and plot, over the commits of a scratch repository.
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/scratch.hpp"

namespace tracker::e2e {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class History : public testing::Test {
 protected:
  History() {
    for (const char* speed : {"10000", "10100", "14000"}) {
      scratch_.commit_speeds("copy/a/8 " + std::string(speed) +
                             " 0.001 1000000\ncopy/b/8 9000 0.001 1000000\n");
      EXPECT_EQ(scratch_.tracker({"run", "-n", "3"}).exit_code, 0);
    }
  }
  Scratch scratch_;
};

TEST_F(History, LogListsRunsNewestFirst) {
  const auto result = scratch_.tracker({"log"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.output, StartsWith("test-gpu\n  " + scratch_.git({"rev-parse", "--short=7", "HEAD"})));
  EXPECT_EQ(std::count(result.output.begin(), result.output.end(), '\n'), 4);
}

TEST_F(History, CommitsAreLinksWhereLinksAreWanted) {
  const std::string id = scratch_.git({"rev-parse", "HEAD"});
  const std::string link =
      "\x1b]8;;https://github.com/o/r/commit/" + id + "\x1b\\" + id.substr(0, 7) + "\x1b]8;;";
  const auto shown = [&](const std::string& wanted) {
    return scratch_.tracker_with({{"TRACKER_LINKS", wanted}}, {"log"}).output;
  };
  EXPECT_THAT(shown("always"), Not(HasSubstr("\x1b]8"))) << "no remote tells where commits are seen";
  scratch_.git({"remote", "add", "origin", "git@github.com:o/r.git"});
  EXPECT_THAT(shown("always"), StartsWith("test-gpu\n  " + link));
  EXPECT_THAT(shown(""), Not(HasSubstr("\x1b]8"))) << "no terminal";
  EXPECT_THAT(scratch_.tracker_with({{"TRACKER_LINKS", "always"}}, {"list"}).output, HasSubstr(link));
  EXPECT_THAT(
      scratch_.tracker_with({{"TRACKER_LINKS", "always"}}, {"top", "--since", "all", "--format", "json"})
          .output,
      Not(HasSubstr("\x1b")));
}

TEST_F(History, LogShowsASeriesWithItsStep) {
  const auto result = scratch_.tracker({"log", "copy/a/*"});
  EXPECT_THAT(result.output, HasSubstr("copy/a/8, bytes_per_second"));
  EXPECT_THAT(result.output, HasSubstr("71."));  // 1 MB in 14 µs, in GB/s
  EXPECT_THAT(result.output, HasSubstr("  28."));
  EXPECT_THAT(result.output, HasSubstr("[not settled yet]"));
  const auto none = scratch_.tracker({"log", "nothing/*"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.errors, HasSubstr("no benchmark matches 'nothing/*'"));
  EXPECT_THAT(scratch_.tracker({"log", "copy/a"}).errors,
              HasSubstr("'*copy/a*' matches 1, such as copy/a/8"));
}

TEST_F(History, LogOfSeveralSaysWhatChanged) {
  const auto result = scratch_.tracker({"log", "*"});
  EXPECT_THAT(result.output, StartsWith("test-gpu: 1 of 2 benchmarks changed\n"));
  EXPECT_THAT(result.output, HasSubstr("1 without a change"));
  EXPECT_THAT(scratch_.tracker({"log", "*", "--values"}).output, HasSubstr("copy/b/8, bytes_per_second"));
}

TEST_F(History, AnAcceptedStepIsMarked) {
  const std::string head = scratch_.git({"rev-parse", "HEAD"});
  ASSERT_EQ(
      scratch_.tracker({"accept", "copy/a/*", "HEAD", "--reason", "odd sizes", "--ceiling", "40%"}).exit_code,
      0);
  EXPECT_THAT(scratch_.tracker({"log", "copy/a/*"}).output, HasSubstr("[accepted: odd sizes]"));
  EXPECT_THAT(scratch_.tracker({"plot", "copy/a/*", "--terminal"}).output, HasSubstr("(accepted)"));
  scratch_.tracker({"compare", "HEAD~1", "HEAD", "--no-confirm", "--format", "markdown", "--out",
                    "out/report.md", "--charts", "out/charts"});
  std::string trends;
  for (const auto& entry : std::filesystem::directory_iterator(scratch_.root() / "out/charts")) {
    const std::string name = entry.path().filename().string();
    if (name.find("--") == std::string::npos && name.ends_with(".svg"))
      trends += read_file(entry.path(), 1 << 26);
  }
  EXPECT_THAT(trends, HasSubstr("accepted"));
}

TEST_F(History, ADeviceThatIsNotThereNamesThoseThatAre) {
  for (const auto& command :
       std::vector<std::vector<std::string>>{{"log"},
                                             {"plot"},
                                             {"compare", "HEAD~1"},
                                             {"calibrate"},
                                             {"baseline", "promote", "HEAD"},
                                             {"store", "compact", "--older-than", "2y"}}) {
    auto call = command;
    call.insert(call.end(), {"--device", "nope"});
    const auto result = scratch_.tracker(call);
    EXPECT_EQ(result.exit_code, 2) << command[0];
    EXPECT_THAT(result.errors, HasSubstr("no device matches 'nope'\n  next: recorded are: test-gpu"));
  }
}

TEST_F(History, LogShowsTheSameStepWhateverWindowIsAskedFor) {
  const auto result = scratch_.tracker({"log", "copy/a/*", "--commits", "1"});
  EXPECT_THAT(result.output, HasSubstr("  28."));
  EXPECT_EQ(std::count(result.output.begin(), result.output.end(), '\n'), 7) << result.output;
}

TEST_F(History, PlotDrawsTrendsAndOverviewsAsPngAndSvg) {
  const auto result = scratch_.tracker({"plot", "--theme", "both", "--out", "out/plots"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("2 trends and 1 overview"));
  int png = 0;
  int svg = 0;
  for (const auto& entry : std::filesystem::directory_iterator(scratch_.root() / "out/plots")) {
    const std::string text = read_file(entry.path(), 1 << 26);
    if (entry.path().extension() == ".png") png += text.starts_with("\x89PNG") ? 1 : 0;
    if (entry.path().extension() == ".svg") svg += text.find("<svg") != std::string::npos ? 1 : 0;
  }
  EXPECT_EQ(png, 6);  // light and dark
  EXPECT_EQ(svg, 6);
  EXPECT_THAT(scratch_.tracker({"plot", "--terminal"}).output, HasSubstr("copy/a/8"));
}

TEST_F(History, PlotDrawsOnALightGroundUnlessAskedOtherwise) {
  const auto result = scratch_.tracker({"plot", "--out", "out/plots"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("as PNG and SVG, light, in out/plots"));
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(scratch_.root() / "out/plots")) {
    EXPECT_THAT(entry.path().stem().string(), ::testing::Not(::testing::EndsWith("-dark")));
    ++files;
  }
  EXPECT_EQ(files, 8) << "three charts twice, and a page in HTML and in Markdown";
  const std::string page = read_file(scratch_.root() / "out/plots/index.html", 1 << 26);
  EXPECT_THAT(page, HasSubstr("Trend of copy/a/8 on test-gpu"));
  EXPECT_THAT(result.errors, StartsWith("tracker: reading what is recorded of the newest 300 commits\n"));
}

TEST_F(History, PlotDrawsTheThemeAskedFor) {
  const auto result = scratch_.tracker({"plot", "--theme", "dark", "--out", "out/plots"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("as PNG and SVG, dark, in out/plots"));
  for (const auto& entry : std::filesystem::directory_iterator(scratch_.root() / "out/plots"))
    EXPECT_THAT(entry.path().stem().string(), ::testing::AnyOf("index", ::testing::EndsWith("-dark")));
  EXPECT_EQ(scratch_.tracker({"plot", "--theme", "pink"}).exit_code, 2);
}

TEST_F(History, PlotRefusesAFileNameForItsFolder) {
  for (const char* name : {"copy.png", "out/copy.svg", "copy.html"}) {
    const auto result = scratch_.tracker({"plot", "--out", name});
    EXPECT_EQ(result.exit_code, 2) << name;
    EXPECT_THAT(result.errors, HasSubstr("names a file")) << name;
    EXPECT_FALSE(std::filesystem::exists(scratch_.root() / name)) << name;
  }
}

TEST_F(History, PlotDrawsOneFormatWhereThatIsEnough) {
  const auto result = scratch_.tracker({"plot", "--format", "svg", "--out", "out/plots"});
  EXPECT_THAT(result.output, HasSubstr("as SVG, light, in out/plots"));
  for (const auto& entry : std::filesystem::directory_iterator(scratch_.root() / "out/plots"))
    EXPECT_NE(entry.path().extension(), ".png");
}

TEST_F(History, PlotOffersNearNames) {
  const auto result = scratch_.tracker({"plot", "copy/a"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.errors, HasSubstr("'*copy/a*' matches 1, such as copy/a/8"));
}

TEST_F(History, PlotWithoutGnuplotSaysHowToGetIt) {
  const auto bin = scratch_.folder() / "bin";
  std::filesystem::create_directories(bin);
  std::filesystem::create_symlink("/usr/bin/git", bin / "git");
  const auto result = scratch_.tracker_with({{"PATH", bin.string()}}, {"plot", "--out", "out/plots"});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_THAT(result.errors, HasSubstr("gnuplot was not found"));
  EXPECT_THAT(result.errors, HasSubstr("apt-get install gnuplot-nox"));
}

// Three variants with two blocks each, of one size, beside benchmarks that belong to no sweep.
constexpr char kSwept[] =
    "blocks/a/64/8x32 100 0.001 1000000\nblocks/a/64/32x8 200 0.001 1000000\n"
    "blocks/b/64/8x32 400 0.001 1000000\nblocks/b/64/32x8 300 0.001 1000000\n"
    "blocks/c/64/8x32 900 -1\nblocks/c/64/32x8 800 0.001 1000000\ncopy/a/8 500 0.001 1000000\n";
constexpr char kSweepTable[] =
    "\n[[sweep]]\nmatch = \"blocks/*\"\nrows = \"{2}\"\ncolumns = \"{4}\"\nrow_title = \"variant\"\n"
    "column_title = \"block\"\n";

TEST(PlotSweep, DrawsGridsAndSaysWhatIsBest) {
  const Scratch scratch;
  scratch.write("tracker.toml", plain_config() + kSweepTable);
  scratch.commit_speeds(kSwept);
  ASSERT_EQ(scratch.tracker({"run", "-n", "2"}).exit_code, 0);
  const auto result = scratch.tracker({"plot", "--sweep", "--out", "out/plots"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("1 sweep, as PNG and SVG"));
  EXPECT_THAT(result.output, HasSubstr("blocks/64\n"));
  EXPECT_THAT(result.output,
              testing::ContainsRegex("variant  best block .*\na  .*8x32 .*\nb  .*32x8 .*\nc  .*32x8 "));
  const auto png = scratch.root() / "out/plots/test-gpu-blocks-64-sweep-bytes-per-second.png";
  EXPECT_TRUE(read_file(png, 1 << 26).starts_with("\x89PNG"));
  const auto here = scratch.tracker({"plot", "--sweep", "--terminal"});
  EXPECT_EQ(here.exit_code, 0);
  EXPECT_THAT(here.output, testing::ContainsRegex("variant +8x32 +32x8"));
  EXPECT_THAT(here.output, HasSubstr("–"));
  EXPECT_THAT(scratch.tracker({"plot", "--out", "out/trends"}).output, HasSubstr("1 trend and "))
      << "a sweep's cells are no trends";
  EXPECT_THAT(scratch.tracker({"plot", "blocks/*", "--out", "out/trends"}).output, HasSubstr("5 trends and "))
      << "unless they are asked for";
}

TEST(PlotSweep, TakesTheAxesFromTheCommandLine) {
  const Scratch scratch;
  scratch.commit_speeds(kSwept);
  ASSERT_EQ(scratch.tracker({"run", "-n", "2"}).exit_code, 0);
  const auto turned =
      scratch.tracker({"plot", "--sweep", "blocks/*", "--rows", "{4}", "--columns", "{2}", "--terminal"});
  EXPECT_THAT(turned.output, testing::ContainsRegex(" a +b +c\n8x32"));
  const auto wrong = scratch.tracker({"plot", "--sweep", "--rows", "variant"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_THAT(wrong.errors, HasSubstr("--rows 'variant' names no segment"));
  const auto none = scratch.tracker({"plot", "--sweep", "nothing/*"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.errors, HasSubstr("there is no grid of benchmarks that match 'nothing/*'"));
  EXPECT_EQ(scratch.tracker({"plot", "--rows", "{1}"}).exit_code, 2);
}

// Nothing of it states FLOPs: the table does.
constexpr char kWorkTable[] =
    "\n[[roofline]]\nmatch = \"gemm/*\"\nbytes = \"12 * {3}*{3}\"\nflops = \"2 * {3}*{3}*{3}\"\n";

TEST(PlotRoofline, DrawsWhatTheTableGivesAPlace) {
  const Scratch scratch;
  scratch.write("tracker.toml", plain_config() + kWorkTable);
  scratch.commit_speeds(
      "gemm/a/64 1000 0.001\ngemm/b/64 2000 0.001\ncopy/a/8 500 0.001 1000000\nother/a/8 100 0.001\n");
  ASSERT_EQ(scratch.tracker({"run", "-n", "2"}).exit_code, 0);
  const auto result = scratch.tracker({"plot", "--roofline", "--out", "out/plots"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("1 roofline, as PNG and SVG"));
  const auto png = scratch.root() / "out/plots/test-gpu-roofline.png";
  EXPECT_TRUE(read_file(png, 1 << 26).starts_with("\x89PNG"));
  const auto here = scratch.tracker({"plot", "--roofline", "--terminal"});
  EXPECT_EQ(here.exit_code, 0);
  EXPECT_THAT(here.output, testing::ContainsRegex("gemm/a/64 +10.67 +52.* GFLOP/s"));
  EXPECT_THAT(here.output, testing::ContainsRegex("copy/a/8 +– "));
  EXPECT_THAT(here.output, Not(HasSubstr("other/a/8")));
}

TEST(PlotRoofline, SaysWhatKeepsABenchmarkOut) {
  const Scratch scratch;
  scratch.write("tracker.toml", plain_config() + "\n[[roofline]]\nmatch = \"gemm/*\"\nflops = \"2 * {3}\"\n");
  scratch.commit_speeds("gemm/a/64 1000 0.001\ncopy/a/8 500 0.001 1000000\n");
  ASSERT_EQ(scratch.tracker({"run", "-n", "2"}).exit_code, 0);
  EXPECT_THAT(scratch.tracker({"plot", "--roofline", "--terminal"}).output,
              HasSubstr("1 benchmark left out, such as gemm/a/64: the bytes are not known"));
  const auto none = scratch.tracker({"plot", "--roofline", "gemm/*"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.errors, HasSubstr("the bytes of 'gemm/a/64' are not known"));
  EXPECT_EQ(scratch.tracker({"plot", "--roofline", "--sweep"}).exit_code, 2);
}

}  // namespace
}  // namespace tracker::e2e

// tracker log and plot, over the commits of a scratch repository.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/e2e/scratch.hpp"

namespace tracker::e2e {
namespace {

using testing::HasSubstr;
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

TEST_F(History, LogShowsASeriesWithItsStep) {
  const auto result = scratch_.tracker({"log", "copy/a/*"});
  EXPECT_THAT(result.output, HasSubstr("copy/a/8, bytes_per_second"));
  EXPECT_THAT(result.output, HasSubstr("71."));  // 1 MB in 14 µs, in GB/s
  EXPECT_THAT(result.output, HasSubstr("−2"));   // 10100 → 14000: 28 % less
  const auto none = scratch_.tracker({"log", "nothing/*"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.errors, HasSubstr("no benchmark matches 'nothing/*'"));
}

TEST_F(History, PlotDrawsTrendsAndOverviewsAsPngAndSvg) {
  const auto result = scratch_.tracker({"plot", "--out", "out/plots"});
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_THAT(result.output, HasSubstr("2 trends and 1 overview"));
  int png = 0;
  int svg = 0;
  for (const auto& entry : std::filesystem::directory_iterator(scratch_.root() / "out/plots")) {
    const std::string text = read_file(entry.path(), 1 << 26);
    if (entry.path().extension() == ".png") png += text.starts_with("\x89PNG") ? 1 : 0;
    if (entry.path().extension() == ".svg") svg += text.find("<svg") != std::string::npos ? 1 : 0;
  }
  EXPECT_EQ(png, 3);
  EXPECT_EQ(svg, 3);
  EXPECT_THAT(scratch_.tracker({"plot", "--terminal"}).output, HasSubstr("copy/a/8"));
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

}  // namespace
}  // namespace tracker::e2e

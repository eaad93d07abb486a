// tracker compare --charts: which pictures a report gets, and what happens where there can be none.
#include <algorithm>
#include <cmath>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/e2e/folder.hpp"
#include "tracker/base/text.hpp"

namespace tracker::e2e {
namespace {

using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
namespace fs = std::filesystem;

constexpr char kChartsFast[] =
    "copy/a/8 10000 0.001 1000000\ncopy/b/8 20000 0.001 1000000\ngemm/c/8 500000 0.001\ngemm/d/8 600000 "
    "0.001\n";
constexpr char kChartsSlow[] =
    "copy/a/8 10000 0.001 1000000\ncopy/b/8 38000 0.001 1000000\ngemm/c/8 500000 0.001\ngemm/d/8 600000 "
    "0.001\n";

// The names of the light PNGs in the folder; every other file belongs to one of them.
std::vector<std::string> pictures_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::size_t files = 0;
  if (!fs::exists(folder)) return names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    ++files;
    const std::string name = entry.path().filename().string();
    if (!name.ends_with(".png") || name.ends_with("-dark.png")) continue;
    EXPECT_TRUE(read_file(entry.path(), 1 << 26).starts_with("\x89PNG")) << name;
    for (const std::string ending : {".svg", "-dark.png", "-dark.svg"})
      EXPECT_TRUE(fs::exists(folder / (name.substr(0, name.size() - 4) + ending))) << name << ending;
    names.push_back(name);
  }
  EXPECT_EQ(files, 4 * names.size());
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> of_kind(const std::vector<std::string>& names, const std::string& kind) {
  std::vector<std::string> found;
  for (const auto& name : names) {
    const std::size_t mark = name.find("--");
    const std::string is = mark == std::string::npos ? "" : name.substr(mark + 2, name.size() - mark - 6);
    if (is == kind) found.push_back(name);
  }
  return found;
}

class CompareCharts : public testing::Test {
 protected:
  std::string commit(const std::string& speeds) const {
    scratch_.commit_speeds(speeds);
    EXPECT_EQ(scratch_.tracker({"run"}).exit_code, 0);
    return scratch_.git({"rev-parse", "HEAD"});
  }
  fs::path charts() const { return scratch_.root() / "out/charts"; }
  ProcessResult compare(std::vector<std::string> more,
                        std::map<std::string, std::string> environment = {}) const {
    std::vector<std::string> arguments{"compare"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    arguments.insert(arguments.end(), {"--charts", "out/charts"});
    return scratch_.tracker_with(environment, arguments);
  }
  // The SVG beside a picture: its words are text.
  std::string words_of(const std::string& picture) const {
    return read_file(charts() / (picture.substr(0, picture.size() - 4) + ".svg"), 1 << 26);
  }

  const Scratch scratch_;
};

TEST_F(CompareCharts, ARegressionGetsItsTrendItsSamplesAndTheComparison) {
  const std::string first = commit(kChartsFast);
  commit(kChartsFast);
  const std::string last = commit(kChartsSlow);
  const auto result = compare({"HEAD~1", "--format", "markdown", "--out", "out/report.md"});
  EXPECT_EQ(result.exit_code, 1) << result.errors;
  const auto names = pictures_in(charts());
  ASSERT_THAT(names, SizeIs(3));
  ASSERT_THAT(of_kind(names, "comparison"), SizeIs(1));
  ASSERT_THAT(of_kind(names, "samples"), ElementsAre(HasSubstr("copy-b-8")));
  ASSERT_THAT(of_kind(names, ""), ElementsAre(HasSubstr("copy-b-8")));
  const std::string trend = words_of(of_kind(names, "").front());
  EXPECT_THAT(trend, HasSubstr(first.substr(0, 7)));
  EXPECT_THAT(trend, HasSubstr(last.substr(0, 7)));
  EXPECT_THAT(words_of(of_kind(names, "comparison").front()), HasSubstr("gemm/d/8"));
  EXPECT_THAT(words_of(of_kind(names, "samples").front()), HasSubstr("regressed"));
}

// The table, the sentence, the annotations, JSON and every picture say the comparison's number, though a
// commit has other runs that would make another one.
TEST_F(CompareCharts, OneChangeHasOneNumberEverywhere) {
  commit(kChartsFast);
  commit(kChartsFast);
  commit(kChartsSlow);
  ASSERT_EQ(scratch_.tracker({"run"}).exit_code, 0) << "a second run of the candidate";
  const auto document =
      nlohmann::json::parse(scratch_.tracker({"compare", "HEAD~1", "--format", "json"}).output);
  double change = 0;
  for (const auto& one : document.at("reports").at(0).at("comparisons"))
    if (one.at("benchmark") == "copy/b/8") change = one.at("change");
  const std::string percent = format_percent(change);
  EXPECT_THAT(scratch_.tracker({"compare", "HEAD~1"}).output, HasSubstr(percent));
  EXPECT_THAT(scratch_.tracker({"explain", "copy/b/8", "HEAD~1"}).output, HasSubstr(percent));
  EXPECT_THAT(scratch_.tracker({"compare", "HEAD~1", "--format", "junit"}).output, HasSubstr(percent));
  ASSERT_EQ(compare({"HEAD~1", "--format", "github", "--out", "out"}).exit_code, 1);
  std::string comment = read_file(scratch_.root() / "out/comment.md", 1 << 26);
  for (std::size_t at; (at = comment.find("&nbsp;")) != std::string::npos;) comment.replace(at, 6, " ");
  EXPECT_THAT(comment, HasSubstr("**" + percent + "**"));
  EXPECT_THAT(comment, HasSubstr("has " + format_share(std::abs(change)) + " less bandwidth"));
  const auto names = pictures_in(charts());
  for (const char* kind : {"", "samples", "comparison"}) {
    ASSERT_THAT(of_kind(names, kind), SizeIs(1)) << kind;
    EXPECT_THAT(words_of(of_kind(names, kind).front()), HasSubstr(percent)) << kind;
  }
  EXPECT_THAT(
      words_of(of_kind(names, "").front()),
      HasSubstr("at " + scratch_.git({"rev-parse", "HEAD"}).substr(0, 7) + ", " + percent + " from base"));
}

TEST_F(CompareCharts, WithoutAnythingSlowerThereIsTheComparisonAlone) {
  commit(kChartsSlow);
  commit(kChartsFast);
  EXPECT_EQ(compare({"HEAD~1"}).exit_code, 0);
  const auto names = pictures_in(charts());
  EXPECT_THAT(names, SizeIs(1));
  EXPECT_THAT(of_kind(names, "comparison"), SizeIs(1));
}

TEST_F(CompareCharts, OnlyTheWorstFiveAreDrawn) {
  std::string fast;
  std::string slow;
  for (int i = 0; i < 8; ++i) {
    const std::string name = "copy/k" + std::to_string(i) + "/8 ";
    fast += name + "10000 0.001\n";
    slow += name + std::to_string(20000 + 1000 * i) + " 0.001\n";
  }
  commit(fast);
  commit(slow);
  EXPECT_EQ(compare({"HEAD~1"}).exit_code, 1);
  const auto names = pictures_in(charts());
  EXPECT_THAT(of_kind(names, "samples"), SizeIs(5));
  EXPECT_THAT(of_kind(names, ""), SizeIs(5));
  EXPECT_THAT(names, Contains(HasSubstr("copy-k7-8")));
  EXPECT_THAT(names, Each(Not(HasSubstr("copy-k2-8"))));
}

TEST_F(CompareCharts, DevicesShareATrendAndHaveTheirOwnSamplesAndComparison) {
  const std::string here = "anonymous\n";  // on the CPU of this machine
  for (const std::string speeds : {kChartsFast, kChartsSlow}) {
    commit(speeds);
    scratch_.write("speeds.txt", here + speeds);
    ASSERT_EQ(scratch_.tracker({"run"}).exit_code, 0);
    scratch_.git({"checkout", "-q", "--", "speeds.txt"});
  }
  EXPECT_EQ(compare({"HEAD~1"}).exit_code, 1);
  const auto names = pictures_in(charts());
  EXPECT_THAT(of_kind(names, ""), ElementsAre(HasSubstr("all-devices")));
  EXPECT_THAT(of_kind(names, "samples"), SizeIs(2));
  EXPECT_THAT(of_kind(names, "comparison"), SizeIs(2));
}

// main went on after the branch began: what it measured there is the line that the candidate is compared
// with.
TEST_F(CompareCharts, ABaseOffTheCandidatesLineBringsItsOwnLine) {
  const std::string root = commit(kChartsFast);
  const std::string main = commit(kChartsFast);
  scratch_.git({"checkout", "-q", "-b", "work", "HEAD~1"});
  const std::string work = commit(kChartsSlow);
  ASSERT_NE(work, main);
  EXPECT_EQ(compare({"main", "work"}).exit_code, 1);
  const auto trends = of_kind(pictures_in(charts()), "");
  ASSERT_THAT(trends, SizeIs(1));
  for (const auto& id : {root, main, work}) EXPECT_THAT(words_of(trends.front()), HasSubstr(id.substr(0, 7)));
}

TEST_F(CompareCharts, ABaselineIsOnTheTrendToo) {
  const std::string promoted = commit(kChartsFast);
  const auto promotion = scratch_.tracker({"baseline", "promote"});
  ASSERT_EQ(promotion.exit_code, 0) << promotion.errors;
  scratch_.git({"update-ref", "-d", "refs/tracker/v1"});
  commit(kChartsSlow);
  EXPECT_EQ(compare({"baseline"}).exit_code, 1);
  const auto trends = of_kind(pictures_in(charts()), "");
  ASSERT_THAT(trends, SizeIs(1));
  EXPECT_THAT(words_of(trends.front()), HasSubstr(promoted.substr(0, 7)));
}

TEST_F(CompareCharts, WithoutGnuplotTheVerdictStandsAndTheReportSaysWhatIsMissing) {
  commit(kChartsFast);
  commit(kChartsSlow);
  const auto bin = scratch_.folder() / "bin";
  fs::create_directories(bin);
  fs::create_symlink("/usr/bin/git", bin / "git");
  const std::map<std::string, std::string> environment{{"PATH", bin.string()}};
  const auto slower = compare({"HEAD~1", "--format", "markdown"}, environment);
  EXPECT_EQ(slower.exit_code, 1);
  EXPECT_THAT(slower.errors, HasSubstr("gnuplot was not found"));
  EXPECT_THAT(slower.errors, HasSubstr("apt-get install gnuplot-nox"));
  EXPECT_THAT(slower.output, HasSubstr("the charts are missing: gnuplot was not found"));
  EXPECT_THAT(slower.output, HasSubstr("copy/b/8"));
  EXPECT_THAT(pictures_in(charts()), IsEmpty());
  EXPECT_EQ(compare({"HEAD", "HEAD~1"}, environment).exit_code, 0);
}

TEST_F(CompareCharts, WhatCannotWorkIsSaidBeforeAnythingIsJudged) {
  commit(kChartsFast);
  const auto no_place = compare({"HEAD", "--charts-url", "https://example.org/"});
  EXPECT_EQ(no_place.exit_code, 2);
  EXPECT_THAT(no_place.errors, HasSubstr("{file}"));
  EXPECT_EQ(scratch_.tracker({"compare", "HEAD", "--charts-url", "{file}"}).exit_code, 2);
  scratch_.write("out/charts", "a file");
  const auto no_folder = compare({"HEAD"});
  EXPECT_EQ(no_folder.exit_code, 4);
  EXPECT_THAT(no_folder.errors, HasSubstr("out/charts"));
  EXPECT_THAT(no_folder.output, IsEmpty());
}

TEST_F(CompareCharts, NamesAndRevisionsStayInTheFolder) {
  const std::string hostile = "../../$(touch${IFS}pwned)/'`touch${IFS}pwned`'";
  commit(hostile + " 10000 0.001\n");
  scratch_.git({"tag", "it's-`touch-pwned`"});
  commit(hostile + " 30000 0.001\n");
  EXPECT_EQ(compare({"it's-`touch-pwned`"}).exit_code, 1);
  EXPECT_THAT(pictures_in(charts()), SizeIs(3));
  EXPECT_FALSE(fs::exists(scratch_.root() / "pwned"));
}

// Ten invocations of identical code on an H200, of which the candidate's are made slower.
TEST(CompareChartsOfFiles, HaveSamplesButNoHistory) {
  const Folder folder;
  folder.put_sides(slower("transpose_naive_row/8192", 1.5));
  const auto result = folder.tracker({"compare", "base", "candidate", "--charts", "charts", "--charts-url",
                                      "https://example.org/{file}", "--gpu", "NVIDIA H200"});
  EXPECT_EQ(result.exit_code, 1) << result.errors;
  const auto names = pictures_in(folder.path() / "charts");
  EXPECT_THAT(of_kind(names, "samples"), ElementsAre(HasSubstr("transpose-naive-row-8192")));
  EXPECT_THAT(of_kind(names, "comparison"), SizeIs(1));
  EXPECT_THAT(of_kind(names, ""), IsEmpty());
}

}  // namespace
}  // namespace tracker::e2e

// The scripts of the charts of a report against reviewed ones, and the real gnuplot on them.
#include <cmath>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/plot/pictures.hpp"
#include "tests/plot/report_fixtures.hpp"
#include "tests/support/golden.hpp"
#include "tracker/plot/plot.hpp"

namespace tracker::plot {
namespace {

using test::matches_golden;
using test::read_text;

std::string report_chart_script(const std::optional<Chart>& chart) {
  return chart ? chart->data + chart->commands : "nothing to draw\n";
}

void expect_whole(const ChartFiles& files) {
  const std::string png = read_text(files.png);
  ASSERT_GT(png.size(), 24u) << files.png;
  EXPECT_EQ(big_endian(png, 16), 1200u) << "the width of a comment, and a third for sharp screens";
  expect_pictures(files, 1200, big_endian(png, 20));
}

BenchmarkSamples apart() {
  BenchmarkSamples samples = make_samples_of(4);
  samples.paired = false;
  samples.base[3].job = 1;
  samples.base[1].excluded = exclusion_of("warm-up");
  samples.candidate[2].disturbed = true;
  return samples;
}

TEST(ReportCharts, MatchTheGoldenFiles) {
  struct Row {
    const char* golden;
    std::optional<Chart> chart;
  };
  const Row rows[] = {{"comparison.gp", comparison_chart(make_report_of_all())},
                      {"samples-in-turn.gp", samples_chart(make_samples_of(4))},
                      {"samples-apart.gp", samples_chart(apart())}};
  for (const auto& row : rows)
    EXPECT_TRUE(
        matches_golden(report_chart_script(row.chart), std::string("tests/plot/golden/") + row.golden));
}

TEST(ReportCharts, RecordedOnesAreDrawn) {
  const TempFolder folder;
  const auto jobs = recorded_comparison(TRACKER_H200_JOBS "/job1", TRACKER_H200_JOBS "/job2", false);
  const auto spills = recorded_comparison("h200_reasons/spills-base.run.json",
                                          "h200_reasons/spills-candidate.run.json", false);
  ASSERT_TRUE(spills.report.interleaved);
  for (const auto& files : draw_comparisons({jobs.report, spills.report}, folder.path())) expect_whole(files);
  const auto samples = draw_samples(
      {jobs.samples("transpose_smem_pad/1024"), spills.samples("gemm/tile_2d/f32/4096x4096x4096")},
      folder.path());
  for (const auto& files : samples) expect_whole(files);
}

TEST(ReportCharts, EverySizeGivesWholePictures) {
  const TempFolder folder;
  std::vector<ComparisonReport> reports;
  for (const int rows : {1, 7, 40, 200}) {
    std::vector<Comparison> all;
    for (int i = 0; i < rows; ++i)
      all.push_back(make_comparison("k/" + std::to_string(i), -0.005 * i, Verdict::kRegressed));
    reports.push_back(make_report(all));
    reports.back().device += std::to_string(rows);
  }
  reports.push_back({});
  const auto comparisons = draw_comparisons(reports, folder.path());
  EXPECT_TRUE(comparisons.back().png.empty());
  for (std::size_t i = 0; i + 1 < comparisons.size(); ++i) expect_whole(comparisons[i]);
  std::vector<BenchmarkSamples> all;
  for (const int rounds : {1, 2, 60, 300}) {
    all.push_back(make_samples_of(rounds));
    all.back().comparison.benchmark += std::to_string(rounds);
  }
  all.push_back(make_samples_of(3));
  all.back().base.clear();
  all.back().comparison.base = all.back().comparison.change = {};
  for (const auto& files : draw_samples(all, folder.path())) expect_whole(files);
}

TEST(ReportCharts, HostileNamesNeitherRunNorFail) {
  const TempFolder folder;
  std::vector<ComparisonReport> reports;
  std::vector<BenchmarkSamples> all;
  for (const auto& name : hostile_names()) {
    Comparison comparison = make_comparison(name, -0.1, Verdict::kRegressed);
    comparison.metric.name = name;
    comparison.metric.unit = name.substr(0, 40);
    reports.push_back(make_report({comparison}));
    reports.back().device = reports.back().base.label = name;
    all.push_back(make_samples_of(2));
    all.back().comparison = comparison;
    all.back().device = all.back().candidate_side.label = name;
    all.back().candidate_side.commit = name;
  }
  for (const auto& files : draw_comparisons(reports, folder.path())) expect_whole(files);
  for (const auto& files : draw_samples(all, folder.path())) expect_whole(files);
  EXPECT_EQ(entries(folder.path()).size(), 8 * reports.size());
  EXPECT_THAT(entries(folder.path()), ::testing::Not(::testing::Contains("pwned")));
}

TEST(ReportCharts, HostileFiguresGiveAPictureOrNone) {
  const TempFolder folder;
  std::vector<ComparisonReport> reports;
  std::vector<BenchmarkSamples> all;
  for (const double value : {0.0, 1e-320, 1e-12, 1e250, 1e300, -1.0, double(NAN), double(INFINITY)}) {
    Comparison odd = make_comparison("odd", value, Verdict::kRegressed);
    odd.threshold = value;
    odd.base = odd.candidate = value;
    reports.push_back(make_report({odd, make_comparison("plain", 0.01, Verdict::kUnchanged)}));
    reports.back().device += std::to_string(reports.size());
    BenchmarkSamples samples = make_samples_of(2);
    samples.comparison = odd;
    samples.candidate[1] = invocation_at(2, {value, value});
    samples.device = reports.back().device;
    all.push_back(samples);
  }
  for (const auto& files : draw_comparisons(reports, folder.path())) expect_whole(files);
  for (const auto& files : draw_samples(all, folder.path())) expect_whole(files);
}

// The trend of one benchmark, and another's samples or comparison, may have names that only differ in marks.
TEST(ReportCharts, FilesOfAllKindsKeepTheirNames) {
  const TempFolder folder;
  const BenchmarkSamples samples = make_samples_of(2);
  Series series = make_series(2);
  series.device = samples.device;
  std::set<std::filesystem::path> names;
  for (const char* ending : {"", "  samples", "--samples", "_-_comparison"}) {
    series.benchmark = samples.comparison.benchmark;
    series.metric.name = samples.comparison.metric.name + ending;
    names.insert(draw_trends({series}, folder.path())[0].png);
  }
  EXPECT_EQ(names.count(draw_samples({samples}, folder.path())[0].png), 0u);
  EXPECT_EQ(names.count(draw_comparisons({make_report_of_all()}, folder.path())[0].png), 0u);
}

}  // namespace
}  // namespace tracker::plot

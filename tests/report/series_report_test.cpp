#include "tracker/report/event_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/golden.hpp"
#include "tracker/base/terminal.hpp"
#include "tracker/base/text.hpp"

namespace tracker::report {
namespace {

using testing::HasSubstr;
using testing::Not;

// Forty commits, of which those from `step_at` on are slower by `loss`.
Series logged_series(const std::string& benchmark, int step_at = 40, double loss = 0) {
  Series series;
  series.device = "nvidia-h200";
  series.benchmark = benchmark;
  series.metric = find_metric("bytes_per_second");
  for (int i = 0; i < 40; ++i) {
    SeriesPoint point;
    point.commit = std::to_string(1000000 + i) + std::string(33, 'a');
    point.subject = i == 20 ? "Take the padding out of the tile, as it is not needed any more, and say so"
                            : "Change number " + std::to_string(i);
    point.date = "2026-10-" + std::to_string(10 + i / 2) + "T10:00:00Z";
    point.position = i;
    point.median = 1e12 * (1 + 0.001 * (i % 3)) * (i >= step_at ? 1 - loss : 1);
    point.spread = {point.median * 0.998, point.median * 1.002};
    series.points.push_back(point);
  }
  if (step_at < 40)
    series.steps.push_back(
        {static_cast<std::size_t>(step_at), 1e12, 1e12 * (1 - loss), loss > 0, step_at < 38});
  return series;
}

std::vector<Series> logged_devices_series() {
  std::vector<Series> all{logged_series("transpose/copy/f32/1024x1024"),
                          logged_series("transpose/smem_padded/f32/1024x1024", 20, 0.25),
                          logged_series("transpose/smem_padded/f32/4096x4096", 20, 0.5),
                          logged_series("transpose/vec4/f32/1024x1024", 39, -0.1),
                          logged_series("transpose/tile/f32/1024x1024"),
                          logged_series("transpose/wide/f32/1024x1024")};
  all[1].steps[0].accepted = "odd sizes need it";
  all[4].drifts = {{10, 40, 1e12, 0.95e12, {-0.06, -0.04}, all[4].points[10].commit, 30, true}};
  all[5].wanders = 0.031;
  return all;
}

TEST(SeriesReport, MatchesTheGoldenFiles) {
  EXPECT_TRUE(test::matches_golden(write_series(logged_devices_series(), {.columns = 80}),
                                   "tests/report/golden/series_80.txt"));
  Series one = logged_series("transpose/smem_padded/f32/1024x1024", 39, 0.25);
  one.points.erase(one.points.begin(), one.points.begin() + 30);
  one.steps[0].point = 9;
  one.points[4].disturbed = true;
  EXPECT_TRUE(test::matches_golden(write_series({one}, {.color = true, .columns = 80}),
                                   "tests/report/golden/series_one_80.txt"));
}

TEST(SeriesReport, SaysWhatWanders) {
  Series one = logged_series("transpose/wide/f32/1024x1024");
  one.wanders = 0.031;
  EXPECT_THAT(
      write_series({one}, {}),
      HasSubstr("  ~ wanders by up to 3.1 %: the level moves by itself, and no single commit made it\n"));
  EXPECT_THAT(write_series(logged_devices_series(), {}), HasSubstr("4 of 6 benchmarks changed"));
}

TEST(SeriesReport, StaysInItsColumns) {
  for (const int columns : {60, 80, 100, 160})
    for (const bool values : {false, true}) {
      const std::string text = write_series(logged_devices_series(), {.columns = columns, .values = values});
      for (const auto& line : split(text, '\n'))
        EXPECT_LE(display_width(line), static_cast<std::size_t>(columns)) << line;
    }
}

TEST(SeriesReport, ManyThatDidNotChangeAreCountedUnlessAskedFor) {
  std::vector<Series> all;
  for (int i = 0; i < 50; ++i) all.push_back(logged_series("copy/" + std::to_string(i)));
  EXPECT_THAT(write_series(all, {}), HasSubstr("… and 38 more: --values lists all"));
  EXPECT_THAT(write_series(all, {}), Not(HasSubstr("copy/49")));
  const std::string values = write_series(all, {.values = true});
  EXPECT_THAT(values, HasSubstr("copy/49, bytes_per_second\n"));
  EXPECT_GT(std::count(values.begin(), values.end(), '\n'), 50 * 40);
}

TEST(SeriesReport, SaysWhatAFamilyShowsOnlyTogether) {
  auto all = std::vector<Series>(20, logged_devices_series().back());
  ChangeEvent event;
  event.first_seen = {"1a2b3c4d5e6f", "Check bounds in the tile loader", "2026-08-24T00:00:00Z", 7};
  for (const auto& series : all) {
    EventChange change;
    change.device = series.device;
    change.benchmark = series.benchmark;
    change.metric = series.metric;
    change.before = 1;
    change.after = 0.995;
    change.worse = true;
    event.changes.push_back(change);
  }
  event.slower = {all.size(), 0.995, 0.995, 0};
  event.together = Together{PoolKind::kFamily, "transpose f32", {0.993, 0.997}, 15, {}};
  event.together->pooled.points = all[0].points;
  for (const int columns : {80, 100, 160}) {
    const std::string text = write_series(all, {.columns = columns}, {event});
    EXPECT_THAT(text, HasSubstr("only together"));
    EXPECT_THAT(text, HasSubstr("transpose f32 family (20)"));
    EXPECT_THAT(text, HasSubstr("20 benchmarks about 0.5 % less bandwidth together"));
    for (const auto& line : split(text, '\n'))
      EXPECT_LE(display_width(line), static_cast<std::size_t>(columns));
  }
}

TEST(SeriesReport, StrangersTextIsPrintable) {
  Series series = logged_series("na\x1b[2Jme\n", 20, 0.25);
  series.points[20].subject = "\x1b]0;title\x07 and\nmore";
  series.steps[0].accepted = "\x1b[1m";
  const std::string text = write_series({series}, {.columns = 80}) + write_series({series, series}, {});
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find('\x07'), std::string::npos);
}

TEST(Sparkline, NoiseIsFlatAndAStepIsNot) {
  const Series steady = logged_series("a");
  EXPECT_EQ(sparkline(steady.points, 0, 40, 4, 0.04), "▅▅▅▄");
  const Series step = logged_series("a", 20, 0.25);
  EXPECT_EQ(sparkline(step.points, 0, 40, 4, 0.04), "██▁▁");
  EXPECT_EQ(sparkline(step.points, 5, 5, 4), "");
  EXPECT_EQ(sparkline(step.points, 0, 21, 4), "███▁") << "the newest is never lost among older ones";
  EXPECT_EQ(sparkline(step.points, 0, 21, 1), "▁");
}

}  // namespace
}  // namespace tracker::report

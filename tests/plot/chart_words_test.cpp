// Charts in words: for who cannot see them.
#include "tracker/plot/chart_words.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tracker/model/metric.hpp"

namespace tracker {
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
}  // namespace tracker

#include "tracker/model/noise_history.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tracker {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

NoiseHistory four_runs() {
  NoiseHistory history;
  for (const char* id : {"1", "2", "3", "4"}) history.runs.emplace_back().id = id;
  for (const auto& in : {std::vector<std::uint32_t>{0, 1, 3}, std::vector<std::uint32_t>{2}}) {
    auto& times = history.times.emplace_back();
    for (const std::uint32_t run : in) times.in_runs.push_back({run, 0, 10 * run});
  }
  return history;
}

std::vector<std::string> ids_in(const NoiseHistory& history, const BenchmarkTimes& times) {
  std::vector<std::string> ids;
  for (const auto& one : times.in_runs) ids.push_back(history.runs.at(one.run).id);
  return ids;
}

TEST(NoiseHistory, TimesStayWithTheirRuns) {
  const auto kept = keep_runs(four_runs(), [](const auto& run) { return run.id != "1" && run.id != "3"; });
  ASSERT_THAT(kept.runs, SizeIs(2));
  ASSERT_THAT(kept.times, SizeIs(1)) << "of the other one nothing is left";
  EXPECT_THAT(ids_in(kept, kept.times.front()), ElementsAre("2", "4"));
  EXPECT_EQ(kept.times.front().in_runs.back().first, 30u);
}

TEST(NoiseHistory, AllOrNone) {
  const auto all = keep_runs(four_runs(), [](const auto&) { return true; });
  EXPECT_THAT(ids_in(all, all.times.front()), ElementsAre("1", "2", "4"));
  const auto none = keep_runs(four_runs(), [](const auto&) { return false; });
  EXPECT_THAT(none.runs, IsEmpty());
  EXPECT_THAT(none.times, IsEmpty());
}

}  // namespace
}  // namespace tracker

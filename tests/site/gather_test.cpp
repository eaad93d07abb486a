#include "tracker/site/gather.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/make_run.hpp"
#include "tracker/events/events.hpp"
#include "tracker/model/rename.hpp"

namespace tracker {
namespace {

using testing::HasSubstr;

std::vector<CommitRuns> made_up_runs() {
  std::vector<CommitRuns> runs;
  for (int i = 0; i < 12; ++i) {
    const std::string commit(40, static_cast<char>('a' + i));
    Run run = test::make_run({.id = "run" + std::to_string(i), .commit = commit},
                             {{"old/a/8",
                               test::around(i < 6 ? 1000 : 2000),
                               {},
                               {},
                               {},
                               {{"registers", i < 6 ? 32 : 64}, {"local_bytes", 0}}},
                              {"other", test::around(500), {}, {}, {}, {}}});
    run.software.driver = i < 6 ? "580" : "590";
    runs.push_back(
        {{commit, "Commit " + std::to_string(i), "Ada", "2026-01-" + std::to_string(10 + i) + "T00:00:00Z"},
         10 + i,
         {run}});
  }
  return runs;
}

void add(SiteHistory& site, const std::vector<CommitRuns>& runs, const std::vector<std::string>& globs,
         const Policy& policy) {
  auto line = make_line(runs, "gpu", site_question(globs), policy);
  if (!line) return;
  auto renamed_runs = runs;
  for (auto& commit : renamed_runs)
    for (auto& run : commit.runs) rename_benchmarks(run, policy.renames);
  add_device(site, "gpu", std::move(*line),
             [&](const auto&, std::vector<ChangeEvent>& events) { add_event_causes(events, renamed_runs); });
}

TEST(Gather, PointsHaveWhatTheRunsSay) {
  SiteHistory site;
  Policy policy;
  policy.renames = {{"old/*", "new/*"}};
  add(site, made_up_runs(), {"new/*"}, policy);
  ASSERT_EQ(site.devices.size(), 1U);
  EXPECT_EQ(site.devices[0].name, "NVIDIA H200");
  ASSERT_EQ(site.devices[0].series.size(), 1U);
  const auto& one = site.devices[0].series[0];
  EXPECT_EQ(one.series.benchmark, "new/a/8");
  ASSERT_EQ(one.facts.size(), 12U);
  EXPECT_EQ(one.facts[0]->samples, 5);
  EXPECT_EQ(one.facts[0]->registers, 32);
  EXPECT_EQ(one.facts[11]->registers, 64);
  EXPECT_EQ(one.facts[0]->spill_bytes, 0);
  EXPECT_THAT(one.facts[11]->environment, HasSubstr("driver 590"));
  EXPECT_EQ(site.commits.size(), 12U);
  EXPECT_EQ(site.commits.at(16).subject, "Commit 6");
  ASSERT_EQ(site.devices[0].events.size(), 1U);
  ASSERT_FALSE(site.devices[0].events[0].causes.empty());
  EXPECT_EQ(site.devices[0].events[0].causes[0].fact, "driver");
}

TEST(Gather, ADeviceWithoutSuchBenchmarksIsLeftOut) {
  SiteHistory site;
  add(site, made_up_runs(), {"nothing"}, {});
  add(site, {}, {}, {});
  EXPECT_TRUE(site.devices.empty());
  EXPECT_TRUE(site.commits.empty());
}

}  // namespace
}  // namespace tracker

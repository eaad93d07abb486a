#include "tracker/site/site.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/site/made_up.hpp"
#include "tests/support/make_run.hpp"
#include "tracker/events/events.hpp"
#include "tracker/model/policy.hpp"
#include "tracker/site/pages.hpp"

namespace tracker::site {
namespace {

using testing::HasSubstr;

std::vector<history::CommitRuns> made_up_runs() {
  std::vector<history::CommitRuns> runs;
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

void add(History& site, const std::vector<history::CommitRuns>& runs, const std::vector<std::string>& globs,
         const Policy& policy) {
  auto line = history::make_line(runs, "gpu", site_question(globs), policy);
  if (!line) return;
  auto renamed_runs = runs;
  for (auto& commit : renamed_runs)
    for (auto& run : commit.runs) rename_benchmarks(run, policy.renames);
  add_device(site, "gpu", std::move(*line), [&](const auto&, std::vector<ChangeEvent>& events) {
    for (auto& event : events) events::put_causes(event, {{"gpu", renamed_runs}});
  });
}

TEST(Gather, PointsHaveWhatTheRunsSay) {
  History site;
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
  History site;
  add(site, made_up_runs(), {"nothing"}, {});
  add(site, {}, {}, {});
  EXPECT_TRUE(site.devices.empty());
  EXPECT_TRUE(site.commits.empty());
}

using testing::HasSubstr;
using testing::Not;

std::string badge_of(const std::vector<Series>& all) {
  for (const auto& file : make(test::site_of(all)))
    if (file.path == "badge.svg") return file.text;
  return "";
}

TEST(Badge, SaysWhatGotSlowerFirst) {
  const auto slower = test::stepped("a", 40, {{30, 2}});
  const auto faster = test::stepped("b", 40, {{30, 0.5}});
  EXPECT_THAT(badge_of({slower, faster}), HasSubstr("aria-label=\"perf: 1 slower in 90 d\""));
  EXPECT_THAT(badge_of({faster}), HasSubstr("perf: 1 faster in 90 d"));
  auto newly = test::stepped("d", 40, {{39, 2}});
  newly.steps[0].settled = false;
  EXPECT_THAT(badge_of({faster, newly}), HasSubstr("perf: 1 newly slower in 90 d"));
  EXPECT_THAT(badge_of({test::daily("c", {1, 1, 1})}), HasSubstr("perf: no lasting change in 90 d"));
  EXPECT_THAT(badge_of({test::daily("c", {1, 1})}), HasSubstr("perf: too few commits"));
}

TEST(Badge, WordsAreText) {
  const std::string svg = make_badge("<b>", "a & b", "#287A46");
  EXPECT_THAT(svg, HasSubstr("&lt;b&gt;: a &amp; b"));
  EXPECT_THAT(svg, Not(HasSubstr("<b>")));
}

}  // namespace

}  // namespace tracker::site

#include <gtest/gtest.h>

#include "tests/source_tree.hpp"
#include "tests/support/recorded.hpp"
#include "tracker/base/file.hpp"
#include "tracker/events/events.hpp"
#include "tracker/formats/run_document.hpp"
#include "tracker/history/series.hpp"

namespace tracker::events {
namespace {

using test::around;
using test::make_run;

history::CommitRuns commit_with(int position, const Run& run) {
  history::CommitRuns commit;
  commit.commit.id = std::string(36, 'a') + std::to_string(1000 + position);
  commit.position = position;
  commit.runs = {run};
  return commit;
}

std::vector<ChangeEvent> events_of(const std::vector<history::CommitRuns>& commits) {
  auto events = find(history::make_series(commits, "gpu", {}, {}, ""));
  for (auto& event : events) put_causes(event, {{"gpu", commits}});
  return events;
}

// Ten commits of two benchmarks, 20 % slower from the sixth on, where `change` was made to the run.
template <typename Change>
std::vector<history::CommitRuns> slower_with(Change change) {
  std::vector<history::CommitRuns> commits;
  for (int i = 0; i < 10; ++i) {
    const double level = i < 5 ? 100 : 120;
    Run run = make_run({}, {{"a", around(level * (1 + 0.001 * (i % 3)))}, {"b", around(2 * level)}});
    run.software.driver = "580.1";
    run.host.name = "host-" + std::to_string(i);
    if (i >= 5) change(run);
    commits.push_back(commit_with(i, run));
  }
  return commits;
}

TEST(EventCauses, ANewDriverComesBeforeTheSameCode) {
  const Code code{.hash = "c0de", .launches = {{"kernel", "1", "32", "", 0}}};
  auto commits = slower_with([](tracker::Run& run) { run.software.driver = "590.2"; });
  for (auto& commit : commits)
    for (auto& benchmark : commit.runs[0].benchmarks) benchmark.code = code;
  const auto events = events_of(commits);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].changes.size(), 2u);
  ASSERT_EQ(events[0].causes.size(), 2u);
  EXPECT_EQ(events[0].causes[0].fact, "driver");
  EXPECT_EQ(events[0].causes[0].before, "580.1");
  EXPECT_EQ(events[0].causes[0].after, "590.2");
  EXPECT_EQ(events[0].causes[0].changes, 2u);
  EXPECT_EQ(events[0].causes[1].kind, EventCauseKind::kSameCode);
}

// What the commits' runs say besides is no rival: the driver, which would be the cause of another event.
TEST(EventCauses, OfAnEventOfTheMachineIsItsOwn) {
  const auto commits = slower_with([](tracker::Run& run) { run.software.driver = "590.2"; });
  auto series = history::make_series(commits, "gpu", {}, {}, "");
  for (auto& one : series)
    for (auto& step : one.steps) {
      step.machine = true;
      step.other_conditions = "the sentinel takes 20 % longer";
    }
  auto events = find(series);
  ASSERT_EQ(events.size(), 1u);
  put_causes(events[0], {{"gpu", commits}});
  ASSERT_EQ(events[0].causes.size(), 1u);
  EXPECT_EQ(events[0].causes[0].text, "the sentinel takes 20 % longer");
}

// Only where the time is the kernels' alone is it known that no change of the code made it.
TEST(EventCauses, TheSameCodeLeavesTheLayoutAndTheMachine) {
  const Code code{.hash = "c0de", .launches = {{"kernel", "1", "32", "", 0}}};
  for (const bool of_kernels : {true, false}) {
    auto commits = slower_with([](tracker::Run&) {});
    for (auto& commit : commits)
      for (auto& benchmark : commit.runs[0].benchmarks) {
        benchmark.code = code;
        benchmark.time_base = of_kernels ? TimeBase::kManual : TimeBase::kReal;
      }
    const auto events = events_of(commits);
    ASSERT_EQ(events.size(), 1u);
    ASSERT_EQ(events[0].causes.size(), 1u);
    EXPECT_EQ(events[0].causes[0].kind, EventCauseKind::kSameCode);
    EXPECT_EQ(events[0].causes[0].text.starts_with("layout of the build"), of_kernels)
        << events[0].causes[0].text;
    for (const auto& change : events[0].changes) EXPECT_EQ(change.same_code, of_kernels);
  }
}

// Whosever time it is: the program was the same.
TEST(EventCauses, TheSameProgramIsNotTheCodes) {
  const auto with = [](const std::string& program) {
    auto commits = slower_with([&](tracker::Run& run) {
      for (const auto& benchmark : run.benchmarks) run.programs[benchmark.binary] = {program, ""};
    });
    for (auto& commit : commits)
      for (const auto& benchmark : commit.runs[0].benchmarks)
        commit.runs[0].programs.try_emplace(benchmark.binary, tracker::Program{"a program", ""});
    return events_of(commits);
  };
  const auto same = with("a program");
  ASSERT_EQ(same.size(), 1u);
  for (const auto& change : same[0].changes) EXPECT_TRUE(change.same_code);
  ASSERT_EQ(same[0].causes.size(), 1u);
  EXPECT_EQ(same[0].causes[0].kind, EventCauseKind::kSameCode);
  EXPECT_EQ(same[0].causes[0].text, "the machine: the program is the same");
  const auto changed = with("another program");
  ASSERT_EQ(changed.size(), 1u);
  for (const auto& change : changed[0].changes) EXPECT_FALSE(change.same_code);
  EXPECT_TRUE(changed[0].causes.empty());
}

// The host changes with every run, so that it explains nothing.
TEST(EventCauses, WhatChangesAllTheTimeIsNone) {
  const auto events = events_of(slower_with([](tracker::Run&) {}));
  ASSERT_EQ(events.size(), 1u);
  EXPECT_TRUE(events[0].causes.empty());
}

TEST(EventCauses, ACompilerThatMadeTheSameCodeIsNone) {
  auto commits = slower_with([](tracker::Run& run) { run.software.compiler = "nvcc 13.1"; });
  for (std::size_t i = 0; i < 5; ++i) commits[i].runs[0].software.compiler = "nvcc 13.0";
  ASSERT_EQ(events_of(commits).size(), 1u);
  ASSERT_EQ(events_of(commits)[0].causes.size(), 1u);
  EXPECT_EQ(events_of(commits)[0].causes[0].fact, "compiler");
  for (auto& commit : commits)
    for (auto& benchmark : commit.runs[0].benchmarks)
      benchmark.code = Code{.hash = "c0de", .launches = {{"kernel", "1", "32", "", 0}}};
  ASSERT_EQ(events_of(commits)[0].causes.size(), 1u);
  EXPECT_EQ(events_of(commits)[0].causes[0].kind, EventCauseKind::kSameCode);
}

Run recorded(const std::string& name) {
  const std::string path = TRACKER_TEST_DATA "/h200_reasons/" + name + ".run.json";
  return formats::read_run(read_file(path, 1 << 26), path);
}

// Four commits before a change that was recorded on an H200, and four after it.
std::vector<ChangeEvent> recorded_change(const std::string& name) {
  std::vector<history::CommitRuns> commits;
  for (int i = 0; i < 8; ++i)
    commits.push_back(commit_with(i, recorded(name + (i < 4 ? "-base" : "-candidate"))));
  return events_of(commits);
}

TEST(EventCauses, RecordedSpillsAreTheCodes) {
  const auto events = recorded_change("spills");
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].last_before.position, 3);
  EXPECT_EQ(events[0].first_seen.position, 4);
  ASSERT_EQ(events[0].causes.size(), 1u);
  EXPECT_EQ(events[0].causes[0].kind, EventCauseKind::kCode);
  EXPECT_TRUE(events[0].causes[0].text.starts_with("spills 0 → 456 bytes")) << events[0].causes[0].text;
  for (const auto& change : events[0].changes)
    EXPECT_NE(change.benchmark.find("tile_2d"), std::string::npos) << change.benchmark;
}

TEST(EventCauses, ARecordedCommentIsNoEvent) {
  EXPECT_TRUE(recorded_change("comment").empty());
}

// Two boards of one model, recorded with the same code: what moved is the board's.
TEST(EventCauses, RecordedBoardsOfOneModelAreTheCause) {
  std::vector<history::CommitRuns> commits;
  Policy policy;
  policy.rules = {{.match = "*", .threshold = 0.01}};
  for (int i = 0; i < 12; ++i) {
    const std::string job = i < 6 ? "job2" : "job1";
    commits.push_back(commit_with(i, test::recorded_run({.board = "GPU-" + job}, test::recorded_times(job))));
  }
  auto events = find(history::make_series(commits, "gpu", {}, policy, ""));
  for (auto& event : events) put_causes(event, {{"gpu", commits}});
  ASSERT_EQ(events.size(), 1u);
  EXPECT_GE(events[0].changes.size(), 3u);
  ASSERT_FALSE(events[0].causes.empty());
  EXPECT_EQ(events[0].causes[0].fact, "board");
}

}  // namespace
}  // namespace tracker::events

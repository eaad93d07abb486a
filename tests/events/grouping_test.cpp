// How well events are told on lines with known ones: docs/lab/changepoints.md states what is printed here.
#include <cstdio>
#include <cstdlib>
#include <set>

#include <gtest/gtest.h>

#include "tests/events/made_up_line.hpp"
#include "tracker/events/events.hpp"

namespace tracker::events {
namespace {

using test::LineRequest;

struct Score {
  int true_events = 0;
  int found = 0;  // true ones of which an event tells at least half of the series
  int reported = 0;
  int right = 0;         // reported ones, most of whose series changed at a true event within the interval
  int right_commit = 0;  // of the found ones, first seen at the first measured commit that has it
  int steps = 0;         // that make up the events

  double recall() const { return static_cast<double>(found) / true_events; }
  double precision() const { return static_cast<double>(right) / reported; }
};

// The series of the event that this true one changed.
std::size_t shared_series(const ChangeEvent& event, const test::TrueEvent& truth) {
  std::set<std::string> names;
  for (const std::size_t series : truth.series) names.insert("k" + std::to_string(series));
  return static_cast<std::size_t>(
      std::count_if(event.changes.begin(), event.changes.end(),
                    [&](const EventChange& change) { return names.count(change.benchmark) > 0; }));
}

bool holds(const ChangeEvent& event, const test::TrueEvent& truth) {
  constexpr int kNear = 2;  // commits
  return event.last_before.position - kNear < truth.position &&
         truth.position <= event.last_possible.position + kNear;
}

Score score_of(const LineRequest& request, unsigned lines) {
  Score score;
  for (unsigned seed = 0; seed < lines; ++seed) {
    LineRequest seeded = request;
    seeded.seed = seed;
    const auto line = test::made_up_line(seeded);
    const auto events = find(line.series);
    score.reported += static_cast<int>(events.size());
    for (const auto& event : events) {
      score.steps += static_cast<int>(event.changes.size());
      for (const auto& truth : line.events)
        if (holds(event, truth) && 2 * shared_series(event, truth) >= event.changes.size()) {
          ++score.right;
          break;
        }
    }
    for (const auto& truth : line.events) {
      if (truth.series.empty()) continue;
      ++score.true_events;
      for (const auto& event : events)
        if (holds(event, truth) && 2 * shared_series(event, truth) >= truth.series.size()) {
          ++score.found;
          const bool exact =
              event.last_before.position < truth.position && truth.position <= event.first_seen.position;
          score.right_commit += exact ? 1 : 0;
          break;
        }
    }
  }
  return score;
}

void print(const char* what, const Score& score) {
  if (std::getenv("TRACKER_PRINT") == nullptr) return;
  std::printf("| %s | %d | %d | %d | %.0f %% | %.0f %% | %.0f %% |\n", what, score.true_events, score.steps,
              score.reported, 100 * score.recall(), 100 * score.precision(),
              100.0 * score.right_commit / score.found);
}

TEST(Grouping, ManySeriesWithASharedHistory) {
  const Score score = score_of({}, 20);
  print("60 series, 200 commits, 6 events of 2 to 10 σ", score);
  EXPECT_GE(score.recall(), 0.9);
  EXPECT_GE(score.precision(), 0.9);
  EXPECT_LE(score.reported, score.true_events * 1.3);
}

TEST(Grouping, SmallChanges) {
  LineRequest request;
  request.size_min = 1.5;
  request.size_max = 3;
  request.threshold = 0.002;
  const Score score = score_of(request, 20);
  print("the same of 1.5 to 3 σ", score);
  EXPECT_GE(score.recall(), 0.7);
  EXPECT_GE(score.precision(), 0.8);
}

TEST(Grouping, CommitsWithoutARun) {
  LineRequest request;
  request.gaps = 0.5;
  const Score score = score_of(request, 20);
  print("the first, half of the commits without a run", score);
  EXPECT_GE(score.recall(), 0.8);
  EXPECT_GE(score.precision(), 0.85);
}

TEST(Grouping, NothingHappened) {
  LineRequest request;
  request.events = 0;
  const Score score = score_of(request, 20);
  print("no event", score);
  EXPECT_LE(score.reported, 2);
}

}  // namespace
}  // namespace tracker::events

#include "tracker/events/events.hpp"

#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tracker::events {
namespace {

std::string id_at(int position) {
  return std::string(36, 'a') + std::to_string(1000 + position);
}

// A series of so many commits without a gap. What it shows is said by its steps alone.
Series series_of(const std::string& benchmark, int count, const std::vector<SeriesStep>& steps,
                 const std::string& metric = "real_time") {
  Series series;
  series.device = "gpu";
  series.benchmark = benchmark;
  series.metric = find_metric(metric);
  for (int i = 0; i < count; ++i) {
    SeriesPoint point;
    point.commit = id_at(i);
    point.subject = "commit " + std::to_string(i);
    point.position = i;
    point.median = 1;
    series.points.push_back(point);
  }
  series.steps = steps;
  for (auto& step : series.steps) {
    step.earliest = step.latest = step.point;
    step.worse = (step.after > step.before) == (series.metric.better == Better::kLower);
    step.settled = true;
  }
  return series;
}

TEST(Events, StepsAtOneCommitAreOneEventWithBothDirections) {
  const auto events = find({series_of("a", 20, {{10, 100, 110}}), series_of("b", 20, {{10, 100, 121}}),
                            series_of("c", 20, {{10, 100, 80}}), series_of("d", 20, {{15, 100, 105}})});
  ASSERT_EQ(events.size(), 2u);
  const ChangeEvent& event = events[0];
  EXPECT_EQ(event.first_seen.id, id_at(10));
  EXPECT_EQ(event.first_seen.subject, "commit 10");
  EXPECT_EQ(event.last_before.id, id_at(9));
  EXPECT_EQ(event.last_possible.id, id_at(10));
  EXPECT_EQ(event.slower.changes, 2u);
  EXPECT_NEAR(event.slower.ratio, std::sqrt(1.1 * 1.21), 1e-12);
  EXPECT_NEAR(event.slower.largest, 1.21, 1e-12);
  EXPECT_EQ(event.changes[event.slower.largest_at].benchmark, "b");
  EXPECT_EQ(event.faster.changes, 1u);
  EXPECT_NEAR(event.faster.ratio, 0.8, 1e-12);
  EXPECT_EQ(event.changes[0].benchmark, "c") << "largest first";
  EXPECT_TRUE(is_mostly_slower(event));
  EXPECT_EQ(events[1].first_seen.id, id_at(15));
}

// Half the bandwidth is half the bandwidth; beside a time it is twice the time.
TEST(Events, ReadRatesInTheirOwnDirectionWhereAllAreRates) {
  const auto rate = series_of("r", 20, {{10, 2, 1}}, "bytes_per_second");
  const auto alone = find({rate});
  ASSERT_EQ(alone.size(), 1u);
  EXPECT_TRUE(alone[0].higher_is_better);
  EXPECT_NEAR(alone[0].slower.ratio, 0.5, 1e-12);
  const auto mixed = find({rate, series_of("t", 20, {{10, 1, 2}})});
  ASSERT_EQ(mixed.size(), 1u);
  EXPECT_FALSE(mixed[0].higher_is_better);
  EXPECT_EQ(mixed[0].slower.changes, 2u);
  EXPECT_NEAR(mixed[0].slower.ratio, 2, 1e-12);
}

TEST(Events, AreUndoneByTheStepThatComesBack) {
  const auto events = find({series_of("a", 20, {{5, 100, 110}, {12, 110, 100.5}}),
                            series_of("b", 20, {{5, 100, 110}, {14, 110, 101}})});
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[0].state, EventState::kUndone);
  ASSERT_TRUE(events[0].undone_by);
  EXPECT_EQ(events[0].undone_by->id, id_at(14)) << "the last of both";
  EXPECT_EQ(events[0].undone, 2u);
  EXPECT_EQ(events[1].state, EventState::kStillThere);
}

TEST(Events, AreStillThereWhereMostIsLeft) {
  const auto half = find({series_of("a", 20, {{5, 100, 110}, {12, 110, 105}})});
  EXPECT_EQ(half[0].state, EventState::kStillThere);
  const auto two_steps = find({series_of("a", 20, {{5, 100, 110}, {12, 110, 105}, {15, 105, 101}})});
  EXPECT_EQ(two_steps[0].state, EventState::kUndone);
  EXPECT_EQ(two_steps[0].undone_by->id, id_at(15));
  const auto one_of_two =
      find({series_of("a", 20, {{5, 100, 110}, {12, 110, 100}}), series_of("b", 20, {{5, 100, 110}})});
  EXPECT_EQ(one_of_two[0].state, EventState::kPartlyUndone);
  EXPECT_FALSE(one_of_two[0].undone_by);
}

SeriesStep of_machine(std::size_t point, double before, double after, const std::string& how) {
  SeriesStep step{point, before, after};
  step.other_conditions = how;
  step.machine = true;
  return step;
}

TEST(Events, OfTheMachineStandApartAndKeepTheirCause) {
  SeriesStep loaded{10, 100, 105};
  loaded.other_conditions = "load per thread 0.4 → 12";
  auto events =
      find({series_of("a", 20, {of_machine(10, 100, 110, "driver 1 → 2; the sentinel takes 10.0 % longer")}),
            series_of("b", 20, {of_machine(10, 100, 103, "driver 1 → 2; the sentinel takes 3.0 % longer")}),
            series_of("c", 20, {{10, 100, 110}}), series_of("d", 20, {loaded})});
  ASSERT_EQ(events.size(), 3u);
  const auto machine = std::find_if(events.begin(), events.end(), is_of_machine);
  ASSERT_NE(machine, events.end());
  EXPECT_EQ(machine->changes.size(), 2u);
  put_causes(*machine, {});
  ASSERT_EQ(machine->causes.size(), 1u);
  EXPECT_EQ(machine->causes[0].text, "driver 1 → 2; the sentinel takes 10.0 % longer") << "of the largest";
  for (const auto& event : events)
    if (!is_of_machine(event)) {
      EXPECT_EQ(event.changes.size(), 1u);
      EXPECT_TRUE(event.causes.empty());
    }
}

// Commits without a run between two points may all have made the change, and disturbed points tell nothing.
TEST(Events, NameTheLastCommitThatCounts) {
  auto series = series_of("a", 20, {{10, 100, 110}});
  for (auto& point : series.points) point.position *= 5;
  series.points[9].disturbed = true;
  const auto events = find({series});
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].last_before.position, 40);
  EXPECT_EQ(events[0].first_seen.position, 50);
}

TEST(Events, DriftsAreEventsOfTheirOwn) {
  auto series = series_of("a", 60, {{10, 100, 110}});
  SeriesDrift drift;
  drift.from = 20;
  drift.to = 50;
  drift.before = 110;
  drift.after = 121;
  drift.worse = true;
  series.drifts = {drift};
  const auto events = find({series});
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[1].shape, EventShape::kDrift);
  EXPECT_EQ(events[1].last_before.position, 20);
  EXPECT_EQ(events[1].last_possible.position, 49);
  EXPECT_NEAR(events[1].slower.ratio, 1.1, 1e-12);
  EXPECT_NEAR(weight_of(events[1]), std::log(1.1), 1e-12);
}

TEST(Events, LevelsWithoutARatioAreNone) {
  EXPECT_TRUE(find({series_of("a", 20, {{10, 0, 110}})}).empty());
  EXPECT_TRUE(find({}).empty());
}

using testing::ElementsAre;

// A change that certainly happened at this commit.
ChangePlace exactly(std::size_t series, int position) {
  return {series, position, position, position, position};
}

TEST(EventGroups, ChangesAtOneCommitAreOneGroup) {
  const auto groups = group_places({exactly(0, 5), exactly(1, 5), exactly(2, 9), exactly(3, 5)});
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_THAT(groups[0].members, ElementsAre(0, 1, 3));
  EXPECT_EQ(groups[0].seen, 5);
  EXPECT_THAT(groups[1].members, ElementsAre(2));
}

TEST(EventGroups, NeighboursThatAreCertainStayApart) {
  EXPECT_EQ(group_places({exactly(0, 5), exactly(1, 6)}).size(), 2u);
}

// An uncertain change goes to the commit where certain ones are, and says nothing of where that is.
TEST(EventGroups, AnUncertainChangeJoinsTheCertainOnes) {
  const auto groups = group_places({{0, 2, 7, 7, 9}, exactly(1, 5), exactly(2, 5)});
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].seen, 5);
  EXPECT_EQ(groups[0].first, 5);
  EXPECT_EQ(groups[0].last, 5);
}

// A wide interval is no bridge between two commits.
TEST(EventGroups, AnUncertainChangeJoinsNoTwoGroups) {
  const auto groups = group_places({exactly(0, 5), exactly(1, 5), {2, 4, 6, 6, 11}, exactly(3, 10)});
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_THAT(groups[0].members, ElementsAre(0, 1, 2));
  EXPECT_THAT(groups[1].members, ElementsAre(3));
}

// One interval in twenty misses the commit: one of many must not become an event of its own.
TEST(EventGroups, AnIntervalThatMissesTheCommitByLittleBelongsToIt) {
  const auto groups = group_places({exactly(0, 5), exactly(1, 5), {2, 6, 7, 7, 8}});
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].seen, 5);
}

TEST(EventGroups, OfOneSeriesOnlyTheNearestChangeIsAMember) {
  const auto groups = group_places({exactly(0, 5), exactly(1, 5), {2, 3, 4, 4, 6}, {2, 5, 5, 5, 6}});
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_THAT(groups[0].members, ElementsAre(0, 1, 3));
}

TEST(EventGroups, AloneAChangeKeepsItsInterval) {
  const auto groups = group_places({{0, 3, 5, 6, 8}});
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].first, 3);
  EXPECT_EQ(groups[0].seen, 6);
  EXPECT_EQ(groups[0].last, 8);
}

// The gap of commits without a run on one device is narrowed by the runs of another.
TEST(EventGroups, DevicesNarrowEachOther) {
  const auto groups = group_places({{0, 3, 3, 9, 9}, {1, 1, 1, 5, 5}});
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].first, 3);
  EXPECT_EQ(groups[0].last, 5);
}

TEST(EventGroups, DriftsOfMuchTheSameStretchAreOneGroup) {
  const auto groups = group_drifts({{0, 10, 90}, {1, 0, 100}, {2, 0, 30}, {3, 5, 95}});
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_THAT(groups[0].members, ElementsAre(0, 1, 3));
  EXPECT_THAT(groups[1].members, ElementsAre(2));
}

TEST(EventGroups, NothingMakesNoGroup) {
  EXPECT_TRUE(group_places({}).empty());
  EXPECT_TRUE(group_drifts({}).empty());
}

}  // namespace

}  // namespace tracker::events

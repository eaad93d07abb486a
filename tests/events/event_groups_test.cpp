#include "tracker/events/event_groups.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tracker {
namespace {

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
}  // namespace tracker

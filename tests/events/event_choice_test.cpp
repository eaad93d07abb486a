#include "tracker/events/event_choice.hpp"

#include <gtest/gtest.h>

namespace tracker::events {
namespace {

ChangeEvent event_of(const std::string& date, double ratio, bool settled = true) {
  ChangeEvent event;
  event.first_seen.date = date;
  event.last_possible.date = date;
  EventChange change;
  change.before = 1;
  change.after = ratio;
  change.worse = ratio > 1;
  change.settled = settled;
  event.changes = {change};
  return event;
}

TEST(LastingEvents, AreThoseSinceThatDayLargestFirst) {
  const auto chosen =
      lasting_events({event_of("2026-08-23T23:59:59Z", 9), event_of("2026-08-24T00:00:00Z", 1.1),
                      event_of("2026-09-01T00:00:00Z", 0.5), event_of("2026-09-02T00:00:00Z", 1.2)},
                     "2026-08-24");
  ASSERT_EQ(chosen.size(), 3u);
  EXPECT_EQ(chosen[0].changes[0].after, 0.5) << "half weighs more than a tenth more";
  EXPECT_EQ(chosen[1].changes[0].after, 1.2);
  EXPECT_EQ(chosen[2].changes[0].after, 1.1);
}

TEST(LastingEvents, AreSettled) {
  EXPECT_TRUE(lasting_events({event_of("2026-09-01", 2, false)}, "").empty());
}

TEST(LastingEvents, DriftsCountByTheirEnd) {
  auto drift = event_of("2026-01-01", 1.1);
  drift.shape = EventShape::kDrift;
  drift.last_possible.date = "2026-09-01";
  EXPECT_EQ(lasting_events({drift}, "2026-08-24").size(), 1u);
  drift.shape = EventShape::kStep;
  EXPECT_TRUE(lasting_events({drift}, "2026-08-24").empty());
}

// One benchmark, k<number>, that lost so much at a commit of this position, after so many commits before it.
EventChange loss_of(std::size_t number, double ratio, std::size_t values) {
  EventChange change;
  change.benchmark = "k" + std::to_string(number);
  change.metric = find_metric("real_time");
  change.before = 1;
  change.after = ratio;
  change.worse = ratio > 1;
  change.values = values;
  change.settled = values >= 3;
  change.sure = 0.999999;
  return change;
}

ChangeEvent event_with(int position, std::vector<EventChange> changes) {
  ChangeEvent event;
  event.last_before.position = position - 1;
  event.first_seen.position = event.last_possible.position = position;
  event.changes = std::move(changes);
  return event;
}

// So many series of forty commits each.
std::vector<Series> forty_commits(std::size_t count = 10) {
  Series series;
  for (int i = 0; i < 40; ++i) series.points.push_back({.position = i, .median = 1});
  return std::vector<Series>(count, series);
}

TEST(NewestCheck, FindsACertainRegressionThatLasts) {
  const auto check = check_newest({event_with(35, {loss_of(1, 1.1, 5)})}, forty_commits(), 20);
  EXPECT_EQ(check.regressions.size(), 1u);
  EXPECT_EQ(check.series, 10u);
  EXPECT_EQ(check.short_series, 0u);
}

TEST(NewestCheck, WaitsForFiveRunsUnlessThreeBenchmarksAgree) {
  const auto young = check_newest({event_with(37, {loss_of(1, 1.1, 3)})}, forty_commits(), 20);
  EXPECT_TRUE(young.regressions.empty());
  EXPECT_EQ(young.uncertain.size(), 1u);
  const auto shared = check_newest(
      {event_with(37, {loss_of(1, 1.1, 3), loss_of(2, 1.1, 3), loss_of(3, 1.1, 3)})}, forty_commits(), 20);
  EXPECT_EQ(shared.regressions.size(), 1u);
  const auto spike = check_newest(
      {event_with(38, {loss_of(1, 1.1, 2), loss_of(2, 1.1, 2), loss_of(3, 1.1, 2)})}, forty_commits(), 20);
  EXPECT_TRUE(spike.regressions.empty()) << "two values are not settled";
}

// Among many series one is by chance as far away.
TEST(NewestCheck, AsksForMoreAmongManySeries) {
  auto loss = loss_of(1, 1.1, 8);
  loss.sure = 0.9995;
  EXPECT_EQ(check_newest({event_with(30, {loss})}, forty_commits(20), 20).regressions.size(), 1u);
  EXPECT_EQ(check_newest({event_with(30, {loss})}, forty_commits(21), 20).regressions.size(), 0u);
}

TEST(NewestCheck, LeavesAsideWhatIsOldOrFasterOrUndoneOrAcceptedOrADrift) {
  auto undone = loss_of(1, 1.1, 5);
  undone.undone_by = EventCommit{};
  auto accepted = loss_of(1, 1.1, 5);
  accepted.accepted = "known";
  auto drift = event_with(35, {loss_of(1, 1.1, 5)});
  drift.shape = EventShape::kDrift;
  for (const auto& event : {event_with(19, {loss_of(1, 1.1, 20)}), event_with(35, {loss_of(1, 0.9, 5)}),
                            event_with(35, {undone}), event_with(35, {accepted}), drift}) {
    const auto check = check_newest({event}, forty_commits(), 20);
    EXPECT_TRUE(check.regressions.empty());
    EXPECT_TRUE(check.uncertain.empty());
  }
  EXPECT_EQ(check_newest({event_with(20, {loss_of(1, 1.1, 20)})}, forty_commits(), 20).regressions.size(),
            1u);
}

// What got slower with the same machine code is nobody's change of the code.
TEST(NewestCheck, SetsTheSameMachineCodeApart) {
  auto same = loss_of(1, 1.1, 5);
  same.same_code = true;
  const auto check = check_newest({event_with(35, {same})}, forty_commits(), 20);
  EXPECT_TRUE(check.regressions.empty());
  EXPECT_TRUE(check.uncertain.empty());
  EXPECT_EQ(check.same_code.size(), 1u);
  EXPECT_EQ(
      check_newest({event_with(35, {same, loss_of(2, 1.2, 5)})}, forty_commits(), 20).regressions.size(), 1u)
      << "the other one's code changed";
  same.same_code_fails = true;
  EXPECT_EQ(check_newest({event_with(35, {same})}, forty_commits(), 20).regressions.size(), 1u);
  auto spike = loss_of(1, 1.1, 2);
  spike.same_code = true;
  const auto uncertain = check_newest({event_with(38, {spike})}, forty_commits(), 20);
  EXPECT_TRUE(uncertain.same_code.empty()) << "it may be noise yet";
}

// What the sentinel shows fails nothing, whatever tracker.toml says, and is named whether it got slower or
// not.
TEST(NewestCheck, SetsTheMachineApart) {
  auto slower = loss_of(0, 1.2, 9);
  slower.settled = false;
  slower.machine = true;
  slower.other_conditions = "driver 1 → 2; the sentinel takes 20.0 % longer";
  auto faster = slower;
  faster.after = 0.8;
  faster.worse = false;
  std::vector<ChangeEvent> events{event_with(25, {slower}), event_with(26, {faster}), event_with(1, {slower}),
                                  event_with(27, {slower, loss_of(1, 1.2, 9)})};
  const auto all = forty_commits();
  const auto look = [&] { return check_newest(events, all, 20); };
  EXPECT_EQ(look().machine.size(), 2u);
  EXPECT_EQ(look().regressions.size(), 1u) << "what the code did at the same time";
  accept_changes(events, {});
  EXPECT_EQ(look().machine.size(), 2u) << "nothing that is accepted takes it back";
  Acceptance acceptance;
  acceptance.match = "*";
  acceptance.ceiling = 1;
  acceptance.reason = "known";
  accept_changes(events, {acceptance});
  EXPECT_EQ(look().machine.size(), 2u);
  EXPECT_EQ(look().regressions.size(), 0u);
  EXPECT_EQ(lasting_events({events[0]}, "").size(), 1u) << "settled or not";
}

TEST(NewestCheck, CountsSeriesThatAreTooShort) {
  auto all = forty_commits(2);
  all[1].points.resize(9);
  const auto check = check_newest({}, all, 20);
  EXPECT_EQ(check.series, 1u);
  EXPECT_EQ(check.short_series, 1u);
}

TEST(AcceptSteps, ThoseThatMayHaveHappenedAtItsCommitUpToItsCeiling) {
  Series series;
  series.benchmark = "k1";
  series.metric = find_metric("real_time");
  for (int i = 0; i < 20; ++i) series.points.push_back({.position = 2 * i, .median = 1});
  series.steps = {
      {.point = 5, .before = 1, .after = 1.1, .worse = true, .settled = true, .earliest = 4, .latest = 6},
      {.point = 10,
       .before = 1.1,
       .after = 1,
       .worse = false,
       .settled = true,
       .earliest = 10,
       .latest = 10}};
  const auto accepted = [&](double ceiling, std::optional<int> position) {
    accept_steps(series, {{"k*", "safety", ceiling, position}});
    EXPECT_EQ(series.steps[1].accepted, "") << "faster needs no acceptance";
    return series.steps[0].accepted;
  };
  EXPECT_EQ(accepted(0.2, {}), "safety");
  EXPECT_EQ(accepted(0.05, {}), "");
  EXPECT_EQ(accepted(0.2, 6), "");
  EXPECT_EQ(accepted(0.2, 7), "safety") << "a commit without a run, before the earliest point";
  EXPECT_EQ(accepted(0.2, 12), "safety");
  EXPECT_EQ(accepted(0.2, 13), "");
  accept_steps(series, {{"other", "safety", 0.2, {}}});
  EXPECT_EQ(series.steps[0].accepted, "");
}

TEST(AcceptChanges, ThoseOfItsCommitUpToItsCeiling) {
  std::vector<ChangeEvent> events{event_with(5, {loss_of(1, 1.1, 5), loss_of(2, 1.3, 5), loss_of(3, 0.5, 5)}),
                                  event_with(9, {loss_of(1, 1.1, 5)})};
  accept_changes(events, {{"k*", "safety", 0.2, 5}});
  EXPECT_EQ(events[0].accepted, 1u);
  EXPECT_EQ(events[0].changes[0].accepted, "safety");
  EXPECT_EQ(events[0].changes[1].accepted, "") << "past the ceiling";
  EXPECT_EQ(events[0].changes[2].accepted, "") << "faster needs no acceptance";
  EXPECT_EQ(events[1].accepted, 0u) << "another commit";
  accept_changes(events, {{"k1", "waived", 0.2, {}}});
  EXPECT_EQ(events[0].accepted, 1u);
  EXPECT_EQ(events[1].changes[0].accepted, "waived") << "a waiver names no commit";
  EXPECT_NEAR(largest_loss(events, "k*", 5), 0.3, 1e-12);
  EXPECT_EQ(largest_loss(events, "k*", 6), 0);
  EXPECT_EQ(largest_loss(events, "other", 5), 0);
}

TEST(AcceptChanges, OfTheMachineAreOfAnySizeAndDirectionAndBlameNoCommit) {
  std::vector<ChangeEvent> events{event_with(5, {loss_of(1, 3, 5), loss_of(2, 0.5, 5)}),
                                  event_with(9, {loss_of(1, 1.1, 5)})};
  accept_changes(events, {{"k*", "new runner", 0, 5, true}});
  EXPECT_TRUE(is_of_machine(events[0]));
  EXPECT_EQ(events[0].accepted, 1u) << "what got slower";
  ASSERT_EQ(events[0].causes.size(), 1u);
  EXPECT_EQ(events[0].causes[0].text, "the machine changed: new runner");
  EXPECT_FALSE(is_of_machine(events[1])) << "another commit";
  EXPECT_EQ(check_newest({events[0]}, forty_commits(), 40).regressions.size(), 0u);
  accept_changes(events, {});
  EXPECT_FALSE(is_of_machine(events[0]));
}

TEST(AcceptSteps, OfTheMachineSayNothingOfTheCode) {
  Series series;
  series.benchmark = "k1";
  series.metric = find_metric("real_time");
  for (int i = 0; i < 20; ++i) series.points.push_back({.position = i, .median = 1});
  series.steps = {
      {.point = 5, .before = 2, .after = 1, .worse = false, .settled = true, .earliest = 5, .latest = 5}};
  accept_steps(series, {{"k1", "new runner", 0, 6, true}});
  EXPECT_TRUE(series.steps[0].settled) << "at another commit";
  accept_steps(series, {{"k1", "new runner", 0, 5, true}});
  EXPECT_FALSE(series.steps[0].settled);
  EXPECT_EQ(series.steps[0].other_conditions, "the machine changed: new runner");
}

// Half of the bandwidth is a loss of 50 %, as waivers count it.
TEST(AcceptChanges, OfARateTheShareThatIsLost) {
  auto loss = loss_of(1, 0.5, 5);
  loss.metric = find_metric("bytes_per_second");
  loss.worse = true;
  std::vector<ChangeEvent> events{event_with(5, {loss})};
  accept_changes(events, {{"k1", "x", 0.49, {}}});
  EXPECT_EQ(events[0].accepted, 0u);
  accept_changes(events, {{"k1", "x", 0.51, {}}});
  EXPECT_EQ(events[0].accepted, 1u);
}

}  // namespace
}  // namespace tracker::events

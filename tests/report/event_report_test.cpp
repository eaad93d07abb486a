#include "tracker/report/event_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/golden.hpp"
#include "tracker/base/text.hpp"
#include "tracker/report/event_words.hpp"

namespace tracker::report {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

EventCommit event_commit(int position, const std::string& subject) {
  return {std::to_string(1000000 + position) + std::string(33, 'a'), subject, "2026-10-03T10:00:00Z",
          position};
}

EventChange change_of(const std::string& benchmark, double before, double after) {
  EventChange change;
  change.device = "nvidia-h200";
  change.benchmark = benchmark;
  change.metric = find_metric("real_time");
  change.before = before;
  change.after = after;
  change.worse = after > before;
  change.settled = true;
  return change;
}

ChangeEvent event_at(int position, const std::string& subject, std::vector<EventChange> changes) {
  ChangeEvent event;
  event.last_before = event_commit(position - 1, "before");
  event.first_seen = event.last_possible = event_commit(position, subject);
  for (std::size_t i = 0; i < changes.size(); ++i) {
    EventSide& side = changes[i].worse ? event.slower : event.faster;
    side.ratio = side.largest = changes[i].after / changes[i].before;
    if (side.changes++ == 0) side.largest_at = i;
  }
  event.changes = std::move(changes);
  return event;
}

Series stepped(const std::string& benchmark, int at, double before, double after) {
  Series series;
  series.device = "nvidia-h200";
  series.benchmark = benchmark;
  for (int i = 0; i < 40; ++i) {
    SeriesPoint point;
    point.position = i;
    point.median = i < at ? before : after;
    series.points.push_back(point);
  }
  return series;
}

// A kernel that spills; a toolchain update, mended in part; a gain that was lost; a drift on another device;
// another driver.
EventReport sample() {
  EventReport report;
  report.since = "2026-08-24";
  report.devices = {"nvidia-h100", "nvidia-h200"};
  auto spill = event_at(20, "Bound the registers of tile_2d, so that four blocks fit on a multiprocessor",
                        {change_of("gemm/tile_2d/f32/4096x4096x4096", 4e-3, 36.6e-3)});
  spill.causes = {{EventCauseKind::kCode, "", "", "", "spills 0 → 456 bytes: registers 125 → 64", 1}};
  auto update = event_at(30, "Take nvcc 13.1",
                         {change_of("transpose/smem/f32/2048", 1e-3, 1.1e-3),
                          change_of("transpose/naive/f32/2048", 1e-3, 1.05e-3),
                          change_of("transpose/copy/f32/2048", 1e-3, 0.98e-3)});
  update.last_before = event_commit(24, "before");
  update.causes = {{EventCauseKind::kFact, "compiler", "nvcc 13.0", "nvcc 13.1", "", 3},
                   {EventCauseKind::kCode, "", "", "", "", 2}};
  update.state = EventState::kPartlyUndone;
  update.undone = 1;
  auto lost = event_at(10, "Unroll", {change_of("gemm/naive/f32/64", 2e-3, 1.9e-3)});
  lost.state = EventState::kUndone;
  lost.undone = 1;
  lost.undone_by = event_commit(15, "Do not unroll");
  auto drift = event_at(5, "Begin", {change_of("copy", 1e-3, 1.04e-3)});
  drift.shape = EventShape::kDrift;
  drift.last_before.date = "2026-06-03T10:00:00Z";
  drift.last_possible = event_commit(39, "Now");
  drift.changes[0].device = "nvidia-h100";
  auto accepted = event_at(35, "Check bounds", {change_of("safe", 1e-3, 1.02e-3)});
  accepted.accepted = 1;
  accepted.changes[0].accepted = "safety";
  auto machine = event_at(25, "Reword a comment", {change_of("copy", 1e-3, 1.031e-3)});
  machine.changes[0].machine = true;
  machine.changes[0].other_conditions = "driver 570.1 → 580.2; the sentinel takes 3.1 % longer";
  machine.causes = {{EventCauseKind::kConditions, "", "", "", machine.changes[0].other_conditions, 1}};
  report.events = {spill, update, lost, drift, accepted, machine};
  report.series = {stepped("gemm/tile_2d/f32/4096x4096x4096", 20, 4e-3, 36.6e-3),
                   stepped("transpose/smem/f32/2048", 30, 1e-3, 1.1e-3),
                   stepped("gemm/naive/f32/64", 10, 2e-3, 1.9e-3)};
  return report;
}

EventOptions at_width(int columns) {
  EventOptions options;
  options.columns = columns;
  options.commit_url = "https://github.com/a/b/commit/{commit}";
  return options;
}

// `log` says it of each series; a list of changes says which are none.
TEST(EventReport, NamesWhatWandersByItself) {
  EventReport report{"", {"nvidia-h200"}, {}, {}};
  for (int i = 0; i < 7; ++i) {
    report.series.push_back(stepped("copy/" + std::to_string(i), 0, 1, 1));
    report.series.back().wanders = i == 0 ? 0 : 0.01 * i;
  }
  EXPECT_THAT(write_events("text", report, {}), Not(HasSubstr("wander")));
  report.names_wandering = true;
  for (const std::string format : {"text", "markdown"})
    EXPECT_THAT(
        write_events(format, report, {}),
        HasSubstr("6 benchmarks wander by themselves, moved by no single commit: copy/6 by up to 6 %, "
                  "copy/5 by up to 5 %, copy/4 by up to 4 %, copy/3 by up to 3 %, copy/2 by up "
                  "to 2 %, 1 more"));
  const auto json = nlohmann::json::parse(write_events("json", report, {}));
  ASSERT_EQ(json.at("wandering").size(), 6u);
  EXPECT_EQ(json.at("wandering")[0].at("benchmark"), "copy/1");
  EXPECT_EQ(json.at("wandering")[0].at("by_up_to"), 0.01);
  report.series.erase(report.series.begin() + 2, report.series.end());
  EXPECT_THAT(write_events("text", report, {}),
              HasSubstr("1 benchmark wanders by itself, moved by no single commit: copy/1 by up to 1 %"));
}

// Subjects and names are strangers' text.
TEST(EventWords, AMessageOfAChatCallsNobody) {
  const auto hostile =
      event_at(20, "<!channel> @all *x* <https://evil.example|fix> & `y`", {change_of("copy", 1, 2)});
  const std::string body = chat_message({hostile}, {}, "kernels", "");
  const std::string text = nlohmann::json::parse(body).at("text");
  EXPECT_EQ(text,
            "*kernels: 1 new regression*\n• 2× slower since 1000020 &lt;!channel&gt; @\u2060all ∗x∗ "
            "&lt;https://evil.example|fix&gt; &amp; 'y': copy");
  EXPECT_THAT(chat_message(std::vector<ChangeEvent>(12, hostile), {}, "k", "https://ci/7"),
              testing::AllOf(HasSubstr("and 2 more\\nhttps://ci/7"), HasSubstr("12 new regressions")));
}

TEST(EventWords, OfWhatOnlyAFamilyShows) {
  std::vector<EventChange> changes;
  for (int i = 0; i < 20; ++i)
    changes.push_back(change_of("transpose/tile/f32/" + std::to_string(i), 1, 1.005));
  auto event = event_at(20, "Check bounds", changes);
  event.together =
      Together{PoolKind::kFamily, "transpose f32", {1.003, 1.007}, 15, stepped("", 20, 1, 1.005)};
  EXPECT_EQ(event_benchmarks(event), "transpose f32 family (20)");
  EXPECT_EQ(event_together(event),
            "20 benchmarks about 0.5 % slower together (0.3 % to 0.7 %), too little in any one alone");
  EXPECT_EQ(event_sparkline(event, {}, 4), "▁▁██") << "of all of them together";
  EXPECT_EQ(event_reason(event), event_together(event));
  EventReport report;
  report.devices = {"nvidia-h200"};
  report.events = {event};
  for (const auto& row : event_formats())
    EXPECT_THAT(write_events(row.name, report, {}),
                HasSubstr(row.name == "json" ? "\"independent\": 15" : "together"));
  event.together->kind = PoolKind::kDevice;
  EXPECT_EQ(event_benchmarks(event), "all of the device (20)");
  event.together->kind = PoolKind::kShape;
  event.together->name = "8192x8192";
  EXPECT_EQ(event_benchmarks(event), "all of shape 8192x8192 (20)");
}

TEST(EventWords, OfADrift) {
  auto event = event_at(30, "Begin", {change_of("copy", 1, 1.06)});
  event.shape = EventShape::kDrift;
  event.changes[0].ratio = Interval{1.05, 1.07};
  event.last_before.date = "2026-04-03T10:00:00Z";
  EXPECT_EQ(event_range(event),
            "+0.97 % (+0.81 % to +1.13 %) a month since April, no single commit; up to 1000030");
  EXPECT_EQ(event_since(event), "since April");
  event.last_before.date = "2025-04-03T10:00:00Z";
  EXPECT_EQ(event_since(event), "since April 2025");
  event.last_before.date = "2026-09-21T10:00:00Z";
  event.changes[0].ratio.reset();
  EXPECT_EQ(event_range(event), "+6.00 % in 12 days, no single commit; up to 1000030");
  EXPECT_EQ(event_since(event), "since 1000029");
  EXPECT_EQ(event_issue_title(event), "6 % slower by a drift since 1000029: copy");
  EXPECT_THAT(event_issue_body(event, ""), HasSubstr("tracker compare 1000029 1000030 --confirm"));
  const DriftAlarm alarm{event, {"release v1.2", 3, ""}, {{0, 0.062}}};
  EXPECT_EQ(drift_alarm_in_words(alarm),
            "6.2 % lost since release v1.2 by a drift, no single commit: copy 6.2 %");
}

TEST(EventReport, MatchesItsGoldenFiles) {
  for (const int columns : {0, 80, 120})
    EXPECT_TRUE(test::matches_golden(write_events("text", sample(), at_width(columns)),
                                     "tests/report/golden/events-" + std::to_string(columns) + ".txt"));
  EXPECT_TRUE(
      test::matches_golden(write_events("markdown", sample(), at_width(0)), "tests/report/golden/events.md"));
  EXPECT_TRUE(
      test::matches_golden(write_events("json", sample(), at_width(0)), "tests/report/golden/events.json"));
}

TEST(EventReport, FitsTheTerminal) {
  for (const int columns : {80, 100, 120})
    for (const auto& line : split(write_events("text", sample(), at_width(columns)), '\n'))
      EXPECT_LE(display_width(line), static_cast<std::size_t>(columns)) << line;
}

// Some say in their first line all that there is to say; without a terminal nothing else bounds it.
TEST(EventReport, CutsALongSubjectWithoutATerminal) {
  EventReport report = sample();
  report.events = {event_at(20, "Say " + std::string(500, 'a'), {change_of("copy", 1e-3, 2e-3)})};
  for (const auto& line : split(write_events("text", report, {}), '\n'))
    EXPECT_LT(display_width(line), 160U) << line;
}

TEST(EventReport, CountsWhatItLeavesOut) {
  auto options = at_width(80);
  options.rows_max = 2;
  EXPECT_THAT(write_events("text", sample(), options), HasSubstr("… and 4 smaller: --count 0 lists all"));
  EXPECT_THAT(write_events("text", sample(), options), Not(HasSubstr("Unroll")));
  EXPECT_THAT(write_events("markdown", sample(), options), HasSubstr("… and 4 smaller"));
}

TEST(EventReport, EveryFormatListsTheSections) {
  EventReport report = sample();
  const auto text = write_events("text", report, {});
  const auto markdown = write_events("markdown", report, {});
  report.sections = {{"uncertain", "not certain yet", {}},
                     {"same_code", "slower with the same code", {report.events[1]}}};
  const auto below = write_events("text", report, {});
  EXPECT_TRUE(below.starts_with(text + "\nslower with the same code\n\n")) << below;
  EXPECT_THAT(below.substr(text.size()), AllOf(HasSubstr("Take nvcc 13.1"), Not(HasSubstr("nvidia-h100"))));
  EXPECT_TRUE(
      write_events("markdown", report, {}).starts_with(markdown + "\nslower with the same code\n\n|"));
  const auto document = nlohmann::json::parse(write_events("json", report, {}));
  EXPECT_EQ(document.at("events").size(), 6u);
  EXPECT_TRUE(document.at("uncertain").empty()) << "a list that is empty is there";
  EXPECT_EQ(document.at("same_code").at(0), document.at("events").at(1));
}

TEST(EventReport, SaysThatNothingChanged) {
  EXPECT_EQ(write_events("text", {"2026-08-24", {"gpu"}, {}, {}}, {}),
            "gpu\nno lasting change since 2026-08-24\n");
}

TEST(EventReport, SaysThatTwoCommitsAreTooFew) {
  Series two = stepped("copy", 1, 100, 200);
  two.points.resize(2);
  EXPECT_EQ(write_events("text", {"2026-08-24", {"gpu"}, {}, {two}}, {}),
            "gpu\ntoo few commits to tell a lasting change\n");
  two.points.resize(3);
  EXPECT_EQ(write_events("text", {"2026-08-24", {"gpu"}, {}, {two}}, {}),
            "gpu\nno lasting change since 2026-08-24\n");
}

// Links are for terminals that know them, and take no room.
TEST(EventReport, LinksCommitsWhereThereIsColour) {
  auto options = at_width(80);
  options.color = true;
  const auto text = write_events("text", sample(), options);
  EXPECT_THAT(text, HasSubstr("\x1b]8;;https://github.com/a/b/commit/1000020" + std::string(33, 'a') +
                              "\x1b\\1000020\x1b]8;;\x1b\\"));
  EXPECT_THAT(write_events("text", sample(), at_width(80)), Not(HasSubstr("\x1b")));
}

TEST(EventReport, StrangersTextStaysText) {
  auto report = sample();
  report.events = {event_at(20, "a|b <script> \x1b[31m @user", {change_of("k|\n<b>", 1, 2)})};
  report.events[0].causes = {{EventCauseKind::kFact, "driver", "<i>|1", "\x1b]2", "", 1}};
  const auto markdown = write_events("markdown", report, {});
  EXPECT_THAT(markdown, Not(HasSubstr("<script>")));
  EXPECT_THAT(markdown, Not(HasSubstr("<i>")));
  EXPECT_THAT(markdown, Not(HasSubstr("@user")));
  EXPECT_THAT(split(markdown, '\n'), testing::SizeIs(6)) << markdown;
  EXPECT_THAT(write_events("text", report, {}), Not(HasSubstr("\x1b")));
  EXPECT_EQ(nlohmann::json::parse(write_events("json", report, {})).at("events").size(), 1u);
}

TEST(EventWords, OfTheState) {
  const auto report = sample();
  EXPECT_EQ(event_state(report.events[0]), "still there");
  EXPECT_EQ(event_state(report.events[1]), "1 of 3 mended");
  EXPECT_EQ(event_state(report.events[2]), "undone by 1000015");
  EXPECT_EQ(event_state(report.events[4]), "accepted");
  EXPECT_EQ(event_state(report.events[5]), "the machine changed");
  for (const char* format : {"text", "markdown"})
    EXPECT_EQ(write_events(format, report, {}).find("Reword a comment"), std::string::npos)
        << "no commit is to blame for what the machine did";
}

TEST(EventWords, TheSparklineShowsTheStep) {
  const auto report = sample();
  EXPECT_EQ(event_sparkline(report.events[0], report.series, 8), "▁▁▁▁████");
  EXPECT_EQ(event_sparkline(report.events[3], report.series, 8), "") << "a series that is not there";
  auto flat = report.series;
  for (auto& point : flat[0].points) point.median = 1;
  EXPECT_EQ(event_sparkline(report.events[0], flat, 4), "▁▁▁▁");
}

TEST(EventIssueText, MatchesItsGoldenFile) {
  const auto report = sample();
  EXPECT_EQ(event_issue_title(report.events[1]), "5 % slower since 1000030: transpose/* (2, and 1 faster)");
  EXPECT_TRUE(
      test::matches_golden(event_issue_body(report.events[1], "https://github.com/a/b/commit/{commit}") +
                               "\n----\n" + event_issue_body(report.events[2], ""),
                           "tests/report/golden/event-issue.md"));
}

TEST(CommitUrl, IsThePageOfTheRemotesServer) {
  const std::string page = "https://github.com/a/b/commit/{commit}";
  for (const char* address :
       {"https://github.com/a/b.git", "https://github.com/a/b", "https://user:secret@github.com/a/b.git/",
        "git@github.com:a/b.git", "ssh://git@github.com:22/a/b.git"})
    EXPECT_EQ(commit_url_of(address), page) << address;
  for (const char* address : {"", "/srv/git/b.git", "../b", "file:///srv/b.git", "https://", "C:/b",
                              "https://github.com/a b\x1b", "https://github.com/"})
    EXPECT_EQ(commit_url_of(address), "") << address;
}

TEST(EventWords, CausesStandInTheirOrder) {
  ChangeEvent event;
  EXPECT_EQ(event_causes(event), "");
  event.causes = {{EventCauseKind::kFact, "driver", "580", "590", "", 1},
                  {EventCauseKind::kSameCode, "", "", "", "", 1}};
  EXPECT_EQ(event_causes(event), "driver 580 → 590; the machine code is the same");
  event.causes = {{EventCauseKind::kSameCode, "", "", "", "layout of the build or the machine", 1}};
  EXPECT_EQ(event_causes(event), "same machine code: layout of the build or the machine");
  event.causes = {{EventCauseKind::kCode, "", "", "", "", 1},
                  {EventCauseKind::kCode, "", "", "", "registers 1 → 2", 1}};
  EXPECT_EQ(event_causes(event), "the machine code changed; registers 1 → 2");
}

}  // namespace
}  // namespace tracker::report

#include "tracker/base/time.hpp"

#include <gtest/gtest.h>

#include "tracker/base/error.hpp"

namespace tracker {
namespace {

TEST(Time, ReadsGoogleBenchmarkDates) {
  const auto time = parse_time("2026-11-20T12:49:01+01:00");
  ASSERT_TRUE(time);
  EXPECT_EQ(format_utc(*time), "2026-11-20T11:49:01Z");
}

TEST(Time, RoundTrips) {
  const auto time = parse_time("2024-02-29T23:59:59Z");
  ASSERT_TRUE(time);
  EXPECT_EQ(format_utc(*time), "2024-02-29T23:59:59Z");
  EXPECT_EQ(parse_time("2024-02-29 23:59:59.25-0030"), *time + std::chrono::minutes(30));
}

TEST(Time, RefusesWhatIsNone) {
  for (const char* text :
       {"", "yesterday", "2024-13-01T00:00:00Z", "2023-02-29T00:00:00Z", "2024-01-01", "2024-01-01T24:00:00Z",
        "2024-01-01T00:00:00 CET", "-024-01-01T00:00:00Z", "2024-01-01T-1:00:00Z", "2024-01-01T00:-1:00Z",
        "2024-1-1T0:0:0Z", "2024-01-01x00:00:00Z", " 024-01-01T00:00:00Z"})
    EXPECT_FALSE(parse_time(text)) << text;
}

TEST(Time, ReadsLengths) {
  const std::pair<const char*, double> lengths[] = {{"90s", 90},     {"10m", 600},     {"10min", 600},
                                                    {"1h", 3600},    {"1h30m", 5400},  {"1.5h", 5400},
                                                    {"0.25s", 0.25}, {"2min5s", 125.0}};
  for (const auto& [text, seconds] : lengths) EXPECT_EQ(parse_duration(text), seconds) << text;
}

TEST(Time, RefusesLengthsThatAreNone) {
  for (const char* text :
       {"", "10", "0s", "-5m", "5d", "m", "10 m", "10m ", "1e3s", "infs", "nans", "10ms", "1h30", "0x1s"})
    EXPECT_FALSE(parse_duration(text)) << text;
}

TEST(Time, ReadsNumbersOfDays) {
  EXPECT_EQ(parse_days("90d"), 90);
  EXPECT_EQ(parse_days("12w"), 84);
  EXPECT_EQ(parse_days("2y"), 730);
  for (const char* text : {"", "d", "0d", "-1d", "90", "90 d", "90days", "1.5d", "40000d", "9999w", "1m"})
    EXPECT_FALSE(parse_days(text)) << text;
}

TEST(Time, ADayIsThatOfUtc) {
  EXPECT_EQ(utc_date(*parse_time("2026-11-20T23:59:59Z")), "2026-11-20");
  EXPECT_EQ(utc_date(*parse_time("2261-12-31T23:59:59Z")), "2261-12-31");
  for (const char* beyond : {"1677-12-31T00:00:00Z", "2262-01-01T00:00:00Z", "9999-01-01T00:00:00Z"})
    EXPECT_FALSE(parse_time(beyond)) << beyond;
  EXPECT_EQ(utc_date(*parse_time("2026-11-20T23:59:59-01:00")), "2026-11-21");
}

TEST(FormatDuration, SaysTwoUnitsAtMost) {
  EXPECT_EQ(format_duration(0.2), "0 s");
  EXPECT_EQ(format_duration(59.4), "59 s");
  EXPECT_EQ(format_duration(200), "3 min 20 s");
  EXPECT_EQ(format_duration(3900), "1 h 5 min");
  EXPECT_EQ(format_duration(-1), "0 s");
}

TEST(Time, ATimeBudgetKeepsTheWordsOfTheUser) {
  EXPECT_EQ(parse_time_budget("10m").seconds, 600);
  EXPECT_EQ(parse_time_budget("10m").text, "10m");
  for (const char* text : {"", "soon", "0s", "10"}) {
    try {
      parse_time_budget(text);
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::kUsage) << text;
    }
  }
}

TEST(Time, RunIdsSortByTime) {
  const auto earlier = *parse_time("2026-11-20T12:49:01Z");
  EXPECT_EQ(run_id_of(earlier, 0x3f9a0c1e), "20261120T124901Z-3f9a0c1e");
  EXPECT_LT(run_id_of(earlier, 0xffffffff), run_id_of(earlier + std::chrono::seconds(1), 0));
}

// Two jobs that a script starts one after the other are often of one second: the newer one is judged.
TEST(Time, RunIdsOfOneSecondSortByTime) {
  const auto second = *parse_time("2026-11-20T12:49:01Z");
  EXPECT_EQ(new_run_id(second, 0x0c1e), "20261120T124901Z-00000c1e");
  EXPECT_EQ(new_run_id(second + std::chrono::milliseconds(500), 0x0c1e), "20261120T124901Z-80000c1e");
  EXPECT_LT(new_run_id(second + std::chrono::microseconds(100), 0xffff),
            new_run_id(second + std::chrono::microseconds(200), 0));
  EXPECT_LT(new_run_id(second + std::chrono::microseconds(999999), 0xffff),
            new_run_id(second + std::chrono::seconds(1), 0));
}

TEST(Time, RunIdsAreFitForFileNames) {
  for (const std::string id : {"1", "20261120T124901Z-3f9a0c1e", "a-B-9"}) EXPECT_TRUE(is_run_id(id)) << id;
  EXPECT_TRUE(is_run_id(std::string(100, 'x')));
  for (const std::string id : {"", "-1", "a_b", "a.b", "a/b", "..", "a b", "ä", "1\n"})
    EXPECT_FALSE(is_run_id(id)) << id;
  EXPECT_FALSE(is_run_id(std::string(101, 'x')));
}

TEST(Dates, AreDaysOfTheCalendar) {
  for (const char* date : {"2026-12-31", "2024-02-29", "0001-01-01", "9999-12-31"})
    EXPECT_TRUE(is_date(date)) << date;
  for (const char* none : {"", "2026-13-01", "2026-02-29", "2026-12-00", "26-12-31", "2026-1-31",
                           "2026/12/31", "2026-12-3x", "+026-12-31", "-026-12-31", "2026-12-31Z"})
    EXPECT_FALSE(is_date(none)) << none;
}

}  // namespace
}  // namespace tracker

// Points in time as text: UTC, ISO 8601, whole seconds ("2026-11-20T12:49:01Z"), which sorts by time.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tracker {

// "2026-11-20T12:49:01Z": the time, cut to whole seconds.
std::string format_utc(std::chrono::system_clock::time_point time);

// The day alone: "2026-11-20".
std::string utc_date(std::chrono::system_clock::time_point time);

// How long it is since then.
double seconds_since(std::chrono::steady_clock::time_point start);

// Whether it is a day of the calendar, written "2026-12-31", in any year of four digits.
bool is_date(std::string_view text);

// Reads ISO 8601 with a zone ("…Z", "…+01:00", "…-0730") or without one (taken as UTC), from 1678 to 2261:
// what system_clock can hold.
std::optional<std::chrono::system_clock::time_point> parse_time(std::string_view text);

// Reads a length of time, in seconds: "90s", "10m" or "10min", "1h", "1h30m", "1.5h". Nothing for what is
// none, or not above zero.
std::optional<double> parse_duration(std::string_view text);

struct TimeBudget {
  double seconds = 0;  // 0: no limit
  std::string text;    // as the user wrote it
};

// What --time-budget says. kUsage where it is no length of time.
TimeBudget parse_time_budget(const std::string& text);

// Reads a number of days: "90d", "12w", "2y" (of 365 days). Nothing for what is none, or not 1 to 36500.
std::optional<int> parse_days(std::string_view text);

// "8 s", "3 min 20 s", "1 h 5 min".
std::string format_duration(double seconds);

// Of recorded files: "20261120T124901Z-3f9a0c1e", from the time they state and a hash of what they say. Sorts
// by time; the same files have the same id.
std::string run_id_of(std::chrono::system_clock::time_point time, std::uint32_t hash);

// Of something that starts now: the first four of the eight digits are 65536ths of the second, so that ids
// sort by time within a second as well.
std::string new_run_id(std::chrono::system_clock::time_point now, std::uint16_t random);

// Whether a document may have this id: 1 to 100 letters, digits and '-', the first of them no '-'. It is part
// of file names.
bool is_run_id(std::string_view text);

}  // namespace tracker

#include "tracker/base/time.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <utility>

#include "tracker/base/error.hpp"
#include "tracker/base/text.hpp"

namespace tracker {
namespace {

using std::chrono::system_clock;

// The whole years that system_clock's nanoseconds reach.
constexpr int kYearMin = 1678;
constexpr int kYearMax = 2261;

// As strftime() prints it, in UTC.
std::string print_utc(const char* format, system_clock::time_point time) {
  const std::time_t seconds = system_clock::to_time_t(std::chrono::floor<std::chrono::seconds>(time));
  std::tm fields{};
  ::gmtime_r(&seconds, &fields);
  std::array<char, 80> buffer{};
  return {buffer.data(), std::strftime(buffer.data(), buffer.size(), format, &fields)};
}

// Whether it begins like this: a digit where the shape has 0, and else the same; "T" may be a space.
bool has_shape(std::string_view text, std::string_view shape) {
  return text.size() >= shape.size() &&
         std::equal(shape.begin(), shape.end(), text.begin(), [](char s, char c) {
           return s == '0' ? c >= '0' && c <= '9' : c == s || (s == 'T' && c == ' ');
         });
}

std::chrono::year_month_day day_of(int year, int month, int day) {
  return {std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
          std::chrono::day(static_cast<unsigned>(day))};
}

// Seconds that the zone is ahead of UTC.
std::optional<int> parse_zone(std::string_view zone) {
  if (zone.empty() || zone == "Z" || zone == "z") return 0;
  std::string digits;
  for (const char c : zone.substr(1))
    if (c != ':') digits += c;
  const bool sign = zone[0] == '+' || zone[0] == '-';
  if (!sign || digits.size() != 4 || digits.find_first_not_of("0123456789") != std::string::npos) return {};
  const int hours = std::stoi(digits.substr(0, 2));
  const int minutes = std::stoi(digits.substr(2));
  constexpr int kHoursMax = 14;  // the date line
  if (hours > kHoursMax || minutes > 59) return {};
  const int seconds = (hours * 60 + minutes) * 60;
  return zone[0] == '-' ? -seconds : seconds;
}

}  // namespace

std::string format_utc(system_clock::time_point time) {
  return print_utc("%Y-%m-%dT%H:%M:%SZ", time);
}

std::string utc_date(system_clock::time_point time) {
  return print_utc("%Y-%m-%d", time);
}

std::optional<system_clock::time_point> parse_time(std::string_view text) {
  constexpr std::string_view kShape = "0000-00-00T00:00:00";
  if (!has_shape(text, kShape)) return {};
  int year = 0;
  int month = 0;
  int day = 0;
  int hour = 0;
  int minute = 0;
  int second = 0;
  const std::string copy(text.substr(0, kShape.size()));
  std::sscanf(copy.c_str(), "%4d-%2d-%2d%*1c%2d:%2d:%2d", &year, &month, &day, &hour, &minute, &second);
  std::string_view rest = text.substr(kShape.size());
  if (!rest.empty() && rest[0] == '.') {
    const std::size_t end = rest.find_first_not_of("0123456789", 1);
    if (end == 1 || rest.size() == 1) return {};
    rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end);
  }
  const auto zone = parse_zone(rest);
  const auto date = day_of(year, month, day);
  if (!zone || !date.ok() || hour > 23 || minute > 59 || second > 60) return {};
  if (year < kYearMin || year > kYearMax) return {};
  return std::chrono::sys_days(date) + std::chrono::hours(hour) + std::chrono::minutes(minute) +
         std::chrono::seconds(second - *zone);
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

bool is_date(std::string_view text) {
  constexpr std::string_view kShape = "0000-00-00";
  if (text.size() != kShape.size() || !has_shape(text, kShape)) return false;
  const std::string copy(text);
  return day_of(std::stoi(copy.substr(0, 4)), std::stoi(copy.substr(5, 2)), std::stoi(copy.substr(8))).ok();
}

std::optional<double> parse_duration(std::string_view text) {
  constexpr std::pair<std::string_view, double> kUnits[] = {{"s", 1}, {"min", 60}, {"m", 60}, {"h", 3600}};
  double seconds = 0;
  while (!text.empty()) {
    double number = 0;
    const auto [rest, failure] =
        std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
    if (failure != std::errc() || !std::isfinite(number) || number < 0) return {};
    text.remove_prefix(static_cast<std::size_t>(rest - text.data()));
    const auto unit =
        std::ranges::find_if(kUnits, [&](const auto& known) { return text.starts_with(known.first); });
    if (unit == std::end(kUnits)) return {};
    text.remove_prefix(unit->first.size());
    seconds += number * unit->second;
  }
  if (seconds <= 0) return {};
  return seconds;
}

TimeBudget parse_time_budget(const std::string& text) {
  const auto seconds = parse_duration(text);
  if (!seconds)
    throw Error(ExitCode::kUsage, in_quotes(text) + " is no length of time",
                "write --time-budget like 90s, 10m or 1h");
  return {*seconds, text};
}

std::optional<int> parse_days(std::string_view text) {
  constexpr int kDaysMax = 36500;
  int count = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, count);
  const bool has_unit = read.ec == std::errc{} && read.ptr + 1 == end &&
                        std::string_view("dwy").find(*read.ptr) != std::string_view::npos;
  if (!has_unit || count <= 0 || count > kDaysMax) return {};
  const int days = count * (*read.ptr == 'y' ? 365 : *read.ptr == 'w' ? 7 : 1);
  return days <= kDaysMax ? std::optional(days) : std::nullopt;
}

std::string format_duration(double seconds) {
  const auto whole = std::llround(std::max(seconds, 0.0));
  if (whole < 60) return std::to_string(whole) + " s";
  if (whole < 3600) return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s";
  return std::to_string(whole / 3600) + " h " + std::to_string(whole % 3600 / 60) + " min";
}

bool is_run_id(std::string_view text) {
  constexpr std::size_t kBytesMax = 100;
  constexpr std::string_view kAllowed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-";
  return !text.empty() && text.size() <= kBytesMax && text.front() != '-' &&
         text.find_first_not_of(kAllowed) == std::string_view::npos;
}

std::string run_id_of(system_clock::time_point time, std::uint32_t hash) {
  std::array<char, 16> suffix{};
  std::snprintf(suffix.data(), suffix.size(), "-%08x", hash);
  return print_utc("%Y%m%dT%H%M%SZ", time) + suffix.data();
}

std::string new_run_id(system_clock::time_point now, std::uint16_t random) {
  using Parts = std::chrono::duration<std::int64_t, std::ratio<1, 65536>>;
  const auto second = std::chrono::floor<std::chrono::seconds>(now);
  const auto part = static_cast<std::uint32_t>(std::chrono::floor<Parts>(now - second).count());
  return run_id_of(now, part << 16 | random);
}

}  // namespace tracker

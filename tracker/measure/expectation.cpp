#include "tracker/measure/expectation.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"

namespace tracker {
namespace {

constexpr double kMinTimeDefaultS = 0.5;
// The library aims at 1.4 times the least time, and takes up to about 0.3 of it to find the iterations.
constexpr double kAim = 1.4;
constexpr double kFindingIterations = 0.3;
// What lies between the launches of a benchmark that measures its time itself is in none of its times: an
// invocation of such took 1.7 times as long on an H100.
constexpr double kManualTime = 1.7;

std::optional<double> number_at(std::string_view text) {
  double value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc{} || !(value >= 0)) return {};
  return value;
}

// The value of "key:VALUE" among the segments of a name.
std::optional<double> said(const std::string& line, const std::string& key) {
  const std::size_t at = line.find("/" + key + ":");
  if (at == std::string::npos) return {};
  return number_at(std::string_view(line).substr(at + key.size() + 2));
}

}  // namespace

Expectation expect_time(const std::vector<std::string>& lines, const std::vector<std::string>& arguments,
                        int repetitions) {
  constexpr std::string_view kMinTime = "--benchmark_min_time=";
  Expectation expectation;
  expectation.min_time_s = kMinTimeDefaultS;
  bool by_iterations = false;
  for (const auto& argument : arguments) {
    if (!argument.starts_with(kMinTime)) continue;
    by_iterations = argument.ends_with('x');
    expectation.min_time_s =
        number_at(std::string_view(argument).substr(kMinTime.size())).value_or(kMinTimeDefaultS);
  }
  for (const auto& line : lines) {
    ++expectation.benchmarks;
    const auto own_min_time_s = said(line, "min_time");
    if (said(line, "iterations") || (by_iterations && !own_min_time_s)) {
      ++expectation.open;
      continue;
    }
    const double count = said(line, "repeats").value_or(repetitions);
    const bool is_manual = line.find("/manual_time") != std::string::npos;
    if (is_manual) ++expectation.manual;
    expectation.seconds += own_min_time_s.value_or(expectation.min_time_s) *
                           (kAim * count + kFindingIterations) * (is_manual ? kManualTime : 1);
    expectation.seconds += said(line, "min_warmup_time").value_or(0);
  }
  return expectation;
}

std::string expectation_in_words(const Expectation& round, int repetitions, int rounds, int sides) {
  const std::string head =
      count_of(round.benchmarks, "benchmark") + " × " + count_of(repetitions, "repetition");
  const std::string of_sides = sides > 1 ? " of both sides" : "";
  if (round.seconds <= 0)
    return head + " of a fixed number of iterations, " + count_of(rounds, "invocation") + of_sides +
           ": the first one shows how long it takes";
  return head + " of " + format_quantity(round.min_time_s, "s") + " or more: about " +
         format_duration(round.seconds) + " an invocation" + of_sides + ", " +
         format_duration(round.seconds * rounds) + " for " + std::to_string(rounds) +
         (round.open > 0 ? ", without those of a fixed number of iterations" : "") +
         (round.manual > 0 ? "; the first one shows how much longer those of manual time take" : "");
}

std::string learned_in_words(double expected_s, double taken_s, double all_s) {
  constexpr double kMuchLonger = 1.3;
  constexpr double kWorthSayingS = 30;
  if (!(expected_s > 0) || taken_s < kMuchLonger * expected_s) return "";
  const double all = all_s * taken_s / expected_s;
  if (all - all_s < kWorthSayingS) return "";
  return "the first invocation took " + format_duration(taken_s) + ", not " + format_duration(expected_s) +
         ": about " + format_duration(all) + " in all";
}

double measured_s(const Invocation& invocation) {
  constexpr double kNsInS = 1e9;
  double time_ns = 0;
  bool counts = false;
  for (const auto& [name, samples] : invocation.samples)
    for (std::size_t i = 0; i < std::min(samples.iterations.size(), samples.real_time_ns.size()); ++i) {
      time_ns += samples.real_time_ns[i] * static_cast<double>(samples.iterations[i]);
      counts = counts || samples.iterations[i] > 1;
    }
  return counts ? time_ns / kNsInS : 0;
}

int rounds_worth_it(int rounds, const JobTimes& times, double long_s) {
  constexpr double kUsual = 1.3;  // starting a binary and finding the iterations take a part of any job
  constexpr double kMultiple = 1.6;
  if (times.all_wall_s <= long_s || !(times.measured_s > 0) || times.wall_s < kMultiple * times.measured_s)
    return rounds;
  const double worth = std::ceil(rounds * kUsual * times.measured_s / times.wall_s);
  return std::min(rounds, std::max(kShortenedRoundsMin, static_cast<int>(worth)));
}

std::string shortened_in_words(int rounds, int of, const JobTimes& times) {
  const double multiple = std::round(10 * times.wall_s / times.measured_s) / 10;
  return "measured " + count_of(rounds, "round") + " instead of " + std::to_string(of) +
         ", as a round takes " + format_plain(multiple) + " times what it measures; -n " +
         std::to_string(of) + " measures all";
}

std::string how_to_shorten_in_words(int repetitions) {
  constexpr int kFew = 3;
  std::string text = "shorter: fewer benchmarks (--filter), ";
  if (repetitions > 1)
    text += "fewer repetitions (-r " + std::to_string(repetitions > kFew ? kFew : 1) + "), ";
  return text +
         "or less time for each (arguments = [\"--benchmark_min_time=0.1s\"] in [[binary]], or behind the "
         "binary)";
}

}  // namespace tracker

#include "tracker/report/counter_table.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include "tracker/base/text.hpp"
#include "tracker/model/commit.hpp"

namespace tracker {
namespace {
// A transpose, which has no product, shows up to 0.14 % of tensor use on an H200.
constexpr double kPercentMin = 0.5;

using Names = std::vector<std::vector<std::string>>;  // by benchmark, by segment

bool is_same_everywhere(const Names& names, std::size_t segment) {
  return std::all_of(names.begin(), names.end(),
                     [&](const auto& name) { return name[segment] == names.front()[segment]; });
}

// Names of as many segments share some; the others stay whole.
void name_rows(const Profile& profile, CounterTable& table) {
  Names names;
  for (const auto& benchmark : profile.benchmarks) names.push_back(split(benchmark.name, '/'));
  const bool alike = names.size() > 1 && std::all_of(names.begin(), names.end(), [&](const auto& name) {
                       return name.size() == names.front().size();
                     });
  std::vector<std::string> common;
  for (std::size_t s = 0; alike && s < names.front().size(); ++s)
    common.push_back(is_same_everywhere(names, s) ? names.front()[s] : "*");
  const bool any_common =
      std::any_of(common.begin(), common.end(), [](const std::string& s) { return s != "*"; });
  if (any_common) table.common = printable(join(common, "/"));
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::vector<std::string> own;
    for (std::size_t s = 0; s < names[i].size(); ++s)
      if (!any_common || common[s] == "*") own.push_back(names[i][s]);
    table.rows.push_back({printable(join(own, "/")), printable(profile.benchmarks[i].kernel), {}});
  }
}

std::string heading_of(const Profile& profile) {
  std::set<int> launches;
  for (const auto& benchmark : profile.benchmarks) launches.insert(benchmark.launches);
  std::string counted;
  if (!launches.empty()) {
    counted = *launches.rbegin() == 1 ? ", one launch"
                                      : ", medians of " + std::to_string(*launches.rbegin()) + " launches";
    if (launches.size() > 1)
      counted = ", medians of " + std::to_string(*launches.begin()) + " to " +
                std::to_string(*launches.rbegin()) + " launches";
  }
  return printable(profile.device.model) + " (" + device_key(profile.device) + "), commit " +
         short_id(profile.commit) + (profile.dirty ? " with uncommitted changes" : "") + ", " +
         printable(profile.profiler) + counted + ", caches cold";
}

bool counted_anywhere(const Counter& counter, const Profile& profile) {
  return std::any_of(profile.benchmarks.begin(), profile.benchmarks.end(),
                     [&](const auto& benchmark) { return is_counted(counter, benchmark); });
}

bool has_figures(const Counter& counter, const Profile& profile) {
  const double least = counter.unit == "%" ? kPercentMin : std::numeric_limits<double>::min();
  return std::any_of(profile.benchmarks.begin(), profile.benchmarks.end(), [&](const auto& benchmark) {
    return counter_value(counter, benchmark).value_or(0) >= least;
  });
}

// "dram_read_bytes (dram__bytes_read.sum)": the metrics that no benchmark has.
std::string missing_in_words(const Counter& counter, const Profile& profile) {
  std::vector<std::string> metrics;
  for (const auto& metric : counter.metrics)
    if (std::none_of(profile.benchmarks.begin(), profile.benchmarks.end(),
                     [&](const auto& benchmark) { return benchmark.counters.count(metric) > 0; }))
      metrics.push_back(metric);
  return counter.name + (metrics.empty() ? "" : " (" + join(metrics, ", ") + ")");
}

void choose_columns(const Profile& profile, bool all, CounterTable& table) {
  std::vector<std::string> missing;
  std::vector<std::string> zero;
  for (const auto& counter : counters()) {
    if (!all && !counter.in_table) continue;
    if (!counted_anywhere(counter, profile))
      missing.push_back(missing_in_words(counter, profile));
    else if (!all && !has_figures(counter, profile))
      zero.push_back(counter.name);
    else
      table.columns.push_back(&counter);
  }
  if (!missing.empty()) table.notes.push_back("not counted here: " + join(missing, ", "));
  if (!zero.empty()) table.notes.push_back("about zero everywhere: " + join(zero, ", "));
}

constexpr std::size_t kFollowingMax = 4;

const Counter& time_column() {
  static const Counter column{"time",
                              {},
                              Combine::kFirst,
                              "s",
                              Better::kLower,
                              true,
                              "of a launch without ncu, median of five repetitions of one process"};
  return column;
}

// Of everything the order is by time, where there is one.
Profile in_order(const Profile& profile, const TimesS& times_s) {
  if (times_s.empty()) return profile;
  Profile sorted = profile;
  std::stable_sort(sorted.benchmarks.begin(), sorted.benchmarks.end(), [&](const auto& a, const auto& b) {
    const auto time = [&](const auto& benchmark) {
      const auto found = times_s.find(benchmark.name);
      return found == times_s.end() ? std::numeric_limits<double>::infinity() : found->second;
    };
    return time(a) < time(b);
  });
  return sorted;
}

// "8x32 is the fastest: 247 µs; 4x64 takes 1.10 times, 1x256 4.13 times as long".
std::string fastest_in_words(const CounterTable& table, const std::vector<const ProfiledBenchmark*>& timed,
                             const TimesS& times_s) {
  const auto time = [&](std::size_t i) { return times_s.at(timed[i]->name); };
  const std::size_t last = timed.size() - 1;
  std::string text = table.rows[0].label + " is the fastest: " + format_quantity(time(0), "s");
  if (last > 0) text += "; " + table.rows[1].label + " takes " + format_counter(time(1) / time(0), "");
  if (last > 1) text += ", " + table.rows[last].label + " " + format_counter(time(last) / time(0), "");
  return last > 0 ? text + " times as long" : text;
}

// What the search found, and which counters go with the time.
std::vector<std::string> search_in_words(const CounterTable& table, const Profile& sorted,
                                         const TimesS& times_s) {
  const auto timed = by_time(sorted, times_s);
  if (timed.empty()) return {"none of them has a time: see above"};
  const auto following = counters_that_follow(sorted, times_s);
  std::vector<std::string> parts;
  for (const auto& one : following)
    if (parts.size() < kFollowingMax)
      parts.push_back(one.counter->name + " (" + format_counter(one.of_fastest, one.counter->unit) + " at " +
                      table.rows[0].label + ", " + format_counter(one.of_slowest, one.counter->unit) +
                      " at " + table.rows[timed.size() - 1].label + ")");
  return {fastest_in_words(table, timed, times_s),
          parts.empty() ? "no counter goes with the time" : "with the time go: " + join(parts, ", ")};
}

}  // namespace

CounterTable table_of(const Profile& profile, bool all, const TimesS& times_s) {
  const Profile sorted = in_order(profile, times_s);
  CounterTable table;
  table.heading = heading_of(sorted);
  name_rows(sorted, table);
  if (!times_s.empty()) {
    table.notes = search_in_words(table, sorted, times_s);
    table.columns.push_back(&time_column());
  }
  choose_columns(sorted, all, table);
  for (std::size_t i = 0; i < sorted.benchmarks.size(); ++i)
    for (const auto* counter : table.columns) {
      if (counter == &time_column()) {
        const auto found = times_s.find(sorted.benchmarks[i].name);
        table.rows[i].cells.push_back(found == times_s.end() ? "–" : format_quantity(found->second, "s"));
        continue;
      }
      const auto value = counter_value(*counter, sorted.benchmarks[i]);
      table.rows[i].cells.push_back(value ? format_counter(*value, counter->unit) : "–");
    }
  return table;
}

}  // namespace tracker

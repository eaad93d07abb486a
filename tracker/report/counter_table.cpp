#include "tracker/report/counter_table.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include "tracker/base/text.hpp"
#include "tracker/model/run.hpp"

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

}  // namespace

CounterTable table_of(const Profile& profile, bool all) {
  CounterTable table;
  table.heading = heading_of(profile);
  name_rows(profile, table);
  choose_columns(profile, all, table);
  for (std::size_t i = 0; i < profile.benchmarks.size(); ++i)
    for (const auto* counter : table.columns) {
      const auto value = counter_value(*counter, profile.benchmarks[i]);
      table.rows[i].cells.push_back(value ? format_counter(*value, counter->unit) : "–");
    }
  return table;
}

}  // namespace tracker

#include "tracker/profile/kernel_choice.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "tracker/profile/counters.hpp"
#include "tracker/stats/summary.hpp"

namespace tracker {
namespace {

using Launches = std::vector<const NcuLaunch*>;

double time_of(const Launches& launches) {
  double total = 0;
  for (const auto* launch : launches)
    if (const auto found = launch->metrics.find(kDurationMetric); found != launch->metrics.end())
      total += found->second;
  return total;
}

Launches launches_of(const std::vector<NcuLaunch>& all, const std::vector<std::string>& stated) {
  std::set<std::string> names;
  for (const auto& name : stated) names.insert(bare_kernel_name(name));
  Launches some;
  for (const auto& launch : all)
    if (names.count(bare_kernel_name(launch.kernel)) > 0) some.push_back(&launch);
  if (some.empty())
    for (const auto& launch : all) some.push_back(&launch);
  return some;
}

}  // namespace

std::optional<ProfiledBenchmark> choose_kernel(const std::string& benchmark,
                                               const std::vector<NcuLaunch>& launches,
                                               const std::vector<std::string>& stated) {
  std::vector<Launches> groups;  // in the order they were first seen
  std::map<std::tuple<std::string, std::string, std::string>, std::size_t> places;
  for (const auto* launch : launches_of(launches, stated)) {
    const auto [place, added] =
        places.try_emplace({launch->kernel, launch->grid, launch->block}, groups.size());
    if (added) groups.emplace_back();
    groups[place->second].push_back(launch);
  }
  if (groups.empty()) return {};
  const Launches& chosen = *std::max_element(
      groups.begin(), groups.end(), [](const auto& a, const auto& b) { return time_of(a) < time_of(b); });
  ProfiledBenchmark result{
      benchmark, short_kernel_name(chosen.front()->kernel), static_cast<int>(chosen.size()), {}};
  for (const auto& metric : wanted_metrics()) {
    if (metric == kDurationMetric) continue;
    std::vector<double> values;
    for (const auto* launch : chosen)
      if (const auto found = launch->metrics.find(metric); found != launch->metrics.end())
        values.push_back(found->second);
    if (!values.empty()) result.counters[metric] = stats::median(values);
  }
  return result;
}

}  // namespace tracker

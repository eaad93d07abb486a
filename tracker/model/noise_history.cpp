#include "tracker/model/noise_history.hpp"

#include <algorithm>
#include <cstddef>

namespace tracker {

NoiseHistory keep_runs(NoiseHistory history, const std::function<bool(const Run& run)>& fits) {
  std::vector<std::optional<std::uint32_t>> places;
  std::uint32_t kept = 0;
  for (const auto& run : history.runs) places.push_back(fits(run) ? std::optional(kept++) : std::nullopt);
  if (kept == history.runs.size()) return history;
  std::size_t place = 0;
  std::erase_if(history.runs, [&](const Run&) { return !places[place++]; });
  for (auto& times : history.times) {
    std::erase_if(times.in_runs, [&](const auto& one) { return !places[one.run]; });
    for (auto& one : times.in_runs) one.run = *places[one.run];
  }
  std::erase_if(history.times, [](const auto& times) { return times.in_runs.empty(); });
  return history;
}

std::optional<NoiseHistory> of_one_machine(const NoiseHistory& history, const Run& run) {
  if (run.device.kind != DeviceKind::kCpu) return {};
  const auto is_same = [&](const Run& one) { return machines_apart(one.host, run.host).empty(); };
  if (std::all_of(history.runs.begin(), history.runs.end(), is_same)) return {};
  return keep_runs(history, is_same);
}

}  // namespace tracker

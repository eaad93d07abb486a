#include "tracker/app/line_events.hpp"

#include <chrono>
#include <iterator>
#include <set>

#include "tracker/app/accepted_changes.hpp"
#include "tracker/app/compare_request.hpp"
#include "tracker/base/text.hpp"
#include "tracker/base/time.hpp"
#include "tracker/events/event_causes.hpp"
#include "tracker/history/chart_data.hpp"
#include "tracker/history/history.hpp"
#include "tracker/history/series.hpp"
#include "tracker/model/rename.hpp"

namespace tracker {
namespace {

// Of the newest commit in these series of one device, the benchmarks that the policy lets fail nothing.
void add_only_reported(const Workspace& workspace, const std::vector<Series>& series,
                       std::set<std::string>& names) {
  const SeriesPoint* newest = nullptr;
  for (const auto& one : series)
    if (!one.points.empty() && (newest == nullptr || one.points.back().position > newest->position))
      newest = &one.points.back();
  if (newest == nullptr) return;
  const Policy& policy = workspace.config().policy;
  auto keys = workspace.store().keys_of(newest->commit);
  std::erase_if(keys, [&](const StoredKey& key) { return key.device != series.front().device; });
  for (auto& run : read_runs(workspace.store(), keys)) {
    rename_benchmarks(run, policy.renames);
    for (const auto& benchmark : run.benchmarks)
      if (gate_for(without_renames(policy), benchmark).report_only) names.insert(benchmark.name);
  }
}

}  // namespace

LineEvents load_line_events(const Workspace& workspace, const LineRequest& request) {
  const Config& config = workspace.config();
  const Policy policy = policy_at_threshold(config.policy, request.threshold);
  LineEvents line;
  line.gaps = line_gaps(workspace, request.from);
  const auto known = devices_on_line(workspace.repository(), workspace.history(), request.from, kWholeLine);
  line.devices = matching_devices(known, request.device);
  if (line.devices.empty() && !known.empty())
    throw Error(ExitCode::kUsage, "no device with runs matches '" + printable(request.device) + "'",
                "those with runs: " + printable(join(known, ", ")));
  if (line.devices.empty()) throw no_run_on_line(workspace, request.from, kWholeLine);
  std::set<std::string> reported_only;
  for (const auto& device : line.devices) {
    auto series = load_series(workspace.repository(), workspace.history(), device, request.from,
                              {.globs = request.globs}, policy);
    if (request.globs.empty())
      std::erase_if(series, [&](const Series& one) { return is_in_sweep(one.benchmark, config.sweeps); });
    add_only_reported(workspace, series, reported_only);
    std::move(series.begin(), series.end(), std::back_inserter(line.series));
  }
  if (line.series.empty() && !request.globs.empty())
    throw Error(ExitCode::kUsage, "no benchmark matches '" + printable(join(request.globs, "' or '")) + "'",
                "tracker log '*' lists what is recorded");
  line.events = all_events(line.series);
  add_causes(workspace.repository(), workspace.history(), request.from, policy, line.series, line.events);
  accept_changes(line.events,
                 acceptances_on(workspace, request.from, utc_date(std::chrono::system_clock::now()),
                                {reported_only.begin(), reported_only.end()}));
  for (auto& gap : unread_runs(workspace, request.from, line.devices)) line.gaps.push_back(std::move(gap));
  return line;
}

std::string since_day(const std::string& text, const std::string& today) {
  if (text == "all") return "";
  if (is_date(text)) return text;
  const auto days = parse_days(text);
  if (!days)
    throw Error(ExitCode::kUsage, "'" + printable(text) + "' is no length of time and no day",
                "write it as 90d, 12w, 2026-08-24 or all");
  return utc_date(parse_time(today + "T00:00:00Z").value() - std::chrono::days(*days));
}

}  // namespace tracker
